// Where the wall time of the program goes.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>

#include "solver/enum_names.hpp"

namespace perdure {

/// What a thread does. `start`: from the start of the process to the first case, and opening devices. `read`: cases, data files and
/// earlier results. `sample`: expressions, checks, excluded cells. `plan`: plan, discretisation and tables. `other`: everything else.
enum class Activity { start, read, sample, plan, compile, upload, launch, download, compress, write, other };

template <>
inline constexpr std::array enum_names<Activity>{
    NamedValue{Activity::start, "start"},       NamedValue{Activity::read, "read"},
    NamedValue{Activity::sample, "sample"},     NamedValue{Activity::plan, "plan"},
    NamedValue{Activity::compile, "compile"},   NamedValue{Activity::upload, "upload"},
    NamedValue{Activity::launch, "launch"},     NamedValue{Activity::download, "download"},
    NamedValue{Activity::compress, "compress"}, NamedValue{Activity::write, "write"},
    NamedValue{Activity::other, "other"}};

/// Seconds by activity: of the main thread, and of threads in the background.
class TimeSpent {
  public:
    /// The thread does this until the scope ends. A scope inside another takes its time away from it.
    class Scope {
      public:
        explicit Scope(Activity activity);
        Scope(const Scope &) = delete;
        Scope &operator=(const Scope &) = delete;
        ~Scope();

      private:
        std::optional<Activity> outer_;
    };

    /// Until the end of its scope a thread in the background waits for another one: that time counts nowhere. The time of the main
    /// thread counts as before.
    class Wait {
      public:
        Wait();
        Wait(const Wait &) = delete;
        Wait &operator=(const Wait &) = delete;
        ~Wait();

      private:
        std::optional<Activity> outer_;
    };

    /// The calling thread becomes the main one: of a library, whose runs have a thread each and come one after the other.
    static void make_main();

    /// From the start of the process to this moment. Other threads than the main one get seconds in the background alone.
    static TimeSpent now();

    /// Wall time of the main thread.
    [[nodiscard]] double seconds(Activity activity) const {
        return main_[static_cast<std::size_t>(activity)];
    }
    /// Of all other threads together. They are no part of total().
    [[nodiscard]] double background_seconds(Activity activity) const {
        return background_[static_cast<std::size_t>(activity)];
    }
    /// The wall time: all seconds of the main thread.
    [[nodiscard]] double total() const;

    friend TimeSpent operator-(TimeSpent later, const TimeSpent &earlier);

  private:
    friend class TimeSince;
    using Seconds = std::array<double, enum_names<Activity>.size()>;

    Seconds main_{}, background_{};
};

/// The time spent since a moment: the start of the process, or the last call of restart(). Two threads must not share one.
class TimeSince {
  public:
    void restart();
    /// What threads in the background have spent until this moment is not counted: they worked on something else.
    void restart_background() { begin_.background_ = TimeSpent::now().background_; }
    /// Brings spent() up to this moment; on other threads than the main one its seconds in the background alone.
    void update();
    void update_background() { spent_.background_ = (TimeSpent::now() - begin_).background_; }
    /// Of a case that another thread runs while the main one works on others: the wall time since restart() counts as `other`.
    void update_by_clock();
    [[nodiscard]] const TimeSpent &spent() const { return spent_; }

  private:
    TimeSpent begin_, spent_;
    std::chrono::steady_clock::time_point since_;
};

}  // namespace perdure
