#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "solver/commands/batch_messages.hpp"
#include "solver/commands/batch_table.hpp"
#include "solver/commands/commands.hpp"
#include "solver/commands/refuse_equal_outputs.hpp"
#include "solver/messages.hpp"
#include "solver/output/check_output.hpp"
#include "solver/output/data_files.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/report_text.hpp"
#include "solver/output/result_writer.hpp"
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
        refuse_report_over_results(options_.json, cases_, table_stem());
        try {
            refuse_equal_results(cases_);
        } catch (const Failure &failure) {
            options_.json.check();
            const ExitCode code = report_failure(failure, options_.json);
            options_.json.write();
            return code;
        }
        if (of_one_sweep()) {
            BatchMessages::warn_of_longer_sweep(*cases_.front().config);
        }
        const InterruptGuard guard;
        try {
            return for_each_case(
                options_, cases_, [&](const Config &config) { return run_one(config); },
                [&](const BatchCase &failed, const Failure &failure) { add_failure(failed, failure); },
                [&](ExitCode worst) { return end(worst); });
        } catch (...) {
            table_.finish();
            throw;
        }
    }

  private:
    [[nodiscard]] bool several() const { return several_; }
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

    /// Behind the last case. The code of the whole call.
    ExitCode end(ExitCode worst) {
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
                }
            } catch (const Failure &failure) {
                worst = std::max(worst,
                                 report_failure(failure, options_.json, {{"case", label(claimed.config)}}));
                open_devices_anew_after(failure);
                put_row(row_of_failed({claimed.config.path, claimed.config, std::nullopt}, failure),
                        claimed.config);
            }
            again_ = nullptr;
        }
        return worst;
    }

    ExitCode run_one(const Config &config) {
        const auto time_spent = std::make_shared<TimeSince>();
        if (several()) {
            time_spent->restart();
        }
        messages_.begin(config);
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
        PreparedCase prepared = prepare_case(of_run, devices_, [&] {
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
        prepared.time_spent = time_spent;
        {
            const TimeSpent::Scope planning(Activity::plan);
            options_.measurements.choose_model(prepared);
        }
        for (const Diagnostic &warning : prepared.problem.warnings) {
            print_message("{}\n", to_text(warning));
        }
        return solve(of_run, prepared);
    }

    ExitCode solve(const Config &config, PreparedCase &prepared) {
        ResultWriter writer(config, prepared.problem.grid, options_.force);
        const Progress::Style style = options_.quiet ? Progress::Style::quiet : Progress::Style::automatic;
        const auto sink = [&](const Solution &solution) {
            const TimeSpent::Scope writing(Activity::write);
            const std::filesystem::path snapshot = writer.write(solution);
            if (solution.report.stop == StopReason::running) {
                messages_.say_written(snapshot);
            }
        };
        std::unique_ptr<RunExplainer> explanation;
        if (options_.explain) {
            explanation = options_.measurements.explain(prepared);
            prepared.before_launch = [&, said = std::string()](const run_parameters_t &parameters) mutable {
                const std::string plan = explanation->plan(parameters);
                if (plan != std::exchange(said, plan)) {  // directions of an effective case have the same
                    messages_.say_explanation(plan);
                }
            };
        }
        const Solution last =
            config.effective ? run_effective(prepared, style, sink) : run_case(prepared, style, sink);
        const bool keeps_earlier = writer.keeps_earlier_result(last);
        const std::filesystem::path result =
            keeps_earlier ? writer.snapshots().back().file : finish(writer, last);
        if (keeps_earlier) {
            BatchMessages::warn_of_kept_result(config, result);
        }
        BatchMessages::warn_of_changed_data(config);
        messages_.say_written(result, writer.snapshots().size());
        const nlohmann::ordered_json as_written = to_json(last.report);
        last.report.time_spent->update();
        messages_.say_report(last.report, config, prepared.problem.grid, result);
        if (explanation) {
            messages_.say_explanation(explanation->result(last.report));
        }
        const ExitCode code = exit_code(last.report);
        put_row({config.path.string(), config.sweep, outcome(last.report), static_cast<int>(code), false,
                 as_written, result.string()},
                config);
        return code;
    }

    static std::filesystem::path finish(ResultWriter &writer, const Solution &last) {
        const TimeSpent::Scope writing(Activity::write);
        return writer.finish(last);
    }

    /// With --force an earlier result counts only where another process of this moment made it.
    [[nodiscard]] EarlierRun find_earlier(const Config &config) const {
        const bool is_new = again_ != nullptr && identity_of_result(config) != again_->result;
        return several() && (!options_.force || is_new) ? find_earlier_run(config) : EarlierRun();
    }

    void put_row(const SummaryRow &row, const std::optional<Config> &config) {
        if (again_ != nullptr) {
            table_.settle(again_->row, row);
        } else {
            table_.add(row, config);
        }
    }

    /// A member of a batch that another process computes at this moment.
    ExitCode skip_claimed(const Config &config, const ClaimHolder &holder) {
        const std::string outcome = "being computed by " + holder.text();
        messages_.say_claimed(outcome, holder);
        if (again_ == nullptr) {
            table_.add_claimed({config.path.string(), config.sweep, outcome,
                                static_cast<int>(ExitCode::computed_elsewhere), true, nullptr, ""},
                               config);
        }
        return ExitCode::success;  // end() looks at it once more
    }

    ExitCode skip(const Config &config, const EarlierRun &earlier) {
        messages_.say_skipped(config, earlier);
        ++skipped_;
        put_row(row_of(config, earlier), config);
        return earlier.code;
    }

    static SummaryRow row_of_failed(const BatchCase &failed, const Failure &failure) {
        const std::string what = failure.what();
        return {failed.path.string(),
                failed.config ? failed.config->sweep : std::nullopt,
                what.substr(0, what.find('\n')),
                static_cast<int>(failure.code()),
                false,
                nullptr,
                ""};
    }

    void open_devices_anew_after(const Failure &failure) {
        if (failure.code() == ExitCode::device) {
            devices_.close_all();
        }
    }

    void add_failure(const BatchCase &failed, const Failure &failure) {
        open_devices_anew_after(failure);
        table_.add(row_of_failed(failed, failure), failed.config);
    }

    CaseOptions &options_;
    std::vector<BatchCase> cases_;
    bool several_ = cases_.size() > 1 || (cases_.front().config && cases_.front().config->sweep);
    BatchMessages messages_{options_, several_};
    BatchTable table_{several_, of_one_sweep()};
    OpenDevices devices_;
    std::size_t skipped_ = 0;
    const BatchTable::Claimed *again_ = nullptr;  // the case that is looked at once more
    std::shared_ptr<std::set<std::string>> said_ = std::make_shared<std::set<std::string>>();
};

}  // namespace

ExitCode run(CaseOptions &options) {
    return Batch(options).run();
}

}  // namespace perdure::commands
