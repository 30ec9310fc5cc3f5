#include "solver/run/interrupt.hpp"

#include <unistd.h>
#include <csignal>

#include "solver/failure.hpp"

namespace perdure {
namespace {

volatile std::sig_atomic_t asked = 0;

extern "C" void ask_to_stop(int) {
    if (asked != 0) {
        const char text[] = "\nperdure: stopped at once, nothing written\n";
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        _exit(static_cast<int>(ExitCode::stopped));
    }
    asked = 1;
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
