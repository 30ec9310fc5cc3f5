#include <fmt/format.h>

#include <cmath>

#include "solver/case_file/yaml_tree.hpp"
#include "solver/problem/expression.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

std::vector<double> evaluate_time_factor(const std::string &expression, const std::vector<double> &times) {
    std::vector<double> values(times.size(), 1.0);
    if (expression.empty()) {
        return values;
    }
    try {
        Expression factor(expression, {"t"});
        for (std::size_t i = 0; i < times.size(); ++i) {
            values[i] = factor({&times[i], 1});
            if (!std::isfinite(values[i])) {
                throw Failure(
                    ExitCode::case_or_usage,
                    fmt::format("factor '{}' is {} at t = {}; it must be finite in every step",
                                shorten(expression), std::isnan(values[i]) ? "nan" : "infinite", times[i]));
            }
        }
    } catch (const ExpressionError &error) {
        throw Failure(ExitCode::case_or_usage, fmt::format("factor '{}': {}; a factor knows t, pi and e",
                                                           shorten(expression), error.what()));
    }
    return values;
}

}  // namespace perdure
