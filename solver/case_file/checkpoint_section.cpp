// What a run leaves for another one to go on from, and when it has to end.
#include <charconv>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "solver/case_file/number_of_text.hpp"
#include "solver/case_file/sections.hpp"

namespace perdure {
namespace {

constexpr int most_kept = 1000;
constexpr const char *time_limit_forms = "a number of seconds > 0, or a text such as 1h30m, 45m or 90s";

bool is_above_zero(double number) {
    return number > 0.0;
}

/// "1h30m" in seconds: hours, minutes and seconds, each at most once and in this order.
std::optional<double> seconds_in(std::string_view text) {
    double seconds = 0.0;
    bool found = false;
    for (const auto &[unit, size] : {std::pair{'h', 3600.0}, {'m', 60.0}, {'s', 1.0}}) {
        std::int64_t count = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
        if (error == std::errc() && end != text.data() + text.size() && *end == unit && count >= 0) {
            seconds += static_cast<double>(count) * size;
            found = true;
            text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
        }
    }
    return found && text.empty() && seconds > 0.0 ? std::optional(seconds) : std::nullopt;
}

}  // namespace

void read_checkpoint(YamlMap &output, const Equation *equation, std::optional<CheckpointConfig> &checkpoint) {
    if (equation != nullptr && !equation->in_time) {
        output.refuse("checkpoint", "a steady problem has no checkpoints; remove the key");
        return;
    }
    const auto section = output.take("checkpoint");
    if (!section) {
        return;
    }
    CheckpointConfig read;
    YamlMap map(*section);
    if (const auto value = map.take("every_steps")) {
        read.every_steps = value->whole_number(1, std::numeric_limits<std::int32_t>::max()).value_or(0);
    }
    if (const auto value = map.take("every_minutes")) {
        read.every_minutes = value->number("a number of minutes > 0", is_above_zero).value_or(0.0);
    }
    if (const auto value = map.take("on_signal")) {
        read.on_signal = value->truth().value_or(read.on_signal);
        if (!read.on_signal && !map.has("every_steps") && !map.has("every_minutes")) {
            value->error(
                "expected true, or every_steps or every_minutes in addition; otherwise no checkpoint would "
                "ever be written");
        }
    }
    if (const auto value = map.take("keep")) {
        read.keep = static_cast<int>(value->whole_number(1, most_kept).value_or(read.keep));
    }
    map.finish();
    checkpoint = read;
}

std::optional<double> time_limit_of(const std::string &text) {
    const auto seconds = seconds_in(text);
    const auto number = seconds ? seconds : number_of_text(text);
    return number && is_above_zero(*number) ? number : std::nullopt;
}

void read_time_limit(YamlMap &execution, std::optional<double> &time_limit) {
    const auto value = execution.take("time_limit");
    if (!value) {
        return;
    }
    time_limit =
        value->node().kind == YamlNode::Kind::scalar ? time_limit_of(value->node().text) : std::nullopt;
    if (!time_limit) {
        value->expected(time_limit_forms);
    }
}

}  // namespace perdure
