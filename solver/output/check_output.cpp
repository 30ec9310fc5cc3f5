#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

#include "solver/output/output_names.hpp"
#include "solver/output/replace_file.hpp"
#include "solver/output/solution.hpp"

namespace perdure {
namespace {

void check_names(const Config &config) {
    constexpr std::array<const char *, 7> reserved{"x", "y", "z", "time", "comp", "VTKHDF", "report"};
    std::vector<std::string> findings;
    for (const std::string &field : config.output.fields) {
        if (std::find(reserved.begin(), reserved.end(), field) != reserved.end() ||
            field.find_first_of("/.") != std::string::npos) {
            findings.push_back(
                fmt::format("output.fields: the name '{}' has another meaning in the file", field));
        } else if (field != "u" && field != "flux") {
            findings.push_back(
                fmt::format("output.fields: there is no field '{}'; there are 'u' and 'flux'", field));
        }
    }
    const std::string name = output_name(config);
    if (name.empty() || name.find('/') != std::string::npos || name.starts_with('.')) {
        findings.push_back(fmt::format("output.name: '{}' is not a file name", name));
    }
    if (!findings.empty()) {
        throw Failure(ExitCode::case_or_usage, fmt::format("{}", fmt::join(findings, "\n")));
    }
}

[[noreturn]] void fail(const std::string &message) {
    throw Failure(ExitCode::input_output, message);
}

void create_folder(const std::filesystem::path &folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    std::error_code unknown;
    if (!std::filesystem::is_directory(folder, unknown)) {
        fail(fmt::format("cannot create the output folder '{}': {}; set output.directory to another folder",
                         folder.string(),
                         error     ? error.message()
                         : unknown ? unknown.message()
                                   : "something else has this name"));
    }
}

// Permissions alone do not tell (read-only and full file systems), so a file is written and removed.
void check_writable(const Config &config, const std::filesystem::path &folder) {
    const auto trial = folder / fmt::format(".{}-writable-{}", output_name(config), getpid());
    try {
        replace_file(trial, [](const std::filesystem::path &temporary) {
            errno = 0;
            if (!std::ofstream(temporary)) {
                throw std::system_error(errno, std::generic_category());
            }
        });
        std::filesystem::remove(trial);
    } catch (const std::system_error &error) {
        fail(fmt::format(
            "cannot write into the output folder '{}': {}; set output.directory to another folder",
            folder.string(), error.code().message()));
    }
}

/// Removes what a killed run of this case left half written.
void remove_abandoned(const Config &config, const std::filesystem::path &folder) {
    std::error_code error;
    std::vector<std::filesystem::path> found;
    for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
        if (is_output_of(config, abandoned_target(entry.path()))) {
            found.push_back(entry.path());
        }
    }
    for (const std::filesystem::path &path : found) {
        std::filesystem::remove(path, error);
    }
}

}  // namespace

std::vector<std::filesystem::directory_entry> earlier_outputs(const Config &config) {
    const std::filesystem::path folder = output_folder(config);
    std::vector<std::filesystem::directory_entry> found;
    std::error_code error;
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        if (is_output_of(config, entry->path().filename().string())) {
            found.push_back(*entry);
        }
    }
    if (error) {
        fail(fmt::format("cannot list the output folder '{}': {}", folder.string(), error.message()));
    }
    std::sort(found.begin(), found.end());
    return found;
}

void check_output(const Config &config, bool force) {
    check_names(config);
    const std::filesystem::path folder = output_folder(config);
    create_folder(folder);
    const auto found = earlier_outputs(config);
    for (const auto &entry : found) {
        if (entry.symlink_status().type() == std::filesystem::file_type::directory) {
            fail(fmt::format("'{}' is a folder where an output file belongs; remove it or set output.name",
                             entry.path().string()));
        }
    }
    if (!force && !found.empty()) {
        fail(
            fmt::format("'{}' is there already{}; use --force to replace results of this name, or set "
                        "output.directory or output.name to something else",
                        found.front().path().string(),
                        found.size() > 1 ? fmt::format(" (and {} more)", found.size() - 1) : ""));
    }
    check_writable(config, folder);
    remove_abandoned(config, folder);
}

void remove_earlier_outputs(const Config &config, const std::vector<std::filesystem::path> &kept) {
    for (const auto &entry : earlier_outputs(config)) {
        const std::filesystem::path file = entry.path().filename();
        const bool is_kept =
            file == series_path(config).filename() ||
            std::any_of(kept.begin(), kept.end(), [&](const auto &path) { return path.filename() == file; });
        if (!is_kept) {
            std::error_code ignored;
            std::filesystem::remove(entry.path(), ignored);
        }
    }
}

}  // namespace perdure
