#include "solver/run/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "solver/messages.hpp"

namespace perdure {
namespace {

constexpr double seconds_between_lines = 5.0;
constexpr double seconds_between_bars = 0.1;
constexpr int bar_width = 24;

std::string bar(double fraction) {
    const int full = static_cast<int>(std::lround(fraction * bar_width));
    return fmt::format("[{:=<{}}{: <{}}]", "", full, "", bar_width - full);
}

std::string readable_seconds(double seconds) {
    if (!std::isfinite(seconds)) {
        return "?";
    }
    if (seconds < 100.0) {
        return fmt::format("{:.1f} s", seconds);
    }
    return fmt::format("{:.0f} min", seconds / 60.0);
}

}  // namespace

Progress::Progress(Style style, std::int64_t last, Counted counted, std::string part, Announcement meanwhile)
    : quiet_(style == Style::quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      counted_(std::move(counted)),
      last_(std::max<std::int64_t>(last, 1)),
      part_(part.empty() ? std::move(part) : part + ": "),
      meanwhile_(std::move(meanwhile)),
      start_(Clock::now()),
      last_shown_(start_) {}

Progress::~Progress() {
    clear();
}

/// How far a steady run has come is read off the logarithm of its residual.
double Progress::fraction(std::int64_t iteration, double value, double tolerance) {
    if (counted_.end > 0.0) {
        return std::clamp(tolerance / counted_.end, 0.0, 1.0);
    }
    const double counted = static_cast<double>(iteration) / static_cast<double>(last_);
    if (!counted_.reaches_tolerance || !(value > 0.0) || !(tolerance > 0.0)) {
        return std::clamp(counted, 0.0, 1.0);
    }
    if (first_value_ <= 0.0) {
        first_value_ = value;
    }
    const double fallen =
        std::log(first_value_ / value) / std::log(std::max(first_value_ / tolerance, 1.0 + 1.0e-12));
    return std::clamp(std::max(counted, fallen), 0.0, 1.0);
}

void Progress::update(std::int64_t iteration, double value, double tolerance) {
    if (meanwhile_.is_ready()) {
        clear();
        meanwhile_.say();
    }
    const Clock::time_point now = Clock::now();
    const double part = fraction(iteration, value, tolerance);
    if (meanwhile_.watch) {
        meanwhile_.watch({iteration, value, part}, counted_, part_);
    }
    const double since_shown = std::chrono::duration<double>(now - last_shown_).count();
    if (quiet_ || since_shown < (terminal_ ? seconds_between_bars : seconds_between_lines)) {
        return;
    }
    last_shown_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const std::string text =
        fmt::format("{}{} {}{}  {:.4g}/s  {} to go", part_, counted_.unit, iteration,
                    counted_.is_shown ? fmt::format(" {} {:.3e}", counted_.value, value) : "",
                    static_cast<double>(iteration) / seconds,
                    readable_seconds(part > 0.0 ? seconds * (1.0 - part) / part : INFINITY));
    if (terminal_) {
        print_message("\r\x1b[K{} {}", bar(part), text);
        drawn_ = true;
    } else {
        print_message("{}\n", text);
    }
}

void Progress::say(const std::string &text) {
    if (!quiet_) {
        clear();
        print_message("{}\n", text);
    }
}

void Progress::clear() {
    if (drawn_) {
        print_message("\r\x1b[K");
        drawn_ = false;
    }
}

}  // namespace perdure
