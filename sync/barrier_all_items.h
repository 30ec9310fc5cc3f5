/* Grid barrier of all items: every item of every group adds to a counter and polls it (Xiao and Feng, IPDPS
 * 2010, "GPU simple synchronization", without a leader).
 *
 *   publishes     every write of every item before it
 *   observed by   every item of every group after it
 *   edge          release by each item's add, acquire by its poll that sees the top bit flipped
 *   called by     every item of every group, the same number of times; fewer than 2^31 items
 *   progress      all groups resident at once, and the items of a group each on their own: not where the
 *                 items of a group are a loop of one thread (PoCL: one item per group only) */
#ifndef PERDURE_SYNC_BARRIER_ALL_ITEMS_H
#define PERDURE_SYNC_BARRIER_ALL_ITEMS_H

#include "sync/barrier_group_leader.h"

FUNCTION uint32 barrier_all_items(grid_barrier_t *barrier, uint32 phase) {
    const uint32 item = group_index() * group_size() + item_index();
    return arrive_and_wait(barrier, arrival_of(item, group_count() * group_size()), phase);
}

#endif
