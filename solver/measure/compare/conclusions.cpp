#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "solver/measure/compare/compare.hpp"

namespace perdure::compare {
namespace {

constexpr double same_within = 0.02;
constexpr double noticeably_faster = 1.1;  // a copy of the size touched, over one that no cache holds

const Result *best(const Point &point, bool multi_launch) {
    const Result *found = nullptr;
    for (const Result &result : point.results) {
        if (result.counts() && result.multi_launch() == multi_launch &&
            (found == nullptr || result.seconds.median() < found->seconds.median())) {
            found = &result;
        }
    }
    return found;
}

using Line = std::vector<const Point *>;  // one device and precision, by size

std::vector<Line> lines_of(const std::vector<Point> &points) {
    std::vector<Line> lines;
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> place;
    for (const Point &point : points) {
        const auto [known, is_new] =
            place.emplace(std::tuple(point.backend, point.device, point.precision), lines.size());
        if (is_new) {
            lines.emplace_back();
        }
        lines[known->second].push_back(&point);
    }
    for (Line &line : lines) {
        std::stable_sort(line.begin(), line.end(),
                         [](const Point *one, const Point *other) { return one->size() < other->size(); });
    }
    return lines;
}

/// Logarithm of best multi-launch over best single-launch: positive where one launch is faster.
double advantage(const Point &point) {
    return std::log(best_multi_launch(point)->seconds.median() / best_single_launch(point)->seconds.median());
}

bool both_sides(const Point &point) {
    return best_multi_launch(point) != nullptr && best_single_launch(point) != nullptr;
}

/// Neighbouring sizes at which the same model should be taken.
struct Stretch {
    enum class Winner { single, multi, level };
    Winner winner = Winner::level;
    std::string taken;  // empty: level
    std::vector<const Point *> points;
};

Stretch::Winner winner_of(const Point &point) {
    if (level(*best_single_launch(point), *best_multi_launch(point))) {
        return Stretch::Winner::level;
    }
    return advantage(point) > 0.0 ? Stretch::Winner::single : Stretch::Winner::multi;
}

std::string faster(const Point &point) {
    return (advantage(point) > 0.0 ? best_single_launch(point) : best_multi_launch(point))->name;
}

OrderChange change_between(const Point &below, const Point &above) {
    const double first = std::log(static_cast<double>(below.size()));
    const double last = std::log(static_cast<double>(above.size()));
    const double fraction = advantage(below) / (advantage(below) - advantage(above));
    return {above.backend, above.device, above.precision,
            below.size(),  above.size(), std::exp(first + fraction * (last - first)),
            faster(below), faster(above)};
}

std::vector<Stretch> stretches_of(const Line &line) {
    std::vector<Stretch> stretches;
    for (const Point *point : line) {
        if (!both_sides(*point)) {
            continue;
        }
        const Stretch::Winner winner = winner_of(*point);
        const std::string taken = winner == Stretch::Winner::level ? "" : faster(*point);
        if (stretches.empty() || stretches.back().winner != winner || stretches.back().taken != taken) {
            stretches.push_back({winner, taken, {}});
        }
        stretches.back().points.push_back(point);
    }
    return stretches;
}

/// "1.3" or "1.3 to 2.1", of the loser's time over the winner's.
std::string factors(const Stretch &stretch) {
    double least = INFINITY;
    double most = 0.0;
    for (const Point *point : stretch.points) {
        const double factor = std::exp(std::abs(advantage(*point)));
        least = std::min(least, factor);
        most = std::max(most, factor);
    }
    const std::string one = fmt::format("{:.2f}", least);
    const std::string other = fmt::format("{:.2f}", most);
    return one == other ? one : fmt::format("{} to {}", one, other);
}

std::string sizes(const Stretch &stretch) {
    const std::int64_t first = stretch.points.front()->size();
    const std::int64_t last = stretch.points.back()->size();
    return first == last ? fmt::format("at {}", first) : fmt::format("from {} to {}", first, last);
}

std::string names(const Stretch &stretch, const Result *(*choose)(const Point &)) {
    std::vector<std::string> list;
    for (const Point *point : stretch.points) {
        const std::string &name = choose(*point)->name;
        if (std::find(list.begin(), list.end(), name) == list.end()) {
            list.push_back(name);
        }
    }
    std::string text = list.front();
    for (std::size_t i = 1; i < list.size(); ++i) {
        text += (i + 1 == list.size() ? " or " : ", ") + list[i];
    }
    return text;
}

std::string say(const Stretch &stretch) {
    const std::string single = names(stretch, best_single_launch);
    const std::string multi = names(stretch, best_multi_launch);
    switch (stretch.winner) {
        case Stretch::Winner::single:
            return fmt::format("{} use {}: {} times as fast as {}, the best model with many launches",
                               sizes(stretch), single, factors(stretch), multi);
        case Stretch::Winner::multi:
            return fmt::format("{} use {}: {} times as fast as {}", sizes(stretch), multi, factors(stretch),
                               single);
        default:
            return fmt::format("{} {} and {} are equally fast", sizes(stretch), single, multi);
    }
}

}  // namespace

double Samples::median() const {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
}

double Samples::lowest() const {
    return *std::min_element(values.begin(), values.end());
}

double Samples::highest() const {
    return *std::max_element(values.begin(), values.end());
}

std::int64_t Point::size() const {
    return *std::max_element(shape.begin(), shape.end());
}

const DeviceNote *Comparison::device_of(const Point &point) const {
    for (const DeviceNote &device : devices) {
        if (device.backend == point.backend && device.name == point.device) {
            return &device;
        }
    }
    return nullptr;
}

bool Comparison::wrong() const {
    return std::any_of(points.begin(), points.end(), [](const Point &point) {
        return std::any_of(point.results.begin(), point.results.end(),
                           [](const Result &result) { return !result.wrong.empty(); });
    });
}

std::vector<std::string> Comparison::failures() const {
    std::vector<std::string> list;
    for (const Point &point : points) {
        for (const Result &result : point.results) {
            const std::string &reason = result.wrong.empty() ? result.failure : result.wrong;
            if (!reason.empty()) {
                list.push_back(fmt::format("{} at {} in {} on {}: {}{}", result.name, point.size(),
                                           point.precision, point.device,
                                           result.wrong.empty() ? "" : "wrong: ", reason));
            }
        }
    }
    return list;
}

const Result *best_multi_launch(const Point &point) {
    return best(point, true);
}

const Result *best_single_launch(const Point &point) {
    return best(point, false);
}

std::optional<double> speed_up(const Point &point, const Result &result) {
    const Result *const compared = best_multi_launch(point);
    if (compared == nullptr || !result.counts()) {
        return std::nullopt;
    }
    return compared->seconds.median() / result.seconds.median();
}

bool level(const Result &one, const Result &other) {
    const double ratio = one.seconds.median() / other.seconds.median();
    return std::abs(std::log(ratio)) < std::log1p(same_within) ||
           (one.seconds.lowest() <= other.seconds.median() &&
            one.seconds.highest() >= other.seconds.median() &&
            other.seconds.lowest() <= one.seconds.median() &&
            other.seconds.highest() >= one.seconds.median());
}

std::vector<OrderChange> order_changes(const std::vector<Point> &points) {
    std::vector<OrderChange> changes;
    for (const Line &line : lines_of(points)) {
        const Point *before = nullptr;
        for (const Point *point : line) {
            if (!both_sides(*point) || winner_of(*point) == Stretch::Winner::level) {
                continue;
            }
            if (before != nullptr && winner_of(*before) != winner_of(*point)) {
                changes.push_back(change_between(*before, *point));
            }
            before = point;
        }
    }
    return changes;
}

std::vector<std::string> advice(const std::vector<Point> &points) {
    std::vector<std::string> sentences;
    for (const Line &line : lines_of(points)) {
        std::string text;
        for (const Stretch &stretch : stretches_of(line)) {
            text += (text.empty() ? "" : "; ") + say(stretch);
        }
        if (!text.empty()) {
            sentences.push_back(
                fmt::format("{}, {}: {}.", line.front()->device, line.front()->precision, text));
        }
    }
    return sentences;
}

double bytes_per_second(const Point &point, const Result &result) {
    return point.bytes_per_iteration / result.seconds.median();
}

std::string why_no_fraction(const Point &point, const DeviceNote &device) {
    if (point.bytes_per_iteration <= 0.0) {
        return "the bytes that this kernel moves are not known";
    }
    if (device.copy_bytes_per_second <= 0.0) {
        return "the copy was not measured";
    }
    if (point.copy_bytes_per_second > noticeably_faster * device.copy_bytes_per_second) {
        return "the fields fit into a cache";
    }
    return {};
}

std::optional<double> overhead(const Result &result) {
    return result.bare_seconds.empty() || !result.measured()
               ? std::nullopt
               : std::optional(result.seconds.lowest() / result.bare_seconds.lowest() - 1.0);
}

std::optional<double> host_share(const Result &result) {
    if (result.device_seconds.empty() || !result.measured()) {
        return std::nullopt;
    }
    return std::clamp(1.0 - result.device_seconds.median() / result.seconds.median(), 0.0, 1.0);
}

std::optional<double> barrier_share(const Point &point, const Result &result) {
    if (result.barrier_seconds <= 0.0 || !result.measured() || point.iterations == 0) {
        return std::nullopt;
    }
    const double per_iteration = static_cast<double>(result.barriers) / static_cast<double>(point.iterations);
    return per_iteration * result.barrier_seconds / result.seconds.median();
}

}  // namespace perdure::compare
