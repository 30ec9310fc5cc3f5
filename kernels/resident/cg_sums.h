/* Sums over all cells of a resident run of conjugate gradients: every group tells every group, in words that carry the
 * number of the call.
 *
 *   publishes     the sums of a group; `ordered` also every write of its items before
 *   observed by   take_sums of the same call; `ordered` also by every item behind the group barrier after it
 *   edge          none (sync/epoch_word.h); `ordered` a release fence before the words are stored, behind a group barrier,
 *                 and an acquire fence after they are seen, before one. A word of call c is stored again for call
 *                 c + 2: by then all groups have told their sums of c + 1, which depend on what they took for c
 *   called by     every item of every group, `call` counting up by one, never 0
 *   valid in      every item behind the group barrier after take_sums
 *   progress      all groups resident at once; a wait longer than the limit is abandoned
 *
 * Deterministic per plan: a warp adds pairwise, a group its warps and all their groups in a fixed order. Every
 * group finds the same bits, so what follows from the sums alone needs no word from anybody. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_SUMS_H
#define PERDURE_KERNELS_RESIDENT_CG_SUMS_H

#include "kernels/resident/cg_plan.h"
#include "kernels/resident/patience.h"
#include "kernels/resident/words.h"
#include "sync/grid_barrier.h"
#include "sync/tree_sum.h"

#if defined(__CUDACC__)
/* The shared memory that a launch asks for. */
#define SHARED_BYTES(name) extern __shared__ __align__(16) unsigned char name[]
#endif

/* Words that a lane looks at together: enough for the 132 groups of an H100. */
#define TAKE_LOADS 3u

/* Number SUM_R_R: at a check, the sum of squares or, in the maximum norm, the largest |r|. */
enum { SUM_R_V = 0, SUM_P_W, SUM_W_V, SUM_W_MW, SUM_R_R };

typedef struct {
    double of[RESIDENT_SUMS];
} sums_t;

/* Where sums pass through: in shared memory. */
typedef struct {
    epoch_word_t *rows; /* of resident_rows_bytes(): [call odd][sum][group] */
    grid_sync_t *sync;
    uint64 limit;
    uint32 widest; /* 1: sum SUM_R_R is no sum, but the largest of what it is given, all >= 0 */
    double of_warps[RESIDENT_ITEMS / 32u][RESIDENT_SUMS];
    double halves[RESIDENT_SUMS][2];       /* of each sum those of every other 32 groups */
    uint32 patience[RESIDENT_ITEMS / 32u]; /* of a warp */
} sums_place_t;

FUNCTION sums_t no_sums() {
    sums_t sums;
    for (uint32 s = 0; s < RESIDENT_SUMS; ++s) {
        sums.of[s] = 0.0;
    }
    return sums;
}

FUNCTION double from_lane_across(double value, uint32 stride) {
    return __shfl_xor_sync(0xffffffffu, value, stride);
}

/* Whether number `sum` is the largest of what it is given. */
FUNCTION uint32 is_widest(const sums_place_t &place, uint32 sum) {
    return sum == SUM_R_R ? place.widest : 0u;
}
FUNCTION double join(double one, double other, uint32 widest) {
    return widest ? larger(one, other) : one + other;
}

/* Lanes whose numbers differ below `width` get their sum, or the largest. */
FUNCTION double join_lanes(double value, uint32 width, uint32 widest) {
#pragma unroll
    for (uint32 stride = 16u; stride > 0u; stride /= 2u) {
        value = join(value, stride < width ? from_lane_across(value, stride) : 0.0, widest);
    }
    return value;
}

/* Lane l of a warp gets the sum number l / 8: lanes pass on the half of their sums that is not theirs. */
FUNCTION double add_four(const sums_t &sums) {
    const bool high = item_index() % 32u >= 16u, odd = (item_index() & 8u) != 0u;
    double first = high ? sums.of[2] : sums.of[0], second = high ? sums.of[3] : sums.of[1];
    first += from_lane_across(high ? sums.of[0] : sums.of[2], 16u);
    second += from_lane_across(high ? sums.of[1] : sums.of[3], 16u);
    return join_lanes((odd ? second : first) + from_lane_across(odd ? first : second, 8u), 8u, 0u);
}

FUNCTION epoch_word_t *word_of_sum(const sums_place_t &place, uint32 call, uint32 sum, uint32 group) {
    return place.rows + ((call & 1u) * RESIDENT_SUMS + sum) * group_count() + group;
}

/* Before the first call, and a grid barrier after it: no word is of any call. */
FUNCTION void forget_sums(const sums_place_t &place) {
    for (uint32 s = item_index(); s < 2u * RESIDENT_SUMS; s += group_size()) {
        store_epoch_word(word_of_sum(place, s % 2u, s / 2u, group_index()), 0.0, 0u);
    }
}

/* Before the first sums that are taken patiently. */
FUNCTION void begin_patience(sums_place_t &place) {
    if (item_index() % 32u == 0u) {
        place.patience[item_index() / 32u] = 0u;
    }
}

