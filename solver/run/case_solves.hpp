// How prepared cases are solved: one CaseSolves for each word of the third column of PERDURE_EQUATIONS (solver/equations/list.hpp).
#pragma once

#include <functional>
#include <string>

#include "solver/run/run_case.hpp"
#include "solver/run/run_effective.hpp"

namespace perdure {

/// What receives the results of a run before its last solution.
struct ResultSink {
    SnapshotSink snapshot;
    FieldSink
        field;  // of a run that makes its fields one after the other; empty: they stay in the last solution
};

/// Is told the direction of a solve for which the case has been made ready; empty: the case is solved once.
using SolveVisitor = std::function<void(const std::string &direction)>;

struct CaseSolves {
    /// Runs the case to its last solution, and not again: run_once().
    Solution (*run)(PreparedCase &prepared, Progress::Style style, const ResultSink &sink);

    /// Makes the case ready for each of its solves in turn, for `visit` to make. What precedes the solves is made, and compared with
    /// the reference: the sentence that it returns says so, or nothing precedes them. Throws
    /// Failure(differs_or_internal) where it differs.
    std::string (*each)(PreparedCase &prepared, const SolveVisitor &visit);
};

extern const CaseSolves solves_at_once, solves_along_directions;

/// As the case's equation is solved.
const CaseSolves &solves_of(const Config &config);

inline Solution run_prepared(PreparedCase &prepared, Progress::Style style, const ResultSink &sink) {
    return solves_of(prepared.config).run(prepared, style, sink);
}

}  // namespace perdure
