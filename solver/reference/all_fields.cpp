#include <functional>

#include "solver/reference/reference.hpp"

namespace perdure::reference {
namespace {

Answers for_each_field(const Problem &problem, const std::function<Answer(const Field &)> &find) {
    Answers answers;
    for (const Field &field : problem.fields) {
        answers.push_back(find(field));
        answers.back().field = field.name;
    }
    return answers;
}

}  // namespace

Answers solve_steady(const Problem &problem, const std::vector<double> & /*steps*/) {
    return for_each_field(problem, [&](const Field &field) { return solve_diffusion(problem.grid, field); });
}

Answers step_explicit_euler(const Problem &problem, const std::vector<double> &steps) {
    return for_each_field(problem, [&](const Field &field) {
        return step_heat(problem.grid, field, steps, problem.start_time);
    });
}

}  // namespace perdure::reference
