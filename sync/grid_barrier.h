/* Grid barrier: one interface for every kind.
 *
 *   publishes     every write of every item before it
 *   observed by   every item of every group after it
 *   edge          that of its kind; within a group the group barriers before and after it, and where the launch has one group alone
 *                 the group barrier is all
 *   called by     every item of every group, the same number of times, all with the same kind; each item with
 *                 a state of its own, of make_grid_barrier()
 *   valid in      every item: 1 when all have arrived, 0 when the wait was abandoned, at once for a kind that the
 *                 back end does not have. When one group gives up, another
 *                 may still pass this barrier, if the missing one comes late; it leaves in the next. The
 *                 launch has failed either way: grid_sync_t::abandoned says so
 *   progress      all groups resident at once; a wait is abandoned when its word has not changed for `limit`.
 *                 In group_leader and all_items every arrival changes it, in lock_free and tree the one that
 *                 is awaited or the end of the barrier; BARRIER_COOPERATIVE is never abandoned */
#ifndef PERDURE_SYNC_GRID_BARRIER_H
#define PERDURE_SYNC_GRID_BARRIER_H

#include "sync/barrier_all_items.h"
#include "sync/barrier_group_leader.h"
#include "sync/barrier_lock_free.h"
#include "sync/barrier_tree.h"

/* all_items, lock_free and tree, between two group barriers; afterwards *barrier->verdict says whether it was
 * passed. Items meet in one level of branches and no deeper: compilers that turn items into loops (PoCL) give up on
 * more. */
FUNCTION void other_grid_barrier(grid_barrier_t *barrier, uint32 phase) {
    const uint32 kind = barrier->kind;
    const uint32 by_items = kind == BARRIER_ALL_ITEMS || kind == BARRIER_LOCK_FREE ? 1u : 0u;
    const uint32 epoch = kind == BARRIER_LOCK_FREE ? lock_free_epoch(barrier) : 0u;
    if (item_index() == 0u) {
        *barrier->verdict = kind <= BARRIER_TREE ? 1u : 0u;
        if (kind > BARRIER_TREE) {
            abandon(barrier->sync, phase); /* a kind that this back end does not have */
        }
    }
    group_barrier();
    if (by_items) {
        const uint32 passed = kind == BARRIER_ALL_ITEMS ? barrier_all_items(barrier, phase)
                                                        : lock_free_gather(barrier, epoch, phase);
        if (!passed) {
            *barrier->verdict = 0u; /* the same by whoever writes it */
        }
    }
    group_barrier();
    const uint32 gathered = *barrier->verdict;
    group_barrier();
    if (kind == BARRIER_LOCK_FREE) {
        barrier->seen = epoch;
        if (!lock_free_release(barrier, epoch, gathered, phase)) {
            *barrier->verdict = 0u;
        }
    }
    if (kind == BARRIER_TREE && item_index() == 0u) {
        *barrier->verdict = barrier_tree(barrier, phase);
    }
}

FUNCTION uint32 grid_barrier(grid_barrier_t *barrier, uint32 phase) {
    const uint32 kind = barrier->kind; /* before an item writes beside it, where all items share a barrier */
    uint32 passed = 1u;
#if defined(COOPERATIVE_BARRIER)
    if (kind == BARRIER_COOPERATIVE) {
        COOPERATIVE_BARRIER();
        return 1u;
    }
#endif
    if (group_count() == 1u) {
        group_barrier();
        return 1u;
    }
    group_barrier();
    if (kind != BARRIER_GROUP_LEADER) {
        other_grid_barrier(barrier, phase);
        group_barrier();
        passed = *barrier->verdict;
    }
    if (kind == BARRIER_GROUP_LEADER && item_index() == 0u) {
        passed = barrier_group_leader(barrier, phase);
    }
    return group_verdict(barrier->verdict, passed);
}

#endif
