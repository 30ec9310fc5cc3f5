#include "solver/commands/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perdure::commands {

std::string did_you_mean(const std::string &word, const std::vector<std::string> &known) {
    const std::string near = closest(word, known);
    return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
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
