/* Load balancing: divides tiles of lines (rows or planes) among workers so that all have about the same cost.
 *
 * A segment is the part of a tile whose lines cost the same. A worker sweeps through ranges, which are parts of segments. A range
 * costs EXTRA_LINES lines more than it stores: the lines at its ends that neighbours store, and the time until its first line arrives.
 *
 *   first   each segment goes to workers that each take as many lines as the cost limit allows, or to one worker if it costs more
 *           than half of the limit. Ranges of neighbouring tiles then begin at the same line, and data that both need are read from
 *           memory once
 *   then    the remainders of the segments, in order, fill what is left of the workers' cost limits, in order
 *
 * Of several devices each has lines that follow each other, of all tiles, and divides them among its own workers.
 *
 * Tiles provides EXTRA_LINES; KINDS of segments; segments(), their number; segment(i); lines_of(kind), the lines of a segment; and
 * cost_of(kind), the measured cost of a line, which is 32 for kind 0. */
#ifndef PERDURE_KERNELS_RESIDENT_LOAD_BALANCE_H
#define PERDURE_KERNELS_RESIDENT_LOAD_BALANCE_H

#include "kernels/resident/row.h"
#include "kernels/resident/stepping.h"
#include "kernels/resident/tiling.h"
#include "kernels/shares.h"

typedef struct {
    int32 tile, first, end; /* lines first .. end - 1 */
    int32 kind;
} range_t;

/* Position among the remainders of the segments: `done` lines of `segment` are assigned. */
typedef struct {
    int32 segment, done;
} remainder_t;

/* What a worker does: its first ranges and, if it has more, the position from which to find the others. Precomputed, because a
 * lookup between two sweeps would stall every worker. */
struct assignment_t {
    enum { LISTED = 4 };
    range_t ranges[LISTED];
    uint32 listed;
    remainder_t at;
    int32 left;
};

template <typename Tiles>
struct load_balance_t : Tiles {
    enum {
        COST_STEP = 8,  /* distance of the cost limits that are tried */
        SMALL_PART = 32 /* 1 / SMALL_PART of a segment is little */
    };
    int32 cost_limit;     /* of each worker */
    int32 assigned_first; /* segments before this one are assigned first */
    struct first_t {
        int32 workers, lines; /* workers that take a segment of this kind first, and lines of each */
    } first[Tiles::KINDS];

