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
    std::function<std::string(const Member &)> text;
};

std::string percent(double fraction) {
    return fmt::format("{:.{}f} %", 100.0 * fraction, fraction > 0.0 && fraction < 0.0095 ? 1 : 0);
}

std::string fraction_of_copy(const Point &point, const Member &member, const DeviceNote *device) {
    if (device == nullptr || !why_no_fraction(point, member, *device).empty()) {
        return "-";
    }
    return percent(bytes_per_second(point, member) / device->copy_bytes_per_second);
}

std::string speed_up_text(const Point &point, const Member &member) {
    if (!member.counts()) {
        return "refused";
    }
    const auto factor = speed_up(point, member);
    return factor ? fmt::format("{:.2f}", *factor) : "-";
}

std::string check_text(const Member &member) {
    if (!member.check_seconds) {
        return "-";
    }
    return member.check_seen ? figure(micro * *member.check_seconds) : "in spread";
}

/// As the clocks of the instrumented run show it, else as it can be estimated.
std::string share(const Member &member, double PartShares::*part, const std::optional<double> &estimate) {
    if (member.shares) {
        return percent(*member.shares.*part);
    }
    return estimate ? "~" + percent(*estimate) : "-";
}

/// The persistent members of a comparison of barriers stand below their model's name.
std::string row_name(const Member &member) {
    const auto slash = member.name.find('/');
    return slash == std::string::npos ? member.name : "  " + member.name.substr(slash + 1);
}

TextTable make_table(const Point &point, const std::vector<Column> &columns) {
    std::vector<TextTable::Column> heads{{"model", TextTable::Align::left}};
    for (const Column &column : columns) {
        heads.push_back({column.head});
    }
    TextTable table(std::move(heads));
    std::string model_said;
    for (const Member &member : point.members) {
        if (!member.measured()) {
            continue;
        }
        if (member.name != member.model && member.model != model_said) {
            table.add({member.model});
            model_said = member.model;
        }
        std::vector<std::string> row{row_name(member)};
        for (const Column &column : columns) {
            row.push_back(column.text(member));
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
        point, {{"us/iteration", [](const Member &m) { return figure(micro * m.seconds.median()); }},
                {"[lowest .. highest]",
                 [](const Member &m) {
                     return fmt::format("[{} .. {}]", figure(micro * m.seconds.lowest()),
                                        figure(micro * m.seconds.highest()));
                 }},
                {"device us",
                 [](const Member &m) {
                     return m.device_seconds.empty() ? "-" : figure(micro * m.device_seconds.median());
                 }},
                {"Mcells/s",
                 [&](const Member &m) {
                     return figure(1.0e-6 * static_cast<double>(point.cells) / m.seconds.median());
                 }},
                {"GB/s",
                 [&](const Member &m) {
                     return point.bytes_per_iteration > 0.0 ? figure(1.0e-9 * bytes_per_second(point, m))
                                                            : "-";
                 }},
                {"of copy", [&](const Member &m) { return fraction_of_copy(point, m, device); }},
                {"speed-up", [&](const Member &m) { return speed_up_text(point, m); }}});
}

TextTable parts_table(const Point &point) {
    const auto per_iteration = [&](std::int64_t count) {
        return fmt::format("{:.3g}", static_cast<double>(count) / static_cast<double>(point.iterations));
    };
    return make_table(
        point, {{"launches", [&](const Member &m) { return per_iteration(m.launches); }},
                {"barriers", [&](const Member &m) { return per_iteration(m.barriers); }},
                {"host waits", [&](const Member &m) { return per_iteration(m.looks); }},
                {"us/check", [](const Member &m) { return check_text(m); }},
                {"stencil", [](const Member &m) { return share(m, &PartShares::stencil, std::nullopt); }},
                {"reduction", [](const Member &m) { return share(m, &PartShares::reduction, std::nullopt); }},
                {"barrier",
                 [&](const Member &m) { return share(m, &PartShares::barrier, barrier_share(point, m)); }},
                {"host", [](const Member &m) { return share(m, &PartShares::host, host_share(m)); }}});
}

}  // namespace perdure::compare
