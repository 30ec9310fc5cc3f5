// Runs this program again as a helper process.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace perdure {

struct HelperResult {
    std::string output;         // its standard output
    int exit_status = 0;        // where it ended by itself
    std::optional<int> signal;  // that ended it
    bool timed_out = false;
    bool stopped = false;  // this program was asked to stop (interrupted() of run/interrupt.hpp)
};

/// run_helper() starts this program instead of this very one: of a library that other programs load. Its main() calls probe_main().
void use_helper_program(const std::string &path);

/// Starts this very program (spawned, never forked: a device runtime may be up) with these arguments and waits. Its standard
/// error goes nowhere; its standard input is a pipe that closes when this process ends. It is killed when `limit` runs out and
/// when this program is asked to stop. Throws Failure(differs_or_internal) when it cannot be started.
HelperResult run_helper(const std::vector<std::string> &arguments, std::chrono::seconds limit);

/// To be called first in the helper: from now on it is killed when the process `parent` ends, however that ends.
void end_with_parent(long parent);

}  // namespace perdure
