/* Neighbouring lanes of a warp exchange values through shared memory, even and odd ones in branches of their
 * own.
 *
 *   trial   one exchange        seen   a value of the round before
 *
 *   EXCHANGE_SYNCHRONISED   __syncwarp between store and load
 *   EXCHANGE_ASSUMED        nothing between them, as on hardware that ran warps in lockstep
 *
 * The odd ones have a loop of `elements` passes before, so the branches stay two, and comments in the
 * assembly keep the compiler from moving loads before stores or behind the branches. Only CUDA has the words;
 * elsewhere nothing is tried. */
#ifndef PERDURE_KERNELS_LITMUS_WARP_EXCHANGE_H
#define PERDURE_KERNELS_LITMUS_WARP_EXCHANGE_H

#include "kernels/litmus/counts.h"

WIDE_KERNEL void litmus_warp_exchange(PARAMETERS parameters, GLOBAL control_t *control,
                                      GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                      GLOBAL litmus_counts_t *counts, GLOBAL uint32 *words) {
    (void)parameters;
    (void)control;
    (void)sync;
    (void)state;
    (void)counts;
    (void)words;
#if defined(__CUDACC__)
    __shared__ uint32 slots[1024];
    const uint32 item = item_index();
    uint32 number = item;
    uint32 seen = 0;
    slots[item] = 0u;
    __syncthreads();
    for (uint32 round = 1; round <= parameters.rounds; ++round) {
        uint32 received;
        if (item % 2u == 0u) {
            slots[item] = round;
            if (parameters.variant == EXCHANGE_SYNCHRONISED) {
                __syncwarp();
            }
            asm volatile("// even lanes load" ::: "memory");
            received = slots[item + 1u];
            asm volatile("// even lanes have %0" : "+r"(received)::"memory");
        } else {
            for (uint32 i = 0; i < parameters.elements; ++i) {
                number = next_number(number);
            }
            slots[item] = round;
            if (parameters.variant == EXCHANGE_SYNCHRONISED) {
                __syncwarp();
            }
            asm volatile("// odd lanes load" ::: "memory");
            received = slots[item - 1u];
            asm volatile("// odd lanes have %0" : "+r"(received)::"memory");
        }
        seen += received != round;
        __syncwarp();
    }
    force_computation(counts, number);
    count_trials(counts, parameters.rounds, seen);
#endif
}

#endif
