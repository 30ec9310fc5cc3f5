#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "solver/commands/commands.hpp"
#include "solver/commands/words.hpp"
#include "solver/in_words.hpp"
#include "solver/measure/litmus/litmus.hpp"
#include "solver/messages.hpp"
#include "solver/output/wrap_text.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/plan_launch.hpp"
#include "solver/version.hpp"

namespace perdure::commands {
namespace {

using Json = nlohmann::ordered_json;

std::vector<const litmus::Experiment *> chosen_experiments(const std::vector<std::string> &names) {
    std::vector<std::string> known;
    for (const litmus::Experiment &experiment : litmus::experiments()) {
        known.push_back(experiment.name);
    }
    for (const std::string &asked : names) {
        if (std::find(known.begin(), known.end(), asked) == known.end()) {
            throw Failure(ExitCode::case_or_usage,
                          fmt::format("unknown experiment '{}'{}\n  the experiments are {}", asked,
                                      asked.ends_with(".json") ? "; did you mean --json=" + asked + "?"
                                                               : did_you_mean(asked, known),
                                      fmt::join(known, ", ")));
        }
    }
    std::vector<const litmus::Experiment *> chosen;
    for (const litmus::Experiment &experiment : litmus::experiments()) {
        if (names.empty() || std::find(names.begin(), names.end(), experiment.name) != names.end()) {
            chosen.push_back(&experiment);
        }
    }
    return chosen;
}

Json as_json(const litmus::Result &result) {
    Json json;
    json["experiment"] = result.experiment;
    json["question"] = result.question;
    if (!result.skipped.empty()) {
        json["skipped"] = result.skipped;
        return json;
    }
    json["shape"] = result.shape;
    for (const litmus::Outcome &outcome : result.outcomes) {
        Json form;
        form["variant"] = outcome.variant;
        form["model"] = name(outcome.model);
        form["trials"] = outcome.trials;
        form["seen"] = outcome.seen;
        form["waits_given_up"] = outcome.waits_given_up;
        form["seconds"] = outcome.seconds;
        if (!outcome.note.empty()) {
            form["note"] = outcome.note;
        }
        form["broken"] = is_broken(outcome);
        json["variants"].push_back(form);
    }
    json["remark"] = result.remark;
    return json;
}

}  // namespace

ExitCode litmus(LitmusOptions &options) {
    const std::vector<const litmus::Experiment *> chosen = chosen_experiments(options.names);
    ExecutionConfig execution;
    execution.backend = backend_of(options.backend);
    execution.device = options.device;
    options.json.check();
    const bool json_alone = options.json.alone();
    const InterruptGuard guard;
    const SelectedDevice selected = select_device(execution, AskedBy::command_line);
    const DeviceDescription &description = selected.device->description();
    Json json;
    json["version"] = version();
    json["built_with"] = built_with();
    json["device"] = {{"backend", name(description.backend)},
                      {"index", selected.index},
                      {"name", description.name},
                      {"driver", description.driver}};
    if (!json_alone) {
        print_output("{}{}",
                     wrap_text(fmt::format("perdure {} on {}: {} ({})", version(), name(description.backend),
                                           description.name, description.driver),
                               0, 2),
                     litmus::model_legend());
    }
    int broken = 0;
    for (const litmus::Experiment *experiment : chosen) {
        if (interrupted()) {
            break;
        }
        const litmus::Result result = experiment->run(*selected.device);
        if (!json_alone) {
            print_output("\n{}", litmus::table(result));
        }
        json["experiments"].push_back(as_json(result));
        broken += static_cast<int>(
            std::count_if(result.outcomes.begin(), result.outcomes.end(), litmus::is_broken));
    }
    const bool stopped = json["experiments"].size() < chosen.size();
    json["stopped"] = stopped;
    options.json.add(json);
    options.json.write();
    if (broken > 0) {
        throw Failure(ExitCode::device,
                      fmt::format("{}: {} failed although the memory model guarantees success",
                                  description.name, count_of(broken, "variant")));
    }
    if (stopped) {
        print_message("stopped before every experiment was done\n");
        return ExitCode::stopped;
    }
    return ExitCode::success;
}

}  // namespace perdure::commands
