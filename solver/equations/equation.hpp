// What problems are equations of: one descriptor for each `problem.type`. The rest of the program
// asks for their properties.
#pragma once

#include "solver/case_file/config.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

struct Equation {
    ProblemType type;  // of the problem that is solved: an image's is diffusion, once for each direction
    bool in_time;      // advanced step by step; else solved, by solver.method
    const char *unit;  // of what a run counts, with its article
    const char *article;
    const char *integrator;   // of one in time, for reports
    double agreement_single;  // of steps with the reference, relative, by precision; 0: as rtol allows
    double agreement_double;
};

const Equation &equation_of(ProblemType type);

inline bool is_in_time(const Config &config) {
    return equation_of(config.type).in_time;
}

inline bool is_in_time(const Problem &problem) {
    return equation_of(problem.type).in_time;
}

}  // namespace perdure
