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
            all.push_back(&integrator->method);
        }
        return all;
    }();
    return methods;
}

const Method &method_of(const Config &config) {
    if (is_in_time(config)) {
        return integrator_of(config).method;
    }
    const bool by_cycles = config.solver.preconditioner == Preconditioner::multigrid;
    const auto *const found =
        std::find_if(solving_methods.begin(), solving_methods.end(), [&](const Method *method) {
            return method->solver == config.solver.method && method->cycles_precondition == by_cycles;
        });
    if (found == solving_methods.end()) {
        throw std::logic_error("solver.method and solver.preconditioner of a case belong to no method");
    }
    return **found;
}

bool is_unpreconditioned(const Config &config) {
    return method_of(config).may_be_unpreconditioned && config.solver.preconditioner == Preconditioner::none;
}

}  // namespace perdure
