/* Shapes of boxes (kernels/resident/box_3d.h) and their arrays in shared memory, for kernels and for the planner of
 * solver/resident. */
#ifndef PERDURE_KERNELS_RESIDENT_BOX_SHAPE_3D_H
#define PERDURE_KERNELS_RESIDENT_BOX_SHAPE_3D_H

#include "kernels/resident/tiling.h"
#include "kernels/run.h"

enum { LANES_OF_ROW = 8, BOX_COLUMNS = LANES_OF_ROW * COLUMNS, ROWS_OF_WARP = 32 / LANES_OF_ROW };

/* A lane has BY rows in each of BZ planes; the four rows of lanes of a warp lie along y, warps along z. */
template <typename Real, int WARPS, int BY, int BZ>
struct box_extents {
    static constexpr int32 warps = WARPS, rows_of_lane = BY, planes_of_lane = BZ;
    static constexpr int32 items = 32 * WARPS, height = ROWS_OF_WARP * BY, depth = WARPS * BZ;
    /* In shared memory the western and the eastern ghost of a row lie behind the row. */
    static constexpr int32 ghost_west = BOX_COLUMNS, ghost_east = BOX_COLUMNS + 1;
    static constexpr int32 row = BOX_COLUMNS + 16 / static_cast<int32>(sizeof(Real));
    static constexpr int32 plane = (height + 2) * row, cells = (depth + 2) * plane;
};
/* The two sizes of boxes. Large boxes of plain or sourced problems in float64 have half as many warps, whose items have twice the
 * registers. */
template <typename Real>
using small_box = box_extents<Real, 8, 2, 1>;
template <typename Real, bool VARIED>
using large_box =
    box_extents<Real, sizeof(Real) == 8 && !VARIED ? 4 : 8, 4, sizeof(Real) == 8 && !VARIED ? 4 : 2>;

template <typename Real, int CELLS>
struct box_arrays_t {
    Real cells[CELLS];
    entry_of<Real> entries[64];
    sum_t lanes[LANE_ROWS * LANES]; /* for checks */
};
/* Bytes of the position of a box and of constants of its problem, in addition to the arrays. */
#define BOX_CONSTANT_BYTES 320

#endif
