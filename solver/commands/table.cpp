// perdure table: tables of batches, printed and put together.
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "solver/commands/batch_table.hpp"
#include "solver/commands/report_file.hpp"
#include "solver/commands/table.hpp"
#include "solver/commands/words.hpp"
#include "solver/in_words.hpp"
#include "solver/messages.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/merge_tables.hpp"
#include "solver/output/summary.hpp"

namespace perdure::commands {
namespace {

struct TableArguments {
    std::vector<std::filesystem::path> files;
    std::vector<std::string> overrides;
    bool csv = false;
    std::string output;
};

SummaryRow row_of_member(const Config &config) {
    EarlierRun earlier = find_earlier_run(config);
    switch (earlier.state) {
        case EarlierRun::State::finished:
            return row_of(config, earlier);
        case EarlierRun::State::none:
            return row_of(config, "not begun", std::nullopt);
        case EarlierRun::State::unfinished:
            return row_of(config, "not finished", std::nullopt);
        case EarlierRun::State::other:
            break;
    }
    return row_of(config, earlier.why.substr(0, earlier.why.find('\n')), std::nullopt);
}

/// What has become of the cases of a case file so far.
SummaryColumns table_of_case(const std::filesystem::path &path, const std::vector<std::string> &overrides) {
    CaseFile file(path, overrides);
    std::vector<SummaryRow> rows;
    for (std::size_t index = 0; index < file.size(); ++index) {
        rows.push_back(row_of_member(file.config(index)));
        rows.back().report = summary_figures(rows.back().report);
    }
    return summary_columns(rows);
}

SummaryColumns table_of(const std::filesystem::path &path, const std::vector<std::string> &overrides) {
    if (path.extension() == ".vtkhdf" || path.extension() == ".h5") {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("'{}': expected the table of a batch as .csv, or a case file; `perdure info "
                        "{}` prints what an HDF5 file holds",
                        path.string(), path.string()));
    }
    return path.extension() == ".csv" ? read_table(path) : table_of_case(path, overrides);
}

/// Names by which no command would know the table, and what perdure did not write, which is never replaced.
void refuse_other_files(const std::filesystem::path &output) {
    if (output.extension() != ".csv") {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format(
                "--output: expected a name that ends in .csv, because the table is comma-separated text; "
                "found '{}'. Use '{}'",
                output.string(), std::filesystem::path(output).replace_extension(".csv").string()));
    }
    if (std::filesystem::exists(output) && !is_table(output)) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("--output: '{}' exists and is not a table of perdure; name another file",
                                  output.string()));
    }
}

ExitCode print_table(const TableArguments &arguments) {
    if (!arguments.output.empty()) {
        refuse_other_files(arguments.output);
        check_writable(arguments.output, "--output");
    }
    std::optional<SummaryColumns> table;
    for (const std::filesystem::path &path : arguments.files) {
        SummaryColumns one = table_of(path, arguments.overrides);
        table = table ? merged(*table, one) : merged(SummaryColumns(0), one);
    }
    if (!arguments.output.empty()) {
        std::string text = csv_text(*table);
        text.pop_back();  // the line end that a report gets
        write_report_file(arguments.output, text, "--output");
        print_notice("wrote {}: {}\n", arguments.output, count_of(table->rows(), "case"));
    } else {
        print_output("{}", arguments.csv ? csv_text(*table) : summary_text(*table));
    }
    return ExitCode::success;
}

}  // namespace

void add_table(CLI::App &program, std::function<ExitCode()> &chosen) {
    CLI::App *command = program.add_subcommand("table", "print or merge the tables of batches");
    const auto arguments = std::make_shared<TableArguments>();
    command
        ->add_option("file", arguments->files,
                     "tables (.csv), or case files, whose results so far are put into a table")
        ->required()
        ->type_name("FILE");
    add_overrides(*command, arguments->overrides, "output.directory=results");
    command
        ->add_option("--output,-o", arguments->output,
                     "write the table to this .csv file instead of printing it")
        ->type_name("FILE");
    command->add_flag("--csv", arguments->csv, "print all columns as comma-separated values");
    command->footer(
        "Each case has one row in the table. If the files hold several rows of a case, the last row with an "
        "answer counts.\nExamples:\n  perdure table case.yaml                                 list the "
        "members of a sweep and how they ended\n"
        "  perdure table part-*/case_summary.csv -o whole.csv      merge tables");
    command->callback([&chosen, arguments] { chosen = [arguments] { return print_table(*arguments); }; });
}

}  // namespace perdure::commands
