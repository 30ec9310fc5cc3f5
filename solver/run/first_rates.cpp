#include "solver/run/first_rates.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

#include "solver/systems/initial_values.hpp"

namespace perdure {
namespace {

/// Whether what formulas look at from a cell lies inside, or beyond periodic sides alone.
bool looks_inside(const systems::System &system, const Grid &grid, const std::array<std::int64_t, 3> &cell) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool periodic = system.sides_of.front()[2 * axis].kind == SideKind::periodic;
        if (!periodic &&
            (cell[axis] < system.reach[axis] || cell[axis] + system.reach[axis] >= grid.cells[axis])) {
            return false;
        }
    }
    return true;
}

struct BadRate {
    double rate = 0.0;
    std::array<std::int64_t, 3> cell{0, 0, 0};
};

std::optional<BadRate> find_bad(const systems::System &system, const Grid &grid,
                                const std::vector<double> &rates) {
    for (std::int64_t i = 0; i < grid.count(); ++i) {
        const std::array<std::int64_t, 3> cell{i % grid.cells[0], i / grid.cells[0] % grid.cells[1],
                                               i / grid.cells[0] / grid.cells[1]};
        if (!std::isfinite(rates[static_cast<std::size_t>(i)]) && looks_inside(system, grid, cell)) {
            return BadRate{rates[static_cast<std::size_t>(i)], cell};
        }
    }
    return std::nullopt;
}

}  // namespace

void check_first_rates(const Config &config, const Problem &problem, ProblemFindings &findings) {
    const systems::System &system = *config.formulas;
    const Grid &grid = problem.grid;
    const systems::InitialValues initial(system, grid, problem.fields, problem.coefficients,
                                         problem.start_time);
    std::vector<double> rates(static_cast<std::size_t>(grid.count()));
    for (std::size_t field = 0; field < system.fields.size(); ++field) {
        systems::evaluate_in_all_cells(system.rates, system.rate_of[field], initial.context(), rates);
        const std::optional<BadRate> bad = find_bad(system, grid, rates);
        if (!bad) {
            continue;
        }
        std::string place;
        for (int axis = 0; axis < grid.axes(); ++axis) {
            place += fmt::format("{}{} = {:.6g}", axis > 0 ? ", " : "", "xyz"[axis],
                                 grid.centre(axis, bad->cell[static_cast<std::size_t>(axis)]));
        }
        std::string values;
        for (std::size_t i = 0; i < system.fields.size(); ++i) {
            const auto index = grid.index(bad->cell[0], bad->cell[1], bad->cell[2]);
            values += fmt::format(", {} = {:.6g}", system.fields[i], initial.context().fields[i][index]);
        }
        findings.add(ExitCode::case_or_usage, config.system->fields[field].rate.position,
                     fmt::format("problem.equations.{}: the rate is {} at t = {:.6g} in the cell at {}{}, so "
                                 "the run cannot take its first step",
                                 system.fields[field], bad->rate, problem.start_time, place, values));
    }
}

}  // namespace perdure
