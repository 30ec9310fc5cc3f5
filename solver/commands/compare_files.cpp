#include "solver/commands/compare_files.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/commands/json_file.hpp"
#include "solver/compare/report.hpp"
#include "solver/failure.hpp"
#include "solver/output/replace_file.hpp"

namespace perdure::commands {
namespace {

namespace fs = std::filesystem;

}  // namespace

void resume_comparison(const fs::path &path, compare::Comparison &comparison) {
    check_json_file(path);
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0) {
        return;
    }
    std::ifstream file(path);
    const auto json = nlohmann::ordered_json::parse(file, nullptr, false);
    compare::Comparison earlier;
    std::string why;
    try {
        why = json.at("benchmark") == "compare" ? "" : "no comparison";
        if (why.empty()) {
            earlier = compare::from_json(json);
            why = compare::why_not_resumed(earlier, comparison);
        }
    } catch (const nlohmann::json::exception &) {
        why = "no comparison that this program can read";
    }
    if (!why.empty()) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("--json: '{}' holds {}; it is left as it is, delete it or name another file",
                        path.string(), why));
    }
    comparison.devices = std::move(earlier.devices);
    comparison.points = std::move(earlier.points);
}

void check_markdown_file(const fs::path &path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        throw Failure(ExitCode::input_output,
                      fmt::format("--markdown: cannot write '{}': it is a folder", path.string()));
    }
    if (!fs::is_regular_file(path, error)) {
        if (path.has_parent_path() && !fs::is_directory(path.parent_path(), error)) {
            throw Failure(ExitCode::input_output,
                          fmt::format("--markdown: cannot write '{}': there is no folder '{}'", path.string(),
                                      path.parent_path().string()));
        }
        return;
    }
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    if (!line.empty() && line.rfind(compare::markdown_begin, 0) != 0) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("--markdown: '{}' is there and is no report of perdure compare; it is left as it "
                        "is, delete it or name another file",
                        path.string()));
    }
}

void write_markdown_file(const fs::path &path, const std::string &text) {
    try {
        replace_file(path, [&](const fs::path &temporary) {
            std::ofstream file(temporary);
            file << text;
            if (!file.flush()) {
                throw std::system_error(errno, std::generic_category());
            }
        });
    } catch (const std::system_error &failed) {
        throw Failure(ExitCode::input_output, fmt::format("--markdown: cannot write '{}': {}", path.string(),
                                                          failed.code().message()));
    }
}

}  // namespace perdure::commands
