#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "solver/commands/commands.hpp"
#include "solver/commands/words.hpp"
#include "solver/equations/equation.hpp"
#include "solver/in_words.hpp"
#include "solver/messages.hpp"
#include "solver/output/replace_file.hpp"
#include "solver/regular_file.hpp"

namespace perdure::commands {

namespace {

/// Replaces a file alone, and only where asked to. A link is refused: whoever names it may not know the file behind it.
void check_replaceable(const std::filesystem::path &path, bool force) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::symlink_status(path, error);
    std::string reason;
    if (std::filesystem::is_symlink(status)) {
        reason = fmt::format("is a link to {}; name that file, or remove the link",
                             std::filesystem::read_symlink(path, error).string());
    } else if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        reason = fmt::format("is {}; give another name", kind_of(status.type()));
    } else if (std::filesystem::exists(status) && !force) {
        reason = "is there already; give another name, or --force to replace it";
    }
    if (!reason.empty()) {
        throw Failure(ExitCode::input_output, fmt::format("{} {}", path.string(), reason));
    }
}

void write_case(const std::filesystem::path &path, const std::string &text) {
    try {
        replace_file(path, [&](const std::filesystem::path &temporary) {
            errno = 0;
            std::ofstream file(temporary);
            file << text;
            file.close();
            if (!file) {
                throw std::system_error(errno != 0 ? errno : EIO, std::generic_category());
            }
        });
    } catch (const std::system_error &failed) {
        throw Failure(ExitCode::input_output,
                      fmt::format("cannot write {}: {}; is its folder there and writable?", path.string(),
                                  failed.code().message()));
    }
}

}  // namespace

ExitCode new_case(const std::filesystem::path &path, const std::string &type, bool force) {
    const auto equation = std::find_if(all_equations().begin(), all_equations().end(),
                                       [&](const Equation &one) { return name(one.type) == type; });
    if (equation == all_equations().end()) {
        std::vector<std::string> types;
        for (const Equation &one : all_equations()) {
            types.emplace_back(name(one.type));
        }
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("--type: expected {}, found '{}'{}", in_words(types, "or"), type,
                                  did_you_mean(type, types)));
    }
    check_replaceable(path, force);
    write_case(path, equation->starting_case());
    const std::string first = equation->before_it_runs;
    print_output("wrote {0}; {1}: perdure run {0}\n", path.string(),
                 first.empty() ? "try" : first + ", then");
    return ExitCode::success;
}

}  // namespace perdure::commands
