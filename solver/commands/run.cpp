#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "solver/commands/batch_table.hpp"
#include "solver/commands/commands.hpp"
#include "solver/commands/refuse_equal_outputs.hpp"
#include "solver/messages.hpp"
#include "solver/output/check_output.hpp"
#include "solver/output/data_files.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/report_text.hpp"
#include "solver/output/result_writer.hpp"
#include "solver/output/stored_results.hpp"
#include "solver/output/summary.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/run_effective.hpp"

namespace perdure::commands {
namespace {

/// A run of one case of a call: a batch when there are several.
class Batch {
  public:
    explicit Batch(CaseOptions &options) : options_(options), cases_(load_batch(options)) {}

    ExitCode run() {
        refuse_equal_outputs(options_, cases_, table_stem());
        warn_of_longer_sweep();
        const InterruptGuard guard;
        ExitCode worst = ExitCode::success;
        try {
            worst = for_each_case(
                options_, cases_, [&](const Config &config) { return run_one(config); },
                [&](const BatchCase &failed, const Failure &failure) { add_failure(failed, failure); });
        } catch (...) {
            table_.finish();
            throw;
        }
        table_.finish();
        if (!options_.quiet && !options_.json.alone() && table_.is_there()) {
            print_output("{}", summary_text(table_.rows()));
            const std::size_t unanswered = table_.without_answer();
            print_output("wrote {0}.csv and {0}.h5: {1} of {2} cases{3}{4}{5}\n", table_.stem().string(),
                         table_.rows().size(), cases_.size(),
                         skipped_ > 0 ? fmt::format(", {} of them finished before", skipped_) : "",
                         table_.claimed() > 0
                             ? fmt::format(", {} still being computed by other processes", table_.claimed())
                             : "",
                         unanswered > 0 ? fmt::format(", {} without an answer", unanswered) : "");
        }
        if (worst == ExitCode::success || table_.code_of_claimed() != ExitCode::computed_elsewhere) {
            worst = std::max(worst, table_.code_of_claimed());
        }
        if (table_.failure()) {  // of which the cases themselves had no need
            worst = std::max(worst, report_failure(*table_.failure(), options_.json));
        }
        return worst;
    }

  private:
    [[nodiscard]] bool several() const { return several_; }
    /// Only where members have the names that they get by themselves.
    void warn_of_longer_sweep() const {
        const std::optional<Config> &first = cases_.front().config;
        if (!of_one_sweep() || output_name(*first) != member_name(first->sweep->name, first->sweep->number)) {
            return;
        }
        const auto older = results_behind_the_sweep(*first);
        if (!older.empty()) {
            print_message(
                "warning: '{}'{} of an earlier sweep of this name, which had more cases; the table of this "
                "one "
                "leaves {} out\n",
                older.front().string(),
                older.size() > 1 ? fmt::format(" and {} more are", older.size() - 1) : " is",
                older.size() > 1 ? "them" : "it");
        }
    }

    [[nodiscard]] bool of_one_sweep() const {
        return cases_.front().config && cases_.front().config->sweep && options_.cases.size() == 1;
    }

    /// Empty where there is no table: of one case, and where no case can be read.
    [[nodiscard]] std::filesystem::path table_stem() const {
        const auto first = std::find_if(cases_.begin(), cases_.end(),
                                        [](const BatchCase &one) { return one.config.has_value(); });
        return !several() || first == cases_.end() ? std::filesystem::path()
                                                   : summary_stem(*first->config, of_one_sweep());
    }

    ExitCode run_one(const Config &config) {
        if (several() && !options_.quiet && !options_.json.alone()) {
            print_output("{}\n", label(config));
        }
        EarlierRun earlier = find_earlier(config);
        if (earlier.state == EarlierRun::State::finished) {
            remove_leftovers(config);
            return skip(config, earlier);
        }
        Failure cannot_claim(ExitCode::success, "");
        std::optional<Claim> claim;
        try {
            auto claimed = claim_output(config, options_.take_over);
            if (const auto *holder = std::get_if<ClaimHolder>(&claimed)) {
                if (several()) {
                    return skip_claimed(config, *holder);
                }
                throw name_is_taken(config, *holder);
            }
            claim.emplace(std::move(std::get<Claim>(claimed)));
        } catch (const Failure &failure) {
            cannot_claim = failure;  // reported together with what else is wrong with the case
        }
        earlier = find_earlier(config);  // again: another process may have finished it before the claim
        if (claim && earlier.state == EarlierRun::State::finished) {
            return skip(config, earlier);
        }
        const bool replace = options_.force || earlier.state == EarlierRun::State::unfinished;
        Config of_run = config;
        of_run.data_files_read = describe_data_files(config);
        PreparedCase prepared = prepare_case(of_run, [&] {
            if (!claim) {
                throw cannot_claim;
            }
            check_output(config, replace, earlier.why);
        });
        if (describe_data_files(config) != *of_run.data_files_read) {
            throw Failure(ExitCode::bad_input,
                          fmt::format("{}: a data file was changed while it was read; run the case again",
                                      label(config)));
        }
        prepared.said = said_;
        options_.measurements.choose_model(prepared);
        for (const Diagnostic &warning : prepared.problem.warnings) {
            print_message("{}\n", to_text(warning));
        }
        return solve(of_run, prepared, replace);
    }

