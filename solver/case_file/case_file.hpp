// A case file that has been read, and the cases that it contains.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "solver/case_file/case_text.hpp"
#include "solver/case_file/config.hpp"
#include "solver/case_file/findings.hpp"
#include "solver/case_file/renamed_keys.hpp"
#include "solver/case_file/sweep.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

/// Makes the config of a case when it is asked for, so a sweep of many members takes little memory.
class CaseFile {
  public:
    /// As load_config(); what is wrong with the cases is found with their configs.
    explicit CaseFile(const std::filesystem::path &path, const std::vector<std::string> &overrides = {},
                      const std::vector<RenamedKey> &renamed = renamed_keys());

    /// The same of a text that stands for the file `path`.
    CaseFile(CaseText file, std::filesystem::path path, const std::vector<std::string> &overrides = {},
             const std::vector<RenamedKey> &renamed = renamed_keys());

    /// One, or the members of the sweep.
    [[nodiscard]] std::size_t size() const { return sweep_.size(); }
    [[nodiscard]] bool has_sweep() const { return sweep_.is_there(); }

    /// The case `index`, which counts from 0, with its warnings and those of the file. Throws Failure(case_or_usage) with everything that
    /// is wrong with it. Several threads may make configs at the same time.
    [[nodiscard]] Config config(std::size_t index) const;

  private:
    std::filesystem::path path_;
    std::vector<RenamedKey> renamed_;
    Findings findings_;
    TextPosition start_;
    YamlNode tree_;  // without the sweep
    Sweep sweep_;
    std::shared_ptr<const std::string> text_;
};

/// As load_cases() of a case in memory. `path`, of no file, names it in findings, and its results; files are relative to its folder.
std::vector<Config> load_cases_of_text(const std::string &text, const std::filesystem::path &path,
                                       const std::vector<std::string> &overrides);

}  // namespace perdure
