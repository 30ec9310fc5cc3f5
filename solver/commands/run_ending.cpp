#include "solver/commands/run_ending.hpp"

#include <utility>

#include "solver/output/data_files.hpp"
#include "solver/output/report_text.hpp"

namespace perdure::commands {
namespace {

void sum_up(const RunOutput::Result &result, const BatchMessages &messages, RunEnding &ending) {
    const Config &config = ending.config;
    RunEnding::Summary &summary = ending.summary;
    summary.has_changed_data = !difference_of_data_files(*config.data_files_read, config).empty();
    TimeSince &time_spent = *ending.report.time_spent;
    ending.of_batch ? time_spent.update_background() : time_spent.update();
    summary.messages = messages.of_report(ending.report, config, ending.grid, result.path);
    summary.row = row_of(config, outcome(ending.report), exit_code(ending.report));
    summary.row.report = figures_to_json(ending.report);
    summary.row.output = result.path.string();
}

/// In the thread that has written the result of a case of a batch.
RunOutput::Behind behind_result(RunEnding &of, const BatchMessages &messages) {
    return [&of, &messages](const RunOutput::Result &result, const Report &written) {
        of.report.time_spent = written.time_spent;  // of this thread alone
        sum_up(result, messages, of);
        if (!result.can_go_on && !result.keeps_earlier) {  // else files of this run are left below the name
            const Claim given_up(std::move(of.claim));
        }
    };
}

}  // namespace

std::unique_ptr<RunEnding> end_run(RunEnding ending, Solution last, const BatchMessages &messages) {
    auto kept = std::make_unique<RunEnding>(std::move(ending));
    if (kept->of_batch) {
        kept->output->finish(std::move(last), behind_result(*kept, messages));
    } else {
        kept->output->finish(std::move(last));
    }
    return kept;
}

std::unique_ptr<RunEnding> end_run_here(RunEnding ending, Solution last, const BatchMessages &messages) {
    auto kept = std::make_unique<RunEnding>(std::move(ending));
    kept->output->finish_here(std::move(last), behind_result(*kept, messages));
    return kept;
}

SummaryRow say_result(RunEnding &ending, const BatchMessages &messages) {
    const Config &config = ending.config;
    const RunOutput::Result result = ending.output->wait();
    if (result.can_go_on) {
        BatchMessages::say_how_to_go_on(config, result.path);
    } else if (result.keeps_earlier) {
        BatchMessages::warn_of_kept_result(config, result.path);
    }
    if (!ending.of_batch) {
        sum_up(result, messages, ending);
    }
    if (ending.summary.has_changed_data) {
        BatchMessages::warn_of_changed_data(config);
    }
    messages.say_written(result.path, result.snapshots);
    messages.say(ending.summary.messages);
    messages.say_explanation(ending.explanation);
    return std::move(ending.summary.row);
}

}  // namespace perdure::commands
