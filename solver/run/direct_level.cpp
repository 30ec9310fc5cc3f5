#include "solver/run/direct_level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "solver/failure.hpp"
#include "solver/run/multigrid_levels.hpp"

namespace perdure {
namespace {

/// Modes are tables of [n][n], twice, along each axis.
constexpr std::uint32_t most_cells_along_an_axis = 4096;
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
};
/// An H100 (kernels/multigrid/README.md), and a thread of a host.
constexpr Speeds of_gpu{2.5e-6, 3.2e-12, 2.0e-13, 6.7e-14, 6.0e-12};
constexpr Speeds of_host{1.0e-6, 6.0e-9, 1.2e-9, 1.2e-9, 3.0e-8};

constexpr int iterations_of_cycles = 10;
constexpr int phases_of_a_level = 5;
constexpr double values_of_a_level = 12.25;
constexpr double values_of_the_finest = 22.0;

double entries(const Extents &n, int dimensions) {
    double sum = 0.0;
    for (int axis = 0; axis < dimensions; ++axis) {
        sum += 2.0 * n[axis] * n[axis];
    }
    return sum;
}

double transform_seconds(const Speeds &speeds, const FinestLevel &finest, const Extents &n) {
    const double cells = product(n);
    bool even = finest.precision == Precision::float64;
    double seconds = 0.0;
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        even = even && n[axis] % 2 == 0;
    }
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        const double product = even ? speeds.product_of_pairs : speeds.product;
        seconds += 2.0 * (speeds.phase + cells * (2.0 * speeds.value + n[axis] * product));
    }
    return seconds;
}

double cycle_seconds(const Speeds &speeds, const Extents &n, bool finest) {
    return phases_of_a_level * speeds.phase +
           product(n) * (finest ? values_of_the_finest : values_of_a_level) * speeds.value;
}

bool can_be_direct(const LevelShape &level) {
    return level.alike &&
           *std::max_element(level.cells.begin(), level.cells.end()) <= most_cells_along_an_axis;
}

std::optional<std::uint32_t> fastest(const FinestLevel &finest, const std::vector<LevelShape> &levels) {
    const Speeds &speeds = finest.gpu ? of_gpu : of_host;
    double least = std::numeric_limits<double>::infinity();
    std::optional<std::uint32_t> best;
    double above = 0.0;  // for the levels down to here
    for (std::size_t number = 0; number < levels.size(); ++number) {
        const Extents &n = levels[number].cells;
        const double tables = entries(n, finest.dimensions);
        const double direct = transform_seconds(speeds, finest, n);
        const double seconds = tables * speeds.mode + (number == 0 ? cycle_seconds(speeds, n, true) + direct
                                                                   : iterations_of_cycles * (above + direct));
        if (can_be_direct(levels[number]) && seconds < least &&
            tables <= std::max(few_entries, most_entries_per_cell * product(levels[0].cells))) {
            least = seconds;
            best = static_cast<std::uint32_t>(number);
        }
        above += cycle_seconds(speeds, n, number == 0);
    }
    return least < iterations_of_cycles * above ? best : std::nullopt;
}

/// The end of a refusal.
std::string those_that_can(const std::vector<LevelShape> &levels) {
    std::vector<std::string> names;
    for (std::size_t number = 0; number < levels.size(); ++number) {
        if (can_be_direct(levels[number])) {
            names.push_back(std::to_string(number));
        }
    }
    if (names.empty()) {
        return "no level of this grid can; ask for auto or none";
    }
    return fmt::format("of this grid can: {}; ask for one of these, or for auto or none",
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
    if (number < levels.size() && can_be_direct(levels[number])) {
        return static_cast<std::uint32_t>(number);
    }
    const std::string why =
        number >= levels.size() ? fmt::format("there are levels 0 to {}", levels.size() - 1)
        : !levels[number].alike
            ? "that needs coefficients that are the same everywhere, and cells that were halved "
              "without one left over"
            : fmt::format("it has more than {} cells along an axis", most_cells_along_an_axis);
    throw Failure(ExitCode::case_or_usage,
                  {{Diagnostic::Severity::error, finest.direct_level_position,
                    fmt::format("solver.multigrid.direct_level: level {} cannot be solved directly: {}; {}",
                                finest.direct_level, why, those_that_can(levels)),
                    ""}});
}

}  // namespace perdure
