/* Grid barrier and all-reduce in one: a double per group goes in, their sum, minimum or maximum is in every
 * item on leaving.
 *
 *   publishes     every write of every item before it, and the group's value
 *   observed by   every item of every group after it
 *   edge          that of sync/barrier_group_leader.h; the values travel in sync/epoch_word.h beside it
 *   called by     every item of every group; `value` counts in item 0 alone, where a tree leaves it
 *   valid in      every item: *total, and 1; 0 when the wait was abandoned, *total is then undefined
 *   progress      all groups resident at once; a wait longer than `limit` without an arrival is abandoned
 *
 * Deterministic per launch plan: lane l of 32 combines groups l, l + 32, ... in this order, then the lanes
 * pairwise, stride 16 down to 1. The bits depend on the values and the number of groups alone. NaN and -0 as
 * in sync/reduction.h.
 *
 * Item 0 stores {value, epoch} and only then arrives. While it waits, the second warp reads the words of all
 * groups: a word that has this epoch is right, however early it is read, and one that has not is read again.
 * No word is stored for epoch e before all groups have arrived in e - 1, thus have left e - 2, whose words
 * lie there: two rows suffice.
 *
 * Floor: the round trip of the arriving add, behind its fence, and half a round trip until the last group's
 * add is seen (an L2 load): what the barrier alone costs. The words hide behind it but for the last one's
 * load and the tree. */
#ifndef PERDURE_SYNC_BARRIER_REDUCE_H
#define PERDURE_SYNC_BARRIER_REDUCE_H

#include "sync/barrier_group_leader.h"
#include "sync/epoch_word.h"
#include "sync/reduction.h"

#define REDUCE_LANES 32u
/* Words that one lane has under way at once. */
#define REDUCE_LOADS 8u

typedef struct {
    double lanes[REDUCE_LANES];
    uint32 passed[2]; /* by parity of the epoch */
} reduce_scratch_t;

/* Two rows, of odd and of even epochs. All zero before the first launch with this number of groups, and again
 * after an abandoned wait. */
FUNCTION uint64 reduce_words_bytes(uint32 groups) {
    return (uint64)2u * groups * sizeof(epoch_word_t);
}

/* At the start of a launch: the epoch of the last call; the next one is for the epoch after it. */
FUNCTION uint32 last_reduce_epoch(GLOBAL epoch_word_t *words) {
    return last_epoch(words + group_index(), words + group_count() + group_index());
}

/* Words first, first + 32, ... of this epoch: 1 and what they combine to with `total`, 0 when abandoned. All are under
 * way at once, and all are read again while one is not there: testing each alone takes longer than they do. */
FUNCTION uint32 reduce_words(uint32 operation, GLOBAL epoch_word_t *row, uint32 first, double *total,
                             GLOBAL grid_sync_t *sync, uint32 epoch, uint32 phase, uint64 limit) {
    epoch_word_t seen[REDUCE_LOADS];
    wait_t wait = {0, 0, 0, 0};
    uint32 there = 0u;
    while (!there) {
        there = 1u;
        for (uint32 k = 0; k < REDUCE_LOADS; ++k) {
            if (first + k * REDUCE_LANES < group_count()) {
                seen[k] = load_epoch_word(row + first + k * REDUCE_LANES);
            } else {
                seen[k].first = 0u;
                seen[k].second = 0u;
            }
        }
        for (uint32 k = 0; k < REDUCE_LOADS; ++k) {
            there &= first + k * REDUCE_LANES < group_count() ? is_of_epoch(seen[k], epoch) : 1u;
        }
        if (!there && !keep_waiting(&wait, sync, 0u, phase, limit)) {
            return 0u;
        }
    }
    for (uint32 k = 0; k < REDUCE_LOADS; ++k) {
        if (first + k * REDUCE_LANES < group_count()) {
            *total = reduce_two(operation, *total, epoch_word_value(seen[k]));
        }
    }
    return 1u;
}

/* Groups lane, lane + 32, ...: 1 and their combination, 0 when abandoned. */
FUNCTION uint32 reduce_lane(uint32 operation, GLOBAL epoch_word_t *row, uint32 lane, double *combined,
                            GLOBAL grid_sync_t *sync, uint32 epoch, uint32 phase, uint64 limit) {
    *combined = reduce_identity(operation);
    for (uint32 first = lane; first < group_count(); first += REDUCE_LANES * REDUCE_LOADS) {
        if (!reduce_words(operation, row, first, combined, sync, epoch, phase, limit)) {
            return 0u;
        }
    }
    return 1u;
}

#if defined(__CUDACC__)
/* Cycles before the first words are read, about what one takes to memory and back. Measured on an H100, 132 groups of
 * 512: 1465 ns with none, 1248 with 400, 1445 with 800. */
#define REDUCE_PAUSE 400

/* The second warp reads while item 0 waits. */
FUNCTION uint32 reduce_in_second_warp(uint32 operation, GLOBAL grid_sync_t *sync, GLOBAL epoch_word_t *row,
                                      LOCAL reduce_scratch_t *scratch, uint32 epoch, uint32 phase,
                                      uint64 limit) {
    double combined = 0.0;
    const long long begin = clock64();
    while (clock64() - begin < REDUCE_PAUSE) {
    }
    const uint32 passed =
        reduce_lane(operation, row, item_index() - REDUCE_LANES, &combined, sync, epoch, phase, limit);
    for (uint32 stride = REDUCE_LANES / 2u; stride > 0u; stride /= 2u) {
        combined = reduce_two(operation, combined, __shfl_down_sync(0xffffffffu, combined, stride));
    }
    if (item_index() == REDUCE_LANES) {
        scratch->lanes[0] = combined;
    }
    return passed;
}
#endif

FUNCTION uint32 barrier_reduce(uint32 operation, double value, double *total, GLOBAL grid_sync_t *sync,
                               GLOBAL epoch_word_t *words, LOCAL reduce_scratch_t *scratch, uint32 epoch,
                               uint32 phase, uint64 limit) {
    const uint32 parity = epoch & 1u;
    GLOBAL epoch_word_t *row = words + parity * group_count();
    const uint32 first_reader = group_size() >= 2u * REDUCE_LANES ? REDUCE_LANES : 0u;
    if (item_index() == 0u) {
        scratch->passed[parity] = 1u;
        store_epoch_word(row + group_index(), value, epoch);
    }
    group_barrier();
#if defined(__CUDACC__)
    if (first_reader != 0u) {
        uint32 passed = 1u;
        if (item_index() == 0u) {
            passed = barrier_group_leader(sync, phase, limit);
        } else if (item_index() / REDUCE_LANES == 1u) {
            passed = reduce_in_second_warp(operation, sync, row, scratch, epoch, phase, limit);
        }
        passed = group_all(&scratch->passed[parity], passed);
        *total = scratch->lanes[0];
        return passed;
    }
#endif
    if (item_index() == 0u && !barrier_group_leader(sync, phase, limit)) {
        scratch->passed[parity] = 0u; /* the same by whoever writes it */
    }
    if (item_index() >= first_reader) {
        for (uint32 lane = item_index() - first_reader; lane < REDUCE_LANES; lane += group_size()) {
            double combined = reduce_identity(operation);
            if (!reduce_lane(operation, row, lane, &combined, sync, epoch, phase, limit)) {
                scratch->passed[parity] = 0u;
            }
            scratch->lanes[lane] = combined;
        }
    }
    group_barrier();
    tree_reduce(operation, scratch->lanes, REDUCE_LANES);
    group_barrier();
    *total = scratch->lanes[0];
    return scratch->passed[parity];
}

#endif
