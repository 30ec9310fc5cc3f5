#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGKILL of prctl()
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "solver/hdf5/helper_process.hpp"

namespace perdure {
namespace {

constexpr int orphaned = 1;  // exit status that nobody reads

/// Standard input is a pipe that only the parent can write to: it hangs up when the parent ends.
void wait_for_hang_up() {
    pollfd parent{STDIN_FILENO, POLLIN, 0};
    while (poll(&parent, 1, -1) < 0 && errno == EINTR) {
    }
    _exit(orphaned);
}

}  // namespace

void end_with_parent(long parent) {
    // The kernel's signal comes when the thread that started this process ends; that thread waits for this process.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) {  // the parent ended before the call
        _exit(orphaned);
    }
    std::thread(wait_for_hang_up).detach();
}

}  // namespace perdure
