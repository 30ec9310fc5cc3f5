// Chooses the number of iterations of the runs of a benchmark.
#pragma once

#include "solver/measure/compare/benchmark.hpp"

namespace perdure::compare {

/// How long a run lasts: `enough` seconds, up to `most` where that is fewer than a hundred iterations - the start and the end of a
/// run of cg (its first residual, the true one, the deferred update of x) take one and a half.
struct RunSeconds {
    double enough = 0.0;
    double most = 0.0;
};

/// As many iterations as last that long under the model that the others are compared with, starting
/// from `first`, so that models which launch check_every phases at once launch none in vain; or the number
/// that the task names. False when the benchmark has ended or nothing can run. Throws Failure(numerical) for a
/// case in which there is nothing to measure.
template <typename Real>
bool choose_length(Benchmark<Real> &benchmark, RunSeconds seconds, std::uint32_t first, RunLength &length);

extern template bool choose_length(Benchmark<float> &, RunSeconds, std::uint32_t, RunLength &);
extern template bool choose_length(Benchmark<double> &, RunSeconds, std::uint32_t, RunLength &);

}  // namespace perdure::compare
