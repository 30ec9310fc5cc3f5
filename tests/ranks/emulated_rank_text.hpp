// Kernel text with PERDURE_RANKS on emulated items. A file with such text includes this header before all else.
#pragma once

#include "tests/resident/emulated_cuda.hpp"

#include <string>

#include "tests/resident/emulated_delays.hpp"

namespace perdure::tests {

/// Groups are delayed where they wait for each other.
inline void barrier_of_late_group() {
    if (emulated::group->item == 0) {
        delay_at_random();
    }
    emulated::group_barrier();
}

}  // namespace perdure::tests

#define group_barrier perdure::tests::barrier_of_late_group
#undef LOCAL_MEMORY
#define LOCAL_MEMORY static thread_local
#define __constant__ static thread_local
#define PERDURE_RANKS

#include "kernels/common.h"
#include "tests/ranks/emulated_rank_kernels.hpp"

namespace perdure::tests {

/// Each file with kernel text has a place of its own.
inline namespace {
void set_place_of_rank(const rank_place_t &place) {
    perdure_ranks = place;
}
}  // namespace

}  // namespace perdure::tests
