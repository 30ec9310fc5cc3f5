// One grid barrier with a state made for it alone: for tests in which kinds alternate on the same memory.
#pragma once

#include "sync/grid_barrier.h"

namespace perdure::tests {

inline uint32 one_barrier(uint32 kind, grid_sync_t *sync, uint32 phase, uint64 limit) {
    uint32 verdict = 0;
    grid_barrier_t barrier = make_grid_barrier(kind, sync, &verdict, limit);
    return grid_barrier(&barrier, phase);
}

}  // namespace perdure::tests
