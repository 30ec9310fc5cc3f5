#include "solver/measure/compare/timed_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "kernels/run.h"

#include "solver/run/upload_segments.hpp"
#include "solver/run/work_done.hpp"
namespace perdure::compare {
namespace {

bool only_zeros(const KernelBuffer &buffer) {
    const auto *const bytes = static_cast<const std::uint8_t *>(buffer.initial);
    return bytes == nullptr ||
           std::all_of(bytes, bytes + buffer.bytes, [](std::uint8_t byte) { return byte == 0; });
}

constexpr double rounding_margin = 10.0;

template <typename Value>
bool same_bits(const Value &one, const Value &other) {
    return std::memcmp(&one, &other, sizeof one) == 0;
}

bool same_norm(double one, double other, double bound) {
    return same_bits(one, other) || bound == std::numeric_limits<double>::infinity() ||
           std::abs(one - other) <= bound * std::abs(other);
}

std::string cell_words(const Grid &grid, std::int64_t cell) {
    const std::int64_t x = cell % grid.cells[0];
    const std::int64_t y = cell / grid.cells[0] % grid.cells[1];
    return grid.dimensions == 3
               ? fmt::format("(z {}, y {}, x {})", cell / (grid.cells[0] * grid.cells[1]), y, x)
               : fmt::format("(y {}, x {})", y, x);
}

template <typename Real>
std::string field_difference(const std::string &name, const LargeVector<Real> &found,
                             const LargeVector<Real> &expected, const std::string &by, const Grid &grid) {
    if (found.size() == expected.size() &&
        std::memcmp(found.data(), expected.data(), found.size() * sizeof(Real)) == 0) {
        return {};
    }
    std::size_t first = found.size();
    std::size_t count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!same_bits(found[i], expected[i])) {
            first = std::min(first, i);
            ++count;
        }
    }
    return fmt::format("field {} differs at cell {}: {} instead of {} by {}; it differs in {} of {} cells",
                       name, cell_words(grid, static_cast<std::int64_t>(first)), found[first],
                       expected[first], by, count, found.size());
}

template <typename Real>
std::string field_beyond_bound(const AnsweredField<Real> &found, const AnsweredField<Real> &expected,
                               const std::string &by) {
    double apart = 0.0;
    double norm = 0.0;
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
        const double difference = static_cast<double>(found.values[i]) - expected.values[i];
        apart += difference * difference;
        norm += static_cast<double>(expected.values[i]) * expected.values[i];
    }
    if (std::sqrt(apart) <= field_bound<Real> * std::sqrt(norm)) {
        return {};
    }
    return fmt::format("field {} differs by {:.2g} of its norm from the field by {}; the bound is {:.0e}",
                       expected.name, std::sqrt(apart / norm), by, field_bound<Real>);
}

/// One segment of equal steps.
std::vector<TimeSegment> one_segment(const Config &config, const Method &method,
                                     const std::vector<double> &of_explicit_euler, std::uint32_t steps) {
    if (!method.in_time) {
        return {};
    }
    const double step = choose_time_step(config, of_explicit_euler);
    std::vector<TimeSegment> segments{
        {.steps = steps, .end_time = step * steps, .step = step, .last_step = step}};
    set_stages(config, of_explicit_euler.front(), segments);
    return segments;
}

}  // namespace

std::string difference(const run_state_t &found, const run_state_t &expected, const std::string &by,
                       double norm_bound) {
    if (work_done(found) != work_done(expected) || found.control.stop != expected.control.stop) {
        return fmt::format(
            "it ended after {} iterations with stop reason {}, but {} ended after {} with stop reason {}",
            work_done(found), found.control.stop, by, work_done(expected), expected.control.stop);
    }
    if (!same_norm(last_norm(found), last_norm(expected), norm_bound)) {
        return fmt::format("last norm {} instead of {} by {}", last_norm(found), last_norm(expected), by);
    }
    return {};
}

template <typename Real>
std::string difference(const Answer<Real> &found, const Answer<Real> &expected, const std::string &by,
                       const Grid &grid, double norm_bound) {
    for (std::size_t i = 0; i < expected.fields.size(); ++i) {
        const AnsweredField<Real> &field = expected.fields[i];
        const std::string differs =
            field_difference(field.name, found.fields.at(i).values, field.values, by, grid);
        if (!differs.empty()) {
            return differs;
        }
    }
    const std::size_t common = std::min(found.history.size(), expected.history.size());
    for (std::size_t i = 0; i < common; i += 2) {
        if (!same_bits(found.history[i], expected.history[i]) ||
            !same_norm(found.history[i + 1], expected.history[i + 1], norm_bound)) {
            return fmt::format("history differs at entry {}: {} at iteration {} instead of {} at {} by {}",
                               i / 2, found.history[i + 1], found.history[i], expected.history[i + 1],
                               expected.history[i], by);
        }
    }
    if (found.history.size() != expected.history.size()) {
        return fmt::format("history has {} entries instead of {} by {}", found.history.size() / 2,
                           expected.history.size() / 2, by);
    }
    return difference(found.state, expected.state, by, norm_bound);
}

template <typename Real>
std::string difference_beyond_bound(const Answer<Real> &found, const Answer<Real> &expected,
                                    const std::string &by) {
    const std::string ends =
        difference(found.state, expected.state, by, std::numeric_limits<double>::infinity());
    if (!ends.empty()) {
        return ends;
    }
    for (std::size_t i = 0; i < expected.fields.size(); ++i) {
        const std::string apart = field_beyond_bound(found.fields.at(i), expected.fields[i], by);
        if (!apart.empty()) {
            return apart;
        }
    }
    const double most =
        2.0 * expected.state.solve.residual + rounding_margin * expected.state.solve.accuracy_floor;
    if (!(found.state.solve.residual <= most)) {
        return fmt::format("true residual {:.3g} after {} iterations instead of {:.3g} by {}",
                           found.state.solve.residual, work_done(found.state), expected.state.solve.residual,
                           by);
    }
    return {};
}

