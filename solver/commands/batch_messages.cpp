#include "solver/commands/batch_messages.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/hdf5/summary_file.hpp"
#include "solver/messages.hpp"
#include "solver/output/report_text.hpp"
#include "solver/output/time_text.hpp"

namespace perdure::commands {

void BatchMessages::warn_of_changed_data(const Config &config) {
    print_message(
        "warning: {}: a data file changed during the run; the result was computed from the data that "
        "were read at the start of the run, and its manifest describes those\n",
        label(config));
}

void BatchMessages::warn_of_kept_result(const Config &config, const std::filesystem::path &written) {
    print_message(
        "{}: stopped; the earlier result is unchanged, and what this run wrote stays in '{}' until the next "
        "run\n",
        label(config), written.parent_path().string());
}

void BatchMessages::say_how_to_go_on(const Config &config, const std::filesystem::path &checkpoint) {
    print_message(
        "{}: stopped; run the same command with --resume to continue from '{}'; the snapshots written so far "
        "are in the same folder\n",
        label(config), checkpoint.string());
}

void BatchMessages::begin(const Config &config) const {
    if (several_ && prints()) {
        print_output("{}\n", label(config));
    }
}

void BatchMessages::say_ensemble(const SelectedDevice &selected, const EnsemblePlan &plan) const {
    if (prints()) {
        print_notice(
            "small cases run together on {} ({}), up to {} at a time (execution.ensemble: off: one after the "
            "other)\n",
            selected.device->description().name, selected.in_short, plan.at_once);
    }
}

void BatchMessages::say_written(const std::filesystem::path &path, std::size_t snapshots) const {
    if (prints()) {
        print_output("wrote {}{}\n", path.string(),
                     snapshots > 1 ? fmt::format(" ({} snapshots)", snapshots) : "");
    }
}

void BatchMessages::say_explanation(const std::string &text) const {
    if (!text.empty()) {
        options_.json.alone() ? write_message(text) : write_output(text);
    }
}

BatchMessages::OfReport BatchMessages::of_report(const Report &report, const Config &config, const Grid &grid,
                                                 const std::filesystem::path &result) const {
    const ExitCode code = exit_code(report);
    OfReport texts;
    if (options_.json.asked()) {
        texts.json = of_case(config, to_json(report));
        texts.json["exit_code"] = static_cast<int>(code);
        texts.json["assumed"] = config.assumed;
        texts.json["written"] = {result.string()};
    }
    if (prints()) {
        texts.output = to_text(report, grid);
    } else if (code != ExitCode::success && !options_.json.alone()) {
        texts.message = fmt::format("{}: {}", label(config), to_text(report, grid));
    }
    return texts;
}

void BatchMessages::say(const OfReport &texts) const {
    if (!texts.json.is_null()) {
        options_.json.add(texts.json, several_ ? -1 : 2);
    }
    if (!texts.output.empty()) {
        write_output(texts.output);
    }
    if (!texts.message.empty()) {
        write_message(texts.message);
    }
}

void BatchMessages::say_skipped(const Config &config, const EarlierRun &earlier) const {
    add_json(config, earlier);
    if (prints()) {
        print_output("{} in an earlier run: {} (use --force to run it again)\n", earlier.outcome,
                     earlier.file.string());
        for (const std::string &remark : earlier.remarks) {
            print_output("  note: {}\n", remark);
        }
    } else if (earlier.code != ExitCode::success && !options_.json.alone()) {
        print_message("{}: {} in an earlier run: {}\n", label(config), earlier.outcome,
                      earlier.file.string());
    }
}

void BatchMessages::say_claimed(const std::string &outcome, const ClaimHolder &holder) const {
    if (prints()) {
        print_output("{}{}\n", outcome,
                     holder.may_be_taken_over ? "; if that process has ended, run the same command with "
                                                "--take-over to compute the case here"
                                              : "");
    }
}

void BatchMessages::add_json(const Config &config, const EarlierRun &earlier) const {
    nlohmann::ordered_json json = of_case(config, earlier.report);
    json["exit_code"] = static_cast<int>(earlier.code);
    json["skipped"] = true;
    json["assumed"] = config.assumed;
    json["written"] = {earlier.file.string()};
    options_.json.add(json, several_ ? -1 : 2);
}

void BatchMessages::add_json(const Config &claimed, const std::string &outcome) const {
    nlohmann::ordered_json json = subject_of(claimed);
    json["exit_code"] = static_cast<int>(ExitCode::computed_elsewhere);
    json["skipped"] = true;
    json["outcome"] = outcome;
    options_.json.add(json, -1);
}

void BatchMessages::say_table(const BatchTable &table, std::size_t cases, std::size_t skipped) const {
    if (prints() && options_.table == "order") {
        print_output("{}", table.orders().text());
    }
    if (!prints() || !table.is_there()) {
        return;
    }
    print_output("{}{}", summary_text(summary_columns(table.rows())), table.subvolumes().text());
    const std::size_t claimed = table.claimed().size();
    const std::size_t unanswered = table.without_answer();
    print_output("wrote {0}.csv and {0}.h5: {1} of {2} cases{3}{4}{5}\n", table.stem().string(),
                 table.rows().size(), cases,
                 skipped > 0 ? fmt::format(", {} of them finished earlier", skipped) : "",
                 claimed > 0 ? fmt::format(", {} still being computed by other processes", claimed) : "",
                 unanswered > 0 ? fmt::format(", {} without an answer", unanswered) : "");
    print_output("{} case{}: {}\n", cases, cases == 1 ? "" : "s", to_text(TimeSpent::now()));
}

}  // namespace perdure::commands
