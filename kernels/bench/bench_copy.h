/* A copy between two arrays of 64-bit words, to and fro, to be timed: the memory throughput that kernels are
 * measured against.
 *
 *   for n = 0 ... rounds - 1:   odd = even when n is even, even = odd when n is odd
 *
 * Round 0 copies all `elements` words (at most 2^31). Every item has the same words in every round, so rounds need
 * no barrier. Groups take tiles of `nx` words in turn; an item has COPY_WORDS loads under way at once. Bytes per
 * round: 16 a word, read and written. */
#ifndef PERDURE_KERNELS_BENCH_COPY_H
#define PERDURE_KERNELS_BENCH_COPY_H

#include "kernels/parameters.h"
#include "kernels/shares.h"

#define COPY_WORDS 8u

FUNCTION void copy_some(GLOBAL const uint64 *from, GLOBAL uint64 *to, uint32 first, uint32 stride) {
    uint64 held[COPY_WORDS];
    for (uint32 k = 0; k < COPY_WORDS; ++k) {
        held[k] = from[first + k * stride];
    }
    for (uint32 k = 0; k < COPY_WORDS; ++k) {
        to[first + k * stride] = held[k];
    }
}

FUNCTION void copy_tile(GLOBAL const uint64 *from, GLOBAL uint64 *to, uint32 begin, uint32 end) {
    const uint32 stride = group_size();
    uint32 first = begin;
    for (; end - first >= COPY_WORDS * stride; first += COPY_WORDS * stride) {
        copy_some(from, to, first + item_index(), stride);
    }
    for (uint32 i = first + item_index(); i < end; i += stride) {
        to[i] = from[i];
    }
}

WIDE_KERNEL void bench_copy(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                            GLOBAL run_state_t *state, GLOBAL uint64 *even, GLOBAL uint64 *odd) {
    const uint32 elements = parameters.elements;
    const uint32 tile = parameters.nx;
    const uint32 tiles = (elements + tile - 1u) / tile;
    (void)control;
    (void)sync;
    (void)state;
    for (uint32 n = 0; n < parameters.rounds; ++n) {
        GLOBAL const uint64 *from = (n & 1u) != 0u ? odd : even;
        GLOBAL uint64 *to = (n & 1u) != 0u ? even : odd;
        FOR_EACH_SIDE_BY_SIDE(i, tiles, group_index(), group_count()) {
            const uint32 begin = i * tile;
            copy_tile(from, to, begin, elements - begin < tile ? elements : begin + tile);
        }
    }
}

#endif
