// An independent answer: matrices assembled from the sampled problem, solved by Eigen. Shares no arithmetic
// with kernels/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/problem/problem.hpp"

namespace perdure::reference {

/// A field (z, y, x order, NaN in excluded cells) and how it was found.
struct Answer {
    std::string field;  // its name
    std::vector<double> values;
    std::string solver;  // such as "sparse Cholesky (LDLT)" or "BiCGSTAB, diagonal preconditioner"
    double relative_residual = 0.0;
    std::int64_t unknowns = 0;
};

/// Steady diffusion: direct where small enough, else Eigen's conjugate gradients (with a velocity BiCGSTAB) to
/// 1e-13.
/// A domain where nothing fixes the level of u has its mean pinned to the mean of field.initial over active
/// cells.
Answer solve_diffusion(const Grid &grid, const Field &field);

/// Explicit Euler for one field, with the steps given: u(n+1) = u(n) + step[n] / c * (b(t_n) - A u(n)), t_0 = start.
Answer step_heat(const Grid &grid, const Field &field, const std::vector<double> &steps, double start = 0.0);

/// All fields of a problem in their order: what methods name as their reference (solver/methods/method.hpp).
using Answers = std::vector<Answer>;

/// solve_diffusion() for each field; without steps.
Answers solve_steady(const Problem &problem, const std::vector<double> &steps);

/// step_heat() for each field.
Answers step_explicit_euler(const Problem &problem, const std::vector<double> &steps);

/// c u' = b(t) - A u for each field by an implicit method on the steps given, each solved by sparse Cholesky; c: capacity.
/// backward_euler takes b and A u at the end of the step, crank_nicolson the mean of both ends, bdf2 the derivative at the end of the
/// parabola through the last three values, of the line through two in the first step.
Answers step_backward_euler(const Problem &problem, const std::vector<double> &steps);
Answers step_crank_nicolson(const Problem &problem, const std::vector<double> &steps);
Answers step_bdf2(const Problem &problem, const std::vector<double> &steps);

/// u'' = b(t) - A u - d u' of the fields u and v = u', d being sigma of v, by central differences in time on the steps given: u in the
/// middle of each, and between two middles  v(n) -> v(n+1)  with damping by the mean of both.
Answers step_wave(const Problem &problem, const std::vector<double> &steps);

/// step_system() (step_system.hpp) of problem.system by the Runge-Kutta method of that word of time.method.
Answers step_system_of_problem(const Problem &problem, const std::string &method,
                               const std::vector<double> &steps);

/// The same by implicit methods, each step by Newton's method with a dense matrix of differences of the rates,
/// kept while it is good enough; a method as
/// step_backward_euler() and those behind it take it.
Answers step_system_backward_euler(const Problem &problem, const std::vector<double> &steps);
Answers step_system_crank_nicolson(const Problem &problem, const std::vector<double> &steps);
Answers step_system_bdf2(const Problem &problem, const std::vector<double> &steps);
/// As bdf2 with the terms of the equations that problem.system names as implicit; the others where a line through their last two values,
/// in the first step their value at its beginning, is at the end of the step.
Answers step_system_imex(const Problem &problem, const std::vector<double> &steps);

/// The same by the Runge-Kutta-Legendre method of second order with so many stages.
Answers step_rkl2_of_problem(const Problem &problem, int stages, const std::vector<double> &steps);

/// step_system_leapfrog() (step_system.hpp) of problem.system: half a step of those fields, a whole one of the others, half a step.
Answers leapfrog_of_problem(const Problem &problem, const std::vector<std::size_t> &halves,
                            const std::vector<double> &steps);

}  // namespace perdure::reference
