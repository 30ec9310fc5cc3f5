// What problems are made of: one function for each word of the second column of PERDURE_EQUATIONS (solver/equations/list.hpp).
#pragma once

#include <vector>

#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem_findings.hpp"

namespace perdure {

/// Adds to `problem`, which has its grid, the fields of the case; and to `cells` those that each field takes part in, where the host
/// finds them. What is wrong goes to `findings`; then `cells` may be incomplete.
using ProblemMaker = void (*)(const Config &config, ProblemFindings &findings, Problem &problem,
                              std::vector<ActiveCells> &cells);

/// Fields whose terms are values: numbers, expressions, data.
void make_problem_of_values(const Config &config, ProblemFindings &findings, Problem &problem,
                            std::vector<ActiveCells> &cells);

/// Fields of a system of equations; a system steps every cell.
void make_problem_of_formulas(const Config &config, ProblemFindings &findings, Problem &problem,
                              std::vector<ActiveCells> &cells);

/// One field whose coefficient comes from a label image. The device finds its cells: solver/run/percolation.hpp.
void make_problem_of_image(const Config &config, ProblemFindings &findings, Problem &problem,
                           std::vector<ActiveCells> &cells);

}  // namespace perdure
