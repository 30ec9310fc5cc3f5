#include "solver/measure/compare/run_length.hpp"

#include <algorithm>

#include "solver/run/work_done.hpp"

namespace perdure::compare {
namespace {

[[noreturn]] void nothing_to_measure(const std::string &why) {
    throw Failure(ExitCode::numerical, why);
}

/// Squares of a residual this much smaller than the first come near what a double can hold, and models that add their sums
/// in another order part there.
constexpr double smallest_residual = 1.0e-140;

constexpr double enough_iterations = 100.0;

/// Chooses more iterations, unless these are enough.
bool longer(const Timing &timing, RunSeconds seconds, std::uint32_t most, RunLength &length) {
    const run_state_t &state = timing.state;
    if (state.control.stop == STOP_NOT_FINITE || state.control.stop == STOP_DIVERGED) {
        nothing_to_measure("the case diverges, so there is nothing to compare");
    }
    if (work_done(state) == 0) {
        nothing_to_measure("the case is solved before its first iteration, so there is nothing to measure");
    }
    if (work_done(state) < length.iterations) {  // it came to the limit of accuracy
        length.iterations = std::max(1U, work_done(state) / 2);
        return false;
    }
    if (state.solve.recursive_residual > 0.0 &&
        state.solve.recursive_residual < smallest_residual * state.solve.initial_residual) {
        length.iterations = std::max(1U, length.iterations / 2);
        return false;
    }
    const double now = length.iterations;
    const double of_enough_iterations = enough_iterations / now * timing.seconds;
    const double wanted =
        std::clamp(of_enough_iterations, seconds.enough, std::max(seconds.enough, seconds.most));
    if (length.iterations == most || timing.seconds > 0.5 * wanted) {
        return false;
    }
    const double fitting = now * std::min(8.0, wanted / timing.seconds);
    length.iterations = static_cast<std::uint32_t>(std::clamp(fitting, now + 1.0, 1.0 * most));
    return true;
}

/// A run that ended within a batch of check_every phases would leave launches with nothing to do.
void fill_batches(const run_state_t &state, std::uint32_t most, RunLength &length) {
    const std::uint32_t per_iteration = std::max(1U, state.control.phases / work_done(state));
    const std::uint32_t others = state.control.phases - per_iteration * work_done(state);
    const std::uint32_t phases = per_iteration * length.iterations + others;
    const std::uint32_t wanted = phases / length.check_every * length.check_every;
    const std::uint32_t filled = wanted == 0 ? length.check_every : wanted;
    if (2 * phases >= length.check_every && filled > others + per_iteration) {
        length.iterations = std::min((filled - others) / per_iteration, most);
    }
}

}  // namespace

template <typename Real>
bool choose_length(Benchmark<Real> &benchmark, RunSeconds seconds, std::uint32_t first, RunLength &length) {
    const std::uint32_t most = benchmark.most_iterations();
    const bool named = benchmark.iterations_named();
    length.iterations = named ? most : std::min(first, most);
    bool warm = false;  // its first run may compile kernels
    for (;;) {
        Candidate<Real> *const compared = benchmark.reference();
        if (compared == nullptr) {
            return false;
        }
        if (!warm) {
            (void)benchmark.from_scratch(*compared, {std::min(first, most), length.check_every});
            warm = true;
            continue;
        }
        const auto timing = benchmark.from_scratch(*compared, length);
        if (benchmark.ended()) {
            return false;
        }
        if (timing && !longer(*timing, named ? RunSeconds{} : seconds, most, length)) {
            if (!named) {
                fill_batches(timing->state, most, length);
            }
            return true;
        }
    }
}

template bool choose_length(Benchmark<float> &, RunSeconds, std::uint32_t, RunLength &);
template bool choose_length(Benchmark<double> &, RunSeconds, std::uint32_t, RunLength &);

}  // namespace perdure::compare
