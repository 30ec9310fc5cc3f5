#include "solver/commands/order_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "solver/output/text_table.hpp"

namespace perdure::commands {
namespace {

constexpr std::array<const char *, 3> norm_names{"L1", "L2", "Linf"};

double spacing_of(const GridConfig &grid) {
    double volume = 1.0;
    for (int axis = 0; axis < grid.axes(); ++axis) {
        volume *= grid.spacing[axis];
    }
    return std::pow(volume, 1.0 / grid.axes());
}

/// Empty where there is none.
std::string order_text(double error, double error_before, double size, double size_before) {
    const double order = std::log(error_before / error) / std::log(size_before / size);
    return std::isfinite(order) ? fmt::format("{:.2f}", order) : "";
}

/// What is wrong from the coarsest case to the finest, by their errors in L2; empty where nothing is.
std::string advice(bool in_time, double coarse_size, double coarse_error, double fine_size,
                   double fine_error) {
    constexpr double least_order = 0.2;
    if (coarse_size == fine_size) {
        return "  all cases have the same cells and steps, so there is no order: sweep grid.shape and give "
               "grid.length in "
               "place of grid.spacing, which refines one box, or sweep time.dt\n";
    }
    const double order = std::log(coarse_error / fine_error) / std::log(coarse_size / fine_size);
    if (order >= least_order) {
        return "";
    }
    return in_time
               ? "  the error does not fall as the steps get shorter: that of the grid may be larger; refine "
                 "the grid, or take a solution that it represents exactly, such as one linear in x. Else: is "
                 "the exact solution that of this equation, with these sides?\n"
               : "  the error does not fall as the grid is refined: is the exact solution that of this "
                 "equation, with these sides? If it is, solver.rtol or time.dt may be too large\n";
}

}  // namespace

void OrderTable::add(const Config &config, const nlohmann::ordered_json &report) {
    if (!report.is_object() || !report.contains("errors")) {
        return;
    }
    for (const auto &[field, errors] : report.at("errors").items()) {
        Row row{spacing_of(config.grid), report.value("time_step", 0.0), {}};
        for (const char *const norm : norm_names) {
            const auto &value = errors.at(norm);
            row.norms.push_back(value.is_number() ? value.get<double>()
                                                  : std::numeric_limits<double>::quiet_NaN());
        }
        fields_[field].push_back(std::move(row));
    }
}

bool OrderTable::is_in_time(const std::vector<Row> &rows) {
    const Row &first = rows.front();
    return std::ranges::all_of(
               rows, [&](const Row &row) { return row.spacing == first.spacing && row.step > 0.0; }) &&
           std::ranges::any_of(rows, [&](const Row &row) { return row.step != first.step; });
}

std::string OrderTable::text() const {
    if (fields_.empty()) {
        return "no orders can be computed, because no case has an exact solution (problem.exact; of a "
               "system problem.fields.FIELD.exact)\n";
    }
    std::string text;
    for (const auto &[field, unsorted] : fields_) {
        std::vector<Row> rows = unsorted;
        const bool in_time = is_in_time(rows);
        double Row::*const size = in_time ? &Row::step : &Row::spacing;
        std::ranges::stable_sort(rows, std::ranges::greater{}, size);
        TextTable table({{in_time ? "dt" : "h"}, {"L1"}, {"order"}, {"L2"}, {"order"}, {"Linf"}, {"order"}});
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::vector<std::string> cells{fmt::format("{:.6g}", rows[i].*size)};
            for (std::size_t k = 0; k < norm_names.size(); ++k) {
                cells.push_back(fmt::format("{:.4e}", rows[i].norms[k]));
                cells.push_back(i == 0 ? ""
                                       : order_text(rows[i].norms[k], rows[i - 1].norms[k], rows[i].*size,
                                                    rows[i - 1].*size));
            }
            table.add(std::move(cells));
        }
        text += fmt::format("error of {}\n{}", field, table.plain(2));
        if (rows.size() > 1) {
            text += advice(in_time, rows.front().*size, rows.front().norms[1], rows.back().*size,
                           rows.back().norms[1]);
        }
    }
    return text;
}

}  // namespace perdure::commands
