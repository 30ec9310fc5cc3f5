/* Grid barrier over a combining tree: groups meet in nodes of TREE_FAN, the last to come goes up, and the
 * last at the root releases all (Yew, Tzeng and Lawrie, IEEE Trans. Comput. C-36, 1987, 388-395).
 *
 *   publishes     every write of every item before it
 *   observed by   every item of every group after it
 *   edge          acq_rel adds from node to node, then release store and acquire load of `released`
 *   called by     item 0 of every group, the same number of times
 *   progress      all groups resident at once
 *
 * A node counts as the counter of sync/barrier_group_leader.h does, so nothing is reset and wrap-around is
 * harmless. */
#ifndef PERDURE_SYNC_BARRIER_TREE_H
#define PERDURE_SYNC_BARRIER_TREE_H

#include "sync/barrier_group_leader.h"

/* 1 when this group is the last of all. */
FUNCTION uint32 climb_tree(GLOBAL grid_sync_t *sync) {
    GLOBAL uint32 *level = tree_nodes(sync);
    uint32 index = group_index();
    uint32 width = group_count();
    for (;;) {
        const uint32 node = index / TREE_FAN;
        const uint32 nodes = (width + TREE_FAN - 1u) / TREE_FAN;
        const uint32 members = node + 1u < nodes ? TREE_FAN : width - node * TREE_FAN;
        const uint32 arrival = arrival_of(index % TREE_FAN, members);
        const uint32 before =
            fetch_add_uint32(level + node * WORDS_PER_LINE, arrival, ORDER_ACQ_REL, SCOPE_DEVICE);
        if (!top_bit_flipped(before, before + arrival)) {
            return 0u;
        }
        if (nodes == 1u) {
            return 1u;
        }
        level += nodes * WORDS_PER_LINE;
        index = node;
        width = nodes;
    }
}

FUNCTION uint32 barrier_tree(grid_barrier_t *barrier, uint32 phase) {
    GLOBAL grid_sync_t *sync = barrier->sync;
    const uint32 epoch = word_before(barrier, &sync->released);
    if (climb_tree(sync)) {
        store_uint32(&sync->released, epoch + 1u, ORDER_RELEASE, SCOPE_DEVICE);
        barrier->seen = epoch + 1u;
        return 1u;
    }
    return await_word(&sync->released, SCOPE_DEVICE, UNTIL_CHANGED, epoch, &barrier->seen, sync, phase,
                      barrier->limit);
}

#endif
