/* Start-up test of a device: a ring of groups whose items hand numbers on through the grid barrier.
 *
 *   for n = 1 ... rounds
 *       ring[group][item] = n + group
 *       barrier
 *       expect ring[next group][item] == n + next group
 *       barrier
 *
 * Shape: ring [groups][items]. Wrong values are counted in state->control.wrong; a device whose groups are not all
 * resident ends in an abandoned wait. First, group 0 polls an empty word `check_every` times, which the host times
 * to calibrate waits on devices without a clock. */
#ifndef PERDURE_KERNELS_BARRIER_SELF_TEST_H
#define PERDURE_KERNELS_BARRIER_SELF_TEST_H

#include "kernels/parameters.h"
#include "sync/grid_barrier.h"

KERNEL void barrier_self_test(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                              GLOBAL run_state_t *state, GLOBAL uint32 *ring) {
    LOCAL_MEMORY uint32 verdict;
    grid_barrier_t barrier = make_grid_barrier(parameters.barrier, sync, &verdict, parameters.wait_limit);
    const uint32 group = group_index();
    const uint32 next = group + 1u < group_count() ? group + 1u : 0u;
    const uint32 mine = group * group_size() + item_index();
    const uint32 theirs = next * group_size() + item_index();
    if (mine == 0u) {
        for (uint32 poll = 0; poll < parameters.check_every; ++poll) {
            if (load_uint32(&sync->ticket, ORDER_ACQUIRE, SCOPE_DEVICE) != 0u) {
                store_uint32(&control->stop_request, poll, ORDER_RELAXED, SCOPE_SYSTEM);
            }
        }
    }
    for (uint32 n = 1; n <= parameters.rounds; ++n) {
        ring[mine] = n + group;
        if (!grid_barrier(&barrier, n)) {
            return;
        }
        if (ring[theirs] != n + next) {
            add_uint32(&state->control.wrong, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        }
        if (!grid_barrier(&barrier, n)) {
            return;
        }
    }
    if (mine == 0u) {
        state->control.stop = STOP_COMPLETE;
    }
}

#endif
