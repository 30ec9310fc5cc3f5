#include "solver/hdf5/helper_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() and sigset_t are POSIX
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <thread>

#include "solver/failure.hpp"
#include "solver/run/interrupt.hpp"

extern char **environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace perdure {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_checks(
    50);  // a signal may reach another thread than the one that waits
constexpr std::chrono::seconds for_a_killed_process(5);  // one that a broken file system holds may never end

[[noreturn]] void fail(const char *action, int error) {
    throw Failure(ExitCode::differs_or_internal,
                  fmt::format("cannot {} the helper process that reads HDF5 files: {}", action,
                              std::generic_category().message(error)));
}

class Pipe {
  public:
    Pipe() {
        if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
            fail("connect", errno);
        }
    }
    Pipe(const Pipe &) = delete;
    Pipe &operator=(const Pipe &) = delete;
    ~Pipe() {
        close(ends_[0]);
        close_writer();
    }
    void close_writer() {
        if (ends_[1] >= 0) {
            close(ends_[1]);
            ends_[1] = -1;
        }
    }
    [[nodiscard]] int reader() const { return ends_[0]; }
    [[nodiscard]] int writer() const { return ends_[1]; }

  private:
    std::array<int, 2> ends_{-1, -1};
};

std::string &helper_program() {
    static std::string path = "/proc/self/exe";
    return path;
}

pid_t spawn(const std::vector<std::string> &arguments, int input, int output) {
    std::string program = helper_program();
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char *> pointers;
    for (std::string &word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t process = -1;
    const int error = posix_spawn(&process, program.c_str(), &actions, &attributes, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        fail("start", error);
    }
    return process;
}

/// Appends what the helper writes until it closes its output, the time runs out or this program is asked to stop.
void collect(int reader, Clock::time_point deadline, HelperResult &result) {
    std::array<char, 65536> buffer{};
    for (;;) {
        result.stopped = interrupted();
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        result.timed_out = !result.stopped && left.count() <= 0;
        if (result.stopped || result.timed_out) {
            return;
        }
        pollfd watched{reader, POLLIN, 0};
        const int ready = poll(&watched, 1, static_cast<int>(std::min(left, between_checks).count()));
        if (ready == 0) {
            continue;
        }
        const ssize_t count = ready > 0 ? read(reader, buffer.data(), buffer.size()) : -1;
        if (count == 0) {
            return;
        }
        if (count < 0 && errno != EINTR) {
            fail("listen to", errno);
        }
        result.output.append(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    }
}

/// A process that is killed and waited for at the latest when this goes.
class Process {
  public:
    explicit Process(pid_t id) : id_(id) {}
    Process(const Process &) = delete;
    Process &operator=(const Process &) = delete;
    ~Process() { kill_it(); }

    /// Its status, once it has closed its output.
    int wait() {
        int status = 0;
        while (waitpid(id_, &status, 0) < 0) {
            if (errno != EINTR) {
                fail("wait for", errno);
            }
        }
        id_ = -1;
        return status;
    }
    void kill_it() {
        if (id_ < 0) {
            return;
        }
        kill(id_, SIGKILL);
        const auto deadline = Clock::now() + for_a_killed_process;
        while (waitpid(id_, nullptr, WNOHANG) == 0 && Clock::now() < deadline) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        id_ = -1;
    }

  private:
    pid_t id_;
};

}  // namespace

void use_helper_program(const std::string &path) {
    helper_program() = path;
}

HelperResult run_helper(const std::vector<std::string> &arguments, std::chrono::seconds limit) {
    Pipe alive;  // nothing is written to it: it closes when this process ends
    Pipe answer;
    Process process(spawn(arguments, alive.reader(), answer.writer()));
    answer.close_writer();
    HelperResult result;
    collect(answer.reader(), Clock::now() + limit, result);
    if (result.timed_out || result.stopped) {
        process.kill_it();
        return result;
    }
    const int status = process.wait();
    if (WIFSIGNALED(status)) {
        result.signal = WTERMSIG(status);
    } else {
        result.exit_status = WEXITSTATUS(status);
    }
    return result;
}

}  // namespace perdure
