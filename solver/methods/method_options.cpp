#include "solver/methods/method_options.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/row_where.hpp"

namespace perdure {
namespace {

constexpr std::array symmetric_preconditioners{Preconditioner::jacobi, Preconditioner::multigrid,
                                               Preconditioner::none};
constexpr std::array other_preconditioners{Preconditioner::jacobi, Preconditioner::none};

constexpr std::array options{
    MethodOptions{.method = SolverMethod::jacobi, .upwind_only = true, .takes_weight = true},
    MethodOptions{.method = SolverMethod::cg,
                  .preconditioners = symmetric_preconditioners,
                  .symmetric_only = true,
                  .may_be_mixed = true,
                  .solves_steps = true},
    MethodOptions{.method = SolverMethod::bicgstab, .preconditioners = other_preconditioners},
    MethodOptions{.method = SolverMethod::chebyshev, .symmetric_only = true},
    MethodOptions{.method = SolverMethod::sor, .upwind_only = true, .red_black = true, .takes_omega = true},
    MethodOptions{
        .method = SolverMethod::multigrid, .symmetric_only = true, .is_cycles = true, .solves_steps = true},
};

}  // namespace

const MethodOptions &options_of(SolverMethod method) {
    return row_where(options, &MethodOptions::method, method,
                     "internal error: a method of solver.method has no options");
}

std::string methods_with(const std::function<bool(const MethodOptions &)> &has_it) {
    std::vector<std::string> names;
    for (const MethodOptions &row : options) {
        if (has_it(row)) {
            names.emplace_back(name(row.method));
        }
    }
    return fmt::format("{}", fmt::join(names, " and "));
}

SolverMethod method_for_velocity() {
    const auto *const found = std::find_if(options.begin(), options.end(), [](const MethodOptions &row) {
        return !row.symmetric_only && !row.upwind_only;
    });
    return found->method;
}

bool has_cycles(const SolverConfig &solver) {
    return options_of(solver.method).is_cycles || solver.preconditioner == Preconditioner::multigrid;
}

}  // namespace perdure
