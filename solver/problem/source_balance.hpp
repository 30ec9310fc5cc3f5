// Checks that all sources can be balanced, so that a steady state exists.
#pragma once

#include <vector>

#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"
#include "solver/problem/problem_findings.hpp"

namespace perdure {

/// Adds findings for sources and fluxes in solid cells, net sources in cut-off parts, sources that do not
/// balance where the mean is pinned, and a problem without any active cell. A sum counts as zero when it is
/// at most 1e-8 of the sum of magnitudes. Returns warnings: cut-off parts whose sources balance are left out
/// too.
std::vector<Diagnostic> check_sources(const Grid &grid, const Field &field, const ActiveCells &active,
                                      const Config &config, ProblemFindings &findings);

}  // namespace perdure
