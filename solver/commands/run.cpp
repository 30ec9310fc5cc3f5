#include "solver/commands/batch.hpp"

#include <algorithm>
#include <future>
#include <utility>

#include "solver/commands/lead_ranks.hpp"
#include "solver/commands/refuse_equal_outputs.hpp"
#include "solver/commands/resume.hpp"
#include "solver/messages.hpp"
#include "solver/output/check_output.hpp"
#include "solver/output/complete_result.hpp"
#include "solver/output/data_files.hpp"
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
            [&](const BatchCase &failed, const Config *config, const Failure &failure) {
                add_failure(failed, config, failure);
            },
            [&](ExitCode worst) { return end(worst); }, [&](const Config &config) { start_ahead(config); });
    } catch (...) {
        table_.finish();
        throw;
    }
}

ExitCode Batch::end(ExitCode worst) {
    starts_.give_up();
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

void Batch::look_at(const Config &config, CaseStart &start) const {
    start.result_before = several_ ? identity_of_result(config) : "";
    start.earlier = find_earlier(config);
    if (start.earlier.state == EarlierRun::State::finished) {
        complete_result(config, start.earlier.file);
        return;
    }
    try {
        const TimeSpent::Scope writing(Activity::write);
        auto claimed = claim_output(config, options_.take_over);
        if (auto *const claim = std::get_if<Claim>(&claimed)) {
            start.claim.emplace(std::move(*claim));
        } else {
            start.holder = std::get<ClaimHolder>(std::move(claimed));
            return;
        }
    } catch (const Failure &failure) {
        start.cannot_claim = failure;
    }
    start.earlier = find_earlier(config);  // again: another process may have finished it before the claim
}

void Batch::prepare(const Config &config, const Checkpoint *from, std::size_t cases, CaseStart &start) {
    Config of_run = from != nullptr ? planned_as(*from, config) : config;
    if (from == nullptr) {
        choose_model_of_ranks(of_run);
    }
    std::future<std::string> data_files = describe_meanwhile(config);
    const bool replace = replaces(start.earlier);
    start.prepared = prepare_case(
        std::move(of_run), devices_,
        [&] {
            if (start.cannot_claim) {
                throw *start.cannot_claim;
            }
            check_output(config, replace, start.earlier.why);
        },
        cases);
    start.prepared->keeps_unwritten = false;
    start.prepared->config.data_files_read = unchanged(data_files, config, label(config));
    start.config.emplace(config);
    choose_model_of_ranks(*start.config);
    start.config->data_files_read = start.prepared->config.data_files_read;
}

void Batch::start_ahead(const Config &config) {
    starts_.make(config, [&]() -> std::optional<CaseStart> {
        CaseStart start;
        if (interrupted()) {
            return std::nullopt;
        }
        try {
            look_at(config, start);
            if (start.claim && start.earlier.state != EarlierRun::State::finished) {
                prepare(config, nullptr, cases_.size(), start);
                if (start.prepared->ensemble && !replaces(start.earlier)) {
                    start.output = output_of_member(start);
                }
            }
        } catch (const std::exception &) {
            return std::nullopt;  // in the case's turn fewer others run, and what failed may succeed
        }
        return start;
    });
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
    std::optional<CaseStart> ahead = starts_.take(config);
    CaseStart start = ahead ? *std::move(ahead) : CaseStart();
    if (!ahead) {
        look_at(config, start);
    }
    if (start.holder) {
        if (several_) {
            return skip_claimed(config, *start.holder, std::move(start.result_before));
        }
        throw name_is_taken(config, *start.holder);
    }
    if (!start.cannot_claim && start.earlier.state == EarlierRun::State::finished) {
        return skip_in_turn(config, start.earlier);
    }
    if (!start.prepared) {
        const auto from = start.claim ? find_resumable(config, options_, several_, start.earlier) : nullptr;
        const bool is_alone = from || options_.explain || again_ != nullptr;
        prepare(config, from.get(), is_alone ? 1 : cases_.size(), start);
        go_on_from(from, *start.prepared);
    }
    PreparedCase &prepared = *start.prepared;
    prepared.said = said_;
    prepared.time_spent = time_spent_;
    options_.measurements.choose_model(prepared);
    for (const Diagnostic &warning : prepared.problem.warnings) {
        if (const std::string text = to_text(warning); warned_of_.insert(text).second) {
            print_message("{}\n", text);
        }
    }
    prepared.meanwhile = {[this] { return has_written(); }, [this] { settle(); }};
    return solve(start);
}

EarlierRun Batch::find_earlier(const Config &config) const {
    const bool is_new = again_ != nullptr && identity_of_result(config) != again_->result;
    if (options_.force && !is_new) {
        return {};
    }
    return several_ || options_.resume ? find_earlier_run(config) : find_finished_run(config);
}

ExitCode run(CaseOptions &options) {
    return by_all_ranks([&] { return Batch(options).run(); });
}

}  // namespace perdure::commands
