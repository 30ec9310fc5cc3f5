#include "solver/measure/compare/compare_columns.hpp"

#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace perdure::compare {
namespace {

constexpr double micro = 1.0e6;

struct Column {
    std::string head;
    std::function<std::string(const Result &)> text;
};

std::string percent(double fraction) {
    return fmt::format("{:.{}f} %", 100.0 * fraction, fraction > 0.0 && fraction < 0.0095 ? 1 : 0);
}

std::string fraction_of_copy(const Point &point, const Result &result, const DeviceNote *device) {
    if (device == nullptr || !why_no_fraction(point, result, *device).empty()) {
        return "-";
    }
    return percent(bytes_per_second(point, result) / device->copy_bytes_per_second);
}

std::string speed_up_text(const Point &point, const Result &result) {
    if (!result.counts()) {
        return "refused";
    }
    const auto factor = speed_up(point, result);
    return factor ? fmt::format("{:.2f}", *factor) : "-";
}

std::string check_text(const Result &result) {
    if (!result.check_seconds) {
        return "-";
    }
    return result.check_seen ? figure(micro * *result.check_seconds) : "in spread";
}

/// As the clocks of the instrumented run show it, else as it can be estimated.
std::string share(const Result &result, double PartShares::*part, const std::optional<double> &estimate) {
    if (result.shares) {
        return percent(*result.shares.*part);
    }
    return estimate ? "~" + percent(*estimate) : "-";
}

/// The persistent results of a comparison of barriers stand below their model's name.
std::string row_name(const Result &result) {
    const auto slash = result.name.find('/');
    return slash == std::string::npos ? result.name : "  " + result.name.substr(slash + 1);
}

TextTable make_table(const Point &point, const std::vector<Column> &columns) {
    std::vector<TextTable::Column> heads{{"model", TextTable::Align::left}};
    for (const Column &column : columns) {
        heads.push_back({column.head});
    }
    TextTable table(std::move(heads));
    std::string model_said;
    for (const Result &result : point.results) {
        if (!result.measured()) {
            continue;
        }
        if (result.name != result.model && result.model != model_said) {
            table.add({result.model});
            model_said = result.model;
        }
        std::vector<std::string> row{row_name(result)};
        for (const Column &column : columns) {
            row.push_back(column.text(result));
        }
        table.add(std::move(row));
    }
    return table;
}

}  // namespace

std::string figure(double value) {
    return value >= 1000.0 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

TextTable speed_table(const Comparison &comparison, const Point &point) {
    const DeviceNote *const device = comparison.device_of(point);
    return make_table(
        point, {{"us/iteration", [](const Result &m) { return figure(micro * m.seconds.median()); }},
                {"[lowest .. highest]",
                 [](const Result &m) {
                     return fmt::format("[{} .. {}]", figure(micro * m.seconds.lowest()),
                                        figure(micro * m.seconds.highest()));
                 }},
                {"device us",
                 [](const Result &m) {
                     return m.device_seconds.empty() ? "-" : figure(micro * m.device_seconds.median());
                 }},
                {"Mcells/s",
                 [&](const Result &m) {
                     return figure(1.0e-6 * static_cast<double>(point.cells) / m.seconds.median());
                 }},
                {"GB/s",
                 [&](const Result &m) {
                     return point.bytes_per_iteration > 0.0 ? figure(1.0e-9 * bytes_per_second(point, m))
                                                            : "-";
                 }},
                {"of copy", [&](const Result &m) { return fraction_of_copy(point, m, device); }},
                {"speed-up", [&](const Result &m) { return speed_up_text(point, m); }}});
}

TextTable parts_table(const Point &point) {
    const auto per_iteration = [&](std::int64_t count) {
        return fmt::format("{:.3g}", static_cast<double>(count) / static_cast<double>(point.iterations));
    };
    return make_table(
        point, {{"launches", [&](const Result &m) { return per_iteration(m.launches); }},
                {"barriers", [&](const Result &m) { return per_iteration(m.barriers); }},
                {"host waits", [&](const Result &m) { return per_iteration(m.looks); }},
                {"us/check", [](const Result &m) { return check_text(m); }},
                {"stencil", [](const Result &m) { return share(m, &PartShares::stencil, std::nullopt); }},
                {"reduction", [](const Result &m) { return share(m, &PartShares::reduction, std::nullopt); }},
                {"barrier",
                 [&](const Result &m) { return share(m, &PartShares::barrier, barrier_share(point, m)); }},
                {"host", [](const Result &m) { return share(m, &PartShares::host, host_share(m)); }}});
}

}  // namespace perdure::compare
