#include "solver/problem/sample_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "solver/hdf5/read_dataset.hpp"
#include "solver/in_words.hpp"
#include "solver/problem/expression.hpp"
#include "solver/problem/in_parallel.hpp"

namespace perdure {

namespace {

/// What is wrong with an expression, each finding at its characters where the expression stands on the line that the position names.
template <class Evaluate>
bool evaluated(const std::string &text, const SampledPlace &place, ProblemFindings &findings,
               const Evaluate &evaluate) {
    FormulaText formula{text, place.source.position};
    const auto start = static_cast<std::size_t>(std::max(formula.position.column - 1, 0));
    const std::size_t found = findings.source_line(formula.position).find(text, start);
    if (found == std::string::npos || text.empty()) {
        formula.position.line = 0;  // findings then tell the character of the expression
    } else {
        formula.position.column = static_cast<int>(found) + 1;
    }
    try {
        evaluate(formula);
        return true;
    } catch (const Failure &failure) {
        for (const Diagnostic &finding : failure.diagnostics()) {
            const bool is_placed = finding.position.line > 0;
            findings.add(
                failure.code(), is_placed ? finding.position : place.source.position,
                fmt::format("{}: {}{}", place.key, finding.message,
                            finding.message.starts_with("the time t ")
                                ? "; write the part that depends on t as a 'factor' next to the expression"
                                : ""));
        }
        return false;
    }
}

std::optional<Samples> sample_expression(const SampledPlace &place, ProblemFindings &findings) {
    Samples samples;
    const bool good = evaluated(place.source.expression, place, findings, [&](const FormulaText &expression) {
        samples = values_of_expression(expression, place.points, place.cells);
    });
    return good ? std::optional(std::move(samples)) : std::nullopt;
}

}  // namespace

std::optional<Samples> sample_values(const SampledPlace &place, ProblemFindings &findings) {
    const ValueSource &source = place.source;
    try {
        switch (source.kind) {
            case ValueSource::Kind::number:
                return Samples{{source.number}};
            case ValueSource::Kind::expression:
                return sample_expression(place, findings);
            case ValueSource::Kind::dataset: {
                Dataset read = read_dataset(source.file, source.dataset, place.points.shape());
                if (!read.warning.empty()) {
                    findings.warn(source.position, fmt::format("{}: {}", place.key, read.warning));
                }
                return Samples{std::move(read.values)};
            }
            case ValueSource::Kind::labels:
                return sample_labels(place, findings);
        }
    } catch (const Failure &failure) {
        findings.add(failure, source.position, place.key);
    }
    return std::nullopt;
}

namespace {

/// Values that are not acceptable: how many, and the first one's index.
struct Unacceptable {
    std::int64_t count = 0, first = std::numeric_limits<std::int64_t>::max();
};

/// `cells`: that have values; none: all.
Unacceptable find_unacceptable(const Samples &values, bool (*acceptable)(double),
                               std::span<const CellRange> cells) {
    if (!values.labels.empty() && std::all_of(values.values.begin(), values.values.end(), acceptable)) {
        return {};
    }
    std::mutex lock;
    Unacceptable all;
    const std::array every{CellRange{0, values.count()}};
    for (const CellRange &range :
         cells.empty() || values.uniform() ? std::span<const CellRange>(every) : cells) {
        in_parallel(range.count, [&](std::int64_t begin, std::int64_t end) {
            Unacceptable here;
            for (std::int64_t i = range.first + begin; i < range.first + end; ++i) {
                if (!acceptable(values[i])) {
                    here.first = here.count++ == 0 ? i : here.first;
                }
            }
            const std::lock_guard hold(lock);
            all = {all.count + here.count, std::min(all.first, here.first)};
        });
    }
    return all;
}

}  // namespace

bool check_values(const Samples &samples, const SampledPlace &place, const std::string &expected,
                  bool (*acceptable)(double), ProblemFindings &findings) {
    const auto [count, index] = find_unacceptable(samples, acceptable, place.cells);
    if (count == 0) {
        return true;
    }
    const double first = samples[index];
    const std::int64_t others = count - 1;
    std::string message = fmt::format("{} must be {}, but is {}", place.key, expected,
                                      std::isnan(first) ? "nan" : fmt::format("{}", first));
    if (!samples.uniform() || place.points.count() == 1) {
        message += " at " + place.points.describe(index);
        if (place.source.kind == ValueSource::Kind::expression) {
            message += ", " + place.points.describe_coordinates(index);
        }
    } else {
        message += " everywhere";
    }
    if (others > 0) {
        message += fmt::format("; the same holds at {}", count_of(others, "more point"));
    }
    findings.add(ExitCode::bad_input, place.source.position, message);
    return false;
}

void check_time_factor(const SampledPlace &place, ProblemFindings &findings) {
    if (place.source.time_factor.empty()) {
        return;
    }
    evaluated(place.source.time_factor, place, findings,
              [](const FormulaText &factor) { values_of_factor(factor, {}); });
}

}  // namespace perdure
