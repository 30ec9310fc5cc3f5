// Stands in for the reference in the Python package (PERDURE_PYTHON_ALONE), in which nothing can ask for an independent answer.
#include "solver/failure.hpp"
#include "solver/reference/percolation.hpp"
#include "solver/reference/reference.hpp"

namespace perdure::reference {
namespace {

[[noreturn]] void refuse() {
    throw Failure(ExitCode::differs_or_internal,
                  "the Python package has no independent solutions; use the command `perdure verify`");
}

}  // namespace

Answers solve_steady(const Problem &, const std::vector<double> &) {
    refuse();
}
Answers step_explicit_euler(const Problem &, const std::vector<double> &) {
    refuse();
}
Answers step_backward_euler(const Problem &, const std::vector<double> &) {
    refuse();
}
Answers step_crank_nicolson(const Problem &, const std::vector<double> &) {
    refuse();
}
Answers step_bdf2(const Problem &, const std::vector<double> &) {
    refuse();
}
Answers step_wave(const Problem &, const std::vector<double> &) {
    refuse();
}
Answers step_system_of_problem(const Problem &, const std::string &, const std::vector<double> &) {
    refuse();
}
Answers step_system_backward_euler(const Problem &, const std::vector<double> &) {
    refuse();
}
Answers step_system_crank_nicolson(const Problem &, const std::vector<double> &) {
    refuse();
}
Answers step_system_bdf2(const Problem &, const std::vector<double> &) {
    refuse();
}
Answers step_system_imex(const Problem &, const std::vector<double> &) {
    refuse();
}
Answers step_rkl2_of_problem(const Problem &, int, const std::vector<double> &) {
    refuse();
}
Answers leapfrog_of_problem(const Problem &, const std::vector<std::size_t> &, const std::vector<double> &) {
    refuse();
}
Percolation flood(const Grid &, const MaterialImage &, int, ImageSides) {
    refuse();
}

}  // namespace perdure::reference
