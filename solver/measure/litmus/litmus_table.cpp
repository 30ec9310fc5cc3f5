#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "solver/measure/litmus/litmus.hpp"
#include "solver/output/wrap_text.hpp"

namespace perdure::litmus {
namespace {

std::string percentage(const Outcome &outcome) {
    if (outcome.seen == 0) {
        return "";
    }
    const double share = 100.0 * static_cast<double>(outcome.seen) / static_cast<double>(outcome.trials);
    return outcome.seen == outcome.trials ? "all" : share < 0.01 ? "<0.01 %" : fmt::format("{:.2f} %", share);
}

std::string time_of(const Outcome &outcome) {
    return outcome.seconds < 1.0 ? fmt::format("{:.3g} ms", 1.0e3 * outcome.seconds)
                                 : fmt::format("{:.3g} s", outcome.seconds);
}

std::string line_of(const Outcome &outcome, std::size_t variant, std::size_t seen, std::size_t trials) {
    return fmt::format("  {:<{}}  {:<5} {:>{}} of {:<{}} {:<7} {:>8}{}\n", outcome.variant, variant,
                       name(outcome.model), outcome.seen, seen, outcome.trials, trials, percentage(outcome),
                       time_of(outcome), is_broken(outcome) ? "  BROKEN" : "");
}

}  // namespace

std::string model_legend() {
    std::string text = "model: what the memory model says of what is seen\n";
    for (const auto &[model, meaning] :
         {std::pair{Model::never, "it cannot be; where it is seen, the device is BROKEN"},
          std::pair{Model::may, "it can be"},
          std::pair{Model::race, "plain accesses race, so nothing is promised"},
          std::pair{Model::no_matter, "not a question of memory"}}) {
        text += fmt::format("  {:<5}  {}\n", name(model), meaning);
    }
    return text;
}

std::string table(const Result &result) {
    std::string text = result.experiment + "\n" + wrap_text(result.question, 2);
    if (!result.skipped.empty()) {
        return text + wrap_text("skipped: " + result.skipped, 2);
    }
    std::size_t variant = 4;
    std::size_t seen = 4;
    std::size_t trials = 6;
    for (const Outcome &outcome : result.outcomes) {
        variant = std::max(variant, outcome.variant.size());
        seen = std::max(seen, fmt::formatted_size("{}", outcome.seen));
        trials = std::max(trials, fmt::formatted_size("{}", outcome.trials));
    }
    text += fmt::format("  {:<{}}  {:<5} {:>{}}    {:<{}} ({})\n", "form", variant, "model", "seen", seen,
                        "trials", trials, result.shape);
    for (const Outcome &outcome : result.outcomes) {
        text += line_of(outcome, variant, seen, trials);
        if (outcome.waits_given_up > 0) {
            text += fmt::format("      waits that ran out: {}\n", outcome.waits_given_up);
        }
        if (!outcome.note.empty()) {
            text += wrap_text(outcome.note, 6);
        }
    }
    return text + wrap_text("-> " + result.remark, 2, 3);
}

}  // namespace perdure::litmus
