/* Sums over all cells in a resident run of conjugate gradients: every group sends its sums to every group, in epoch-tagged
 * messages whose epoch is the number of the call; of several devices, to the memory of each.
 *
 *   publishes     the sums of a group; `ordered`: also every earlier write of its items
 *   observed by   take_sums of the same call; `ordered`: also every item behind the group barrier after it
 *   edge          none (sync/epoch_word.h); `ordered`: a release fence before the messages are stored, behind a group barrier,
 *                 and an acquire fence after they are seen, before one. A message of call c is overwritten in call c + 2: by
 *                 then all groups have sent their sums of c + 1, which depend on what they took for c
 *   called by     every item of every group, `call` counting up by one, never 0
 *   valid in      every item behind the group barrier after take_sums
 *   progress      all groups resident at once; a wait longer than the limit is abandoned
 *
 * Deterministic for each launch plan: a warp adds pairwise, a group its warps, and all their groups, in a fixed order. Every
 * group computes the same bits, so what follows from the sums alone needs no further communication. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_SUMS_H
#define PERDURE_KERNELS_RESIDENT_CG_SUMS_H

#include "kernels/resident/cg_plan.h"
#include "kernels/resident/messages.h"
#include "kernels/resident/poll_backoff.h"
#include "sync/grid_barrier.h"
#include "sync/tree_sum.h"

#if defined(__CUDACC__)
/* Declares the dynamic shared memory of the launch. */
#define SHARED_BYTES(name) extern __shared__ __align__(16) unsigned char name[]
#endif

/* Messages that a lane loads at once: enough for the 132 groups of an H100. */
#define TAKE_LOADS 3u

/* SUM_R_R is summed only at a check: the sum of squares or, in the maximum norm, the largest |r|. */
enum { SUM_R_V = 0, SUM_P_W, SUM_W_V, SUM_W_MW, SUM_R_R };

typedef struct {
    double of[RESIDENT_SUMS];
} sums_t;

/* Buffers and state of the sums, in shared memory. */
typedef struct {
    epoch_word_t *rows; /* of resident_rows_bytes(): [call odd][sum][group] */
    grid_sync_t *sync;
    uint64 limit;
    uint32 widest; /* 1: SUM_R_R is a maximum instead of a sum; all its values are >= 0 */
    double of_warps[RESIDENT_ITEMS / 32u][RESIDENT_SUMS];
    double halves[RESIDENT_SUMS][2];      /* of each sum, two partial sums: of every other 32 groups */
    uint32 backoff[RESIDENT_ITEMS / 32u]; /* of each warp, in cycles */
} sums_exchange_t;

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

/* Whether `sum` is a maximum. */
FUNCTION uint32 is_widest(const sums_exchange_t &exchange, uint32 sum) {
    return sum == SUM_R_R ? exchange.widest : 0u;
}
FUNCTION double join(double one, double other, uint32 widest) {
    return widest ? larger(one, other) : one + other;
}

/* Gives each set of `width` neighbouring lanes its sum, or its maximum. */
FUNCTION double join_lanes(double value, uint32 width, uint32 widest) {
#pragma unroll
    for (uint32 stride = 16u; stride > 0u; stride /= 2u) {
        value = join(value, stride < width ? from_lane_across(value, stride) : 0.0, widest);
    }
    return value;
}

/* Gives lane l of a warp sum number l / 8. In each exchange a lane passes on the half of its sums that it does not keep. */
FUNCTION double add_four(const sums_t &sums) {
    const bool high = item_index() % 32u >= 16u, odd = (item_index() & 8u) != 0u;
    double first = high ? sums.of[2] : sums.of[0], second = high ? sums.of[3] : sums.of[1];
    first += from_lane_across(high ? sums.of[0] : sums.of[2], 16u);
    second += from_lane_across(high ? sums.of[1] : sums.of[3], 16u);
    return join_lanes((odd ? second : first) + from_lane_across(odd ? first : second, 8u), 8u, 0u);
}

/* What lies at `word` of the first device, on another one. */
FUNCTION epoch_word_t *word_of_device(epoch_word_t *word, uint32 device) {
    return word + (size_t)device * (DEVICE_SYNC_BYTES / sizeof(epoch_word_t));
}
/* The message of a group on the first device. */
FUNCTION epoch_word_t *word_of_sum(const sums_exchange_t &exchange, uint32 call, uint32 sum, uint32 group) {
    return exchange.rows + ((call & 1u) * RESIDENT_SUMS + sum) * group_count() + group;
}
/* Stores a message on every device, on its own first. */
FUNCTION void store_on_devices(epoch_word_t *word, double value, uint32 epoch) {
    store_epoch_word(word_of_device(word, device_index()), value, epoch);
    for (uint32 device = 0; device_count() > 1u && device < device_count(); ++device) {
        if (device != device_index()) {
            store_epoch_word(word_of_device(word, device), value, epoch);
        }
    }
}

