// The sweep of a comparison: which sizes, precisions and devices, in which order, and when it ends.
#pragma once

#include <functional>

#include "solver/measure/compare/measure_point.hpp"

namespace perdure::compare {

struct SweepOptions {
    std::vector<std::int64_t> sizes;      // cells along the longest side; empty: the case's own
    bool automatic_sizes = false;         // from the case's own downwards, then upwards, by factors of 2
    std::vector<Precision> precisions;    // empty: the case's own
    std::vector<BackendChoice> backends;  // empty: the case's own
    std::vector<Contender> contenders;
    int repetitions = 7;
    std::int64_t iterations = 0;  // of each run; 0: chosen at each point
    double run_seconds = 0.1;     // that they then fill
    double time_limit = 0.0;      // s; 0: none
};

/// Models and barriers that were asked for by name are refused where a device lacks them; all (empty lists) are left
/// out. `barriers`: of persistent; empty: the one that the case names or that was measured fastest.
std::vector<Contender> contenders(const std::vector<ExecutionModel> &models,
                                  const std::vector<BarrierChoice> &barriers, bool every_barrier,
                                  const Config &config);

/// Measures what `comparison` does not hold yet and adds it; `changed` is called after every point.
/// Throws Failure for what is refused; what was measured before is in `comparison`.
void sweep(const Config &config, const SweepOptions &options, Comparison &comparison,
           const std::function<void(const Point &)> &changed);

}  // namespace perdure::compare
