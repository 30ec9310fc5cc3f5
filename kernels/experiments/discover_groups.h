/* Occupancy discovery, and the proof of it: in the same launch the groups that were found pass numbers round a
 * ring through barriers of their own.
 *
 *   for n = 1 ... rounds: ring[rank] = n + rank; barrier; expect ring[next rank] == n + next rank; barrier
 *
 * `poll` holds POLL_CLOSED + the number of members after the launch, `ranks` the rank of each group or
 * NOT_A_MEMBER. Wrong values are counted in state->control.wrong; rank 0 leaves STOP_COMPLETE. */
#ifndef PERDURE_KERNELS_EXPERIMENTS_DISCOVER_GROUPS_H
#define PERDURE_KERNELS_EXPERIMENTS_DISCOVER_GROUPS_H

#include "kernels/parameters.h"
#include "sync/occupancy_discovery.h"

WIDE_KERNEL void discover_groups(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                                 GLOBAL run_state_t *state, GLOBAL uint32 *poll, GLOBAL uint32 *ranks,
                                 GLOBAL uint32 *ring) {
    LOCAL_MEMORY uint32 found[FOUND_WORDS];
    LOCAL_MEMORY uint32 verdict;
    (void)control;
    discover_members(poll, found, parameters.delay);
    const uint32 rank = found[FOUND_RANK];
    const uint32 members = found[FOUND_MEMBERS];
    if (item_index() == 0u) {
        ranks[group_index()] = rank;
    }
    group_barrier();
    if (members == 0u) {
        return;
    }
    const uint32 next = rank + 1u < members ? rank + 1u : 0u;
    grid_barrier_t barrier = make_grid_barrier(BARRIER_GROUP_LEADER, sync, &verdict, parameters.wait_limit);
    for (uint32 n = 1; n <= parameters.rounds; ++n) {
        if (item_index() == 0u) {
            ring[rank] = n + rank;
        }
        if (!member_barrier(&barrier, rank, members, n)) {
            return;
        }
        if (item_index() == 0u && ring[next] != n + next) {
            add_uint32(&state->control.wrong, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        }
        if (!member_barrier(&barrier, rank, members, n)) {
            return;
        }
    }
    if (rank == 0u && item_index() == 0u) {
        state->control.stop = STOP_COMPLETE;
    }
}

#endif
