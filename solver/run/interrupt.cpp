#include "solver/run/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>

#include "solver/failure.hpp"

namespace perdure {
namespace {

volatile std::sig_atomic_t asked = 0;
volatile std::int64_t first_asked = 0;   // in milliseconds
volatile std::sig_atomic_t guarded = 0;  // something stops in order when asked
volatile std::sig_atomic_t silent = 0;   // another process says so

/// A wrapper such as timeout(1) may pass on a signal that the terminal has sent already: twice within this
/// time is once.
constexpr std::int64_t once_more_milliseconds = 2000;

template <std::size_t N>
void say(const char (&text)[N]) {
    if (silent == 0) {
        (void)!write(STDERR_FILENO, text, N - 1);
    }
}

extern "C" void take_signal(int) {
    timespec time{};
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    const std::int64_t now = std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1000000;
    if (guarded == 0) {
        say("\nperdure: stopped\n");
        _exit(static_cast<int>(ExitCode::stopped));
    }
    if (asked == 0) {
        first_asked = now;
        asked = 1;
        say("\nperdure: stopping at the next check; to stop at once, repeat this in two seconds or later\n");
    } else if (now - first_asked >= once_more_milliseconds) {
        say("\nperdure: stopped at once; nothing more was written\n");
        _exit(static_cast<int>(ExitCode::stopped));
    }
}

}  // namespace

void handle_interrupts() {
    (void)std::signal(SIGINT, take_signal);
    (void)std::signal(SIGTERM, take_signal);
}

InterruptGuard::InterruptGuard(bool says) {
    silent = says ? 0 : 1;
    guarded = guarded + 1;
    handle_interrupts();
}

InterruptGuard::~InterruptGuard() {
    guarded = guarded - 1;
}

void ask_to_stop() noexcept {
    asked = 1;
}

void forget_stop() noexcept {
    asked = 0;
}

bool interrupted() {
    return asked != 0;
}

}  // namespace perdure
