#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "solver/commands/batch_messages.hpp"
#include "solver/commands/batch_table.hpp"
#include "solver/commands/commands.hpp"
#include "solver/commands/refuse_equal_outputs.hpp"
#include "solver/commands/resume.hpp"
#include "solver/commands/run_ending.hpp"
#include "solver/messages.hpp"
#include "solver/output/check_output.hpp"
#include "solver/output/data_files.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/run/case_solves.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure::commands {
namespace {

/// A run of one case of a call: a batch when there are several.
class Batch {
  public:
    explicit Batch(CaseOptions &options) : options_(options), cases_(load_batch(options)) {}

    ExitCode run() {
        if (cases_.empty()) {
            if (options_.shard.empty()) {
                throw Failure(ExitCode::case_or_usage,
                              "the sweep has no members, so there is nothing to run");
            }
            print_notice("--shard {}: this part contains none of the cases\n", options_.shard);
            return ExitCode::success;
        }
        refuse_report_over_results(options_.json, cases_, table_.stem());
        try {
            refuse_equal_results(cases_, options_);
        } catch (const Failure &failure) {
            options_.json.check();
            const ExitCode code = report_failure(failure, options_.json);
            options_.json.write();
            return code;
        }
        const InterruptGuard guard;
        try {
            return for_each_case(
                options_, cases_, [&](const Config &config) { return run_one(config); },
                [&](const BatchCase &failed, const std::optional<Config> &config, const Failure &failure) {
                    add_failure(failed, config, failure);
                },
                [&](ExitCode worst) { return end(worst); });
        } catch (...) {
            table_.finish();
            throw;
        }
    }

  private:
    /// Behind the last case. The code of the whole call.
    ExitCode end(ExitCode worst) {
        worst = std::max(worst, settle());
        if (worst != ExitCode::stopped) {
            worst = std::max(worst, run_what_others_left());
        }
        table_.finish([&](const Config &config, const EarlierRun &ended) {
            messages_.add_json(config, ended);
            worst = std::max(worst, ended.code);
        });
        for (const BatchTable::Claimed &claimed : table_.claimed()) {
            messages_.add_json(claimed.config, table_.rows()[claimed.row].outcome);
        }
        messages_.say_table(table_, cases_.size(), skipped_);
        if (table_.failure()) {  // of which the cases themselves had no need
            worst = std::max(
                worst, report_failure(*table_.failure(), options_.json, {{"table", table_.stem().string()}}));
        }
        if (worst == ExitCode::success && !table_.claimed().empty()) {
            print_message("{} of {} cases {} still being computed by other processes\n",
                          table_.claimed().size(), cases_.size(), table_.claimed().size() > 1 ? "are" : "is");
            return ExitCode::computed_elsewhere;
        }
        return worst;
    }

    /// Cases that another process was computing, and is not any more: what it finished is taken, what it left is computed.
    ExitCode run_what_others_left() {
        ExitCode worst = ExitCode::success;
        for (const BatchTable::Claimed &claimed : std::vector(table_.claimed())) {
            if (interrupted()) {
                return ExitCode::stopped;
            }
            again_ = &claimed;
            try {
                if (std::holds_alternative<Claim>(claim_output(claimed.config, false))) {
                    worst = std::max(worst, run_one(claimed.config));
                    worst = std::max(worst, settle());
                }
            } catch (const Failure &failure) {
                settle();
                devices_.close_after(failure);
                worst = std::max(worst, report_and_put_row(failure, claimed.config));
            }
            again_ = nullptr;
        }
        return worst;
    }

