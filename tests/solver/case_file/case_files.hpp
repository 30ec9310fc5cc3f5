// Case files in a folder of their own, and what load_config() says about them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "solver/case_file/config.hpp"

namespace perdure {

/// Empty folder per test, removed afterwards.
class CaseFileTest : public testing::Test {
  protected:
    CaseFileTest() {
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  fmt::format("perdure_{}_{}_{}", test->test_suite_name(), test->name(), getpid());
        std::filesystem::create_directories(folder_);
    }
    ~CaseFileTest() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::filesystem::path write(const std::string &text,
                                              const std::string &name = "case.yaml") const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    }

    Config load(const std::string &text, const std::vector<std::string> &overrides = {}) const {
        return load_config(write(text), overrides);
    }

    /// Every finding as `line:column message`, or `FILE message` where there is no line.
    [[nodiscard]] std::vector<std::string> errors(const std::string &text,
                                                  const std::vector<std::string> &overrides = {}) const {
        std::vector<std::string> result;
        try {
            (void)load_cases(write(text), overrides);
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
            for (const Diagnostic &diagnostic : failure.diagnostics()) {
                const TextPosition &at = diagnostic.position;
                const std::string place =
                    at.line > 0 ? fmt::format("{}:{}", at.line, at.column)
                                : (at.file == (folder_ / "case.yaml").string() ? "case.yaml" : at.file);
                result.push_back(place + " " + diagnostic.message);
            }
        }
        return result;
    }

    /// The findings about `section`, one or more lines appended to a valid diffusion case in 2D from line 3
    /// on.
    [[nodiscard]] std::vector<std::string> errors_of_diffusion(const std::string &section) const {
        return errors("problem: {type: diffusion, a: 1.0}\ngrid: {shape: [8, 9]}\n" + section);
    }

    /// The same with a heat case; its first free line is 4.
    [[nodiscard]] std::vector<std::string> errors_of_heat(const std::string &section) const {
        return errors("problem: {type: heat, a: 1.0}\ngrid: {shape: [8, 9]}\ntime: {end: 2.0}\n" + section);
    }

    using Texts = std::vector<std::string>;
    std::filesystem::path folder_;
};

}  // namespace perdure
