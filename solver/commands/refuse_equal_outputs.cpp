#include "solver/commands/refuse_equal_outputs.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "solver/commands/report_file.hpp"
#include "solver/failure.hpp"
#include "solver/output/output_names.hpp"

namespace perdure::commands {

namespace fs = std::filesystem;

void refuse_equal_results(const std::vector<BatchCase> &cases, const CaseOptions &options) {
    std::map<fs::path, fs::path> folders;  // each is looked at once: a sweep may have many members
    std::unordered_map<std::string, const BatchCase *> writer;
    for (const BatchCase &one : cases) {
        if (!one.is_good()) {
            continue;
        }
        const fs::path parent = one.result.has_parent_path() ? one.result.parent_path() : ".";
        const auto [folder, is_new_folder] = folders.emplace(parent, "");
        if (is_new_folder) {
            folder->second = resolved_path(parent);
        }
        const auto [other, is_new] = writer.emplace((folder->second / one.result.filename()).string(), &one);
        if (!is_new) {
            throw Failure(
                ExitCode::case_or_usage,
                fmt::format("{} and {} would both write {}; give one of them another output.name, or run "
                            "them separately",
                            label(load(*other->second, options)), label(load(one, options)), other->first));
        }
    }
}

void refuse_report_over_results(const JsonOutput &json, const std::vector<BatchCase> &cases,
                                const fs::path &table) {
    if (!json.to_file()) {
        return;
    }
    const fs::path report = resolved_path(behind_links(json.file()));
    const bool is_table = !table.empty() && (report == resolved_path(fs::path(table) += ".csv") ||
                                             report == resolved_path(fs::path(table) += ".h5"));
    const bool is_result = std::any_of(cases.begin(), cases.end(), [&](const BatchCase &one) {
        return one.is_good() && one.result.filename() == report.filename() &&
               report == resolved_path(one.result);
    });
    if (is_table || is_result) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("--json: '{}' is also written by {} of this command; name another file",
                                  json.file(), is_table ? "the table" : "a case"));
    }
}

}  // namespace perdure::commands
