#include "solver/run/warn_of_oscillations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>

#include <fmt/format.h>

#include "solver/problem/in_parallel.hpp"
#include "solver/run/assembler.hpp"
#include "solver/run/time_steps.hpp"

namespace perdure {
namespace {

/// Of the range of the solution: smaller oscillations are not told of.
constexpr double visible = 0.01;

/// What a step of Crank-Nicolson leaves of the oscillations of a mode. Modes that it does not reverse do not oscillate.
double left_by_step(double z) {
    return z > 2.0 ? (z - 2.0) / (z + 2.0) : 0.0;
}

double steps_until(double time, double step) {
    constexpr double rounding = 1.0e-9;
    return std::max(1.0, std::ceil(time / step - rounding));
}

/// The excited modes, by their rates.
class Modes {
  public:
    void add(double rate, double amplitude) {
        if (rate > 0.0 && amplitude > 0.0) {
            Mode &mode = modes_[bin_of(rate)];
            mode.rate = std::max(mode.rate, rate);
            mode.amplitude = std::max(mode.amplitude, amplitude);
        }
    }
    void add(const Modes &other) {
        for (const Mode &mode : other.modes_) {
            add(mode.rate, mode.amplitude);
        }
    }
    /// The largest oscillation after that time.
    [[nodiscard]] double left(double time, double step) const {
        double most = 0.0;
        for (const Mode &mode : modes_) {
            const double steps = steps_until(time, step);
            most = std::max(most, mode.amplitude * std::pow(left_by_step(time / steps * mode.rate), steps));
        }
        return most;
    }
    [[nodiscard]] double fastest() const { return std::ranges::max(modes_, {}, &Mode::rate).rate; }

  private:
    struct Mode {
        double rate = 0.0, amplitude = 0.0;
    };
    static constexpr int bins_of_octave = 4, bins = 1024;

    static std::size_t bin_of(double rate) {
        const double place = std::round(bins_of_octave * std::log2(rate)) + bins / 2.0;
        return static_cast<std::size_t>(std::clamp(place, 0.0, bins - 1.0));
    }

    std::array<Mode, bins> modes_;
};

/// The values that the solution takes, from what is given.
struct Range {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    double of_sources = 0.0;  // that they make until the time in question

    void add(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    void add(const Range &other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
        of_sources = std::max(of_sources, other.of_sources);
    }
    [[nodiscard]] double width() const { return std::max(most - least, of_sources); }
};

struct Start {
    Modes modes;
    Range range;

    void add(const Start &other) {
        modes.add(other.modes);
        range.add(other.range);
    }
};

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

    void add_cell(const Cell &cell, Start &start) const {
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
    double from_side(const Cell &cell, std::int64_t index, int axis, int upper, Range &range) const {
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

Start start_of(const Problem &problem, const ActiveCells &cells, double time) {
    const StartOfField field(problem, problem.fields.front(), cells, time);
    const Grid &grid = problem.grid;
    Start all;
    std::mutex lock;
    in_parallel(grid.cells[1] * grid.cells[2], grid.count(), [&](std::int64_t begin, std::int64_t end) {
        Start of_rows;
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

/// The longest step that leaves no visible oscillation.
double longest_step(const Start &start, double time, double too_long) {
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
    if (config.formulas || !config.time || !config.time->step ||
        config.time->integrator != TimeIntegrator::crank_nicolson) {
        return "";
    }
    const double step = *config.time->step;
    const TimeSegment first = time_segments(config, step).front();
    const double time = first.end_time - first.start_time;
    const Start start =
        start_of(problem, cells.empty() ? find_active_cells(problem).front() : cells.front(), time);
    const double left = start.modes.left(time, step);
    if (!(left > visible * start.range.width())) {
        return "";
    }
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
