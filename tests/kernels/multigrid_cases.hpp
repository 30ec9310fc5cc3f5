// How tests ask for multigrid.
#pragma once

#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests {

/// As the preconditioner of conjugate gradients, to 1e-10. Levels down to the smallest, none solved by transforms.
inline Case with_multigrid(const Problem &problem) {
    Case test_case;
    test_case.problem = problem;
    test_case.config.solver.preconditioner = Preconditioner::multigrid;
    test_case.config.solver.multigrid.direct_level = MultigridConfig::none;
    test_case.config.solver.check_every = 1;
    test_case.config.solver.rtol = 1.0e-10;
    test_case.config.solver.max_iterations = 100;
    return test_case;
}

struct MultigridOptions {
    SolverMethod method;
    MultigridConfig multigrid;
    std::int64_t most;  // iterations to 1e-10 for constant coefficients
};

/// As the options say.
inline Case with_options(const Problem &problem, const MultigridOptions &options) {
    Case test_case = with_multigrid(problem);
    test_case.config.solver.method = options.method;
    test_case.config.solver.multigrid = options.multigrid;
    test_case.config.solver.multigrid.direct_level = MultigridConfig::none;
    if (options.method == SolverMethod::multigrid) {
        test_case.config.solver.preconditioner = Preconditioner::none;
    }
    return test_case;
}

}  // namespace perdure::tests
