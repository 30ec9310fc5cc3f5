/* Tiles of rows or planes - lines - shared out among workers, so that all have as much to do.
 *
 * A stretch is what a tile has of lines that cost the same; a range, what a worker marches through at once, is a part of one. It
 * costs BESIDE lines more than it stores: those at its ends that neighbours store, and the time before its first is there.
 *
 *   first   of each stretch workers get as much as they can each pay for, or one gets all of it where that is half a budget and
 *           more: those in tiles beside each other begin at the same line, and what both need comes from memory once
 *   then    what is left of stretches, in order, for what is left of budgets, in order
 *
 * Of Tiles are asked: BESIDE, KINDS of stretches, stretches(), stretch(i), lines_of(kind): that a stretch has, cost_of(kind): of a
 * line, as measured, 32 for those of kind 0. */
#ifndef PERDURE_KERNELS_RESIDENT_DEAL_H
#define PERDURE_KERNELS_RESIDENT_DEAL_H

#include "kernels/resident/row.h"
#include "kernels/resident/stepping.h"
#include "kernels/resident/tiling.h"

typedef struct {
    int32 tile, first, end; /* lines first .. end - 1 */
    int32 kind;
} range_t;

/* Where dealing out what is left of stretches stands. */
typedef struct {
    int32 stretch, done;
} dealt_t;

/* What a worker has: its first ranges and, behind as many as there is room for, what the rest of its budget is good for. Found once:
 * for what is looked for between two marches all others wait. */
struct share_t {
    enum { LISTED = 4 };
    range_t ranges[LISTED];
    uint32 listed;
    dealt_t at;
    int32 left;
};

template <typename Tiles>
struct deal_t : Tiles {
    enum {
        APART = 8,  /* budgets that are tried */
        LITTLE = 32 /* parts of a stretch */
    };
    int32 budget; /* of each worker */
    int32 begun;  /* stretches before this one are dealt out first */
    struct first_t {
        int32 workers, lines; /* that get something of a stretch first, and how much each */
    } first[Tiles::KINDS];

