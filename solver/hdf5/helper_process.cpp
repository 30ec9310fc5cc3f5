#include "solver/hdf5/helper_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() and sigset_t are POSIX
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "solver/failure.hpp"

extern char **environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace perdure {
namespace {

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

pid_t spawn(const std::vector<std::string> &arguments, int output) {
    std::string program = "/proc/self/exe";
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

// Appends what the helper writes until it closes its output; false when the time runs out first.
bool collect(int reader, std::chrono::steady_clock::time_point deadline, std::string &output) {
    std::array<char, 65536> buffer{};
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd watched{reader, POLLIN, 0};
        const int ready = left.count() > 0 ? poll(&watched, 1, static_cast<int>(left.count())) : 0;
        if (ready == 0) {
            return false;
        }
        const ssize_t count = ready > 0 ? read(reader, buffer.data(), buffer.size()) : -1;
        if (count == 0) {
            return true;
        }
        if (count < 0 && errno != EINTR) {
            return false;
        }
        output.append(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    }
}

}  // namespace

HelperResult run_helper(const std::vector<std::string> &arguments, std::chrono::seconds limit) {
    Pipe pipe;
    const pid_t process = spawn(arguments, pipe.writer());
    pipe.close_writer();
    HelperResult result;
    result.timed_out = !collect(pipe.reader(), std::chrono::steady_clock::now() + limit, result.output);
    if (result.timed_out) {
        kill(process, SIGKILL);
    }
    int status = 0;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) {
            fail("wait for", errno);
        }
    }
    if (WIFSIGNALED(status)) {
        result.signal = WTERMSIG(status);
    } else {
        result.exit_status = WEXITSTATUS(status);
    }
    return result;
}

}  // namespace perdure