template <typename Real>
TimedRun<Real>::TimedRun(const Config &config, const Problem &problem, const std::vector<ActiveCells> &cells,
                         const LaunchPlan &plan, Device &device, std::uint32_t most_iterations)
    : plan_(plan), config_(config) {
    config_.solver.rtol = 0.0;
    config_.solver.atol = 0.0;
    config_.solver.max_iterations = most_iterations;
    config_.solver.check_every = 1;
    std::vector<Discretisation<Real>> fields = discretise<Real>(problem, cells, plan.by_labels);
    segments_ = one_segment(config_, *plan_.method, stable_time_steps(fields), most_iterations);
    memory_ = std::make_unique<RunMemory<Real>>(config_, problem.grid, problem.fields, cells, plan_,
                                                std::move(fields), segments_, problem.coefficients);
    call_ = memory_->call();
    for (std::size_t i = 0; i < problem.fields.size(); ++i) {
        names_.push_back(problem.fields[i].name);
        const std::size_t place = memory_->initial_buffer(i);
        initial_[place] = only_zeros(call_.buffers[place]);
    }
    partials_ = call_.place_of("partials");
    times_place_ = MAX_SUMS * sizeof(sum_t) * memory_->parameters().chunks;
    std::size_t &partials = call_.buffers[partials_].bytes;
    partials = std::max(partials, times_place_ + static_cast<std::size_t>(plan_.shape.groups) * TIMES_WORDS *
                                                     sizeof(std::uint64_t));
    run_ = device.prepare(call_, plan_.shape);
    if (!segments_.empty()) {
        upload_segments<Real>(*memory_, segments_, std::numeric_limits<std::uint32_t>::max(), call_, *run_);
    }
}

template <typename Real>
run_parameters_t TimedRun<Real>::parameters(std::uint32_t iterations, std::uint32_t &last) const {
    if (segments_.empty()) {
        last = std::numeric_limits<std::uint32_t>::max();
        run_parameters_t parameters = memory_->parameters();
        parameters.max_iterations = iterations;
        return parameters;
    }
    TimeSegment segment = segments_.front();
    segment.steps = iterations;
    last = iterations * (segment.stages > 0 ? segment.stages
                                            : static_cast<std::uint32_t>(plan_.method->phases_per_iteration));
    run_parameters_t parameters = memory_->segment_parameters(segment);
    parameters.max_iterations = iterations;
    return parameters;
}

template <typename Real>
ProblemTraits TimedRun<Real>::traits() const {
    return traits_of(memory_->parameters(), config_, memory_->hierarchy(), plan_.by_labels);
}

template <typename Real>
void TimedRun<Real>::reset(Extent extent) {
    for (std::size_t i = 0; i < call_.buffers.size(); ++i) {
        const KernelBuffer &buffer = call_.buffers[i];
        const bool words = i == buffer_control || i == buffer_sync || (instrumented_ && i == partials_);
        const bool scratch = buffer.initial == nullptr && buffer.name != "factor_table";
        const auto initial = initial_.find(i);
        const bool begins_anew = initial != initial_.end() && extent != Extent::state;
        if (i == buffer_state || (begins_anew && !initial->second)) {
            run_->write(i, buffer.initial, buffer.bytes);
        } else if (words || begins_anew || (scratch && extent == Extent::all)) {
            run_->clear(i, buffer.bytes);
        }
    }
}

template <typename Real>
Answer<Real> TimedRun<Real>::answer(const run_state_t &state) {
    Answer<Real> answer;
    answer.state = state;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        LargeVector<Real> values(memory_->parameters().cells);
        run_->read(memory_->answer_buffer(state, i), values.data(), values.size() * sizeof(Real),
                   memory_->answer_offset(i));
        answer.fields.push_back({names_[i], std::move(values)});
    }
    std::vector<std::array<double, 3>> entries(state.control.history_length);
    if (!entries.empty()) {
        run_->read(call_.place_of("history"), entries.data(), entries.size() * sizeof entries[0]);
    }
    for (const auto &entry : entries) {
        answer.history.insert(answer.history.end(), {entry[0], entry[1]});
    }
    return answer;
}

template <typename Real>
bool TimedRun<Real>::instrument(bool on) {
    const bool done = run_->instrument(on);
    instrumented_ = on && done;
    return done;
}

template <typename Real>
std::vector<std::uint64_t> TimedRun<Real>::part_times() {
    std::vector<std::uint64_t> times(static_cast<std::size_t>(plan_.shape.groups) * TIMES_WORDS);
    run_->read(partials_, times.data(), times.size() * sizeof(std::uint64_t), times_place_);
    return times;
}

template class TimedRun<float>;
template class TimedRun<double>;
template std::string difference(const Answer<float> &, const Answer<float> &, const std::string &,
                                const Grid &, double);
template std::string difference_beyond_bound(const Answer<float> &, const Answer<float> &,
                                             const std::string &);
template std::string difference_beyond_bound(const Answer<double> &, const Answer<double> &,
                                             const std::string &);
template std::string difference(const Answer<double> &, const Answer<double> &, const std::string &,
                                const Grid &, double);

}  // namespace perdure::compare
