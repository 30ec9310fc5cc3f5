#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include "solver/commands/commands.hpp"

namespace perdure::commands {

ExitCode new_case(const std::filesystem::path &path, bool force) {
    if (!force && std::filesystem::exists(path)) {
        throw Failure(
            ExitCode::input_output,
            fmt::format("{} is there already; give another name, or --force to replace it", path.string()));
    }
    std::ofstream file(path, std::ios::trunc);
    file << starting_case();
    file.close();
    if (!file) {
        throw Failure(ExitCode::input_output,
                      fmt::format("cannot write {}; is its folder there and writable?", path.string()));
    }
    fmt::print("wrote {}; try: perdure run {}\n", path.string(), path.string());
    return ExitCode::success;
}

}  // namespace perdure::commands
