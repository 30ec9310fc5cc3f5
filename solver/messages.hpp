// Writes to standard output and standard error. Neither ends a run: text that cannot be written is lost, and the run continues.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace perdure {

/// Call first in main(). Opens /dev/null where standard input, output or error is closed: the next file that the program
/// opens would get its number, and messages would go into that file. A reader that is gone (SIGPIPE) becomes an error of the
/// stream.
void prepare_standard_streams() noexcept;

/// Writes to standard output and flushes it. Errors are kept for output_error().
void write_output(std::string_view text) noexcept;

/// Writes to standard error. Errors are ignored: there is no place left to report them.
void write_message(std::string_view text) noexcept;

/// From now on what is printed is added to the end of this file, too, but for the progress of a run. Returns why the file cannot be opened;
/// empty where it can.
std::string copy_messages_to(const std::string &file) noexcept;

/// Why some of what was printed did not arrive on standard output, in words; empty if all of it did.
std::string output_error();

/// Results, to standard output. Never throws.
template <typename... Values>
void print_output(fmt::format_string<Values...> format, Values &&...values) noexcept {
    try {
        write_output(fmt::format(format, std::forward<Values>(values)...));
    } catch (...) {  // no memory for the text
        write_message("perdure: not enough memory to print a result\n");
    }
}

/// Warnings, errors and progress, to standard error. Never throws.
template <typename... Values>
void print_message(fmt::format_string<Values...> format, Values &&...values) noexcept {
    try {
        write_message(fmt::format(format, std::forward<Values>(values)...));
    } catch (...) {
        write_message("perdure: not enough memory to print a message\n");
    }
}

/// From now on nothing is printed: another process says it.
void print_nothing() noexcept;

/// From now on what print_notice() is given is left out: --quiet.
void leave_out_notices() noexcept;
[[nodiscard]] bool notices_are_left_out() noexcept;

/// What a user may like to know and need not act on, to standard error. Never throws.
template <typename... Values>
void print_notice(fmt::format_string<Values...> format, Values &&...values) noexcept {
    if (!notices_are_left_out()) {
        print_message(format, std::forward<Values>(values)...);
    }
}

}  // namespace perdure
