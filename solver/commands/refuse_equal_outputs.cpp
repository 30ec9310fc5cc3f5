#include "solver/commands/refuse_equal_outputs.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "solver/commands/report_file.hpp"
#include "solver/failure.hpp"
#include "solver/output/output_names.hpp"

namespace perdure::commands {

namespace fs = std::filesystem;

void refuse_equal_results(const std::vector<BatchCase> &cases) {
    std::map<fs::path, const Config *> writer;
    for (const BatchCase &one : cases) {
        if (!one.config) {
            continue;
        }
        const auto [other, is_new] = writer.emplace(resolved_path(result_path(*one.config)), &*one.config);
        if (!is_new) {
            throw Failure(ExitCode::case_or_usage,
                          fmt::format("{} and {} would both write {}; set output.name or run them apart",
                                      label(*other->second), label(*one.config), other->first.string()));
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
        return one.config && report == resolved_path(result_path(*one.config));
    });
    if (is_table || is_result) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("--json: '{}' is what {} of this call writes; name another file",
                                  json.file(), is_table ? "the table" : "a case"));
    }
}

}  // namespace perdure::commands
