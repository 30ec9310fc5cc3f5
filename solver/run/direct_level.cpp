#include "solver/run/direct_level.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solver/case_file/config.hpp"
#include "solver/failure.hpp"

namespace perdure {
namespace {

/// Modes are tables of [n][n], twice, along each axis.
constexpr std::uint32_t most_cells_along_an_axis = 4096;

/// An H100's (kernels/multigrid/README.md): what counts is how they compare with each other.
constexpr double phase_seconds = 2.5e-6;
constexpr double values_per_second = 2.5e12 / sizeof(double);
constexpr double products_per_second = 5.0e12;                   // a multiplication and an addition
constexpr double products_per_second_on_matrix_units = 15.0e12;  // of doubles, where all extents are even
constexpr int iterations_of_cycles = 10;
constexpr int phases_of_a_level = 5;
constexpr double values_of_a_level = 12.25;
constexpr double values_of_the_finest = 22.0;

double transform_seconds(const Extents &n, int dimensions, bool doubles) {
    const double cells = product(n);
    bool even = doubles;
    for (int axis = 0; axis < dimensions; ++axis) {
        even = even && n[axis] % 2 == 0;
    }
    const double rate = even ? products_per_second_on_matrix_units : products_per_second;
    double seconds = 0.0;
    for (int axis = 0; axis < dimensions; ++axis) {
        seconds += 2.0 * (phase_seconds + 2.0 * cells / values_per_second + cells * n[axis] / rate);
    }
    return seconds;
}

double cycle_seconds(const Extents &n, bool finest) {
    return phases_of_a_level * phase_seconds +
           product(n) * (finest ? values_of_the_finest : values_of_a_level) / values_per_second;
}

bool can_be_direct(const LevelShape &level) {
    return level.alike &&
           *std::max_element(level.cells.begin(), level.cells.end()) <= most_cells_along_an_axis;
}

std::optional<std::uint32_t> fastest(int dimensions, bool doubles, const std::vector<LevelShape> &levels) {
    double above = 0.0;  // of an iteration, for the levels down to here
    for (std::size_t number = 0; number < levels.size(); ++number) {
        above += cycle_seconds(levels[number].cells, number == 0);
    }
    double least = iterations_of_cycles * above;
    std::optional<std::uint32_t> best;
    above = 0.0;
    for (std::size_t number = 0; number < levels.size(); ++number) {
        const Extents &n = levels[number].cells;
        const double direct = transform_seconds(n, dimensions, doubles);
        const double seconds = number == 0
                                   ? (doubles ? 1 : 2) * (cycle_seconds(levels[0].cells, true) + direct)
                                   : iterations_of_cycles * (above + direct);
        if (can_be_direct(levels[number]) && seconds < least) {
            least = seconds;
            best = static_cast<std::uint32_t>(number);
        }
        above += cycle_seconds(n, number == 0);
    }
    return best;
}

}  // namespace

std::optional<std::uint32_t> direct_level(int asked, int dimensions, bool doubles,
                                          const std::vector<LevelShape> &levels) {
    if (asked == MultigridConfig::none) {
        return std::nullopt;
    }
    if (asked == MultigridConfig::automatic) {
        return fastest(dimensions, doubles, levels);
    }
    const auto number = static_cast<std::size_t>(asked);
    const std::string there = fmt::format("solver.multigrid.direct_level: level {} ", asked);
    if (number >= levels.size()) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("{}does not exist: this grid has levels 0 to {}; ask for one of these, or for "
                        "auto or none",
                        there, levels.size() - 1));
    }
    if (!levels[number].alike) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("{}cannot be solved directly: that needs coefficients that are the same "
                        "everywhere, and cells that were halved without one left over; ask for auto or none",
                        there));
    }
    if (!can_be_direct(levels[number])) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("{}has more than {} cells along an axis, whose modes would not fit; ask for a "
                        "coarser one, or for auto",
                        there, most_cells_along_an_axis));
    }
    return static_cast<std::uint32_t>(asked);
}

}  // namespace perdure
