#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "solver/commands/commands.hpp"
#include "solver/commands/json_file.hpp"
#include "solver/commands/words.hpp"
#include "solver/litmus/litmus.hpp"
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
                          fmt::format("no experiment '{}'{}\n  there are {}", asked,
                                      did_you_mean(asked, known), fmt::join(known, ", ")));
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

std::string percentage(const litmus::Outcome &outcome) {
    if (outcome.seen == 0) {
        return "";
    }
    const double share = 100.0 * static_cast<double>(outcome.seen) / static_cast<double>(outcome.trials);
    return outcome.seen == outcome.trials ? "all" : share < 0.01 ? "<0.01 %" : fmt::format("{:.2f} %", share);
}

/// Breaks `text` between words, each line behind `indent` spaces.
void print_lines(const std::string &text, int indent) {
    constexpr std::size_t width = 108;
    std::string line(static_cast<std::size_t>(indent), ' ');
    const std::size_t empty = line.size();
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (line.size() > empty && line.size() + 1 + word.size() > width) {
            fmt::print("{}\n", line);
            line.resize(empty);
        }
        line += line.size() > empty ? " " + word : word;
    }
    fmt::print("{}\n", line);
}

void print_outcome(const litmus::Outcome &outcome) {
    fmt::print("  {:<46} {:<6} {:>11} of {:<11} {:<8} {:.3g} ms{}\n", outcome.variant, name(outcome.model),
               outcome.seen, outcome.trials, percentage(outcome), 1.0e3 * outcome.seconds,
               is_broken(outcome) ? "  BROKEN" : "");
    if (outcome.waits_given_up > 0) {
        fmt::print("      waits that ran out: {}\n", outcome.waits_given_up);
    }
    if (!outcome.note.empty()) {
        print_lines(outcome.note, 6);
    }
}

void print_result(const litmus::Result &result) {
    fmt::print("\n{}\n", result.experiment);
    print_lines(result.question, 2);
    if (!result.skipped.empty()) {
        fmt::print("  skipped: {}\n", result.skipped);
        return;
    }
    fmt::print("  {:<46} {:<6} {:>11}    {:<11} ({})\n", "form", "model", "seen", "trials", result.shape);
    for (const litmus::Outcome &outcome : result.outcomes) {
        print_outcome(outcome);
    }
    print_lines("-> " + result.remark, 2);
}

}  // namespace

ExitCode litmus(const LitmusOptions &options) {
    const std::vector<const litmus::Experiment *> chosen = chosen_experiments(options.names);
    ExecutionConfig execution;
    execution.backend = backend_of(options.backend);
    execution.device = options.device;
    if (options.json) {
        check_json_file(*options.json);
    }
    const InterruptGuard guard;
    const SelectedDevice selected = select_device(execution);
    const DeviceDescription &description = selected.device->description();
    Json json;
    json["version"] = version();
    json["built_with"] = built_with();
    json["device"] = {{"backend", name(description.backend)},
                      {"index", selected.index},
                      {"name", description.name},
                      {"driver", description.driver}};
    fmt::print("perdure {} on {}: {} ({})\n", version(), name(description.backend), description.name,
               description.driver);
    fmt::print(
        "model: what the memory model says of what is seen - never; may; race: plain accesses race, so "
        "nothing is promised\n");
    int broken = 0;
    for (const litmus::Experiment *experiment : chosen) {
        if (interrupted()) {
            break;
        }
        const litmus::Result result = experiment->run(*selected.device);
        print_result(result);
        std::fflush(stdout);
        json["experiments"].push_back(as_json(result));
        broken += static_cast<int>(
            std::count_if(result.outcomes.begin(), result.outcomes.end(), litmus::is_broken));
    }
    const bool stopped = json["experiments"].size() < chosen.size();
    json["stopped"] = stopped;
    if (options.json) {
        write_json_file(*options.json, json.dump(2));
    }
    if (broken > 0) {
        throw Failure(ExitCode::device, fmt::format("{}: {} forms failed that the memory model says never do",
                                                    description.name, broken));
    }
    if (stopped) {
        fmt::print(stderr, "stopped: not every experiment was done\n");
        return ExitCode::stopped;
    }
    return ExitCode::success;
}

}  // namespace perdure::commands
