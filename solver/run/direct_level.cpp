#include "solver/run/direct_level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/failure.hpp"
#include "solver/run/fast_transform_tables.hpp"
#include "solver/run/multigrid_levels.hpp"

namespace perdure {
namespace {

/// Modes are tables of [n][n], twice, along each axis that has no fast transform.
constexpr std::uint32_t most_cells_along_an_axis = 4096;
/// Of a level that has products: their tiles are counted with up to 8 items a cell.
constexpr std::uint32_t most_cells_of_products = 1U << 28U;
/// Of these tables, for a level that nobody asked for: so many entries, or so many for each cell.
constexpr double few_entries = 1 << 18;
constexpr double most_entries_per_cell = 16.0;

/// What a device takes. Between devices alike what counts is how these compare with each other.
struct Speeds {
    double phase;             // seconds, with its synchronisation
    double value;             // seconds to read or write one, and what is done with it
    double product;           // seconds of a multiplication and an addition
    double product_of_pairs;  // the same of doubles where all extents are even
    double mode;              // seconds for a cosine
    double doubling;          // seconds a value of a fast transform for each doubling of a line's length
};
/// An H100 (kernels/multigrid/README.md), and a thread of a host.
constexpr Speeds of_gpu{2.5e-6, 3.2e-12, 2.0e-13, 6.7e-14, 6.0e-12, 1.0e-12};
constexpr Speeds of_host{1.0e-6, 6.0e-9, 1.2e-9, 1.2e-9, 3.0e-8, 3.0e-9};

constexpr int iterations_of_cycles = 10;
constexpr int phases_of_a_level = 5;
constexpr double values_of_a_level = 12.25;
constexpr double values_of_the_finest = 22.0;

bool is_fast(const FinestLevel &finest, const Extents &n, int axis) {
    return has_fast_transform(finest.lines[axis], n[axis], finest.line_values);
}

/// Of tables of modes.
double entries(const FinestLevel &finest, const Extents &n) {
    double sum = 0.0;
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        sum += is_fast(finest, n, axis) ? 0.0 : 2.0 * n[axis] * n[axis];
    }
    return sum;
}

/// There and back along an axis, of a value.
double product_seconds(const Speeds &speeds, const FinestLevel &finest, const Extents &n, int axis) {
    bool even = finest.precision == Precision::float64;
    for (int other = 0; other < finest.dimensions; ++other) {
        even = even && n[other] % 2 == 0;
    }
    return 2.0 * (2.0 * speeds.value + n[axis] * (even ? speeds.product_of_pairs : speeds.product));
}

double direct_seconds(const Speeds &speeds, const FinestLevel &finest, const Extents &n) {
    double phases = 2.0 * finest.dimensions;
    double of_value = 0.0;
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        if (!is_fast(finest, n, axis)) {
            of_value += product_seconds(speeds, finest, n, axis);
            continue;
        }
        const bool last = axis + 1 == finest.dimensions;  // there and back in one
        of_value += (last ? 2.0 : 4.0) * speeds.value + 2.0 * std::log2(n[axis]) * speeds.doubling;
        phases -= last ? 1.0 : 0.0;
    }
    return phases * speeds.phase + product(n) * of_value;
}

double cycle_seconds(const Speeds &speeds, const Extents &n, bool finest) {
    return phases_of_a_level * speeds.phase +
           product(n) * (finest ? values_of_the_finest : values_of_a_level) * speeds.value;
}

bool can_be_direct(const FinestLevel &finest, const LevelShape &level) {
    bool can = level.alike;
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        const bool product_fits =
            level.cells[axis] <= most_cells_along_an_axis && product(level.cells) <= most_cells_of_products;
        can = can && (product_fits || is_fast(finest, level.cells, axis));
    }
    return can;
}

std::optional<std::uint32_t> fastest(const FinestLevel &finest, const std::vector<LevelShape> &levels) {
    const Speeds &speeds = finest.gpu ? of_gpu : of_host;
    double least = std::numeric_limits<double>::infinity();
    std::optional<std::uint32_t> best;
    double above = 0.0;  // for the levels down to here
    for (std::size_t number = 0; number < levels.size(); ++number) {
        const Extents &n = levels[number].cells;
        const double tables = entries(finest, n);
        const double direct = direct_seconds(speeds, finest, n);
        const double seconds = tables * speeds.mode + (number == 0 ? cycle_seconds(speeds, n, true) + direct
                                                                   : iterations_of_cycles * (above + direct));
        if (can_be_direct(finest, levels[number]) && seconds < least &&
            tables <= std::max(few_entries, most_entries_per_cell * product(levels[0].cells))) {
            least = seconds;
            best = static_cast<std::uint32_t>(number);
        }
        above += cycle_seconds(speeds, n, number == 0);
    }
    return least < iterations_of_cycles * above ? best : std::nullopt;
}

/// The end of a refusal.
std::string those_that_can(const FinestLevel &finest, const std::vector<LevelShape> &levels) {
    std::vector<std::string> names;
    for (std::size_t number = 0; number < levels.size(); ++number) {
        if (can_be_direct(finest, levels[number])) {
            names.push_back(std::to_string(number));
        }
    }
    if (names.empty()) {
        return "no level of this grid can be; use auto or none";
    }
    return fmt::format("the levels of this grid that can be: {}; use one of these, auto or none",
                       fmt::join(names, ", "));
}

}  // namespace

std::optional<std::uint32_t> direct_level(const FinestLevel &finest, const std::vector<LevelShape> &levels) {
    if (finest.direct_level == MultigridConfig::none) {
        return std::nullopt;
    }
    if (finest.direct_level == MultigridConfig::automatic) {
        return finest.precision == Precision::mixed ? std::nullopt : fastest(finest, levels);
    }
    const auto number = static_cast<std::size_t>(finest.direct_level);
    if (number < levels.size() && can_be_direct(finest, levels[number])) {
        return static_cast<std::uint32_t>(number);
    }
    const std::string why =
        number >= levels.size() ? fmt::format("the levels are 0 to {}", levels.size() - 1)
        : !levels[number].alike
            ? "a direct solve needs uniform coefficients and numbers of cells that were even at every "
              "coarsening"
            : fmt::format(
                  "it has more than {} cells along an axis, or {} in all, and no fast transform applies: "
                  "that needs 2^a 3^b 5^c cells, a multiple of 4, sides that are values, insulated or "
                  "periodic, and lines of cells that fit the shared memory of a group, here {} values",
                  most_cells_along_an_axis, most_cells_of_products, finest.line_values);
    throw Failure(ExitCode::case_or_usage,
                  {{Diagnostic::Severity::error, finest.direct_level_position,
                    fmt::format("solver.multigrid.direct_level: level {} cannot be solved directly: {}; {}",
                                finest.direct_level, why, those_that_can(finest, levels)),
                    ""}});
}

}  // namespace perdure
