#include "solver/commands/batch.hpp"

#include <algorithm>
#include <future>
#include <utility>

#include "solver/commands/lead_ranks.hpp"
#include "solver/commands/refuse_equal_outputs.hpp"
#include "solver/commands/resume.hpp"
#include "solver/messages.hpp"
#include "solver/output/check_output.hpp"
#include "solver/output/data_files.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure::commands {

Batch::Batch(CaseOptions &options) : options_(options), cases_(load_batch(options)) {}

ExitCode Batch::run() {
    if (cases_.empty()) {
        if (options_.shard.empty()) {
            throw Failure(ExitCode::case_or_usage, "the sweep has no members, so there is nothing to run");
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

ExitCode Batch::end(ExitCode worst) {
    finish_waiting();
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
        print_message("{} of {} cases {} still being computed by other processes\n", table_.claimed().size(),
                      cases_.size(), table_.claimed().size() > 1 ? "are" : "is");
        return ExitCode::computed_elsewhere;
    }
    return worst;
}

ExitCode Batch::run_what_others_left() {
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

ExitCode Batch::run_one(const Config &config) {
    time_spent_ = std::make_shared<TimeSince>();
    if (several_) {
        time_spent_->restart();
    }
    begun_ = &config;
    if (endings_.empty() && waiting_.empty()) {
        say_begun();
    }
    std::string result_before = several_ ? identity_of_result(config) : "";
    EarlierRun earlier = find_earlier(config);
    if (earlier.state == EarlierRun::State::finished) {
        remove_leftovers(config);
        return skip_in_turn(config, earlier);
    }
    Failure cannot_claim(ExitCode::success, "");
    std::optional<Claim> claim;
    try {
        const TimeSpent::Scope writing(Activity::write);
        auto claimed = claim_output(config, options_.take_over);
        if (const auto *holder = std::get_if<ClaimHolder>(&claimed)) {
            if (several_) {
                return skip_claimed(config, *holder, std::move(result_before));
            }
            throw name_is_taken(config, *holder);
        }
        claim.emplace(std::move(std::get<Claim>(claimed)));
    } catch (const Failure &failure) {
        cannot_claim = failure;  // reported together with what else is wrong with the case
    }
    earlier = find_earlier(config);  // again: another process may have finished it before the claim
    if (claim && earlier.state == EarlierRun::State::finished) {
        return skip_in_turn(config, earlier);
    }
    const auto from = claim ? find_resumable(config, options_, several_, earlier) : nullptr;
    const bool replace = options_.force || earlier.state == EarlierRun::State::unfinished;
    Config of_run = config;
    choose_model_of_ranks(of_run);
    std::future<std::string> data_files = describe_meanwhile(config);
    const bool is_alone = from || options_.explain || again_ != nullptr;
    PreparedCase prepared = prepare_case(
        from ? planned_as(*from, config) : of_run, devices_,
        [&] {
            if (!claim) {
                throw cannot_claim;
            }
            check_output(config, replace, earlier.why);
        },
        is_alone ? 1 : cases_.size());
    of_run.data_files_read = prepared.config.data_files_read = unchanged(data_files, config, label(config));
    prepared.said = said_;
    prepared.time_spent = time_spent_;
    go_on_from(from, prepared);
    options_.measurements.choose_model(prepared);
    for (const Diagnostic &warning : prepared.problem.warnings) {
        print_message("{}\n", to_text(warning));
    }
    prepared.meanwhile = {[this] { return has_written(); }, [this] { settle(); }};
    return solve(of_run, prepared, std::move(*claim), replace);
}

EarlierRun Batch::find_earlier(const Config &config) const {
    const bool is_new = again_ != nullptr && identity_of_result(config) != again_->result;
    if (options_.force && !is_new) {
        return {};
    }
    return several_ || options_.resume ? find_earlier_run(config) : find_finished_run(config);
}

ExitCode run(CaseOptions &options) {
    join_ranks();
    if (ranks() != nullptr && ranks()->index() > 0) {
        return follow_rank_0();
    }
    try {
        const ExitCode code = Batch(options).run();
        dismiss_ranks(code);
        return code;
    } catch (const Failure &failure) {
        dismiss_ranks(failure.code());
        throw;
    } catch (...) {
        dismiss_ranks(ExitCode::differs_or_internal);
        throw;
    }
}

}  // namespace perdure::commands
