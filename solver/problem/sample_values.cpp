#include "solver/problem/sample_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <mutex>
#include <span>
#include <utility>

#include "solver/case_file/yaml_tree.hpp"
#include "solver/hdf5/read_dataset.hpp"
#include "solver/problem/expression.hpp"
#include "solver/problem/in_parallel.hpp"

namespace perdure {

namespace {

const std::vector<std::string> all_coordinates{"x", "y", "z"};

std::vector<std::string> spatial_variables(int dimensions) {
    return {all_coordinates.begin(), all_coordinates.begin() + dimensions};
}

// The column of the token when the expression stands on the line that the position names.
void add_expression_error(const ExpressionError &error, const std::string &text, const std::string &hint,
                          const SampledPlace &place, ProblemFindings &findings) {
    TextPosition position = place.source.position;
    const auto start = static_cast<std::size_t>(std::max(position.column - 1, 0));
    const std::size_t found = findings.source_line(position).find(text, start);
    if (error.offset() >= 0 && found != std::string::npos && !text.empty()) {
        position.column = static_cast<int>(found) + error.offset() + 1;
    }
    std::string message = fmt::format("{}: expression '{}': {}", place.key, shorten(text), error.what());
    if (!hint.empty()) {
        message += "; " + hint;
    }
    findings.add(ExitCode::case_or_usage, position, message);
}

std::string spatial_hint(const std::string &token, int dimensions) {
    if (token == "t") {
        return "values may only be scaled in time: give the part in t as 'factor' beside the expression";
    }
    if (token == "z" && dimensions == 2) {
        return "a 2D grid has x and y only";
    }
    if (token.empty() || std::isalpha(static_cast<unsigned char>(token[0])) == 0) {
        return {};
    }
    return fmt::format("an expression knows {}, pi and e", fmt::join(spatial_variables(dimensions), ", "));
}

/// At all points, by all cores. muParser's bulk mode has the same bits, but Debian's library begins a team of OpenMP threads in each
/// call, which wait busily for the next one.
LargeVector<double> evaluate(const std::string &text, const SamplePoints &points) {
    const std::vector<double> &x = points.coordinates[0], &y = points.coordinates[1],
                              &z = points.coordinates[2];
    const auto variables = spatial_variables(points.dimensions);
    const auto width = static_cast<std::int64_t>(x.size());
    const auto rows = static_cast<std::int64_t>(y.size() * z.size());
    constexpr std::int64_t values_per_task = 1 << 12;
    const std::int64_t rows_per_task = std::max<std::int64_t>(1, values_per_task / width);
    std::vector<Expression> of_threads;
    for (std::int64_t i = 0; i < threads_for(points.count()); ++i) {
        of_threads.emplace_back(text, variables);
    }
    LargeVector<double> values(static_cast<std::size_t>(points.count()));
    const auto evaluate_rows = [&](std::int64_t task, std::int64_t thread) {
        for (std::int64_t row = task * rows_per_task; row < std::min(rows, (task + 1) * rows_per_task);
             ++row) {
            const std::array<double, 2> others{y[row % y.size()], z[row / y.size()]};
            of_threads[thread].along_first(x, std::span(others).first(variables.size() - 1),
                                           values.data() + row * width);
        }
    };
    share_out((rows + rows_per_task - 1) / rows_per_task, threads_for(points.count()), evaluate_rows);
    return values;
}

std::optional<Samples> sample_expression(const SampledPlace &place, ProblemFindings &findings) {
    const int dimensions = place.points.dimensions;
    const std::string &text = place.source.expression;
    try {
        Expression expression(text, spatial_variables(dimensions));
        if (expression.constant()) {
            return Samples{{expression(std::vector<double>(dimensions, 0.0))}};
        }
        return Samples{evaluate(text, place.points)};
    } catch (const ExpressionError &error) {
        add_expression_error(error, text, spatial_hint(error.token(), dimensions), place, findings);
        return std::nullopt;
    }
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

Unacceptable find_unacceptable(const LargeVector<double> &values, bool (*acceptable)(double)) {
    std::mutex lock;
    Unacceptable all;
    in_parallel(static_cast<std::int64_t>(values.size()), [&](std::int64_t begin, std::int64_t end) {
        Unacceptable here;
        for (std::int64_t i = begin; i < end; ++i) {
            if (!acceptable(values[i])) {
                here.first = here.count++ == 0 ? i : here.first;
            }
        }
        const std::lock_guard hold(lock);
        all = {all.count + here.count, std::min(all.first, here.first)};
    });
    return all;
}

}  // namespace

bool check_values(const Samples &samples, const SampledPlace &place, const std::string &expected,
                  bool (*acceptable)(double), ProblemFindings &findings) {
    const auto [count, index] = find_unacceptable(samples.values, acceptable);
    if (count == 0) {
        return true;
    }
    const double first = samples.values[index];
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
        message += fmt::format(" and not acceptable at {} more", others);
    }
    findings.add(ExitCode::bad_input, place.source.position, message);
    return false;
}

void check_time_factor(const SampledPlace &place, ProblemFindings &findings) {
    if (place.source.time_factor.empty()) {
        return;
    }
    try {
        Expression(place.source.time_factor, {"t"});
    } catch (const ExpressionError &error) {
        add_expression_error(error, place.source.time_factor, "a factor knows t, pi and e", place, findings);
    }
}

}  // namespace perdure
