#include "solver/run/warn_of_oscillations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "solver/problem/in_parallel.hpp"
#include "solver/run/assembler.hpp"
#include "solver/run/excited_modes.hpp"
#include "solver/run/time_steps.hpp"
#include "solver/systems/dependences.hpp"
#include "solver/systems/initial_values.hpp"
#include "solver/systems/stability_samples.hpp"

namespace perdure {
namespace {

/// Of the range of the solution: smaller oscillations are not told of.
constexpr double visible = 0.01;

/// Looks at the cells of a field at the start of a run.
class StartOfField {
  public:
    /// `time`: until which sources change the solution.
    StartOfField(const Problem &problem, const Field &field, const ActiveCells &cells, double time)
        : grid_(problem.grid), field_(field), assembler_(problem.grid, field, cells), time_(time) {
        const auto factor_at_start = [&](const std::string &factor) {
            return evaluate_time_factor(factor, {problem.start_time}).front();
        };
        factor_of_f_ = factor_at_start(field.f_time_factor);
        for (std::size_t i = 0; i < factors_.size(); ++i) {
            factors_[i] = factor_at_start(field.sides[i].time_factor);
        }
        for (int axis = 0; axis < grid_.dimensions; ++axis) {
            widths_[axis] = grid_.spacing[axis] * static_cast<double>(grid_.cells[axis]);
        }
    }

    void add_cell(const Cell &cell, FieldStart &start) const {
        const std::int64_t index = grid_.index(cell[0], cell[1], cell[2]);
        if (!assembler_.active(index)) {
            return;
        }
        const double u = field_.initial[index], f = factor_of_f_ * field_.f[index];
        const CellBalance balance = assembler_.balance(cell);
        double change = assembler_.scale() * f - balance.diagonal * u;
        start.range.add(u);
        start.range.of_sources =
            std::max(start.range.of_sources,
                     std::abs(f) * std::min(time_ / field_.capacity[index], time_to_equilibrium(index)));
        for (int axis = 0; axis < grid_.dimensions; ++axis) {
            for (const int upper : {0, 1}) {
                const double conductance = (upper == 0 ? balance.lower : balance.upper)[axis];
                if (conductance != 0.0) {
                    change += conductance * (field_.initial[neighbour(cell, axis, upper)] - u);
                }
                if (assembler_.at_side(cell, axis, upper)) {
                    change += from_side(cell, index, axis, upper, start.range);
                }
            }
        }
        const double rate = balance.size + balance.faces;
        start.modes.add(rate / assembler_.capacity(index), rate > 0.0 ? std::abs(change) / rate : 0.0);
    }

  private:
    /// Divided by the capacity: until heat has gone through the body, or sigma has consumed it.
    [[nodiscard]] double time_to_equilibrium(std::int64_t index) const {
        const double width = *std::ranges::max_element(widths_);
        return 1.0 / std::max(field_.sigma[index], 2.0 * field_.a[index] / (width * width));
    }

    [[nodiscard]] std::int64_t neighbour(Cell cell, int axis, int upper) const {
        const std::int64_t count = grid_.cells[axis];
        cell[axis] = (cell[axis] + (upper != 0 ? 1 : count - 1)) % count;
        return grid_.index(cell[0], cell[1], cell[2]);
    }

    /// What flows in, without the part that is proportional to u.
    double from_side(const Cell &cell, std::int64_t index, int axis, int upper, ValueRange &range) const {
        const auto number = static_cast<std::size_t>(2 * axis + upper);
        const FaceCondition condition = face_condition(field_.sides[number], side_face(grid_, axis, cell));
        const double a = field_.a[index];
        const SideInflow inflow = side_inflow(condition, a, grid_.spacing[axis]);
        const double level = factors_[number] * inflow.level, flux = factors_[number] * inflow.flux;
        if (condition.fixes_level()) {
            range.add(level);
        }
        if (flux != 0.0 && a > 0.0) {
            range.of_sources = std::max(
                range.of_sources,
                std::abs(flux) * std::min(widths_[axis] / a, std::sqrt(time_ / a / field_.capacity[index])));
        }
        return assembler_.scale() * (inflow.conductance * level + inflow.flux_weight * flux);
    }

    const Grid &grid_;
    const Field &field_;
    Assembler assembler_;
    double time_;
    double factor_of_f_ = 1.0;
    std::array<double, 3> widths_{};
    std::array<double, 6> factors_{};
};

FieldStart start_of(const Problem &problem, const ActiveCells &cells, double time) {
    const StartOfField field(problem, problem.fields.front(), cells, time);
    const Grid &grid = problem.grid;
    FieldStart all;
    std::mutex lock;
    in_parallel(grid.cells[1] * grid.cells[2], grid.count(), [&](std::int64_t begin, std::int64_t end) {
        FieldStart of_rows;
        for (std::int64_t row = begin; row < end; ++row) {
            for (std::int64_t x = 0; x < grid.cells[0]; ++x) {
                field.add_cell({x, row % grid.cells[1], row / grid.cells[1]}, of_rows);
            }
        }
        const std::lock_guard hold(lock);
        all.add(of_rows);
    });
    return all;
}

/// The same of the fields of a system, cells spread over the grid: a cell's own rate is what its field depends on in its own equation.
class StartOfSystem {
  public:
    StartOfSystem(const systems::System &system, const Problem &problem, double time)
        : system_(system),
          grid_(problem.grid),
          values_(system, problem.grid, problem.fields, problem.coefficients, problem.start_time),
          time_(time) {
        for (int axis = 0; axis < grid_.dimensions; ++axis) {
            const double spacing = grid_.spacing[axis], cells = static_cast<double>(grid_.cells[axis]);
            width_ = std::max(width_, spacing * cells);
            inverse_ += grid_.cells[axis] > 1 ? 4.0 / (spacing * spacing) : 0.0;
        }
    }

