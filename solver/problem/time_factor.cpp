#include <fmt/format.h>

#include <cmath>

#include "solver/case_file/yaml_tree.hpp"
#include "solver/problem/expression.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

std::vector<double> evaluate_time_factor(const std::string &expression, const std::vector<double> &times) {
    if (expression.empty()) {
        return std::vector<double>(times.size(), 1.0);
    }
    std::vector<double> values = values_of_factor({expression, {}}, times);
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (!std::isfinite(values[i])) {
            throw Failure(
                ExitCode::case_or_usage,
                fmt::format("factor '{}' is {} at t = {}; it must be finite at every step",
                            shorten(expression), std::isnan(values[i]) ? "nan" : "infinite", times[i]));
        }
    }
    return values;
}

}  // namespace perdure
