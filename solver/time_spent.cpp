#include "solver/time_spent.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <mutex>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

namespace perdure {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

double reading_of(clockid_t clock) {
    timespec time{};
    (void)clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1.0e-9 * static_cast<double>(time.tv_nsec);
}

/// In clock ticks since the machine started (proc(5): field 22); nothing where the system does not tell.
std::optional<double> start_ticks() {
    std::ifstream file("/proc/self/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) {
        return std::nullopt;
    }
    constexpr int fields_between = 19;
    std::istringstream fields(text.substr(name_end + 1));
    std::string skipped;
    for (int i = 0; i < fields_between; ++i) {
        fields >> skipped;
    }
    double ticks = 0.0;
    return fields >> ticks ? std::optional(ticks) : std::nullopt;
}

/// Until now the process has run nearly all of its time: its processor time is its age, within the tick that the system tells.
Clock::time_point start_of_process() {
    const Clock::time_point now = Clock::now();
    double age = reading_of(CLOCK_PROCESS_CPUTIME_ID);
    if (const std::optional<double> ticks = start_ticks()) {
        const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
        const double oldest = std::max(reading_of(CLOCK_BOOTTIME) - *ticks * tick, 0.0);
        age = std::clamp(age, std::max(oldest - tick, 0.0), oldest);
    }
    return now - std::chrono::duration_cast<Clock::duration>(Seconds(age));
}

std::thread::id main_thread = std::this_thread::get_id();

bool is_main_thread() {
    return std::this_thread::get_id() == main_thread;
}

/// What the threads have spent up to the last change of activity of each.
struct Ledger {
    std::array<double, enum_names<Activity>.size()> main{}, background{};
    std::mutex mutex;  // of `background`
};

Ledger &ledger() {
    static Ledger ledger;
    return ledger;
}

/// What a thread does, and since when.
struct Current {
    std::optional<Activity> activity;
    Clock::time_point since;
};

thread_local Current current =
    is_main_thread() ? Current{Activity::start, start_of_process()} : Current{std::nullopt, {}};

void charge_until_now() {
    const Clock::time_point now = Clock::now();
    if (current.activity) {
        const auto index = static_cast<std::size_t>(*current.activity);
        const double seconds = Seconds(now - current.since).count();
        if (is_main_thread()) {
            ledger().main[index] += seconds;
        } else {
            const std::scoped_lock lock(ledger().mutex);
            ledger().background[index] += seconds;
        }
    }
    current.since = now;
}

}  // namespace

TimeSpent::Scope::Scope(Activity activity) {
    charge_until_now();
    outer_ = std::exchange(current.activity, activity);
}

TimeSpent::Scope::~Scope() {
    charge_until_now();
    current.activity = outer_;
}

TimeSpent::Wait::Wait() {
    charge_until_now();
    outer_ = current.activity;
    if (!is_main_thread()) {
        current.activity.reset();
    }
}

TimeSpent::Wait::~Wait() {
    charge_until_now();
    current.activity = outer_;
}

void TimeSpent::make_main() {
    charge_until_now();
    main_thread = std::this_thread::get_id();
    current = {Activity::other, Clock::now()};
}

TimeSpent TimeSpent::now() {
    charge_until_now();
    TimeSpent spent;
    if (is_main_thread()) {
        spent.main_ = ledger().main;
    }
    const std::scoped_lock lock(ledger().mutex);
    spent.background_ = ledger().background;
    return spent;
}

double TimeSpent::total() const {
    return std::accumulate(main_.begin(), main_.end(), 0.0);
}

TimeSpent operator-(TimeSpent later, const TimeSpent &earlier) {
    for (std::size_t i = 0; i < later.main_.size(); ++i) {
        later.main_[i] -= earlier.main_[i];
        later.background_[i] -= earlier.background_[i];
    }
    return later;
}

void TimeSince::restart() {
    begin_ = TimeSpent::now();
    since_ = Clock::now();
}

void TimeSince::update_by_clock() {
    update_background();
    spent_.main_ = {};
    spent_.main_[static_cast<std::size_t>(Activity::other)] = Seconds(Clock::now() - since_).count();
}

void TimeSince::update() {
    if (is_main_thread()) {
        spent_ = TimeSpent::now() - begin_;
    } else {
        update_background();
    }
}

}  // namespace perdure