    [[nodiscard]] std::vector<FieldStart> look_at_cells() const {
        constexpr std::int64_t most_cells = 65536;
        std::vector<FieldStart> starts(system_.fields.size());
        const std::int64_t stride = std::max<std::int64_t>(1, grid_.count() / most_cells) | 1;
        for (std::int64_t i = 0; i < grid_.count(); i += stride) {
            add_cell(i, starts);
        }
        return starts;
    }

  private:
    void add_cell(std::int64_t index, std::vector<FieldStart> &starts) const {
        systems::CellContext cell = values_.context();
        cell.cell = systems::place_of_cell(grid_, index);
        std::vector<double> own_rates(starts.size(), 0.0);
        for (const systems::Dependence &of : systems::dependences(system_, cell)) {
            own_rates[of.rate] += of.rate == of.field ? std::abs(of.slope) : 0.0;
        }
        const std::vector<double> changes = systems::rates_in_cell(system_, cell),
                                  of_sides = systems::values_of_terms(system_.sides, cell);
        cell.is_uniform = true;
        const std::vector<double> sources = systems::values_of_terms(system_.rates, cell);
        for (std::size_t field = 0; field < starts.size(); ++field) {
            FieldStart &start = starts[field];
            const double rate = own_rates[field];
            start.range.add(cell.fields[field][index]);
            start.modes.add(rate, rate > 0.0 ? std::abs(changes[field]) / rate : 0.0);
            add_source(std::abs(sources[system_.rate_of[field]]) * std::min(time_, 0.5 / spreading(rate)),
                       start);
            for (int side = 0; side < 2 * grid_.dimensions; ++side) {
                const systems::SystemSideTerms &at = system_.sides_of[field][side];
                const std::int64_t last = side % 2 == 0 ? 0 : grid_.cells[side / 2] - 1;
                if (cell.cell[side / 2] != last || at.kind == SideKind::periodic) {
                    continue;
                }
                if (at.kind == SideKind::flux) {
                    add_source(std::abs(of_sides[at.values]) * width_ *
                                   std::min(1.0, std::sqrt(time_ * spreading(rate))),
                               start);
                } else {
                    start.range.add(of_sides[at.values]);
                }
            }
        }
    }

    static void add_source(double change, FieldStart &start) {
        start.range.of_sources = std::max(start.range.of_sources, change);
    }

    /// Of diffusion that has this rate in a cell, D / width^2.
    [[nodiscard]] double spreading(double rate) const { return rate / inverse_ / (width_ * width_); }

    const systems::System &system_;
    const Grid &grid_;
    systems::InitialValues values_;
    double time_;
    double width_ = 0.0;    // of the widest axis
    double inverse_ = 0.0;  // 4 / spacing^2, of all axes
};

/// The longest step that leaves no visible oscillation.
double longest_step(const FieldStart &start, double time, double too_long) {
    constexpr int halvings = 40;
    double shortest = std::min(too_long, 2.0 / start.modes.fastest()), longest = too_long;
    for (int i = 0; i < halvings; ++i) {
        const double middle = std::sqrt(shortest * longest);
        const bool is_visible = start.modes.left(time, middle) > visible * start.range.width();
        (is_visible ? longest : shortest) = middle;
    }
    return shortest;
}

/// With two digits.
double rounded_down(double number) {
    const double unit = std::pow(10.0, std::floor(std::log10(number)) - 1.0);
    return std::floor(number / unit) * unit;
}

}  // namespace

std::string warn_of_oscillations(const Config &config, const Problem &problem,
                                 const std::vector<ActiveCells> &cells) {
    if (!config.time || !config.time->step || config.time->integrator != TimeIntegrator::crank_nicolson) {
        return "";
    }
    const double step = *config.time->step;
    const TimeSegment first = time_segments(config, step).front();
    const double time = first.end_time - first.start_time;
    const std::vector<FieldStart> starts =
        config.system
            ? StartOfSystem(*config.formulas, problem, time).look_at_cells()
            : std::vector{start_of(problem,
                                   cells.empty() ? find_active_cells(problem).front() : cells.front(), time)};
    const auto found = std::ranges::find_if(
        starts, [&](const FieldStart &of) { return of.modes.left(time, step) > visible * of.range.width(); });
    if (found == starts.end()) {
        return "";
    }
    const FieldStart &start = *found;
    const double left = start.modes.left(time, step);
    const std::string unit = unit_in_words(config.units.time);
    return fmt::format(
        "time.dt: Crank-Nicolson's steps hardly damp the fastest modes, which jumps of the initial values, "
        "between cells or "
        "at a side, excite here: with dt = {:.6g}{} they would still oscillate by about {:.2g} at t = "
        "{:.6g}{}; use time.method: "
        "backward_euler or bdf2, which damp them, or dt <= {:.6g}{}",
        step, unit, left, first.end_time, unit, rounded_down(longest_step(start, time, step)), unit);
}

}  // namespace perdure
