/* Shapes of pipelines through planes (kernels/resident/pipeline_3d.h) and their arrays in shared memory, for kernels and for the
 * planner of solver/resident. */
#ifndef PERDURE_KERNELS_RESIDENT_PLANE_SHAPE_3D_H
#define PERDURE_KERNELS_RESIDENT_PLANE_SHAPE_3D_H

#include "kernels/resident/tiling.h"

constexpr int32 ROWS_3D = 4;  /* of a lane */
constexpr int32 WARPS_3D = 8; /* of a stage */
constexpr int32 STEPS_3D = 3; /* steps of a sweep, one a stage */
constexpr int32 TILE_COLUMNS = 64;
constexpr int32 ITEMS_OF_STAGE = 32 * WARPS_3D;
constexpr int32 ITEMS_3D = STEPS_3D * ITEMS_OF_STAGE;
/* Planes in excess of a range's own: STEPS_3D before and behind it, and those until the last stage receives its first plane. */
constexpr int32 EXTRA_PLANES = 3 * STEPS_3D - 1;
/* The start of a range, before its first plane arrives, takes as long as this number of planes. */
#define PLANES_OF_START 5

template <typename Real>
struct tile_shape_3d {
    static constexpr int32 columns_of_lane = 16 / static_cast<int32>(sizeof(Real));
    static constexpr int32 rows = ITEMS_OF_STAGE / (TILE_COLUMNS / columns_of_lane) * ROWS_3D;
    static constexpr int32 ring_x = divided_up(STEPS_3D, columns_of_lane) * columns_of_lane; /* whole lanes */
};
template <typename Real>
struct planes_arrays_t {
    enum { U_SLOTS = 3, B_SLOTS = 2 * STEPS_3D };
    typedef Real plane_t[tile_shape_3d<Real>::rows][TILE_COLUMNS];
    plane_t u[U_SLOTS];
    plane_t handed[STEPS_3D - 1][2];
    plane_t b[B_SLOTS];
};
/* Bytes of positions, tables and schedules, in addition to the arrays; bytes of a group for checks. */
#define PLANES_CONSTANT_BYTES(real_bytes) \
    (256u * (real_bytes) + ITEMS_OF_STAGE * (ROWS_3D + 16u / (real_bytes) + 1u) * 4u + 768u)
#define PLANES_CHECK_BYTES 8448

#endif
