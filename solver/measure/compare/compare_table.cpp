#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/measure/compare/compare_columns.hpp"
#include "solver/measure/compare/report.hpp"
#include "solver/output/wrap_text.hpp"

namespace perdure::compare {
namespace {

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

/// The barrier of the persistent result, where there is one and its name does not tell.
std::string barrier_text(const Point &point) {
    for (const Result &result : point.results) {
        if (!result.barrier.empty() && result.name == result.model) {
            return fmt::format("; {} with barrier {}", result.name, result.barrier);
        }
    }
    return {};
}

std::string conditions(const Comparison &comparison, const Point &point) {
    const std::string fewer =
        comparison.iterations > point.iterations
            ? fmt::format(" ({} requested, but the runs end earlier)", comparison.iterations)
            : "";
    return fmt::format("{} iterations per run{}, a check every {}; medians of {} round{}{}{}",
                       point.iterations, fewer, point.check_every, point.rounds, point.rounds == 1 ? "" : "s",
                       point.complete ? "" : " (fewer than requested)", barrier_text(point));
}

/// Why shares are missing: once for all results of which it is the same.
std::vector<std::string> missing_shares(const Point &point) {
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const Result &result : point.results) {
        const auto known = std::find_if(reasons.begin(), reasons.end(),
                                        [&](const auto &reason) { return reason.first == result.no_shares; });
        if (result.no_shares.empty()) {
            continue;
        }
        if (known == reasons.end()) {
            reasons.emplace_back(result.no_shares, result.name);
        } else {
            known->second += ", " + result.name;
        }
    }
    std::vector<std::string> lines;
    for (const auto &[reason, results] : reasons) {
        lines.push_back(fmt::format("no time breakdown of {}: {}", results, reason));
    }
    return lines;
}

std::vector<std::string> remarks(const Comparison &comparison, const Point &point) {
    std::vector<std::string> list;
    const DeviceNote *const device = comparison.device_of(point);
    if (const std::string why = device == nullptr ? "" : why_no_fraction(point, *device); !why.empty()) {
        list.push_back(
            fmt::format("throughput as a fraction of the copy bandwidth is not meaningful here: {}", why));
    }
    for (const Result &result : point.results) {
        if (!result.wrong.empty()) {
            list.push_back(
                fmt::format("{} is WRONG, so no speed-up is given: {}", result.name, result.wrong));
        }
        if (result.bound > 0.0 && result.counts()) {
            list.push_back(
                fmt::format("{} adds in a different order: its field differs from that of the others by at "
                            "most {:.0e} of its norm",
                            result.name, result.bound));
        }
        if (!result.failure.empty()) {
            list.push_back(fmt::format("{} FAILED: {}", result.name, result.failure));
        }
    }
    for (std::string &line : missing_shares(point)) {
        list.push_back(std::move(line));
    }
    return list;
}

/// What was left out, each reason once for all sizes and models.
std::vector<std::string> left_out(const Comparison &comparison) {
    std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
    for (const Point &point : comparison.points) {
        for (const Result &result : point.results) {
            if (result.cannot_run.empty()) {
                continue;
            }
            const std::string reason = fmt::format(" on {}: {}", point.device, result.cannot_run);
            auto known = std::find_if(reasons.begin(), reasons.end(),
                                      [&](const auto &entry) { return entry.first == reason; });
            if (known == reasons.end()) {
                known = reasons.insert(reasons.end(), {reason, {}});
            }
            if (std::find(known->second.begin(), known->second.end(), result.name) == known->second.end()) {
                known->second.push_back(result.name);
            }
        }
    }
    std::vector<std::string> list;
    for (const auto &[reason, results] : reasons) {
        list.push_back(fmt::format("without {}{}", fmt::join(results, ", "), reason));
    }
    return list;
}

/// What the comparison added to the runs of the points where that was measured.
std::vector<std::string> overheads(const Comparison &comparison) {
    std::vector<std::string> list;
    for (const Point &point : comparison.points) {
        std::string text;
        for (const Result &result : point.results) {
            if (const auto added = overhead(result)) {
                const Samples &bare = result.bare_seconds;
                const double spread = bare.highest() / bare.lowest() - 1.0;
                text += fmt::format("{}{} ", text.empty() ? "" : ", ", result.name);
                text +=
                    std::abs(*added) > spread
                        ? fmt::format("{:+.2f} % (spread {:.1f} %)", 100.0 * *added, 100.0 * spread)
                        : fmt::format("unknown: measured {:+.2f} %, but equal runs differ by up to {:.1f} %",
                                      100.0 * *added, 100.0 * spread);
            }
        }
        if (!text.empty()) {
            list.push_back(
                fmt::format("overhead of comparing, fastest run within against fastest run outside the "
                            "comparison ({}, {} on {}): {}",
                            shape_text(point), point.precision, point.device, text));
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
    for (std::string &line : overheads(comparison)) {
        list.push_back(std::move(line));
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
    return "us/iteration: the host's clock around the launch loop, median of the rounds; device us: the "
           "device's clock, if the whole run is on the device; GB/s: bytes that must move according to the "
           "kernel's header; of copy: relative to the copy bandwidth of the device, except for resident, "
           "whose fields are not moved in every iteration; speed-up: over the best model with many launches. "
           "Per iteration: launches, barriers, host waits. us/check: cost of one more check ('in spread': "
           "less than the spread of the rounds; not measured where resident takes several steps at once). "
           "Shares of the time, from clocks in the kernels of one more run: stencil, reduction, barrier (or "
           "the boundary between two launches), host (everything else; ~: estimated from the device's clock "
           "and from barriers with nothing to wait for)";
}

std::string copy_text(const DeviceNote &device) {
    return fmt::format("{} ({}), {}: device copy {} GB/s, read and written", device.name, device.backend,
                       device.driver, figure(1.0e-9 * device.copy_bytes_per_second));
}

}  // namespace

std::string point_table(const Comparison &comparison, const Point &point) {
    std::string text =
        fmt::format("{}\n{}", heading(comparison, point), wrap_text(conditions(comparison, point), 0));
    text += speed_table(comparison, point).plain(2) + parts_table(point).plain(2);
    for (const std::string &remark : remarks(comparison, point)) {
        text += wrap_text(remark, 2, 2);
    }
    return text + "\n";
}

std::string summary(const Comparison &comparison) {
    std::string text;
    for (const DeviceNote &device : comparison.devices) {
        text += wrap_text(copy_text(device), 0, 2);
    }
    text += wrap_text(legend(), 0, 2);
    for (const std::string &conclusion : conclusions(comparison)) {
        text += wrap_text(conclusion, 0, 2);
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
        text += fmt::format("\n## {}\n\n{}\n\n", heading(comparison, point), conditions(comparison, point));
        text += speed_table(comparison, point).markdown() + "\n" + parts_table(point).markdown();
        for (const std::string &remark : remarks(comparison, point)) {
            text += fmt::format("\n{}.\n", remark);
        }
    }
    return text + fmt::format("\n{}.\n", legend());
}

}  // namespace perdure::compare