/* The first `count` of the sums, ALWAYS_SUMS or all. */
FUNCTION void publish_sums(sums_place_t &place, const sums_t &sums, uint32 count, uint32 ordered,
                           uint32 call) {
    const uint32 lane = item_index() % 32u, warp = item_index() / 32u, warps = group_size() / 32u;
    double(&of_warp)[RESIDENT_SUMS] = place.of_warps[warp];
    epoch_word_t *const word = word_of_sum(place, call, lane / 8u, group_index());
    const double one_of_four = add_four(sums);
    if (lane % 8u == 0u) {
        of_warp[lane / 8u] = one_of_four;
    }
    if (count == RESIDENT_SUMS) {
        const double sum = join_lanes(sums.of[SUM_R_R], 32u, place.widest);
        if (lane == 0u) {
            of_warp[SUM_R_R] = sum;
        }
    }
    group_barrier();
    if (warp != 0u) {
        return;
    }
    if (ordered) {
        fence(ORDER_RELEASE, SCOPE_DEVICE);
    }
    const auto tell = [&](uint32 s, epoch_word_t *to, uint32 widest) INLINED {
        double sum = 0.0;
#pragma unroll
        for (uint32 other = lane % 8u; other < RESIDENT_ITEMS / 32u; other += 8u) {
            sum = join(sum, s < count && other < warps ? place.of_warps[other][s] : 0.0, widest);
        }
        sum = join_lanes(sum, 8u, widest);
        if (lane % 8u == 0u && s < count) {
            DELAY_HERE();
            store_epoch_word(to, sum, call);
        }
    };
    tell(lane / 8u, word, 0u);
    if (count == RESIDENT_SUMS) {
        tell(SUM_R_R + lane / 8u, word + ALWAYS_SUMS * group_count(), place.widest);
    }
}

/* Adds one sum of groups first, first + 64, ... as far as they exist, looking at all of them at once, or finds the largest. 0: abandoned.
 * early: 1 when the first look was in vain. */
template <uint32 WIDEST>
FUNCTION uint32 add_groups(const sums_place_t &place, uint32 sum, uint32 first, uint32 call, uint32 phase,
                           double *total, uint32 *early) {
    double value[TAKE_LOADS];
    uint32 missing = 0u;
    epoch_word_t *const words = word_of_sum(place, call, sum, first);
#pragma unroll
    for (uint32 k = 0; k < TAKE_LOADS; ++k) {
        value[k] = 0.0;
        missing |= first + 64u * k < group_count() ? 1u << k : 0u;
    }
    wait_t wait = {0, 0, 0, 0};
    while (missing != 0u) {
        epoch_word_t seen[TAKE_LOADS];
#pragma unroll
        for (uint32 k = 0; k < TAKE_LOADS; ++k) {
            if ((missing >> k & 1u) != 0u) {
                DELAY_HERE();
                seen[k] = load_epoch_word(words + 64u * k);
            }
        }
#pragma unroll
        for (uint32 k = 0; k < TAKE_LOADS; ++k) {
            if ((missing >> k & 1u) != 0u && is_of_epoch(seen[k], call)) {
                value[k] = epoch_word_value(seen[k]);
                missing &= ~(1u << k);
            }
        }
        *early |= missing != 0u ? 1u : 0u;
        if (missing != 0u && !keep_waiting(&wait, place.sync, 0u, phase, place.limit)) {
            return 0u;
        }
    }
#pragma unroll
    for (uint32 k = 0; k < TAKE_LOADS; ++k) {
        *total = join(*total, value[k], WIDEST);
    }
    return 1u;
}

/* The sums of all groups to `halves`, each half by a warp. 0 when the wait was abandoned. patient: not at once (begin_patience). */
FUNCTION uint32 take_sums(sums_place_t &place, uint32 count, uint32 ordered, uint32 patient, uint32 call,
                          uint32 phase) {
    const uint32 lane = item_index() % 32u, warp = item_index() / 32u;
    uint32 passed = 1u, early = 0u;
    if (patient) {
        delay_first_poll(place.patience[warp]);
    }
    for (uint32 half = warp; half < 2u * count; half += group_size() / 32u) {
        double total = 0.0;
        for (uint32 first = half % 2u * 32u + lane; first < group_count() && passed;
             first += 64u * TAKE_LOADS) {
            passed = is_widest(place, half / 2u)
                         ? add_groups<1u>(place, half / 2u, first, call, phase, &total, &early)
                         : add_groups<0u>(place, half / 2u, first, call, phase, &total, &early);
        }
        total = join_lanes(total, 32u, is_widest(place, half / 2u));
        if (lane == 0u) {
            place.halves[half / 2u][half % 2u] = total;
        }
    }
    if (patient) {
        const bool in_vain = __any_sync(0xffffffffu, early != 0u);
        __syncwarp();
        if (lane == 0u) {
            place.patience[warp] = next_patience(place.patience[warp], in_vain);
        }
    }
    if (ordered) {
        fence(ORDER_ACQUIRE, SCOPE_DEVICE);
    }
    return passed;
}

/* Behind a group barrier after take_sums. */
FUNCTION double taken_sum(const sums_place_t &place, uint32 sum) {
    return join(place.halves[sum][0], place.halves[sum][1], is_widest(place, sum));
}

#endif
