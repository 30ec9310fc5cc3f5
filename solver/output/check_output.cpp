#include "solver/output/check_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <system_error>

#include "solver/equations/equation.hpp"
#include "solver/hdf5/file_in_use.hpp"
#include "solver/hdf5/probe.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/put_in_place.hpp"
#include "solver/output/series.hpp"
#include "solver/output/stored_results.hpp"
#include "solver/regular_file.hpp"
#include "solver/systems/system.hpp"

namespace perdure {
namespace {

[[noreturn]] void fail(const std::string &message) {
    throw Failure(ExitCode::input_output, message);
}

void create_folder(const std::filesystem::path &folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    std::error_code unknown;
    if (!std::filesystem::is_directory(folder, unknown)) {
        fail(fmt::format("cannot create the output folder '{}': {}; choose another output.directory",
                         folder.string(),
                         error     ? error.message()
                         : unknown ? unknown.message()
                                   : "a file has this name"));
    }
}

std::string needed_for(const std::filesystem::path &path, const std::string &kind, const char *expected) {
    return fmt::format(
        "'{}' is {}, but the run needs this name for {}; remove it or choose another output.name",
        path.string(), kind, expected);
}

/// Throws where something else than `kind` has the name; `expected`: what belongs there.
void require_kind(const std::filesystem::path &path, std::filesystem::file_type kind, const char *expected) {
    std::error_code error;
    const auto found = std::filesystem::symlink_status(path, error).type();
    const bool is_folder = found == std::filesystem::file_type::directory;
    const bool wants_folder = kind == std::filesystem::file_type::directory;
    if (error && found != std::filesystem::file_type::not_found) {
        fail(fmt::format("cannot examine '{}': {}; choose another output.directory or output.name",
                         path.string(), error.message()));
    }
    if (found != std::filesystem::file_type::not_found && is_folder != wants_folder) {
        fail(needed_for(path, kind_of(found), expected));
    }
}

/// A folder of snapshots is replaced as a whole: nothing else may be in it. Its series lists its snapshots.
void refuse_foreign_files(const Config &config) {
    const std::filesystem::path folder = snapshots_folder(config);
    const std::vector<std::string> listed =
        files_of_series(folder / series_name(config)).value_or(std::vector<std::string>());
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        const bool is_listed = std::find(listed.begin(), listed.end(), name) != listed.end();
        if (std::filesystem::symlink_status(entry.path(), error).type() !=
                std::filesystem::file_type::regular ||
            !(name == series_name(config) || (is_listed && step_of_snapshot(config, name) >= 0))) {
            fail(
                fmt::format("'{}' was not written by perdure, but the run would replace the folder that "
                            "holds it; move the file away, or choose another output.name",
                            entry.path().string()));
        }
    }
}

/// Throws where something else than output has a name that the run needs.
void refuse_obstacles(const Config &config) {
    require_kind(result_path(config), std::filesystem::file_type::regular, "an output file");
    require_kind(snapshots_folder(config), std::filesystem::file_type::directory, "an output folder");
    refuse_foreign_files(config);
    if (config.formulas && config.formulas->watch) {
        require_kind(series_path(config), std::filesystem::file_type::regular, "a time series");
        refuse_foreign_series(config);
    }
}

/// Why --force may not replace what has the name of a result; empty where it may.
std::string not_replaceable(const std::filesystem::path &path) {
    std::error_code error;
    const auto status = std::filesystem::symlink_status(path, error);
    if (!std::filesystem::exists(status)) {
        return "";
    }
    if (std::filesystem::is_symlink(status)) {
        return fmt::format("is a link to '{}'; remove the link",
                           std::filesystem::read_symlink(path, error).string());
    }
    try {
        const nlohmann::ordered_json origin = hdf5::probe({hdf5::ProbeRequest::origin, path, {}, {}});
        return origin.value("kind", "") == "perdure output" ? "" : "is not a result of perdure; move it away";
    } catch (const hdf5::InUse &in_use) {
        return fmt::format("cannot be replaced now ({})", in_use.what());
    } catch (const Failure &failure) {
        if (failure.code() == ExitCode::stopped) {
            throw;
        }
        return fmt::format("cannot be identified as a result of perdure ({}); move it away", failure.what());
    }
}

}  // namespace

void refuse_foreign_series(const Config &config) {
    const std::filesystem::path table = series_path(config);
    try {
        if (std::filesystem::exists(table) && !is_series_csv(table)) {
            fail(fmt::format(
                "'{}' was not written by perdure, but the time series of this run would replace it; "
                "move the file away, or choose another output.name",
                table.string()));
        }
    } catch (const std::system_error &error) {
        fail(fmt::format("cannot examine '{}': {}; choose another output.directory or output.name",
                         table.string(), error.code().message()));
    } catch (const NotAFile &other) {
        fail(needed_for(table, other.what(), "a time series"));
    }
}

