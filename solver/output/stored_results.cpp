#include "solver/output/stored_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "solver/output/claim.hpp"
#include "solver/output/output_names.hpp"

namespace perdure {
namespace {

namespace fs = std::filesystem;

/// Entries of a folder that `wanted` takes; none of a folder that is not there.
template <typename Wanted>
std::vector<fs::path> entries(const fs::path &folder, Wanted wanted) {
    std::vector<fs::path> found;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        if (wanted(entry->path().filename().string())) {
            found.push_back(entry->path());
        }
    }
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory) {
        throw Failure(ExitCode::input_output, fmt::format("cannot list the output folder '{}': {}",
                                                          folder.string(), error.message()));
    }
    return found;
}

void sort_by_step(const Config &config, std::vector<fs::path> &snapshots) {
    std::sort(snapshots.begin(), snapshots.end(), [&](const fs::path &one, const fs::path &other) {
        return step_of_snapshot(config, one.filename().string()) <
               step_of_snapshot(config, other.filename().string());
    });
}

std::vector<fs::path> snapshots_in(const Config &config, const fs::path &folder) {
    std::vector<fs::path> found =
        entries(folder, [&](const std::string &name) { return step_of_snapshot(config, name) >= 0; });
    sort_by_step(config, found);
    return found;
}

/// Files named as perdure 0.1 named snapshots, of whatever case. No later version adds any, so each folder is listed once, and
/// not for every member of a sweep.
const std::vector<fs::path> &files_of_version_0_1(const fs::path &folder) {
    static std::mutex mutex;
    static std::map<fs::path, std::vector<fs::path>> known;
    const std::scoped_lock lock(mutex);
    auto entry = known.find(folder);
    if (entry == known.end()) {
        auto files = entries(folder, [](const std::string &name) {
            const std::size_t before_step = name.rfind('_');
            return before_step != std::string::npos && before_step > 0 && name.ends_with(".vtkhdf");
        });
        entry = known.emplace(folder, std::move(files)).first;
    }
    return entry->second;
}

bool is_there(const fs::path &path) {
    std::error_code error;
    return fs::exists(fs::symlink_status(path, error));
}

/// Files that cannot be asked count as old.
bool is_newer(const fs::path &one, const fs::path &other) {
    std::error_code error;
    const auto time = fs::last_write_time(one, error);
    return !error && (time > fs::last_write_time(other, error) || error);
}

}  // namespace

StoredResults find_stored_results(const Config &config) {
    StoredResults results;
    const auto consider = [&](const fs::path &answer) {
        if (results.answer.empty() || is_newer(answer, results.answer)) {
            results.answer = answer;
        }
    };
    if (is_there(result_path(config))) {
        results.finished.push_back(result_path(config));
        consider(result_path(config));
    }
    if (is_there(snapshots_folder(config))) {
        results.finished.push_back(snapshots_folder(config));
        const auto snapshots = snapshots_in(config, snapshots_folder(config));
        if (!snapshots.empty()) {
            consider(snapshots.back());
        }
    }
    std::vector<fs::path> of_version_0_1;
    for (const fs::path &file : files_of_version_0_1(output_folder(config))) {
        if (step_of_snapshot(config, file.filename().string()) >= 0 && is_there(file)) {
            of_version_0_1.push_back(file);
        }
    }
    sort_by_step(config, of_version_0_1);
    if (!of_version_0_1.empty()) {
        consider(of_version_0_1.back());
    }
    results.finished.insert(results.finished.end(), of_version_0_1.begin(), of_version_0_1.end());
    if (const fs::path series = output_folder(config) / series_name(config); is_there(series)) {
        results.finished.push_back(series);
    }
    results.unfinished = snapshots_in(config, partial_folder(config));
    if (results.unfinished.empty()) {
        results.unfinished = snapshots_in(config, partial_folder(config) / snapshots_in_partial);
    }
    return results;
}

std::string withdraw_finished_results(const Config &config, const fs::path &kept) {
    std::string left;
    for (const fs::path &path : find_stored_results(config).finished) {
        if (path.filename() != kept.filename()) {
            std::error_code error;  // what cannot be moved stays whole next to the new result
            fs::rename(path, partial_folder(config) / ("withdrawn " + path.filename().string()), error);
            left += error
                        ? fmt::format("{}'{}' ({})", left.empty() ? "" : ", ", path.string(), error.message())
                        : "";
        }
    }
    return left;
}

void remove_unfinished_results(const Config &config) {
    for (const fs::path &path :
         entries(partial_folder(config), [](const std::string &name) { return !is_claim_file(name); })) {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
}

}  // namespace perdure
