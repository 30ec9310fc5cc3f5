#include "solver/measure/compare/scale_case.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "solver/equations/equation.hpp"

namespace perdure::compare {
namespace {

constexpr double too_many_cells = 2147483648.0;

}  // namespace

std::int64_t own_size(const Config &config) {
    return *std::max_element(config.grid.cells.begin(), config.grid.cells.end());
}

std::optional<std::string> fixed_by_dataset(const Config &config) {
    const auto fixed = [](const ValueSource &source) {
        return source.kind == ValueSource::Kind::dataset || source.kind == ValueSource::Kind::labels;
    };
    for (const auto &[key, source] : values_of(config)) {
        if (fixed(*source)) {
            return key;
        }
    }
    for (std::size_t side = 0; side < config.sides.size(); ++side) {
        if (fixed(config.sides[side].values) || fixed(config.sides[side].coefficient)) {
            return std::string(side_names[side]);
        }
    }
    return std::nullopt;
}

Config at_size(const Config &config, std::int64_t size) {
    const std::int64_t own = own_size(config);
    if (size == own) {
        return config;
    }
    if (const auto key = fixed_by_dataset(config)) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("--sizes: {} of this case comes from a dataset, whose shape is fixed, so "
                                  "only the case's own size, {}, can be compared",
                                  *key, own));
    }
    Config scaled = config;
    const double factor = static_cast<double>(size) / static_cast<double>(own);
    double cells = 1.0;
    for (int axis = 0; axis < config.grid.axes(); ++axis) {
        const auto before = static_cast<double>(config.grid.cells[axis]);
        const double after = std::max(1.0, std::round(factor * before));
        scaled.grid.cells[axis] = static_cast<std::int64_t>(after);
        scaled.grid.spacing[axis] *= before / after;
        cells *= after;
    }
    if (cells >= too_many_cells) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format(
                "--sizes: {} cells along the longest side give {:.3g} cells in all; expected fewer than 2^31",
                size, cells));
    }
    if (scaled.time) {
        scaled.time->step.reset();  // the stable one of this grid
    }
    return scaled;
}

}  // namespace perdure::compare
