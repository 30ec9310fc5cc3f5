#include "solver/methods/method.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "solver/equations/equation.hpp"
#include "solver/integrators/integrator.hpp"

namespace perdure {
namespace {

constexpr std::array solving_methods{&jacobi_method,       &chebyshev_method, &sor_method,     &cg_method,
                                     &cg_multigrid_method, &multigrid_method, &bicgstab_method};

}  // namespace

std::span<const Method *const> all_methods() {
    static const std::vector<const Method *> methods = [] {
        std::vector<const Method *> all(solving_methods.begin(), solving_methods.end());
        for (const Integrator *const integrator : all_integrators()) {
            if (integrator->by_solver.empty()) {
                all.push_back(&integrator->method);
            }
            all.insert(all.end(), integrator->by_solver.begin(), integrator->by_solver.end());
        }
        return all;
    }();
    return methods;
}

const Method &method_of(const Config &config) {
    std::span<const Method *const> choices = solving_methods;
    if (is_in_time(config)) {
        const Integrator &integrator = integrator_of(config);
        choices = integrator.by_solver;
        if (choices.empty()) {
            return integrator.method;
        }
    }
    const bool by_cycles = config.solver.preconditioner == Preconditioner::multigrid;
    const auto found = std::find_if(choices.begin(), choices.end(), [&](const Method *method) {
        return method->solver == config.solver.method && method->cycles_precondition == by_cycles;
    });
    if (found == choices.end()) {
        throw std::logic_error(
            "internal error: solver.method and solver.preconditioner of the case belong to no method");
    }
    return **found;
}

bool is_unpreconditioned(const Config &config) {
    return method_of(config).may_be_unpreconditioned && config.solver.preconditioner == Preconditioner::none;
}

}  // namespace perdure