/* Clears the messages: none carries the number of any call. Call it before the first call, with a grid barrier after it. */
FUNCTION void forget_sums(const sums_exchange_t &exchange) {
    for (uint32 s = item_index(); s < 2u * RESIDENT_SUMS; s += group_size()) {
        store_on_devices(word_of_sum(exchange, s % 2u, s / 2u, group_index()), 0.0, 0u);
    }
}

/* Resets the poll backoff, before the first call of take_sums that uses it. */
FUNCTION void begin_backoff(sums_exchange_t &exchange) {
    if (item_index() % 32u == 0u) {
        exchange.backoff[item_index() / 32u] = 0u;
    }
}

/* Publishes the first `count` sums: ALWAYS_SUMS or RESIDENT_SUMS. */
FUNCTION void publish_sums(sums_exchange_t &exchange, const sums_t &sums, uint32 count, uint32 ordered,
                           uint32 call) {
    const uint32 lane = item_index() % 32u, warp = item_index() / 32u, warps = group_size() / 32u;
    double(&of_warp)[RESIDENT_SUMS] = exchange.of_warps[warp];
    epoch_word_t *const message = word_of_sum(exchange, call, lane / 8u, group_index());
    const double one_of_four = add_four(sums);
    if (lane % 8u == 0u) {
        of_warp[lane / 8u] = one_of_four;
    }
    if (count == RESIDENT_SUMS) {
        const double sum = join_lanes(sums.of[SUM_R_R], 32u, exchange.widest);
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
            sum = join(sum, s < count && other < warps ? exchange.of_warps[other][s] : 0.0, widest);
        }
        sum = join_lanes(sum, 8u, widest);
        if (lane % 8u == 0u && s < count) {
            DELAY_HERE();
            store_on_devices(to, sum, call);
        }
    };
    tell(lane / 8u, message, 0u);
    if (count == RESIDENT_SUMS) {
        tell(SUM_R_R + lane / 8u, message + ALWAYS_SUMS * group_count(), exchange.widest);
    }
}

/* Adds one sum of groups first, first + 64, ... as far as they exist, or finds their maximum; it polls all of them at once.
 * Returns 0 if the wait was abandoned. early: set to 1 if the first poll failed. */
template <uint32 WIDEST>
FUNCTION uint32 add_groups(const sums_exchange_t &exchange, uint32 sum, uint32 first, uint32 call,
                           uint32 phase, double *total, uint32 *early) {
    double value[TAKE_LOADS];
    uint32 missing = 0u;
    epoch_word_t *const messages = word_of_device(word_of_sum(exchange, call, sum, first), device_index());
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
                seen[k] = load_epoch_word(messages + 64u * k);
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
        if (missing != 0u && !keep_waiting(&wait, exchange.sync, 0u, phase, exchange.limit)) {
            return 0u;
        }
    }
#pragma unroll
    for (uint32 k = 0; k < TAKE_LOADS; ++k) {
        *total = join(*total, value[k], WIDEST);
    }
    return 1u;
}

/* Stores the sums of all groups in `halves`; a warp adds each half. Returns 0 if the wait was abandoned. backs_off: delay the
 * first poll (poll_backoff.h). */
FUNCTION uint32 take_sums(sums_exchange_t &exchange, uint32 count, uint32 ordered, uint32 backs_off,
                          uint32 call, uint32 phase) {
    const uint32 lane = item_index() % 32u, warp = item_index() / 32u;
    uint32 passed = 1u, early = 0u;
    if (backs_off) {
        delay_first_poll(exchange.backoff[warp]);
    }
    for (uint32 half = warp; half < 2u * count; half += group_size() / 32u) {
        double total = 0.0;
        for (uint32 first = half % 2u * 32u + lane; first < group_count() && passed;
             first += 64u * TAKE_LOADS) {
            passed = is_widest(exchange, half / 2u)
                         ? add_groups<1u>(exchange, half / 2u, first, call, phase, &total, &early)
                         : add_groups<0u>(exchange, half / 2u, first, call, phase, &total, &early);
        }
        total = join_lanes(total, 32u, is_widest(exchange, half / 2u));
        if (lane == 0u) {
            exchange.halves[half / 2u][half % 2u] = total;
        }
    }
    if (backs_off) {
        const bool in_vain = __any_sync(0xffffffffu, early != 0u);
        __syncwarp();
        if (lane == 0u) {
            exchange.backoff[warp] = next_backoff(exchange.backoff[warp], in_vain);
        }
    }
    if (ordered) {
        fence(ORDER_ACQUIRE, SCOPE_DEVICE);
    }
    return passed;
}

/* Returns a sum. Call it behind a group barrier after take_sums. */
FUNCTION double taken_sum(const sums_exchange_t &exchange, uint32 sum) {
    return join(exchange.halves[sum][0], exchange.halves[sum][1], is_widest(exchange, sum));
}

#endif
