#include <utility>

#include <fmt/format.h>

#include "solver/measure/litmus/litmus.hpp"
#include "solver/output/text_table.hpp"
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

/// What else is to be said of an outcome, below its row.
std::string lines_below(const Outcome &outcome) {
    std::string text;
    if (outcome.waits_given_up > 0) {
        text += fmt::format("      waits that ran out: {}\n", outcome.waits_given_up);
    }
    return outcome.note.empty() ? text : text + wrap_text(outcome.note, 6);
}

}  // namespace

std::string model_legend() {
    std::string text = "model: what the memory model says about the outcome that is counted\n";
    for (const auto &[model, meaning] :
         {std::pair{Model::never, "cannot happen; if it is seen, the device is BROKEN"},
          std::pair{Model::may, "can happen"},
          std::pair{Model::race, "plain accesses race, so nothing is guaranteed"},
          std::pair{Model::no_matter, "does not depend on the memory model"}}) {
        text += fmt::format("  {:<5}  {}\n", name(model), meaning);
    }
    return text;
}

std::string table(const Result &result) {
    std::string text = result.experiment + "\n" + wrap_text(result.question, 2);
    if (!result.skipped.empty()) {
        return text + wrap_text("skipped: " + result.skipped, 2);
    }
    using Align = TextTable::Align;
    TextTable outcomes(
        {{"form", Align::left}, {"model", Align::left}, {"seen"}, {"of trials", Align::left}, {""}, {"time"}},
        fmt::format("({})", result.shape));
    for (const Outcome &outcome : result.outcomes) {
        outcomes.add({outcome.variant, name(outcome.model), fmt::to_string(outcome.seen),
                      fmt::format("of {}", outcome.trials), percentage(outcome), time_of(outcome)},
                     is_broken(outcome) ? "BROKEN" : "", lines_below(outcome));
    }
    text += outcomes.plain(2);
    return text + wrap_text("-> " + result.remark, 2, 3);
}

}  // namespace perdure::litmus
