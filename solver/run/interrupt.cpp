#include "solver/run/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <ctime>

#include "solver/failure.hpp"

namespace perdure {
namespace {

volatile std::sig_atomic_t asked = 0;
volatile std::time_t first_asked = 0;

/// A wrapper such as timeout(1) may pass on a signal that the terminal has sent already: twice within this
/// time is once.
constexpr std::time_t once_more_seconds = 2;

extern "C" void ask_to_stop(int) {
    timespec now{};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if (asked == 0) {
        first_asked = now.tv_sec;
        asked = 1;
    } else if (now.tv_sec - first_asked >= once_more_seconds) {
        const char text[] = "\nperdure: stopped at once, nothing more written\n";
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        _exit(static_cast<int>(ExitCode::stopped));
    }
}

}  // namespace

InterruptGuard::InterruptGuard() {
    (void)std::signal(SIGINT, ask_to_stop);
    (void)std::signal(SIGTERM, ask_to_stop);
}

InterruptGuard::~InterruptGuard() {
    (void)std::signal(SIGINT, SIG_DFL);
    (void)std::signal(SIGTERM, SIG_DFL);
}

bool interrupted() {
    return asked != 0;
}

}  // namespace perdure
