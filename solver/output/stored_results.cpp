#include "solver/output/stored_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "solver/hdf5/probe.hpp"
#include "solver/output/claim.hpp"
#include "solver/output/json_text.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/put_in_place.hpp"
#include "solver/output/replace_file.hpp"
#include "solver/output/series_table.hpp"
#include "solver/regular_file.hpp"

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

/// Before the names of earlier results that are on their way out.
constexpr const char *withdrawn = "withdrawn ";

/// A name alone says nothing: `scan_20261124` may be another case. Files of later versions, and those that are no result, are not
/// of version 0.1, whose results do not say under what name they were written. Each is read once.
bool is_of_version_0_1(const fs::path &file) {
    static std::mutex mutex;
    static std::map<fs::path, bool> known;
    const std::scoped_lock lock(mutex);
    const auto [entry, is_new] = known.try_emplace(file, false);
    if (is_new) {
        try {
            const nlohmann::ordered_json contents =
                hdf5::probe({hdf5::ProbeRequest::description, file, {}, {}});
            const auto manifest = contents.find("manifest");
            const bool names_itself =
                manifest != contents.end() && manifest->is_object() && manifest->contains("file");
            entry->second = contents.contains("report_json") && !names_itself;
        } catch (const Failure &) {  // no HDF5 file, or a damaged one
            entry->second = false;
        }
    }
    return entry->second;
}

/// ParaView's list of the snapshots of version 0.1: it names no file but those.
bool is_series_of(const Config &config, const fs::path &file) {
    const auto listed = files_of_series(file);
    return listed && std::all_of(listed->begin(), listed->end(), [&](const std::string &name) {
               return step_of_snapshot(config, name) >= 0;
           });
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
        if (step_of_snapshot(config, file.filename().string()) >= 0 && is_there(file) &&
            is_of_version_0_1(file)) {
            of_version_0_1.push_back(file);
        }
    }
    sort_by_step(config, of_version_0_1);
    if (!of_version_0_1.empty()) {
        consider(of_version_0_1.back());
    }
    results.finished.insert(results.finished.end(), of_version_0_1.begin(), of_version_0_1.end());
    if (const fs::path series = output_folder(config) / series_name(config);
        is_there(series) && is_series_of(config, series)) {
        results.finished.push_back(series);
    }
    if (is_there(growing_path(config))) {
        results.unfinished = {growing_path(config)};
        return results;
    }
    results.unfinished = snapshots_in(config, partial_folder(config));
    if (results.unfinished.empty()) {
        results.unfinished = snapshots_in(config, partial_folder(config) / snapshots_in_partial);
    }
    return results;
}

std::optional<std::vector<std::string>> files_of_series(const fs::path &file) {
    try {
        const auto json = nlohmann::json::parse(read_regular_file(file), nullptr, false);
        if (!json.is_object() || !json.contains("file-series-version")) {
            return std::nullopt;
        }
        std::vector<std::string> names;
        for (const auto &entry : json.at("files")) {
            names.push_back(entry.at("name").get<std::string>());
        }
        return names;
    } catch (const std::exception &) {
        return std::nullopt;
    }
}

void write_series_list(const fs::path &path, const std::vector<Snapshot> &snapshots) {
    nlohmann::ordered_json series{{"file-series-version", "1.0"}, {"files", nlohmann::ordered_json::array()}};
    for (const Snapshot &snapshot : snapshots) {
        series["files"].push_back({{"name", snapshot.file.filename().string()}, {"time", snapshot.time}});
    }
    replace_with_text(path, json_text(series, 2) + '\n');
}

std::string withdraw_finished_results(const Config &config, const fs::path &kept) {
    std::string left;
    for (const fs::path &path : find_stored_results(config).finished) {
        if (path.filename() != kept.filename()) {
            std::error_code error;  // what cannot be moved stays whole next to the new result
            fs::rename(path, partial_folder(config) / (withdrawn + path.filename().string()), error);
            left += error
                        ? fmt::format("{}'{}' ({})", left.empty() ? "" : ", ", path.string(), error.message())
                        : "";
        }
    }
    return left;
}

void remove_unfinished_results(const Config &config, std::int64_t kept_until) {
    const fs::path snapshots = partial_folder(config) / snapshots_in_partial;
    const auto is_of_a_run = [&](const std::string &name) {
        return step_of_snapshot(config, name) > kept_until || step_of_checkpoint(config, name) > kept_until ||
               name.ends_with(".temporary") || name.starts_with(withdrawn) || name == snapshots_in_partial ||
               name == set_aside(snapshots).filename() || is_prepared_series_table(config, name) ||
               (kept_until < 0 && name == growing_path(config).filename());
    };
    for (const fs::path &path : entries(partial_folder(config), is_of_a_run)) {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
}

}  // namespace perdure
