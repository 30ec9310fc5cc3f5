// What becomes of the cases of a batch: they are solved, skipped or fail, and what is said of them comes in their order.
#include <algorithm>
#include <utility>

#include "solver/commands/batch.hpp"
#include "solver/commands/lead_ranks.hpp"
#include "solver/commands/resume.hpp"
#include "solver/messages.hpp"
#include "solver/run/case_solves.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure::commands {

ExitCode Batch::solve(CaseStart &start) {
    if (start.prepared->ensemble) {
        return run_beside_others(start);
    }
    finish_waiting();
    PreparedCase &prepared = *start.prepared;
    Config config = *std::move(start.config);
    const bool replace = replaces(start.earlier);
    const Grid &grid = prepared.problem.grid;
    auto output = std::make_unique<RunOutput>(
        config, grid, replace,
        [&](const auto &path, std::size_t snapshots) { messages_.say_written(path, snapshots); },
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
    Solution last = run_with_ranks(prepared, style, {sink, sink}, [&] { finish_what_is_there(); });
    settle();
    const ExitCode code = exit_code(last.report);
    const std::string explained = explanation ? explanation->result(last.report) : "";
    RunEnding ending{std::move(config),       grid,     last.report, explained,
                     *std::move(start.claim), several_, {},          std::move(output)};
    endings_.push_back({end_run(std::move(ending), std::move(last), messages_)});
    if (!several_ || interrupted()) {
        settle();
    }
    return code;
}

std::unique_ptr<RunOutput> Batch::output_of_member(const CaseStart &start) const {
    return std::make_unique<RunOutput>(
        *start.config, start.prepared->problem.grid, replaces(start.earlier),
        [&](const auto &path, std::size_t snapshots) { messages_.say_written(path, snapshots); });
}

ExitCode Batch::run_beside_others(CaseStart &start) {
    PreparedCase &prepared = *start.prepared;
    if (said_->insert("ensemble").second) {
        messages_.say_ensemble(prepared.selected, prepared.ensemble->plan());
    }
    const std::size_t most = most_members(prepared);
    if (!options_.explain && !options_.resume && again_ == nullptr) {
        starts_.allow(prepared, cases_.size(), std::min(most, most_started_ahead()));
    }
    prepared.said =
        std::make_shared<std::set<std::string>>();  // another thread has no part in what this one says
    prepared.time_spent = std::make_shared<TimeSince>(*time_spent_);
    prepared.meanwhile = {};
    auto output = start.output ? std::move(start.output) : output_of_member(start);
    const auto member = std::make_shared<BatchMember>(*std::move(start.config), std::move(prepared),
                                                      *std::move(start.claim), std::move(output), messages_);
    if (!member->start()) {
        finish_waiting();  // threads end with it
        if (!member->start()) {
            throw Failure(
                ExitCode::device,
                "the system starts no thread for the case; raise the limits (ulimit -u, the pids limit "
                "of the container), or run the cases one after the other (execution.ensemble: off)");
        }
    }
    const bool is_said = std::exchange(begun_, nullptr) == nullptr;
    waiting_.push_back(
        {[member] { return member->has_ended(); }, [this, member, is_said] { finish(*member, is_said); }});
    finish_ready();
    while (waiting_.size() > most) {
        finish_first();
    }
    return ExitCode::success;  // what it is worth shows in its turn
}

void Batch::finish(BatchMember &member, bool is_said) {
    const auto begin = [&] {
        settle();
        if (!std::exchange(is_said, true)) {
            messages_.begin(member.config());
        }
    };
    try {
        BatchMember::Solutions solutions = member.take();
        if (!solutions.ending) {
            begin();  // before it is said that they are written
            for (Solution &snapshot : solutions.snapshots) {
                member.output().add(std::move(snapshot));
            }
            RunEnding ending = member.ending(solutions.last.report);
            solutions.ending = end_run(std::move(ending), std::move(solutions.last), messages_);
        }
        late_ = std::max(late_, exit_code(solutions.ending->report));
        endings_.push_back({std::move(solutions.ending), is_said});
        if (endings_.size() > most_written_at_once()) {
            settle_first();
        }
    } catch (const Failure &failure) {
        begin();
        late_ = std::max(late_, report_and_put_row(failure, member.config()));
    }
}

void Batch::finish_first() {
    const std::function<void()> first = std::move(waiting_.front().take);
    waiting_.pop_front();
    const Config *const begun = std::exchange(begun_, nullptr);  // is announced behind it
    first();
    begun_ = begun;
}

void Batch::finish_ready() {
    while (has_written()) {
        settle_first();
    }
    while (!waiting_.empty() && waiting_.front().is_ready() &&
           (endings_.size() < most_written_at_once() || has_written())) {
        finish_first();
    }
}

void Batch::finish_waiting() {
    while (!waiting_.empty()) {
        finish_first();
    }
}

void Batch::say_begun() {
    if (begun_ != nullptr) {
        messages_.begin(*std::exchange(begun_, nullptr));
    }
}

ExitCode Batch::settle() {
    while (!endings_.empty()) {
        settle_first();
    }
    say_begun();
    return late_;
}

void Batch::finish_what_is_there() {
    settle();
    table_.finish();
}

void Batch::settle_first() {
    const Ending ending = std::move(endings_.front());
    endings_.pop_front();
    if (!ending.is_said) {
        messages_.begin(ending.run->config);
    }
    try {
        put_row(say_result(*ending.run, messages_), &ending.run->config);
    } catch (const Failure &failure) {
        if (!several_) {
            throw;
        }
        late_ = std::max(late_, report_and_put_row(failure, ending.run->config));
    }
    time_spent_->restart_background();
}

bool Batch::has_written() const {
    return !endings_.empty() && endings_.front().run->output->is_written();
}

void Batch::put_row(SummaryRow row, const Config *config) {
    if (again_ != nullptr) {
        table_.settle(again_->row, std::move(row));
    } else {
        table_.add(std::move(row), config);
    }
}

ExitCode Batch::report_and_put_row(const Failure &failure, const Config &config) {
    const ExitCode code = report_failure(failure, options_.json, subject_of(config));
    put_row(row_of_failed(config.path, &config, failure), &config);
    return code;
}

ExitCode Batch::skip_claimed(const Config &config, const ClaimHolder &holder, std::string result) {
    finish_waiting();
    settle();
    const std::string outcome = "being computed by " + holder.text();
    messages_.say_claimed(outcome, holder);
    if (again_ == nullptr) {
        SummaryRow row = row_of(config, outcome, ExitCode::computed_elsewhere);
        row.skipped = true;
        table_.add_claimed(row, config, std::move(result));
    }
    return ExitCode::success;  // end() looks at it once more
}

ExitCode Batch::skip_in_turn(const Config &config, const EarlierRun &earlier) {
    if (waiting_.empty()) {
        return skip(config, earlier);
    }
    begun_ = nullptr;
    waiting_.push_back({[] { return true; },
                        [this, config, earlier] {
                            settle();
                            messages_.begin(config);
                            skip(config, earlier);
                        }});
    return earlier.code;
}

ExitCode Batch::skip(const Config &config, const EarlierRun &earlier) {
    settle();
    messages_.say_skipped(config, earlier);
    ++skipped_;
    put_row(row_of(config, earlier), &config);
    return earlier.code;
}

void Batch::add_failure(const BatchCase &failed, const Config *config, const Failure &failure) {
    finish_waiting();  // what the cases before have to say comes first
    if (failure.code() == ExitCode::device) {
        starts_.give_up();
    }
    devices_.close_after(failure);
    settle();
    table_.add(row_of_failed(failed.path, config, failure), config);
}

}  // namespace perdure::commands
