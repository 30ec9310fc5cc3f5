// --json: one convention for all commands.
#pragma once

#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace perdure::commands {

/// Where reports in JSON go: nowhere, alone to standard output (`--json`), or to a file beside what the command prints
/// otherwise (`--json=FILE`).
class JsonOutput {
  public:
    /// Adds the option to a command; this object must outlive it.
    void add_to(CLI::App &command, const std::string &help = "print only the report, as JSON");

    [[nodiscard]] bool asked() const { return !target_.empty(); }
    [[nodiscard]] bool alone() const;
    [[nodiscard]] bool to_file() const { return asked() && !alone(); }
    /// The file, where there is one.
    [[nodiscard]] const std::string &file() const { return target_; }

    /// Before the work. Throws Failure(input_output) where the file cannot be written, Failure(case_or_usage) where it holds
    /// something else than a report.
    void check() const;

    /// From now on each report is one line, as of several cases.
    void one_line_each() { one_line_each_ = true; }

    /// Prints the report at once, or keeps it for write(); does nothing where no JSON was asked for.
    void add(const nlohmann::ordered_json &report, int indent = 2);

    /// Writes what was added to the file, whole or not at all. Throws Failure(input_output).
    void write() const;

  private:
    std::string target_;
    std::string text_;
    bool one_line_each_ = false;
};

}  // namespace perdure::commands
