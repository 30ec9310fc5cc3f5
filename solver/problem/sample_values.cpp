#include "solver/problem/sample_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>
#include <thread>
#include <utility>

#include "solver/case_file/yaml_tree.hpp"
#include "solver/hdf5/read_dataset.hpp"
#include "solver/problem/expression.hpp"

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

void evaluate_rows(Expression expression, const SamplePoints &points, std::int64_t first_row,
                   std::int64_t end_row, std::vector<double> &values) {
    const auto &[x, y, z] = points.coordinates;
    for (std::int64_t row = first_row; row < end_row; ++row) {
        std::array<double, 3> position{0.0, y[row % y.size()], z[row / y.size()]};
        double *out = values.data() + row * x.size();
        for (const double coordinate : x) {
            position[0] = coordinate;
            *out++ = expression(std::span(position).first(points.dimensions));
        }
    }
}

std::vector<double> evaluate(const std::string &text, const SamplePoints &points) {
    const auto variables = spatial_variables(points.dimensions);
    std::vector<double> values(static_cast<std::size_t>(points.count()));
    const auto rows = static_cast<std::int64_t>(points.coordinates[1].size() * points.coordinates[2].size());
    constexpr std::int64_t values_per_thread = 1 << 16;
    const auto threads = std::clamp<std::int64_t>(points.count() / values_per_thread, 1,
                                                  std::max(1U, std::thread::hardware_concurrency()));
    std::vector<std::jthread> workers;
    for (std::int64_t i = 1; i < threads; ++i) {
        workers.emplace_back(evaluate_rows, Expression(text, variables), std::cref(points),
                             rows * i / threads, rows * (i + 1) / threads, std::ref(values));
    }
    evaluate_rows(Expression(text, variables), points, 0, rows / threads, values);
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

bool check_values(const Samples &samples, const SampledPlace &place, const std::string &expected,
                  const std::function<bool(double)> &acceptable, ProblemFindings &findings) {
    const auto &values = samples.values;
    const auto first = std::find_if_not(values.begin(), values.end(), acceptable);
    if (first == values.end()) {
        return true;
    }
    const auto index = static_cast<std::int64_t>(first - values.begin());
    const auto others = std::count_if(first + 1, values.end(), [&](double v) { return !acceptable(v); });
    std::string message = fmt::format("{} must be {}, but is {}", place.key, expected,
                                      std::isnan(*first) ? "nan" : fmt::format("{}", *first));
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
