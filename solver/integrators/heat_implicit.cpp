#include <array>
#include <string_view>

#include "kernels/implicit_cg_fields.h"
#include "kernels/implicit_multigrid_fields.h"
#include "solver/integrators/implicit_rules.hpp"
#include "solver/integrators/integrator.hpp"
#include "solver/reference/reference.hpp"

namespace perdure {
namespace {

constexpr std::array fields_with_cg{RUN_KERNEL_FIELDS(IMPLICIT_CG_FIELDS)};
constexpr std::array fields_with_multigrid{RUN_KERNEL_FIELDS(IMPLICIT_MULTIGRID_FIELDS)};
/// What steps that are not extrapolated, and methods without gradients, leave empty.
constexpr std::array<std::string_view, 5> sometimes_empty{"before", "earlier", "r_odd", "q", "p"};

/// Without the iterations of its solve, whose number depends on the step: the right side reads u, b and every source and writes b, the
/// first guess reads and writes u and the two fields before it, the residual reads u and b and writes r.
ValuesMoved moved_by_implicit_step(const ProblemTraits &traits) {
    const int coefficients = traits.operator_with_inverse();
    return {13 + traits.factors + coefficients, 6 + traits.factors + coefficients};
}

/// An integrator with the methods that solve its steps.
struct ImplicitSteps {
    TimeIntegrator word;
    int order;
    const char *title;
    ImplicitRule rule;
    reference::Answers (*reference)(const Problem &problem, const std::vector<double> &steps);
};

constexpr ImplicitSteps backward_euler{TimeIntegrator::backward_euler, 1, "backward Euler",
                                       backward_euler_rule, reference::step_backward_euler};
constexpr ImplicitSteps crank_nicolson{TimeIntegrator::crank_nicolson, 2, "Crank-Nicolson",
                                       crank_nicolson_rule, reference::step_crank_nicolson};
constexpr ImplicitSteps bdf2{TimeIntegrator::bdf2, 2, "BDF2", bdf2_rule, reference::step_bdf2};

template <const ImplicitSteps &steps>
Method method_with(SolverMethod solver, const char *kernel, std::span<const KernelField> fields) {
    return {
        .name = kernel,
        .title = steps.title,
        .kernel = kernel,
        .fields = fields,
        .unused = std::span(sometimes_empty).first(steps.rule.damps ? 0 : 2),
        .solver = solver,
        .implicit = &steps.rule,
        .in_time = true,
        .source_time = 1.0,
        .reference = steps.reference,
        .values_moved = moved_by_implicit_step,
        .no_resident = "there is no resident kernel of implicit steps",
    };
}

template <const ImplicitSteps &steps>
Method with_cg() {
    Method method = method_with<steps>(SolverMethod::cg, "implicit_cg", fields_with_cg);
    method.may_be_unpreconditioned = true;
    return method;
}

template <const ImplicitSteps &steps>
Method with_multigrid(SolverMethod solver) {
    Method method = method_with<steps>(solver, "implicit_multigrid", fields_with_multigrid);
    method.has_cycles = true;
    method.cycles_precondition = solver == SolverMethod::cg;
    method.growth_of_iterations = 0;
    if (solver == SolverMethod::multigrid) {
        method.unused = std::span(sometimes_empty).subspan(steps.rule.damps ? 2 : 0);
    }
    return method;
}

template <const ImplicitSteps &steps>
Integrator integrator_of_steps() {
    static const Method by_cg = with_cg<steps>();
    static const Method by_cg_multigrid = with_multigrid<steps>(SolverMethod::cg);
    static const Method by_multigrid = with_multigrid<steps>(SolverMethod::multigrid);
    static const std::array<const Method *, 3> all{&by_cg, &by_cg_multigrid, &by_multigrid};
    return {
        .equation = ProblemType::heat,
        .word = steps.word,
        .order = steps.order,
        .stages = 1,
        .stable_time_step = no_limit_of_steps,
        .method = by_cg,
        .by_solver = all,
    };
}

}  // namespace

extern const Integrator heat_backward_euler, heat_crank_nicolson, heat_bdf2;
const Integrator heat_backward_euler = integrator_of_steps<backward_euler>();
const Integrator heat_crank_nicolson = integrator_of_steps<crank_nicolson>();
const Integrator heat_bdf2 = integrator_of_steps<bdf2>();

}  // namespace perdure
