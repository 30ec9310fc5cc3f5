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

std::vector<double> step_times(const TimeSegment &segment, double part) {
    std::vector<double> times(segment.steps);
    for (std::uint32_t i = 0; i < segment.steps; ++i) {
        const double step = i + 1 == segment.steps ? segment.last_step : segment.step;
        times[i] = segment.start_time + i * segment.step + part * step;
    }
    return times;
}

}  // namespace perdure