    ExitCode solve(const Config &config, PreparedCase &prepared, bool replace) {
        ResultWriter writer(config, prepared.problem.grid, replace);
        const Progress::Style style = options_.quiet ? Progress::Style::quiet : Progress::Style::automatic;
        const auto sink = [&](const Solution &solution) {
            const std::filesystem::path snapshot = writer.write(solution);
            if (solution.report.stop == StopReason::running) {
                say_written(snapshot, "");
            }
        };
        std::unique_ptr<RunExplainer> explanation;
        if (options_.explain) {
            explanation = options_.measurements.explain(prepared);
            prepared.before_launch = [&, said = std::string()](const run_parameters_t &parameters) mutable {
                const std::string plan = explanation->plan(parameters);
                if (plan != std::exchange(said, plan)) {  // directions of an effective case have the same
                    say_explanation(plan);
                }
            };
        }
        const Solution last =
            config.effective ? run_effective(prepared, style, sink) : run_case(prepared, style, sink);
        const std::filesystem::path result = writer.finish(last);
        warn_of_changed_data(config);
        const std::size_t snapshots = writer.snapshots().size();
        say_written(result, snapshots > 1 ? fmt::format(" ({} snapshots)", snapshots) : "");
        say(last.report, config, prepared.problem.grid, result);
        if (explanation) {
            say_explanation(explanation->result(last.report));
        }
        const ExitCode code = exit_code(last.report);
        table_.add({config.path.string(), config.sweep, outcome(last.report), static_cast<int>(code), false,
                    to_json(last.report), result.string()},
                   config);
        return code;
    }

    static void warn_of_changed_data(const Config &config) {
        if (!are_same_data_files(*config.data_files_read, config)) {
            print_message(
                "warning: {}: a data file was changed during the run; the result is of the data as they were "
                "read at its start, and its manifest names those\n",
                label(config));
        }
    }

    [[nodiscard]] EarlierRun find_earlier(const Config &config) const {
        return several() && !options_.force ? find_earlier_run(config) : EarlierRun();
    }

    void say_written(const std::filesystem::path &path, const std::string &what) const {
        if (!options_.quiet && !options_.json.alone()) {
            print_output("wrote {}{}\n", path.string(), what);
        }
    }

    /// Beside JSON on standard error.
    void say_explanation(const std::string &text) const {
        if (options_.json.alone()) {
            write_message(text);
        } else {
            write_output(text);
        }
    }

    /// A member of a batch that another process computes at this moment.
    ExitCode skip_claimed(const Config &config, const ClaimHolder &holder) {
        const std::string outcome = "being computed by " + holder.text();
        constexpr int code = static_cast<int>(ExitCode::computed_elsewhere);
        options_.json.add(
            {{"case", label(config)}, {"exit_code", code}, {"skipped", true}, {"claimed_by", holder.text()}},
            -1);
        if (!options_.quiet && !options_.json.alone()) {
            print_output(
                "{}{}\n", outcome,
                holder.may_be_taken_over ? "; --take-over computes it here, if that process is gone" : "");
        }
        table_.add_claimed({config.path.string(), config.sweep, outcome, code, true, nullptr, ""}, config);
        return ExitCode::success;  // run() asks the table at the end, when that process may have ended
    }

    ExitCode skip(const Config &config, const EarlierRun &earlier) {
        const ExitCode code = earlier.code;
        if (options_.json.asked()) {
            nlohmann::ordered_json json = of_case(config, earlier.report);
            json["exit_code"] = static_cast<int>(code);
            json["skipped"] = true;
            json["assumed"] = config.assumed;
            json["written"] = {earlier.file.string()};
            options_.json.add(json, -1);
        }
        if (!options_.quiet && !options_.json.alone()) {
            print_output("{} in an earlier run: {} (--force runs it again)\n", earlier.outcome,
                         earlier.file.string());
            for (const std::string &remark : earlier.remarks) {
                print_output("  note: {}\n", remark);
            }
        } else if (code != ExitCode::success && !options_.json.alone()) {
            print_message("{}: {} in an earlier run: {}\n", label(config), earlier.outcome,
                          earlier.file.string());
        }
        ++skipped_;
        table_.add({config.path.string(), config.sweep, earlier.outcome, static_cast<int>(code), true,
                    earlier.report, earlier.file.string()},
                   config);
        return code;
    }

    void say(const Report &report, const Config &config, const Grid &grid,
             const std::filesystem::path &result) const {
        const ExitCode code = exit_code(report);
        if (options_.json.asked()) {
            nlohmann::ordered_json json = of_case(config, to_json(report));
            json["exit_code"] = static_cast<int>(code);
            json["assumed"] = config.assumed;
            json["written"] = {result.string()};
            options_.json.add(json, several() ? -1 : 2);
        }
        if (!options_.quiet && !options_.json.alone()) {
            print_output("{}", to_text(report, grid));
        } else if (code != ExitCode::success && !options_.json.alone()) {
            print_message("{}: {}", label(config), to_text(report, grid));
        }
    }

    void add_failure(const BatchCase &failed, const Failure &failure) {
        const std::string what = failure.what();
        table_.add({failed.path.string(), failed.config ? failed.config->sweep : std::nullopt,
                    what.substr(0, what.find('\n')), static_cast<int>(failure.code()), false, nullptr, ""},
                   failed.config);
    }

    CaseOptions &options_;
    std::vector<BatchCase> cases_;
    bool several_ = cases_.size() > 1 || (cases_.front().config && cases_.front().config->sweep);
    BatchTable table_{several_, of_one_sweep()};
    std::size_t skipped_ = 0;
    std::shared_ptr<std::set<std::string>> said_ = std::make_shared<std::set<std::string>>();
};

}  // namespace

ExitCode run(CaseOptions &options) {
    return Batch(options).run();
}

}  // namespace perdure::commands
