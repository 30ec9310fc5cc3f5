// The keys of each `solver.method`, and what the method requires of the problem: one row for each method.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>

#include "solver/case_file/config.hpp"

namespace perdure {

struct MethodOptions {
    SolverMethod method;
    std::span<const Preconditioner> preconditioners = {};  // that it takes, the usual one first; empty: none
    bool symmetric_only = false;                           // solves no problem with a velocity
    bool upwind_only = false;   // need not converge with central differences of a velocity
    bool red_black = false;     // takes the cells in two colours
    bool is_cycles = false;     // its iterations are multigrid cycles, of any kind
    bool may_be_mixed = false;  // its preconditioner may work in float32
    bool solves_steps = false;  // of implicit integrators
    bool takes_weight = false;
    bool takes_omega = false;

    [[nodiscard]] bool takes(Preconditioner preconditioner) const {
        return std::find(preconditioners.begin(), preconditioners.end(), preconditioner) !=
               preconditioners.end();
    }
};

const MethodOptions &options_of(SolverMethod method);

/// "cg" or "cg and bicgstab": the methods that have it.
std::string methods_with(const std::function<bool(const MethodOptions &)> &has_it);

/// The method of a case with a velocity that names none.
SolverMethod method_for_velocity();

/// Whether iterations of the case contain multigrid cycles.
bool has_cycles(const SolverConfig &solver);

}  // namespace perdure