    /* Returns the lines of one segment that a remaining cost `left` allows. */
    FUNCTION_MEMBER int32 affordable(int32 left, int32 kind) const {
        return left / Tiles::cost_of(kind) - Tiles::EXTRA_LINES;
    }
    FUNCTION_MEMBER int32 cost_of(const range_t &range) const {
        return (range.end - range.first + Tiles::EXTRA_LINES) * Tiles::cost_of(range.kind);
    }
    /* Sets the cost limit, and how many workers take a segment of each kind first. They take all of it if that leaves little of
     * their limits unused. */
    FUNCTION_MEMBER void set_cost_limit(int32 value, int32 workers) {
        cost_limit = value;
#pragma unroll
        for (int32 kind = 0; kind < Tiles::KINDS; ++kind) {
            const int32 lines = Tiles::lines_of(kind), most = affordable(cost_limit, kind);
            if (most < 1 || most >= lines) {
                first[kind] = {most >= 1 && 2 * lines > most ? 1 : 0, lines};
            } else {
                const int32 whole = lines / most, over = (whole + 1) * most - lines;
                const bool all = over <= lines / SMALL_PART;
                const int32 each = all ? divided_up(lines, whole + 1) : most;
                first[kind] = {all ? divided_up(lines, each) : whole, each};
            }
        }
        assigned_first = 0;
        for (int32 busy = 0; assigned_first < Tiles::segments(); ++assigned_first) {
            busy += first_workers(Tiles::segment(assigned_first).kind);
            if (busy > workers) {
                break;
            }
        }
    }
    /* Returns a member of first[kind]. It selects instead of indexing, because an indexed array leaves registers. */
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
    /* Returns the remainder of a segment. */
    FUNCTION_MEMBER range_t rest_of(const remainder_t &at) const {
        range_t rest = Tiles::segment(at.segment);
        const int32 assigned =
            at.segment < assigned_first ? first_workers(rest.kind) * first_lines(rest.kind) : 0;
        rest.first += at.done + assigned;
        return rest;
    }
    FUNCTION_MEMBER bool find_remainder(remainder_t *at, range_t *rest) const {
        for (; at->segment < Tiles::segments(); ++at->segment, at->done = 0) {
            *rest = rest_of(*at);
            if (rest->first < rest->end) {
                return true;
            }
        }
        return false;
    }
    /* Assigns the next range within the remaining cost `left`; false: there is none. */
    FUNCTION_MEMBER bool next(remainder_t *at, int32 *left, range_t *range) const {
        if (!find_remainder(at, range)) {
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
    /* Returns the assignment of worker `wanted`. Beyond the last worker it is empty, and `at` says what is still unassigned. */
    FUNCTION_MEMBER assignment_t assignment_of(int32 wanted) const {
        assignment_t assignment = {{}, 0u, {0, 0}, cost_limit};
        range_t range;
        int32 worker = 0;
        for (int32 i = 0; i < assigned_first; ++i) {
            range = Tiles::segment(i);
            const int32 others = first_workers(range.kind), each = first_lines(range.kind), end = range.end;
            const bool found = wanted < worker + others;
            range.first += found ? each * (wanted - worker) : 0;
            range.end = range.first + each < end ? range.first + each : end;
            assignment.left = others == 1 ? cost_limit - cost_of(range)
                                          : 0; /* workers that share a segment have used up their limits */
            if (found) {
                assignment.ranges[assignment.listed++] = range;
                list_ranges(&assignment);
                return assignment;
            }
            if (others == 1) {
                use_up_limit(&assignment);
            }
            worker += others;
        }
        for (; worker < wanted && find_remainder(&assignment.at, &range); ++worker) {
            const int32 each = affordable(cost_limit, range.kind), there = range.end - range.first;
            const int32 whole = each > 0 && there > each ? (there - 1) / each : 0;
            const int32 alike = whole < wanted - worker ? whole : wanted - worker;
            assignment.at.done += alike * each;
            worker += alike;
            if (worker == wanted) {
                break;
            }
            assignment.left = cost_limit;
            use_up_limit(&assignment);
        }
        assignment.left = cost_limit;
        list_ranges(&assignment);
        return assignment;
    }
    /* Returns the i-th range of an assignment; `at` and `left` are copies that it advances. False: there are no more. */
    FUNCTION_MEMBER bool range_of(const assignment_t &assignment, uint32 i, remainder_t *at, int32 *left,
                                  range_t *range) const {
        if (i < assignment.listed) {
            *range = assignment.ranges[i];
            return true;
        }
        return i >= assignment_t::LISTED && next(at, left, range);
    }
    /* Calls what(range) for each range of an assignment; returns their number. */
    template <typename What>
    FUNCTION_MEMBER uint32 in_ranges(const assignment_t &assignment, const What &what) const {
        remainder_t at = assignment.at;
        int32 left = assignment.left;
        range_t range;
        uint32 ranges = 0u;
        for (; range_of(assignment, ranges, &at, &left, &range); ++ranges) {
            what(range);
        }
        return ranges;
    }
    /* Returns a lower bound of the cost limit: the cost of all segments, each as one range, divided by the number of workers. */
    FUNCTION_MEMBER int32 cost_of_each(int32 workers) const {
        float sum = 0.0f;
        for (int32 i = 0; i < Tiles::segments(); ++i) {
            sum += static_cast<float>(cost_of(Tiles::segment(i)));
        }
        return static_cast<int32>(sum / static_cast<float>(workers));
    }
    FUNCTION_MEMBER bool assigns_all(int32 value, int32 workers) {
        set_cost_limit(value, workers);
        assignment_t after_last = assignment_of(workers);
        range_t left_over;
        return after_last.listed == 0u && !find_remainder(&after_last.at, &left_over);
    }

  private:
    FUNCTION_MEMBER void use_up_limit(assignment_t *assignment) const {
        range_t range;
        while (next(&assignment->at, &assignment->left, &range)) {
        }
    }
    FUNCTION_MEMBER void list_ranges(assignment_t *assignment) const {
        range_t range;
        while (assignment->listed < assignment_t::LISTED &&
               next(&assignment->at, &assignment->left, &range)) {
            assignment->ranges[assignment->listed++] = range;
        }
    }
};

/* Finds the lowest cost limit with which all lines are assigned, among the limits that the items try in parallel. The lower bound
 * alone would not do, since ranges are whole lines and workers share tiles. All items of all groups call it; `word`: in shared
 * memory of the group. */
template <typename Tiles>
FUNCTION load_balance_t<Tiles> make_load_balance(const Tiles &tiles, uint32 workers, uint32 *word) {
    const int32 count = static_cast<int32>(workers);
    load_balance_t<Tiles> load_balance;
    static_cast<Tiles &>(load_balance) = tiles;
    uint32 tried =
        static_cast<uint32>(load_balance.cost_of_each(count)) + load_balance.COST_STEP * item_index();
    if (item_index() == 0u) {
        *word = 0x7fffffffu;
    }
    group_barrier();
    while (!load_balance.assigns_all(static_cast<int32>(tried), count)) {
        tried += load_balance.COST_STEP * group_size();
    }
    atomicMin(word, tried);
    group_barrier();
    load_balance.set_cost_limit(static_cast<int32>(*word), count);
    return load_balance;
}

#endif
