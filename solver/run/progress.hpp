// Shows the progress of a run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace perdure {

/// What a run counts, and the value that is shown with it.
struct Counted {
    std::string unit = "iteration";  // or "step"
    std::string value = "residual";  // or "max |u|"
    bool reaches_tolerance = true;   // the value falls to a tolerance
    double end =
        0.0;  // of a run that chooses its steps: the time to reach, and instead of a tolerance comes that reached
    bool is_shown = true;  // the value; not that of a solve in each step, which falls again and again
};

/// How far a run has come.
struct ProgressPoint {
    std::int64_t iteration = 0;
    double value = 0.0;
    double fraction = 0.0;  // of the whole run, as far as that can be foreseen
};

/// What another thread gets ready while a kernel runs, and what is said above the bar once it is.
struct Announcement {
    std::function<bool()> is_ready = [] { return false; };
    std::function<void()> say = [] {};
    /// Told at each check how far the run has come; `counted` and `part` are those of the run. Quickly: the run waits.
    std::function<void(const ProgressPoint &point, const Counted &counted, const std::string &part)> watch{};
};

/// A bar on a terminal, a line every few seconds elsewhere, nothing when quiet. Writes to standard error.
class Progress {
  public:
    enum class Style { automatic, quiet };
    /// `last`: iterations or steps at which the run ends at the latest. `part`: which of several runs, if not empty. `meanwhile`:
    /// said also when quiet, by update().
    Progress(Style style, std::int64_t last, Counted counted = {}, std::string part = {},
             Announcement meanwhile = {});
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;
    ~Progress();

    void update(std::int64_t iteration, double value, double tolerance);
    /// A remark that goes above the bar.
    void say(const std::string &text);

  private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] double fraction(std::int64_t iteration, double value, double tolerance);
    void clear();

    bool quiet_;
    bool terminal_;
    Counted counted_;
    bool drawn_ = false;
    std::int64_t last_;
    std::string part_;  // ends with ": " where it is not empty
    Announcement meanwhile_;
    double first_value_ = 0.0;
    Clock::time_point start_, last_shown_;
};

}  // namespace perdure