void check_output_names(const Config &config) {
    constexpr std::array<const char *, 10> reserved{"x",      "y",      "z",        "time",      "comp",
                                                    "VTKHDF", "report", "manifest", "iteration", "series"};
    std::vector<std::string> findings;
    const std::vector<std::string> known = output_fields(config);
    for (const std::string &field : written_fields(config)) {
        if (std::find(reserved.begin(), reserved.end(), field) != reserved.end() ||
            field.find_first_of("/.") != std::string::npos) {
            findings.push_back(fmt::format(
                "output.fields: the name '{}' is reserved in result files; rename the field", field));
        } else if (std::find(known.begin(), known.end(), field) == known.end()) {
            findings.push_back(fmt::format("output.fields: there is no field '{}'; a {} problem has {}",
                                           field, name(config.type), fmt::join(known, " and ")));
        }
    }
    const std::string name = output_name(config);
    constexpr std::size_t longest_name =
        200;  // a file name has 255 bytes, with the step and while it is written
    if (name.size() > longest_name) {
        findings.push_back(
            fmt::format("output.name: the name has {} bytes, but a file name may have at most {}; choose a "
                        "shorter output.name",
                        name.size(), longest_name));
    }
    if (name.empty() || name.find('/') != std::string::npos || name.starts_with('.')) {
        findings.push_back(
            fmt::format("output.name: '{}' cannot be used as a file name; choose another name", name));
    } else if (name.ends_with(".vtkhdf")) {
        findings.push_back(fmt::format(
            "output.name: '{}' must not end in .vtkhdf, which perdure appends to every result; use '{}'",
            name, name.substr(0, name.size() - std::string_view(".vtkhdf").size())));
    }
    if (!findings.empty()) {
        throw Failure(ExitCode::case_or_usage, fmt::format("{}", fmt::join(findings, "\n")));
    }
}

std::variant<Claim, ClaimHolder> claim_output(const Config &config, bool take_over) {
    check_output_names(config);
    const std::filesystem::path folder = output_folder(config);
    create_folder(folder);
    require_kind(partial_folder(config), std::filesystem::file_type::directory, "an output folder");
    try {
        auto claimed = claim_folder(partial_folder(config), take_over);
        if (std::holds_alternative<Claim>(claimed)) {
            restore_set_aside(partial_folder(config) / snapshots_in_partial, snapshots_folder(config));
        }
        return claimed;
    } catch (const std::system_error &error) {
        fail(fmt::format(
            "cannot claim '{}' for this run: {}; remove the obstacle, or choose another output.directory",
            partial_folder(config).string(), error.what()));
    }
}

Failure name_is_taken(const Config &config, const ClaimHolder &holder) {
    const std::string name = (config.output.directory / output_name(config)).string();
    return {ExitCode::input_output,
            fmt::format("{} is writing results under the name '{}'; wait until it has ended, or choose "
                        "another output.name or output.directory{}",
                        holder.text(), name,
                        holder.may_be_taken_over
                            ? ". This file system has no locks, so perdure cannot tell whether that process "
                              "still runs; if it has ended, use --take-over to take over the name"
                            : "")};
}

void check_output(const Config &config, bool force, const std::string &why_other) {
    if (force) {
        refuse_to_replace_others(config);
    } else {
        refuse_obstacles(config);
    }
    const StoredResults results = find_stored_results(config);
    if (!force && !why_other.empty()) {
        fail(why_other);
    }
    if (!force && !results.finished.empty()) {
        fail(fmt::format(
            "'{}' already exists{}; use --force to replace the results of this name, or choose another "
            "output.directory or output.name",
            results.finished.front().string(),
            results.finished.size() > 1 ? fmt::format(" (and {} more)", results.finished.size() - 1) : ""));
    }
    if (!force && !results.unfinished.empty() && results.unfinished.front() == growing_path(config)) {
        fail(fmt::format(
            "'{}' holds the snapshots of a run that did not end; use --force to remove them and start again, "
            "or choose another output.directory or output.name",
            results.unfinished.front().string()));
    }
    if (!force && !results.unfinished.empty()) {
        fail(fmt::format(
            "'{}' holds {} snapshot{} of a run that did not end; use --force to remove {} and start again, "
            "or choose another output.directory or output.name",
            partial_folder(config).string(), results.unfinished.size(),
            results.unfinished.size() > 1 ? "s" : "", results.unfinished.size() > 1 ? "them" : "it"));
    }
}

void refuse_to_replace_others(const Config &config) {
    refuse_obstacles(config);
    if (const std::string reason = not_replaceable(result_path(config)); !reason.empty()) {
        fail(fmt::format("--force: '{}' {}, or choose another output.directory or output.name",
                         result_path(config).string(), reason));
    }
}

}  // namespace perdure
