#include "solver/commands/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perdure::commands {

std::string did_you_mean(const std::string &word, const std::vector<std::string> &known) {
    const std::string near = closest(word, known);
    return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

void add_overrides(CLI::App &command, std::vector<std::string> &overrides, const std::string &example) {
    command.add_option("--set", overrides, "override a key of the case, e.g. --set " + example)
        ->type_name("KEY.PATH=VALUE")
        ->take_all()
        ->allow_extra_args(false);  // a word behind it is a case
}

BackendChoice backend_of(const std::string &word) {
    std::vector<std::string> known;
    for (const BackendChoice backend :
         {BackendChoice::automatic, BackendChoice::cuda, BackendChoice::opencl, BackendChoice::host}) {
        if (word == name(backend)) {
            return backend;
        }
        known.push_back(name(backend));
    }
    throw Failure(ExitCode::case_or_usage, fmt::format("--backend: expected {} or {}, found '{}'{}",
                                                       fmt::join(known.begin(), known.end() - 1, ", "),
                                                       known.back(), word, did_you_mean(word, known)));
}

}  // namespace perdure::commands
