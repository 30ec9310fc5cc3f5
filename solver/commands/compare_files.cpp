#include "solver/commands/compare_files.hpp"

#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/commands/report_file.hpp"
#include "solver/failure.hpp"
#include "solver/measure/compare/report.hpp"
#include "solver/output/json_text.hpp"
#include "solver/output/output_names.hpp"
#include "solver/regular_file.hpp"

namespace perdure::commands {
namespace {

/// What a file holds; nothing where there is none.
std::string text_of(const std::string &path) {
    std::error_code error;
    return std::filesystem::exists(path, error) ? read_regular_file(path) : std::string();
}

void check_markdown_file(const std::string &path) {
    check_writable(path, "--markdown");
    const std::string text = text_of(path);
    if (!text.empty() && text.rfind(compare::markdown_begin, 0) != 0) {
        throw Failure(ExitCode::case_or_usage, fmt::format("--markdown: '{}' exists and is not a report of "
                                                           "perdure compare; delete it or name another file",
                                                           path));
    }
}

}  // namespace

CompareFiles::CompareFiles(const JsonOutput &json, std::optional<std::string> markdown)
    : json_(json.to_file() ? std::optional(json.file()) : std::nullopt), markdown_(std::move(markdown)) {
    if (markdown_ == "-") {
        throw Failure(
            ExitCode::case_or_usage,
            "--markdown: expected a file name, found '-'; the tables are printed to standard output anyway");
    }
    if (json_ && markdown_ &&
        resolved_path(behind_links(*json_, "--json")) ==
            resolved_path(behind_links(*markdown_, "--markdown"))) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("--json '{}' and --markdown '{}' are the same file; name two different files", *json_,
                        *markdown_));
    }
    if (markdown_) {
        check_markdown_file(*markdown_);
    }
    if (json_) {
        check_json_file(*json_);
        left_ = text_of(*json_);
    }
}

void CompareFiles::resume(compare::Comparison &comparison) {
    if (left_.empty()) {
        return;
    }
    const auto json = nlohmann::ordered_json::parse(left_, nullptr, false);
    compare::Comparison earlier;
    std::string why;
    try {
        why = json.at("benchmark") == "compare" ? "" : "something other than a comparison";
        if (why.empty()) {
            earlier = compare::from_json(json);
            why = compare::why_not_resumed(earlier, comparison);
        }
    } catch (const nlohmann::json::exception &) {
        why = "a comparison that this version of perdure cannot read";
    } catch (const std::domain_error &damage) {
        why = fmt::format("a damaged comparison: {}", damage.what());
    }
    if (!why.empty()) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("--json: '{}' holds {}; delete it or name another file", *json_, why));
    }
    comparison.devices = std::move(earlier.devices);
    comparison.points = std::move(earlier.points);
}

void CompareFiles::write(const compare::Comparison &comparison) {
    if (markdown_) {
        write_report_file(*markdown_, compare::markdown(comparison), "--markdown");
    }
    if (!json_) {
        return;
    }
    if (text_of(*json_) != left_) {
        throw Failure(ExitCode::input_output,
                      fmt::format("--json: another program wrote '{}' during the measurement, so it is not "
                                  "replaced; use a separate file for each comparison",
                                  *json_));
    }
    write_report_file(*json_, json_text(compare::to_json(comparison), 2));
    left_ = text_of(*json_);
}

}  // namespace perdure::commands
