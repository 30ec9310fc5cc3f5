#include "solver/problem/cell_peclet.hpp"

#include <fmt/format.h>

#include <cmath>
#include <mutex>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/sample_points.hpp"

namespace perdure {

namespace {

constexpr double monotone_up_to = 2.0;

void warn_of_oscillations(const Grid &grid, const Field &field, const ActiveCells &active,
                          const Config &config, const ProblemFindings &findings,
                          std::vector<Diagnostic> &warnings) {
    struct Found {
        double largest = 0.0;
        std::int64_t where = 0;
        int along = 0;
        std::int64_t above = 0;
    };
    Found all;
    std::mutex lock;
    in_parallel(grid.count(), [&](std::int64_t begin, std::int64_t end) {
        Found here;
        for (std::int64_t cell = begin; cell < end; ++cell) {
            bool too_large = false;
            for (int axis = 0; axis < grid.dimensions && active.is_active(cell); ++axis) {
                const double number = std::abs(cell_peclet(grid, field, axis, cell));
                too_large = too_large || number > monotone_up_to;
                if (number > here.largest) {
                    here = {number, cell, axis, here.above};
                }
            }
            here.above += too_large ? 1 : 0;
        }
        const std::lock_guard hold(lock);
        const std::int64_t above = all.above + here.above;
        if (here.largest > all.largest || (here.largest == all.largest && here.where < all.where)) {
            all = here;
        }
        all.above = above;
    });
    const auto [largest, where, along, above] = all;
    if (above == 0) {
        return;
    }
    const double spacing = grid.spacing[along] * monotone_up_to / largest;
    warnings.push_back(findings.make(
        Diagnostic::Severity::warning, config.velocity->position,
        fmt::format("problem.velocity: the cell Peclet number |v| h / a reaches {:.4g} along {} in {} and is "
                    "above 2 in {} of {} cells; central differences may oscillate and the iteration may "
                    "stagnate; use problem.convection: upwind, or a spacing of at most {:.3g}",
                    largest, "xyz"[along], cell_points(grid).describe(where), above, grid.count(), spacing)));
}

}  // namespace

double cell_peclet(const Grid &grid, const Field &field, int axis, std::int64_t cell) {
    const double a = field.a[cell];
    return a > 0.0 ? grid.spacing[axis] * field.velocity[axis][cell] / a : 0.0;
}

std::vector<Diagnostic> check_convection(const Grid &grid, const Field &field, const ActiveCells &active,
                                         const Config &config, ProblemFindings &findings) {
    std::vector<Diagnostic> warnings;
    if (!field.convective) {
        return warnings;
    }
    if (active.pinned) {
        findings.add(ExitCode::bad_input, config.velocity->position,
                     fmt::format("problem.velocity: with a velocity, u is determined only up to a constant; "
                                 "give a side a {}, or set sigma > 0",
                                 kinds_that_fix_level()));
    }
    if (field.convection == Convection::central) {
        warn_of_oscillations(grid, field, active, config, findings, warnings);
    }
    return warnings;
}

}  // namespace perdure
