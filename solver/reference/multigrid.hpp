// Multigrid cycles, alone and as the preconditioner of conjugate gradients, step for step as kernels/cg_multigrid.h
// describes it, with matrices.
#pragma once

#include <vector>

#include "solver/problem/problem.hpp"

namespace perdure::reference {

struct MultigridIterations {
    std::vector<double> u;          // NaN in excluded cells; means pinned as solve_diffusion does
    std::vector<double> residuals;  // norms, the initial one first
    int levels = 0;
};

/// `iterations` iterations from field.initial.
MultigridIterations iterate_cg_multigrid(const Grid &grid, const Field &field, int iterations,
                                         const MultigridConfig &options = {});

/// The same number of cycles alone: method multigrid. A full start is the first of them.
MultigridIterations iterate_multigrid(const Grid &grid, const Field &field, int iterations,
                                      const MultigridConfig &options = {});

}  // namespace perdure::reference
