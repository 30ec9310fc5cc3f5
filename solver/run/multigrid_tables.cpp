#include "solver/run/multigrid_tables.hpp"

#include <memory>

#include "kernels/common.h"

namespace perdure {
namespace {

#define PERDURE_PROGRAM "kernels/multigrid/cycle.h"
#include "solver/backends/both_precisions.hpp"

/// One group of one item, which is what the text is here, goes through the steps of the setup.
template <typename Multigrid, typename Team, typename Kept, typename Cycle>
void fill(const hierarchy_t &hierarchy, FinestTables<Cycle> &finest, std::vector<Cycle> &tables) {
    std::vector<sum_t> matrix(COARSEST_CELLS * COARSEST_CELLS);
    Multigrid self{};
    self.hierarchy = &hierarchy;
    self.tables = tables.data();
    self.arena = tables.data();  // where nothing is read or written
    self.diagonal = finest.diagonal.data();
    self.inverse_diagonal = finest.inverse_diagonal.data();
    self.face_x = finest.face[0].data();
    self.face_y = finest.face[1].data();
    self.face_z = finest.face[2].data();
    self.matrix = matrix.data();
    const auto kept = std::make_unique<Kept>();
    self.kept = kept.get();
    const Team alone{0, 1};
    const uint32 coarsest = hierarchy.levels - 1;
    for (uint32 level = 0; level < coarsest && hierarchy.level[level + 1].grid.uniform != 0; ++level) {
        coarsen_step(&self, level, alone);
        diagonal_step(&self, level, alone);
    }
    if (hierarchy.level[coarsest].grid.uniform != 0) {
        invert_step(&self, coarsest);
    }
}

}  // namespace

void fill_tables(const hierarchy_t &hierarchy, FinestTables<float> &finest, std::vector<float> &tables) {
    fill<float32::multigrid_t, float32::team_t, float32::kept_t>(hierarchy, finest, tables);
}
void fill_tables(const hierarchy_t &hierarchy, FinestTables<double> &finest, std::vector<double> &tables) {
    fill<float64::multigrid_t, float64::team_t, float64::kept_t>(hierarchy, finest, tables);
}

}  // namespace perdure
