#include <array>
#include <span>
#include <string>
#include <string_view>

#include "kernels/system_fields.h"
#include "solver/integrators/implicit_rules.hpp"
#include "solver/integrators/integrator.hpp"
#include "solver/reference/reference.hpp"

namespace perdure {
namespace {

constexpr std::array newton_fields{RUN_KERNEL_FIELDS(MARKED_SYSTEM_FIELDS)};
/// What steps that remember no field leave empty, and what all of them do.
constexpr std::array<std::string_view, 3> left_empty{"u_odd", "stage_values_even", "stage_values_odd"};
constexpr int slots = 9;  // of kernels/newton_formulas.h; one more where rates are divided

/// Of one field, without the linear iterations of its solve, whose number depends on the step: the known side, two residuals, an update.
ValuesMoved moved_by_newton(const ProblemTraits & /*traits*/) {
    return {2 + 2 * 5 + 3, 8};
}

/// An integrator with what makes it implicit.
struct NewtonSteps {
    TimeIntegrator word;
    int order;
    const char *title;
    ImplicitRule rule;
    reference::Answers (*reference)(const Problem &problem, const std::vector<double> &steps);
};

constexpr NewtonSteps newton_backward_euler{TimeIntegrator::backward_euler, 1,
                                            "backward Euler, Newton-Krylov", backward_euler_rule,
                                            reference::step_system_backward_euler};
constexpr NewtonSteps newton_crank_nicolson{TimeIntegrator::crank_nicolson, 2,
                                            "Crank-Nicolson, Newton-Krylov", crank_nicolson_rule,
                                            reference::step_system_crank_nicolson};
constexpr NewtonSteps newton_bdf2{TimeIntegrator::bdf2, 2, "BDF2, Newton-Krylov", bdf2_rule,
                                  reference::step_system_bdf2};

constexpr NewtonSteps newton_imex{TimeIntegrator::imex, 2, "semi-implicit BDF2, Newton-Krylov", imex_rule,
                                  reference::step_system_imex};

std::string advice_for_newton(const Config & /*config*/) {
    return "a smaller time.dt, so that each step begins closer to its solution, or a larger "
           "solver.max_iterations";
}

template <const NewtonSteps &steps>
SystemSteps steps_of_rule(const Config & /*config*/) {
    return {.tableau = {}, .implicit = &steps.rule};
}

template <const NewtonSteps &steps>
Integrator integrator_by_newton() {
    static const Method method{
        .name = "newton",
        .title = steps.title,
        .kernel = "newton",
        .fields = newton_fields,
        .unused = std::span(left_empty).subspan(steps.rule.remembers ? 1 : 0),
        .solver = SolverMethod::bicgstab,
        .implicit = &steps.rule,
        .in_time = true,
        .source_time = 1.0,
        .reference = steps.reference,
        .rates_kept = slots + (steps.rule.divides ? 1 : 0),
        .values_moved = moved_by_newton,
        .no_resident = "there is no resident kernel of implicit steps",
        .advice = advice_for_newton,
    };
    return {
        .equation = ProblemType::system,
        .word = steps.word,
        .order = steps.order,
        .stages = 1,
        .stable_time_step = steps.rule.divides ? step_of_system : no_limit_of_steps,
        .method = method,
        .steps_of_system = steps_of_rule<steps>,
    };
}

}  // namespace

extern const Integrator system_backward_euler, system_crank_nicolson, system_bdf2, system_imex;
const Integrator system_backward_euler = integrator_by_newton<newton_backward_euler>();
const Integrator system_crank_nicolson = integrator_by_newton<newton_crank_nicolson>();
const Integrator system_bdf2 = integrator_by_newton<newton_bdf2>();
const Integrator system_imex = integrator_by_newton<newton_imex>();

}  // namespace perdure
