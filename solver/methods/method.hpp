// The solution methods: one descriptor for each method that solves or advances a problem, and a registry of all of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/parameters.h"
#include "solver/case_file/config.hpp"
#include "solver/methods/implicit_rule.hpp"
#include "solver/methods/kernel_fields.hpp"
#include "solver/methods/values_moved.hpp"
#include "solver/problem/problem.hpp"
#include "solver/reference/reference.hpp"

namespace perdure {

struct ResidentDevice;
struct ResidentPlan;

/// A method as the rest of the program sees it: it asks for these properties, not for the name.
struct Method {
    const char *name;    // in plans
    const char *title;   // in reports
    const char *kernel;  // of kernels/list.h, which runs its phases
    std::span<const KernelField> fields;
    std::span<const std::string_view> unused = {};  // arguments of the kernel that this method leaves empty
    std::span<const KernelField> fields_by_labels =
        {};  // of the kernel where coefficients come by labels (kernels/labels.h); empty: it has no such form
    std::span<const KernelField> fields_of_tensors =
        {};  // of the kernel where coefficients are full tensors (kernels/cross_terms.h); empty: it has no such form

    std::optional<SolverMethod> solver =
        std::nullopt;                        // what solver.method asks for it; methods/method_options.hpp
    const ImplicitRule *implicit = nullptr;  // of steps in time that are solves by solver.method
    bool in_time = false;      // its iterations are steps in time; else it solves a steady problem
    double source_time = 0.0;  // in time: when in a step sources are taken, as a part of the step
    reference::Answers (*reference)(const Problem &problem,
                                    const std::vector<double> &steps);  // independent answer

    bool chooses_steps = false;    // while it runs: kernels/step_control.h
    bool rejects_steps = false;    // whose error is too large; others never do
    int phases_per_iteration = 1;  // with a barrier behind each; without those of a multigrid cycle
    bool takes_noise = false;      // white noise, as one number in a cell and step
    int rates_kept = 0;  // of each field of a system, from one phase to the next; then stages are too
    bool last_rate_begins_step = false;  // the rate of the last stage is that of the next step's first one
    bool has_cycles = false;             // of multigrid
    bool cycles_precondition = false;    // gradients; else they are the iteration
    int phases_beside_direct_solve =
        0;  // of the one iteration where level 0 is solved directly, both residuals included
    int history_entries_per_check = 1;
    int growth_of_iterations =
        1;  // with the cells along an axis, as a power; 0 where cycles keep it from growing
    bool may_be_unpreconditioned =
        false;  // then 1 stands in place of the inverse diagonal, 0 in excluded cells

    /// What an iteration moves, as the header of the kernel counts it.
    ValuesMoved (*values_moved)(const ProblemTraits &traits);

    /// How it runs on the chip; null: not at all, for the reason in `no_resident`.
    ResidentPlan (*plan_resident)(const Config &config, const ResidentDevice &device) = nullptr;
    const char *no_resident = "";
    bool resident_has_bits_of_phases = true;
    bool scales_each_cell = false;            // a step takes the inverse diagonal of its cell for a factor
    double resident_rounding_of_norms = 0.0;  // relative to those of phases

    /// Settings that may converge where those of the case did not, for people; null: nothing to say.
    std::string (*advice)(const Config &config) = nullptr;

    /// What it begins with; null: nothing of its own.
    void (*begin)(const Config &config, const Grid &grid, const Field &field, run_parameters_t &parameters,
                  run_state_t &state) = nullptr;
};

extern const Method jacobi_method, chebyshev_method, sor_method, cg_method, cg_multigrid_method,
    multigrid_method, bicgstab_method;

/// Those of solver.method, and those of the integrators.
std::span<const Method *const> all_methods();

/// The method that the case asks for: by solver.method, or in time by its integrator.
const Method &method_of(const Config &config);

/// Whether the case asks a method that can be preconditioned for no preconditioner.
bool is_unpreconditioned(const Config &config);

}  // namespace perdure
