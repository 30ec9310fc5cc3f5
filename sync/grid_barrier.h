/* Grid barrier: one interface for every kind.
 *
 *   publishes     every write of every item before it
 *   observed by   every item of every group after it
 *   edge          that of its kind; within a group the group barriers before and after it
 *   called by     every item of every group, the same number of times, all with the same kind
 *   valid in      every item: 1 when all have arrived, 0 when the wait was abandoned
 *   progress      all groups resident at once; a wait is abandoned when its word has not changed for `limit`.
 *                 In group_leader and all_items every arrival changes it, in lock_free and tree the one that
 *                 is awaited or the end of the barrier; BARRIER_COOPERATIVE is never abandoned */
#ifndef PERDURE_SYNC_GRID_BARRIER_H
#define PERDURE_SYNC_GRID_BARRIER_H

#include "sync/barrier_all_items.h"
#include "sync/barrier_group_leader.h"
#include "sync/barrier_lock_free.h"
#include "sync/barrier_tree.h"

enum {
    BARRIER_GROUP_LEADER = 0,
    BARRIER_ALL_ITEMS = 1,
    BARRIER_LOCK_FREE = 2,
    BARRIER_TREE = 3,
    BARRIER_COOPERATIVE = 4 /* the platform's own */
};

/* all_items, lock_free and tree, between two group barriers; afterwards *verdict says whether it was passed. Items meet in
 * one level of branches and no deeper: compilers that turn items into loops (PoCL) give up on more. */
FUNCTION void other_grid_barrier(uint32 kind, GLOBAL grid_sync_t *sync, LOCAL uint32 *verdict, uint32 phase,
                                 uint64 limit) {
    const uint32 by_items = kind == BARRIER_ALL_ITEMS || kind == BARRIER_LOCK_FREE ? 1u : 0u;
    const uint32 epoch = kind == BARRIER_LOCK_FREE ? lock_free_epoch(sync) : 0u;
    if (item_index() == 0u) {
        *verdict = 1u;
    }
    group_barrier();
    if (by_items) {
        const uint32 passed = kind == BARRIER_ALL_ITEMS ? barrier_all_items(sync, phase, limit)
                                                        : lock_free_gather(sync, epoch, phase, limit);
        if (!passed) {
            *verdict = 0u; /* the same by whoever writes it */
        }
    }
    group_barrier();
    if (kind == BARRIER_LOCK_FREE && !lock_free_release(sync, epoch, *verdict, phase, limit)) {
        *verdict = 0u;
    }
    if (kind == BARRIER_TREE && item_index() == 0u) {
        *verdict = barrier_tree(sync, phase, limit);
    }
}

/* `verdict` is one word that nothing else uses. */
FUNCTION uint32 grid_barrier(uint32 kind, GLOBAL grid_sync_t *sync, LOCAL uint32 *verdict, uint32 phase,
                             uint64 limit) {
    uint32 passed = 1u;
#if defined(COOPERATIVE_BARRIER)
    if (kind == BARRIER_COOPERATIVE) {
        COOPERATIVE_BARRIER();
        return 1u;
    }
#endif
    group_barrier();
    if (kind != BARRIER_GROUP_LEADER) {
        other_grid_barrier(kind, sync, verdict, phase, limit);
        group_barrier();
        passed = *verdict;
    }
    if (kind == BARRIER_GROUP_LEADER && item_index() == 0u) {
        passed = barrier_group_leader(sync, phase, limit);
    }
    return group_verdict(verdict, passed);
}

#endif
