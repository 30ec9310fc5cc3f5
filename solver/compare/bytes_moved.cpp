#include "solver/compare/bytes_moved.hpp"

#include "solver/run/direct_steps.hpp"

namespace perdure::compare {

ProblemTraits traits_of(const run_parameters_t &parameters, const Config &config,
                        const hierarchy_t *hierarchy) {
    const MultigridConfig &multigrid = config.solver.multigrid;
    const bool direct = hierarchy != nullptr && hierarchy->transformed != 0;
    const bool at_once = direct && hierarchy->levels == 1;
    return {static_cast<int>(parameters.dimensions),
            static_cast<int>(parameters.factors),
            parameters.uniform == 0,
            parameters.convective != 0,
            config.execution.precision == Precision::mixed,
            multigrid.cycle == Cycle::v && multigrid.smoother == Smoother::chebyshev &&
                multigrid.sweeps == 2 && (!direct || at_once),
            at_once ? static_cast<int>(direct_steps(*hierarchy, false).size()) : 0,
            parameters.from_zero != 0};
}

ValuesMoved values_moved(const std::string &kernel, const ProblemTraits &traits) {
    const int conductances = (traits.convective ? 2 : 1) * traits.dimensions;
    const int with_inverse = traits.variable ? 2 + conductances : 0;  // diagonal, its inverse, conductances
    if (kernel == "jacobi") {
        return {3 + with_inverse, 3 + with_inverse};  // read u, b, write u
    }
    if (kernel == "chebyshev") {
        return {4 + with_inverse, 3 + with_inverse};  // read u(n), u(n-1), b, write u
    }
    if (kernel == "heat") {
        const int read = traits.variable ? 1 + conductances : 0;
        return {3 + traits.factors + read, 3 + traits.factors + read};  // read u, every b, write u
    }
    if (kernel == "cg") {
        // direction: read r, p, x, write p, x; update: read r, p, write r; with q: written, and read instead of p
        const int with_q = traits.variable ? 1 : 0;
        return {8 + 2 * with_q + with_inverse, 4 + with_q + with_inverse};
    }
    if (traits.direct_steps > 0 && !traits.mixed) {  // in one iteration, with both residuals
        const int solve = 2 * traits.direct_steps + (traits.from_zero ? 0 : 2);
        return kernel == "multigrid" ? ValuesMoved{5 + solve, 4} : ValuesMoved{15 + solve, 7};
    }
    if (!traits.usual_cycle && (kernel == "cg_multigrid" || kernel == "multigrid")) {
        return {};  // headers count the usual one alone
    }
    if (kernel == "cg_multigrid" && traits.mixed) {  // half of what cycles move, and b written beside r
        return {traits.dimensions == 3 ? 16 + (traits.variable ? 18 : 0) : 17 + (traits.variable ? 16 : 0),
                9 + with_inverse + (traits.variable ? (3 + conductances + 1) / 2 : 0)};
    }
    if (kernel == "cg_multigrid") {
        // level 0 of a V-cycle, 20 and the restricted field, and in 3D a seventh as many cells with 12 each
        return {traits.dimensions == 3 ? 22 + (traits.variable ? 31 : 0) : 25 + (traits.variable ? 28 : 0),
                11 + with_inverse};
    }
    if (kernel == "multigrid") {  // advance: read z, r, x, write r, x; and the cycle as above
        return {traits.dimensions == 3 ? 19 + (traits.variable ? 31 : 0) : 22 + (traits.variable ? 28 : 0),
                5 + with_inverse};
    }
    if (kernel == "sor") {
        return {6 + 2 * with_inverse, 2 + with_inverse};  // read u, b, write u, in both sweeps
    }
    if (kernel == "bicgstab") {
        return {13 + 2 * with_inverse,
                8 + with_inverse};  // x, r, s, t, p, v (two copies each), in two phases
    }
    return {};
}

}  // namespace perdure::compare
