// The files that `perdure compare` continues and writes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "solver/commands/json_output.hpp"
#include "solver/measure/compare/compare.hpp"

namespace perdure::commands {

class CompareFiles {
  public:
    /// Before the work: throws Failure(case_or_usage) where a file holds something that this comparison cannot be added to, or where
    /// both are one, Failure(input_output) where one could not be written.
    CompareFiles(const JsonOutput &json, std::optional<std::string> markdown);

    /// Takes over what an earlier call left.
    void resume(compare::Comparison &comparison);

    /// Replaces the files whole or not at all. Throws Failure(input_output), also where another program has written the JSON since
    /// this one did: what that one measured stays.
    void write(const compare::Comparison &comparison);

  private:
    std::optional<std::string> json_, markdown_;
    std::string left_;  // the text of the JSON as it was read or written last
};

}  // namespace perdure::commands
