#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "solver/compare/report.hpp"

namespace perdure::compare {
namespace {

constexpr double micro = 1.0e6;

/// Four digits that count, or as many as stand before the point.
std::string figure(double value) {
    return value >= 1000.0 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string share(const std::optional<double> &value) {
    return value ? fmt::format("{:.0f} %", 100.0 * *value) : "";
}

struct Column {
    std::string head;
    std::function<std::string(const Point &, const Member &, const DeviceNote *)> text;
};

std::string per_iteration(const Point &point, std::int64_t count) {
    return fmt::format("{:.3g}", static_cast<double>(count) / static_cast<double>(point.iterations));
}

std::string fraction_of_copy(const Point &point, const Member &member, const DeviceNote *device) {
    if (device == nullptr || !why_no_fraction(point, *device).empty()) {
        return "-";
    }
    return fmt::format("{:.0f} %", 100.0 * bytes_per_second(point, member) / device->copy_bytes_per_second);
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
        return "";
    }
    return member.check_seen ? figure(micro * *member.check_seconds) : "in spread";
}

const std::vector<Column> &columns() {
    using P = const Point &;
    using M = const Member &;
    using D = const DeviceNote *;
    static const std::vector<Column> list{
        {"us/iteration", [](P, M m, D) { return figure(micro * m.seconds.median()); }},
        {"[lowest .. highest]",
         [](P, M m, D) {
             return fmt::format("[{} .. {}]", figure(micro * m.seconds.lowest()),
                                figure(micro * m.seconds.highest()));
         }},
        {"device us",
         [](P, M m, D) { return m.device_seconds.empty() ? "" : figure(micro * m.device_seconds.median()); }},
        {"launches", [](P p, M m, D) { return per_iteration(p, m.launches); }},
        {"barriers", [](P p, M m, D) { return per_iteration(p, m.barriers); }},
        {"host waits", [](P p, M m, D) { return per_iteration(p, m.looks); }},
        {"Mcells/s",
         [](P p, M m, D) { return figure(1.0e-6 * static_cast<double>(p.cells) / m.seconds.median()); }},
        {"GB/s", [](P p, M m, D) { return figure(1.0e-9 * bytes_per_second(p, m)); }},
        {"of copy", fraction_of_copy},
        {"host", [](P, M m, D) { return share(host_share(m)); }},
        {"barrier~", [](P p, M m, D) { return share(barrier_share(p, m)); }},
        {"us/check", [](P, M m, D) { return check_text(m); }},
        {"speed-up", [](P p, M m, D) { return speed_up_text(p, m); }},
    };
    return list;
}

/// Heads, then a row for each member that was measured.
std::vector<std::vector<std::string>> rows_of(const Comparison &comparison, const Point &point) {
    std::vector<std::vector<std::string>> rows(1, {"model"});
    for (const Column &column : columns()) {
        rows[0].push_back(column.head);
    }
    for (const Member &member : point.members) {
        if (!member.measured()) {
            continue;
        }
        const bool say_barrier = !member.barrier.empty() && member.name == member.model;
        std::vector<std::string> row{say_barrier ? fmt::format("{} ({})", member.name, member.barrier)
                                                 : member.name};
        for (const Column &column : columns()) {
            row.push_back(column.text(point, member, comparison.device_of(point)));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string shape_text(const Point &point) {
    std::string text;
    for (const std::int64_t cells : point.shape) {
        text += fmt::format("{}{}", text.empty() ? "" : " x ", cells);
    }
    return text;
}

std::string heading(const Comparison &comparison, const Point &point) {
    return fmt::format("{}, {}, {} on {} ({})", shape_text(point), comparison.method, point.precision,
                       point.device, point.backend);
}

std::string conditions(const Point &point) {
    return fmt::format("{} iterations a run, a check every {}; medians of {} round{}{}", point.iterations,
                       point.check_every, point.rounds, point.rounds == 1 ? "" : "s",
                       point.complete ? "" : " (fewer than asked for)");
}

std::vector<std::string> remarks(const Comparison &comparison, const Point &point) {
    std::vector<std::string> list;
    const DeviceNote *const device = comparison.device_of(point);
    if (const std::string why = device == nullptr ? "" : why_no_fraction(point, *device); !why.empty()) {
        list.push_back(fmt::format("throughput as a fraction of the copy means nothing here: {}", why));
    }
    for (const Member &member : point.members) {
        if (!member.wrong.empty()) {
            list.push_back(fmt::format("{} is WRONG, no speed-up is given: {}", member.name, member.wrong));
        }
        if (!member.failure.empty()) {
            list.push_back(fmt::format("{} FAILED: {}", member.name, member.failure));
        }
    }
    return list;
}

/// What was left out, each once for all sizes.
std::vector<std::string> left_out(const Comparison &comparison) {
    std::vector<std::string> list;
    for (const Point &point : comparison.points) {
        for (const Member &member : point.members) {
            const std::string line =
                fmt::format("without {} on {}: {}", member.name, point.device, member.cannot_run);
            if (!member.cannot_run.empty() && std::find(list.begin(), list.end(), line) == list.end()) {
                list.push_back(line);
            }
        }
    }
    return list;
}

std::vector<std::string> conclusions(const Comparison &comparison) {
    std::vector<std::string> list;
    for (const OrderChange &change : order_changes(comparison.points)) {
        list.push_back(
            fmt::format("{}, {}: the order changes between {} ({} faster) and {} ({} faster), near {:.0f}",
                        change.device, change.precision, change.from, change.faster_below, change.to,
                        change.faster_above, change.estimated));
    }
    for (std::string &sentence : advice(comparison.points)) {
        list.push_back(std::move(sentence));
    }
    for (std::string &line : left_out(comparison)) {
        list.push_back(std::move(line));
    }
    for (const NotMeasured &one : comparison.not_measured) {
        list.push_back(fmt::format("not measured: {}: {}", one.what, one.why));
    }
    return list;
}

std::string legend() {
    return "us/iteration: the host's clock around the loop that launches, median of the rounds; device us: "
           "by the "
           "device's clock, where the whole run is on it; launches, barriers, host waits: per iteration; "
           "GB/s: bytes "
           "that the kernel's header says must move; host: what the device does not account for; barrier~: "
           "estimated "
           "from barriers with nothing to wait for; us/check: one more check ('in spread': less than what "
           "the rounds spread); speed-up: over the best model "
           "of many "
           "launches";
}

std::string copy_text(const DeviceNote &device) {
    return fmt::format("{} ({}), {}: device copy {} GB/s, read and written", device.name, device.backend,
                       device.driver, figure(1.0e-9 * device.copy_bytes_per_second));
}

}  // namespace

std::string point_table(const Comparison &comparison, const Point &point) {
    const auto rows = rows_of(comparison, point);
    std::vector<std::size_t> widths(rows[0].size(), 0);
    for (const auto &row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text = fmt::format("{}\n{}\n", heading(comparison, point), conditions(point));
    for (const auto &row : rows) {
        std::string line = fmt::format("  {:<{}}", row[0], widths[0]);
        for (std::size_t i = 1; i < row.size(); ++i) {
            line += fmt::format("  {:>{}}", row[i], widths[i]);
        }
        text += line + "\n";
    }
    for (const std::string &remark : remarks(comparison, point)) {
        text += fmt::format("  {}\n", remark);
    }
    return text + "\n";
}

std::string summary(const Comparison &comparison) {
    std::string text;
    for (const DeviceNote &device : comparison.devices) {
        text += copy_text(device) + "\n";
    }
    text += legend() + "\n";
    for (const std::string &conclusion : conclusions(comparison)) {
        text += conclusion + "\n";
    }
    return text;
}

std::string markdown(const Comparison &comparison) {
    std::string text =
        fmt::format("{}: {}\n\nperdure {} ({}), {}\n\n    {}\n\n", markdown_begin, comparison.title,
                    comparison.version, comparison.built_with, comparison.date, comparison.command);
    for (const DeviceNote &device : comparison.devices) {
        text += fmt::format("- {}\n", copy_text(device));
    }
    for (const std::string &conclusion : conclusions(comparison)) {
        text += fmt::format("- {}\n", conclusion);
    }
    for (const Point &point : comparison.points) {
        text += fmt::format("\n## {}\n\n{}\n\n", heading(comparison, point), conditions(point));
        bool head = true;
        for (const auto &row : rows_of(comparison, point)) {
            for (const std::string &cell : row) {
                text += fmt::format("| {} ", cell);
            }
            text += "|\n";
            for (std::size_t i = 0; head && i < row.size(); ++i) {
                text += i == 0 ? "|---" : "|--:";
            }
            text += head ? "|\n" : "";
            head = false;
        }
        for (const std::string &remark : remarks(comparison, point)) {
            text += fmt::format("\n{}.\n", remark);
        }
    }
    return text + fmt::format("\n{}.\n", legend());
}

}  // namespace perdure::compare
