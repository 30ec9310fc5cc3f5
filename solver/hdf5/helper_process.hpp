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
};

/// Starts this very program (spawned, never forked: a device runtime may be up) with these arguments and
/// waits. Its standard error goes nowhere. It is killed when `limit` runs out. Throws
/// Failure(differs_or_internal) when it cannot be started.
HelperResult run_helper(const std::vector<std::string> &arguments, std::chrono::seconds limit);

}  // namespace perdure
