// Measures one point of the sweep: every model runs the same iterations in turn, and the results are compared.
#pragma once

#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/measure/compare/compare.hpp"
#include "solver/measure/compare/watched_run.hpp"
#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"

namespace perdure::compare {

/// Who takes part: a model, and for persistent its barrier.
struct Contender {
    std::string name;
    ExecutionModel model = ExecutionModel::persistent;
    BarrierChoice barrier = BarrierChoice::automatic;
    bool refuse = false;  // what the device cannot run is refused; else it is left out and said
};

struct PointTask {
    Config config;  // grid and precision of the point
    const Problem &problem;
    const std::vector<ActiveCells> &cells;  // of each field
    Device &device;
    std::vector<Contender> contenders;
    int rounds = 7;
    std::int64_t iterations = 0;  // of each run; 0: as many as fill `run_seconds`, at most 50000
    Deadline deadline;
    bool bare_too = false;  // each run once more by itself, to see what the comparison adds
    double run_seconds = 0.1;
};

/// The point, incomplete (and perhaps without any round) when the deadline comes or a stop is asked for.
/// Throws Failure for what no candidate can run, and for one that was asked for and is refused.
Point measure_point(const PointTask &task);

}  // namespace perdure::compare
