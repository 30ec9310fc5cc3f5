#include "solver/messages.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

namespace perdure {
namespace {

std::atomic<int> first_output_error = 0;  // also of the thread that writes results
bool without_notices = false;
bool without_words = false;
std::atomic<int> log_file = -1;

/// In one call, so that lines of several processes do not mix.
void write_log(std::string_view text) noexcept {
    const bool is_progress = text.starts_with('\r');
    if (log_file >= 0 && !is_progress) {
        (void)!write(log_file, text.data(), text.size());
    }
}

/// As the lowest free number is taken, streams are opened in the order of their numbers. Reading and writing of
/// standard input and output still fail then, as they did while these were closed.
void open_if_closed(int stream, int mode) noexcept {
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
        (void)!open("/dev/null", mode);
    }
}

}  // namespace

void prepare_standard_streams() noexcept {
    open_if_closed(STDIN_FILENO, O_WRONLY);
    open_if_closed(STDOUT_FILENO, O_RDONLY);
    open_if_closed(STDERR_FILENO, O_WRONLY);
    (void)std::signal(SIGPIPE, SIG_IGN);
}

std::string copy_messages_to(const std::string &file) noexcept {
    log_file = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
    return log_file >= 0 ? "" : std::generic_category().message(errno);
}

void write_output(std::string_view text) noexcept {
    if (without_words) {
        return;
    }
    write_log(text);
    errno = 0;
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (std::fflush(stdout) != 0 || !written) {
        if (errno == EPIPE) {
            return;  // as of `| head`: nobody reads any more
        }
        int none = 0;
        first_output_error.compare_exchange_strong(none, errno != 0 ? errno : EIO);
    }
}

void write_message(std::string_view text) noexcept {
    if (without_words) {
        return;
    }
    write_log(text);
    (void)!std::fwrite(text.data(), 1, text.size(), stderr);
    (void)std::fflush(stderr);
}

void print_nothing() noexcept {
    without_words = true;
}

void leave_out_notices() noexcept {
    without_notices = true;
}

bool notices_are_left_out() noexcept {
    return without_notices;
}

std::string output_error() {
    return first_output_error != 0 ? std::generic_category().message(first_output_error) : "";
}

}  // namespace perdure
