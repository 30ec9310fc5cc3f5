// The kernels that emulated ranks run (emulated_ranks.hpp), found by name.
#pragma once

#include <string>

#include "kernels/rank_place.h"
#include "solver/case_file/config.hpp"
#include "tests/resident/emulated_device.hpp"

namespace perdure::tests {

struct RankKernel {
    KernelWithBuffers run = nullptr;                         // null: there is none of that name
    void (*set_place)(const rank_place_t &place) = nullptr;  // in each thread, before it runs
};

/// Conjugate gradients with both preconditioners, and implicit steps by them.
RankKernel find_gradient_kernel(const std::string &name, Precision precision);

/// The other methods of steady problems, heat, waves, and systems of equations.
RankKernel find_stepping_kernel(const std::string &name, Precision precision);

/// Formulas are interpreted, as on host threads, by groups of one item.
bool is_interpreted(const std::string &name);

}  // namespace perdure::tests