    ExitCode run_one(const Config &config) {
        time_spent_ = std::make_shared<TimeSince>();
        if (several_) {
            time_spent_->restart();
        }
        begun_ = &config;
        if (!ending_) {
            say_begun();
        }
        EarlierRun earlier = find_earlier(config);
        if (earlier.state == EarlierRun::State::finished) {
            remove_leftovers(config);
            return skip(config, earlier);
        }
        Failure cannot_claim(ExitCode::success, "");
        std::optional<Claim> claim;
        try {
            const TimeSpent::Scope writing(Activity::write);
            auto claimed = claim_output(config, options_.take_over);
            if (const auto *holder = std::get_if<ClaimHolder>(&claimed)) {
                if (several_) {
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
        const auto from = claim ? find_resumable(config, options_, several_, earlier) : nullptr;
        const bool replace = options_.force || earlier.state == EarlierRun::State::unfinished;
        Config of_run = config;
        std::future<std::string> data_files = describe_meanwhile(config);
        PreparedCase prepared = prepare_case(from ? planned_as(*from, config) : of_run, devices_, [&] {
            if (!claim) {
                throw cannot_claim;
            }
            check_output(config, replace, earlier.why);
        });
        of_run.data_files_read = prepared.config.data_files_read =
            unchanged(data_files, config, label(config));
        prepared.said = said_;
        prepared.time_spent = time_spent_;
        go_on_from(from, prepared);
        options_.measurements.choose_model(prepared);
        for (const Diagnostic &warning : prepared.problem.warnings) {
            print_message("{}\n", to_text(warning));
        }
        prepared.meanwhile = {[this] { return ending_ && ending_->output->is_written(); },
                              [this] { settle(); }};
        return solve(of_run, prepared, std::move(*claim));
    }

    ExitCode solve(const Config &config, PreparedCase &prepared, Claim claim) {
        const Grid &grid = prepared.problem.grid;
        auto output = std::make_unique<RunOutput>(
            config, grid, options_.force, [&](const auto &path) { messages_.say_written(path); },
            prepared.resumption.from.get());
        leave_checkpoints(config, *output, prepared);
        const Progress::Style style = options_.quiet ? Progress::Style::quiet : Progress::Style::automatic;
        const auto sink = [&](auto snapshot_or_field) {
            settle();
            output->add(std::move(snapshot_or_field));
        };
        std::unique_ptr<RunExplainer> explanation;
        if (options_.explain) {
            explanation = options_.measurements.explain(prepared);
            prepared.before_launch = [&](const run_parameters_t &parameters) {
                settle();
                messages_.say_explanation(explanation->plan(parameters));
            };
        }
        Solution last = run_prepared(prepared, style, {sink, sink});
        settle();
        const ExitCode code = exit_code(last.report);
        const std::string explained = explanation ? explanation->result(last.report) : "";
        ending_ = std::make_unique<RunEnding>(
            RunEnding{config, grid, last.report, explained, std::move(claim), std::move(output), several_});
        ending_->output->finish(std::move(last));
        if (!several_ || interrupted()) {
            settle();
        }
        return code;
    }

    void say_begun() {
        if (begun_ != nullptr) {
            messages_.begin(*std::exchange(begun_, nullptr));
        }
    }

    /// Waits for the result of the run before, says what became of it, and puts its row into the table: a row says that a result is
    /// there once it is. Then the case that has begun meanwhile is announced. The worst code of results that could not be written.
    ExitCode settle() {
        if (const std::unique_ptr<RunEnding> ending = std::move(ending_)) {
            try {
                put_row(say_result(*ending, messages_), ending->config);
            } catch (const Failure &failure) {
                if (!several_) {
                    throw;
                }
                late_ = std::max(late_, report_and_put_row(failure, ending->config));
            }
            time_spent_->restart_background();
        }
        say_begun();
        return late_;
    }

    /// With --force an earlier result counts only where another process of this moment made it. Of one case alone a finished one counts:
    /// what else has its name is refused later.
    [[nodiscard]] EarlierRun find_earlier(const Config &config) const {
        const bool is_new = again_ != nullptr && identity_of_result(config) != again_->result;
        if (options_.force && !is_new) {
            return {};
        }
        return several_ || options_.resume ? find_earlier_run(config) : find_finished_run(config);
    }

    void put_row(const SummaryRow &row, const std::optional<Config> &config) {
        if (again_ != nullptr) {
            table_.settle(again_->row, row);
        } else {
            table_.add(row, config);
        }
    }

    ExitCode report_and_put_row(const Failure &failure, const Config &config) {
        const ExitCode code = report_failure(failure, options_.json, subject_of(config));
        put_row(row_of_failed(config.path, config, failure), config);
        return code;
    }

    /// A member of a batch that another process computes at this moment.
    ExitCode skip_claimed(const Config &config, const ClaimHolder &holder) {
        settle();
        const std::string outcome = "being computed by " + holder.text();
        messages_.say_claimed(outcome, holder);
        if (again_ == nullptr) {
            SummaryRow row = row_of(config, outcome, ExitCode::computed_elsewhere);
            row.skipped = true;
            table_.add_claimed(row, config);
        }
        return ExitCode::success;  // end() looks at it once more
    }

    ExitCode skip(const Config &config, const EarlierRun &earlier) {
        settle();
        messages_.say_skipped(config, earlier);
        ++skipped_;
        put_row(row_of(config, earlier), config);
        return earlier.code;
    }

    void add_failure(const BatchCase &failed, const std::optional<Config> &config, const Failure &failure) {
        devices_.close_after(failure);
        settle();  // what the case before has to say comes first
        table_.add(row_of_failed(failed.path, config, failure), config);
    }

    CaseOptions &options_;
    std::vector<BatchCase> cases_;
    bool several_ = are_several(cases_);
    BatchMessages messages_{options_, several_};
    BatchTable table_{table_of(cases_, options_)};
    OpenDevices devices_;
    std::size_t skipped_ = 0;
    std::unique_ptr<RunEnding> ending_;
    ExitCode late_ = ExitCode::success;      // of results that could not be written while the next case ran
    const Config *begun_ = nullptr;          // the case that runs, until it is announced
    std::shared_ptr<TimeSince> time_spent_;  // on the case that runs
    const BatchTable::Claimed *again_ = nullptr;  // the case that is looked at once more
    std::shared_ptr<std::set<std::string>> said_ = std::make_shared<std::set<std::string>>();
};

}  // namespace

ExitCode run(CaseOptions &options) {
    return Batch(options).run();
}

}  // namespace perdure::commands
