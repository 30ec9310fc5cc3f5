// The coefficients of all levels whose coefficients are tables, made on the host by the text of the kernels.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/multigrid/hierarchy.h"

namespace perdure {

/// The operator of level 0 by boundary position.
template <typename Cycle>
struct FinestTables {
    std::vector<Cycle> diagonal, inverse_diagonal;
    std::array<std::vector<Cycle>, 3> face;
};

/// `tables` has the sides of level 0; all other levels that are uniform, their weights and the coarsest inverse are made, or
/// the eigenvalues of a coarsest level that is solved directly, with what its transforms read. Returns the waves of modes
/// that products need, axis after axis; the hierarchy is told which axes have modes in common.
std::vector<wave_t> fill_tables(hierarchy_t &hierarchy, FinestTables<float> &finest,
                                std::vector<float> &tables, std::vector<std::uint32_t> &places);
std::vector<wave_t> fill_tables(hierarchy_t &hierarchy, FinestTables<double> &finest,
                                std::vector<double> &tables, std::vector<std::uint32_t> &places);

}  // namespace perdure
