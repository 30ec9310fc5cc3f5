#include "solver/run/factors_in_time.hpp"

#include "solver/equations/equation.hpp"
#include "solver/problem/problem.hpp"
#include "solver/problem/problem_findings.hpp"

namespace perdure {

void check_time_factors(const Config &config, const std::vector<TimeSegment> &segments) {
    std::vector<const ValueSource *> sources;
    for (const auto &[key, value] : values_of(config)) {
        sources.push_back(value);
    }
    for (const SideConfig &side : config.sides) {
        sources.push_back(&side.values);
    }
    for (const ValueSource *source : sources) {
        if (source->time_factor.empty()) {
            continue;
        }
        for (const TimeSegment &segment : segments) {
            try {
                (void)factor_in_steps(source->time_factor, segment, method_of(config));
            } catch (const Failure &failure) {
                throw Failure(ExitCode::case_or_usage,
                              {ProblemFindings(config).make(Diagnostic::Severity::error, source->position,
                                                            failure.what())});
            }
        }
    }
}

std::vector<double> factor_in_steps(const std::string &expression, const TimeSegment &segment,
                                    const Method &method) {
    if (method.implicit == nullptr || !method.implicit->takes_mean_of_sources) {
        return evaluate_time_factor(expression, step_times(segment, method.source_time));
    }
    std::vector<double> mean = evaluate_time_factor(expression, step_times(segment, 0.0));
    const std::vector<double> at_ends = evaluate_time_factor(expression, step_times(segment, 1.0));
    for (std::size_t n = 0; n < mean.size(); ++n) {
        mean[n] = 0.5 * (mean[n] + at_ends[n]);
    }
    return mean;
}

std::vector<double> table_of_factors(const std::vector<std::string> &expressions,
                                     std::span<const TimeSegment> segments, const Method &method) {
    const std::size_t factors = expressions.size();
    if (factors == 0) {
        return {};
    }
    const std::uint32_t first = segments.front().first_step;
    std::vector<double> table(factors * (segments.back().end_step() - first));
    for (const TimeSegment &segment : segments) {
        const std::size_t begin = segment.first_step - first;
        for (std::size_t k = 0; k < factors; ++k) {
            const std::vector<double> g = factor_in_steps(expressions[k], segment, method);
            for (std::size_t n = 0; n < g.size(); ++n) {
                table[(begin + n) * factors + k] = g[n];
            }
        }
    }
    return table;
}

std::size_t rows_of_factors(std::size_t factors, const std::vector<TimeSegment> &segments, bool has_ring) {
    constexpr std::size_t most_factors = 1 << 20;
    const std::size_t least = most_steps_of_a_segment(segments);
    if (factors == 0) {
        return std::numeric_limits<std::size_t>::max();
    }
    return has_ring
               ? std::max(least, std::min<std::size_t>(segments.back().end_step(), most_factors / factors))
               : least;
}

std::vector<double> step_times(const TimeSegment &segment, double part) {
    std::vector<double> times(segment.steps);
    for (std::uint32_t i = 0; i < segment.steps; ++i) {
        const double step = i + 1 == segment.steps ? segment.last_step : segment.step;
        times[i] = segment.start_time + i * segment.step + part * step;
    }
    return times;
}

}  // namespace perdure