    /* Lines that a budget allows of one stretch. */
    FUNCTION_MEMBER int32 affordable(int32 left, int32 kind) const {
        return left / Tiles::cost_of(kind) - Tiles::BESIDE;
    }
    FUNCTION_MEMBER int32 cost_of(const range_t &range) const {
        return (range.end - range.first + Tiles::BESIDE) * Tiles::cost_of(range.kind);
    }
    /* All of a stretch where little of the workers' budgets is left over. */
    FUNCTION_MEMBER void set_budget(int32 value, int32 workers) {
        budget = value;
#pragma unroll
        for (int32 kind = 0; kind < Tiles::KINDS; ++kind) {
            const int32 lines = Tiles::lines_of(kind), most = affordable(budget, kind);
            if (most < 1 || most >= lines) {
                first[kind] = {most >= 1 && 2 * lines > most ? 1 : 0, lines};
            } else {
                const int32 whole = lines / most, over = (whole + 1) * most - lines;
                const bool all = over <= lines / LITTLE;
                const int32 each = all ? divided_up(lines, whole + 1) : most;
                first[kind] = {all ? divided_up(lines, each) : whole, each};
            }
        }
        begun = 0;
        for (int32 busy = 0; begun < Tiles::stretches(); ++begun) {
            busy += first_workers(Tiles::stretch(begun).kind);
            if (busy > workers) {
                break;
            }
        }
    }
    /* A member of first[kind], by choosing: what is indexed leaves registers. */
    template <int32 first_t::*WHAT>
    FUNCTION_MEMBER int32 of_first(int32 kind) const {
        int32 found = first[0].*WHAT;
#pragma unroll
        for (int32 other = 1; other < Tiles::KINDS; ++other) {
            found = kind == other ? first[other].*WHAT : found;
        }
        return found;
    }
    FUNCTION_MEMBER int32 first_workers(int32 kind) const {
        return of_first<&first_t::workers>(kind);
    }
    FUNCTION_MEMBER int32 first_lines(int32 kind) const {
        return of_first<&first_t::lines>(kind);
    }
    /* What is left of a stretch. */
    FUNCTION_MEMBER range_t rest_of(const dealt_t &at) const {
        range_t rest = Tiles::stretch(at.stretch);
        const int32 gone = at.stretch < begun ? first_workers(rest.kind) * first_lines(rest.kind) : 0;
        rest.first += at.done + gone;
        return rest;
    }
    FUNCTION_MEMBER bool settle(dealt_t *at, range_t *rest) const {
        for (; at->stretch < Tiles::stretches(); ++at->stretch, at->done = 0) {
            *rest = rest_of(*at);
            if (rest->first < rest->end) {
                return true;
            }
        }
        return false;
    }
    /* The next range, of what is `left` of a budget; false: nothing. */
    FUNCTION_MEMBER bool next(dealt_t *at, int32 *left, range_t *range) const {
        if (!settle(at, range)) {
            return false;
        }
        const int32 there = range->end - range->first, most = affordable(*left, range->kind);
        const int32 lines = there < most ? there : most;
        if (lines < 1) {
            return false;
        }
        range->end = range->first + lines;
        at->done += lines;
        *left -= cost_of(*range);
        return true;
    }
    /* What worker `wanted` has; behind the last one nothing, and `at` says what is left over. */
    FUNCTION_MEMBER share_t share_of(int32 wanted) const {
        share_t share = {{}, 0u, {0, 0}, budget};
        range_t range;
        int32 worker = 0;
        for (int32 i = 0; i < begun; ++i) {
            range = Tiles::stretch(i);
            const int32 others = first_workers(range.kind), each = first_lines(range.kind), end = range.end;
            const bool found = wanted < worker + others;
            range.first += found ? each * (wanted - worker) : 0;
            range.end = range.first + each < end ? range.first + each : end;
            share.left =
                others == 1 ? budget - cost_of(range) : 0; /* whoever shares a stretch has spent it */
            if (found) {
                share.ranges[share.listed++] = range;
                list(&share);
                return share;
            }
            if (others == 1) {
                spend(&share);
            }
            worker += others;
        }
        for (; worker < wanted && settle(&share.at, &range); ++worker) {
            const int32 each = affordable(budget, range.kind), there = range.end - range.first;
            const int32 whole = each > 0 && there > each ? (there - 1) / each : 0;
            const int32 alike = whole < wanted - worker ? whole : wanted - worker;
            share.at.done += alike * each;
            worker += alike;
            if (worker == wanted) {
                break;
            }
            share.left = budget;
            spend(&share);
        }
        share.left = budget;
        list(&share);
        return share;
    }
    /* The i-th range of a share, of which `at` and `left` are copies to go on with; false: there are no more. */
    FUNCTION_MEMBER bool range_of(const share_t &share, uint32 i, dealt_t *at, int32 *left,
                                  range_t *range) const {
        if (i < share.listed) {
            *range = share.ranges[i];
            return true;
        }
        return i >= share_t::LISTED && next(at, left, range);
    }
    /* what(range) for each range of a share; how many they are. */
    template <typename What>
    FUNCTION_MEMBER uint32 in_ranges(const share_t &share, const What &what) const {
        dealt_t at = share.at;
        int32 left = share.left;
        range_t range;
        uint32 ranges = 0u;
        for (; range_of(share, ranges, &at, &left, &range); ++ranges) {
            what(range);
        }
        return ranges;
    }
    /* The least that each of `workers` pays: for all lines, each stretch in one range. */
    FUNCTION_MEMBER int32 cost_of_each(int32 workers) const {
        float sum = 0.0f;
        for (int32 i = 0; i < Tiles::stretches(); ++i) {
            sum += static_cast<float>(cost_of(Tiles::stretch(i)));
        }
        return static_cast<int32>(sum / static_cast<float>(workers));
    }
    FUNCTION_MEMBER bool leaves_nothing(int32 value, int32 workers) {
        set_budget(value, workers);
        share_t behind = share_of(workers);
        range_t left_over;
        return behind.listed == 0u && !settle(&behind.at, &left_over);
    }

  private:
    FUNCTION_MEMBER void spend(share_t *share) const {
        range_t range;
        while (next(&share->at, &share->left, &range)) {
        }
    }
    FUNCTION_MEMBER void list(share_t *share) const {
        range_t range;
        while (share->listed < share_t::LISTED && next(&share->at, &share->left, &range)) {
            share->ranges[share->listed++] = range;
        }
    }
};

/* With the least budget that leaves nothing, of those that items try: what is done at once would cost a worker and more, since ranges
 * are whole lines and tiles are shared. All items of all groups; `word`: of the group. */
template <typename Tiles>
FUNCTION deal_t<Tiles> make_deal(const Tiles &tiles, uint32 workers, uint32 *word) {
    const int32 count = static_cast<int32>(workers);
    deal_t<Tiles> deal;
    static_cast<Tiles &>(deal) = tiles;
    uint32 tried = static_cast<uint32>(deal.cost_of_each(count)) + deal.APART * item_index();
    if (item_index() == 0u) {
        *word = 0x7fffffffu;
    }
    group_barrier();
    while (!deal.leaves_nothing(static_cast<int32>(tried), count)) {
        tried += deal.APART * group_size();
    }
    atomicMin(word, tried);
    group_barrier();
    deal.set_budget(static_cast<int32>(*word), count);
    return deal;
}

#endif
