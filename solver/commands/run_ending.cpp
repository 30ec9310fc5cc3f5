#include "solver/commands/run_ending.hpp"

#include "solver/output/report_text.hpp"

namespace perdure::commands {

SummaryRow say_result(const RunEnding &ending, const BatchMessages &messages) {
    const Config &config = ending.config;
    const RunOutput::Result result = ending.output->wait();
    if (result.can_go_on) {
        BatchMessages::say_how_to_go_on(config, result.path);
    } else if (result.keeps_earlier) {
        BatchMessages::warn_of_kept_result(config, result.path);
    }
    BatchMessages::warn_of_changed_data(config);
    messages.say_written(result.path, result.snapshots);
    TimeSince &time_spent = *ending.report.time_spent;
    ending.of_batch ? time_spent.update_background() : time_spent.update();
    messages.say_report(ending.report, config, ending.grid, result.path);
    messages.say_explanation(ending.explanation);
    SummaryRow row = row_of(config, outcome(ending.report), exit_code(ending.report));
    row.report = figures_to_json(ending.report);
    row.output = result.path.string();
    return row;
}

}  // namespace perdure::commands
