#include "solver/commands/report_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/failure.hpp"
#include "solver/output/replace_file.hpp"
#include "solver/regular_file.hpp"

namespace perdure::commands {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const std::string &option, const fs::path &path, const std::string &reason) {
    throw Failure(ExitCode::input_output,
                  fmt::format("{}: cannot write '{}': {}", option, path.string(), reason));
}

void expect_access(const std::string &option, const fs::path &path, const fs::path &of, int mode) {
    if (access(of.c_str(), mode) != 0) {
        cannot_write(option, path, std::strerror(errno));
    }
}

void expect_file(const std::string &option, const fs::path &path, const fs::file_status &status) {
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        cannot_write(option, path, fmt::format("expected a file, found {}", kind_of(status.type())));
    }
}

/// Every report, of this version or an earlier one, has both keys of some pair.
bool is_report(const fs::path &path) {
    const std::string text = read_regular_file(path);
    auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded()) {  // of several cases a line each
        json = nlohmann::json::parse(text.substr(0, text.find('\n')), nullptr, false);
    }
    const auto &report = json.is_array() && !json.empty() ? json.front() : json;
    using Keys = std::pair<const char *, const char *>;
    constexpr std::array keys{
        Keys{"version", "built_with"}, Keys{"case", "exit_code"},     Keys{"case", "valid"},
        Keys{"case", "agrees"},        Keys{"file", "kind"},          Keys{"file", "exit_code"},
        Keys{"table", "exit_code"},    Keys{"valid", "cells"},        Keys{"agrees", "bound"},
        Keys{"error", "exit_code"},    Keys{"version", "stop_reason"}};
    return text.empty() ||
           (report.is_object() && std::any_of(keys.begin(), keys.end(), [&](const Keys &both) {
                return report.contains(both.first) && report.contains(both.second);
            }));
}

void write_text(const std::string &option, const fs::path &path, const fs::path &shown,
                const std::string &text) {
    errno = 0;
    std::ofstream file(path);
    file << text << '\n';
    if (!file.flush()) {
        cannot_write(option, shown, errno != 0 ? std::strerror(errno) : "a file-system error");
    }
}

}  // namespace

fs::path behind_links(const fs::path &path, const std::string &option) {
    constexpr int most_links = 40;
    fs::path file = path;
    std::error_code error;
    for (int links = 0; fs::is_symlink(file, error); ++links) {
        const fs::path target = fs::read_symlink(file, error);
        if (error || links == most_links) {
            cannot_write(option, path, error ? error.message() : std::strerror(ELOOP));
        }
        file = file.parent_path() / target;  // an absolute target replaces the folder
    }
    return file;
}

void check_writable(const fs::path &path, const std::string &option) {
    const fs::path file = behind_links(path, option);
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (path.empty()) {
        cannot_write(option, path, "it has no name");
    }
    expect_file(option, path, status);
    if (fs::exists(status)) {
        expect_access(option, path, file, W_OK);
    }
    expect_access(option, path, file.has_parent_path() ? file.parent_path() : fs::path("."), W_OK | X_OK);
}

void check_json_file(const fs::path &path) {
    check_writable(path, "--json");
    const fs::path file = behind_links(path);
    std::error_code error;
    if (fs::is_regular_file(file, error) && !is_report(file)) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("--json: '{}' exists and is not a report of perdure; delete it or name another file",
                        path.string()));
    }
}

void write_report_file(const fs::path &path, const std::string &text, const std::string &option) {
    const fs::path file = behind_links(path, option);
    std::error_code error;
    expect_file(option, path, fs::status(file, error));
    try {
        replace_file(file, [&](const fs::path &temporary) { write_text(option, temporary, path, text); });
    } catch (const std::system_error &failed) {
        cannot_write(option, path, failed.code().message());
    }
}

}  // namespace perdure::commands
