#include "solver/commands/subvolume_table.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/output/text_table.hpp"

namespace perdure::commands {
namespace {

constexpr std::array figure_names{"conducting", "x", "y", "z"};

/// Volume first, so that sizes are in order; then the shape, slowest axis first.
std::vector<std::int64_t> volume_and_shape(const GridConfig &grid) {
    std::vector<std::int64_t> size{1};
    for (int axis = grid.dimensions - 1; axis >= 0; --axis) {
        size.front() *= grid.cells[axis];
        size.push_back(grid.cells[axis]);
    }
    return size;
}

/// A column's figures, of the parts that have one.
template <typename Parts>
std::vector<double> column_values(const Parts &parts, const char *column) {
    std::vector<double> values;
    for (const auto &[from, figures] : parts) {
        const auto found = figures.find(column);
        if (found != figures.end()) {
            values.push_back(found->second);
        }
    }
    return values;
}

double average(const std::vector<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Of a sample: its squares are divided by one less than their number. Empty for fewer than two values.
std::string spread_text(const std::vector<double> &values) {
    if (values.size() < 2) {
        return "";
    }
    const double mean = average(values);
    double squares = 0.0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    return fmt::format("{:.3g}", std::sqrt(squares / static_cast<double>(values.size() - 1)));
}

}  // namespace

void SubvolumeTable::add(const Config &config, const nlohmann::ordered_json &report) {
    if (!config.a.part) {
        return;
    }
    Figures &figures = sizes_[volume_and_shape(config.grid)][config.a.part->from];
    if (!report.is_object() || !report.contains("effective")) {
        return;
    }
    const nlohmann::ordered_json &found = report.at("effective");
    figures["conducting"] = found.at("conducting_fraction").get<double>();
    for (const char *const axis : {"x", "y", "z"}) {
        if (found.contains(axis)) {
            figures[axis] = found.at(axis).at("coefficient").get<double>();
        }
    }
}

std::string SubvolumeTable::text() const {
    if (sizes_.empty()) {
        return "";
    }
    TextTable table({{"voxels"},
                     {"number"},
                     {"conducting"},
                     {"+-"},
                     {"effective x"},
                     {"+-"},
                     {"effective y"},
                     {"+-"},
                     {"effective z"},
                     {"+-"}});
    for (const auto &[size, parts] : sizes_) {
        std::vector<std::string> cells{fmt::format("{}", fmt::join(size.begin() + 1, size.end(), "x"))};
        const std::size_t answered = column_values(parts, figure_names.front()).size();
        cells.push_back(answered == parts.size() ? fmt::to_string(answered)
                                                 : fmt::format("{} of {}", answered, parts.size()));
        for (const char *const column : figure_names) {
            const std::vector<double> values = column_values(parts, column);
            cells.push_back(values.empty() ? "" : fmt::format("{:.6g}", average(values)));
            cells.push_back(spread_text(values));
        }
        table.add(std::move(cells));
    }
    return "subvolumes by size: mean, and standard deviation (+-) from one to the next\n" + table.plain(2);
}

}  // namespace perdure::commands
