/* Shapes of warp pipelines in 2D (kernels/resident/pipeline_2d.h) and their rows in shared memory, for kernels and for the planner
 * of solver/resident. */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_SHAPE_2D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_SHAPE_2D_H

#include "kernels/resident/tiling.h"

/* Uniform problems keep all terms of a step in registers, so their lanes are twice as wide: neighbouring columns of a lane need no
 * shuffle, and their latencies overlap. */
template <bool UNIFORM>
struct pipeline_config_t {
    static constexpr int LANE_COLUMNS = UNIFORM ? 8 : COLUMNS, WIDTH = 32 * LANE_COLUMNS;
    enum {
        STEPS_PER_STAGE = UNIFORM ? 4 : 2,
        STAGES = PIPELINE_STEPS / STEPS_PER_STAGE,
        ITEMS = 32 * STAGES,
        LAG = STEPS_PER_STAGE + 1 /* a row reaches each stage so many rows after the previous stage */
    };
};

/* Kinds of rows. */
enum { PIPELINE_U, PIPELINE_WEST, PIPELINE_SOUTH, PIPELINE_DIAGONAL, PIPELINE_SOURCE, PIPELINE_INVERSE };

/* Rows of a pipeline in shared memory. SCALED: the scale of a step varies with the coefficients (Jacobi). */
template <bool UNIFORM, bool SCALED>
struct pipeline_layout_t : pipeline_config_t<UNIFORM> {
    using pipeline_config_t<UNIFORM>::STAGES;
    enum {
        AHEAD = 3,
        SLOTS_OF_U = AHEAD + 1, /* a power of two */
        NEEDED = (STAGES - 1) * pipeline_config_t<UNIFORM>::LAG +
                 pipeline_config_t<UNIFORM>::STEPS_PER_STAGE + AHEAD + 1,
        /* A power of two if there is room, since slots then take fewer operations. */
        ROWS_OF_RING = UNIFORM ? 16 : NEEDED,
        KINDS = UNIFORM ? 2 : PIPELINE_INVERSE + (SCALED ? 1 : 0),
        FIRST_HANDED = SLOTS_OF_U + (KINDS - 1) * ROWS_OF_RING,
        TABLE = FIRST_HANDED + 2 * (STAGES - 1),
        ROWS = TABLE + (UNIFORM ? 1 : 0)
    };
};

/* Bytes of a group for the lanes of checks, assignments and parameters. */
#define PIPELINE_CHECK_BYTES 9728

#endif
