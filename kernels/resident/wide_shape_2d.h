/* Shapes of wide tiles (kernels/resident/wide_2d.h) and their arrays in shared memory, for kernels and for the planner of
 * solver/resident. */
#ifndef PERDURE_KERNELS_RESIDENT_WIDE_SHAPE_2D_H
#define PERDURE_KERNELS_RESIDENT_WIDE_SHAPE_2D_H

#include "kernels/resident/tiling.h"
#include "kernels/run.h"

/* Which terms other than u a uniform problem has in cells away from sides: none, a source that is the same in all of them, that and
 * a diagonal, or a source of each cell and a diagonal. */
enum wide_terms { NO_TERMS, CONSTANT_SOURCE, CONSTANT_TERMS, SOURCE_OF_CELL };
HOST_FUNCTION constexpr bool has_diagonal(wide_terms terms) {
    return terms == CONSTANT_TERMS || terms == SOURCE_OF_CELL;
}

/* The tile itself is in the middle. */
enum { TILES_AROUND = 9 };

/* The rows of a lane's columns that an exchange stores and loads: bit r is row r of the warp. */
struct rim_rows_t {
    uint32 sent, received;
};

/* Terms of cells at sides: of the window's first and last row, if they are at a side, and of its last column. */
template <typename Real, int R>
struct wide_side_arrays_t {
    enum { last_rows = (ON_CHIP_WARPS + 1) * R };
    Real diagonals[2][STRIP_COLUMNS], sources[2][STRIP_COLUMNS];
    Real last_diagonals[last_rows], last_sources[last_rows]; /* followed by those of cells away from sides */
};

/* Uniform coefficients: the arrays of a tile whose warps have R rows each. Arrays that lanes load 16 bytes at a time come first,
 * since they must be aligned. */
template <typename Real, int R, wide_terms TERMS>
struct wide_arrays_t {
    /* Rows of a warp that lie here because registers do not suffice. */
    static constexpr int middle_rows = sizeof(Real) == 8 && R > 8 ? R / 2 - 2 : 0;
    static constexpr int all_rows = middle_rows + (TERMS == SOURCE_OF_CELL ? R : 0);
    static constexpr int rows_of_warp = R;
    static constexpr int values_in_memory = 0; /* of a group, which it reads in every step */

    Real edges[2][ON_CHIP_WARPS][2][STRIP_COLUMNS];
    Real rows[ON_CHIP_WARPS][all_rows > 0 ? all_rows : 1][STRIP_COLUMNS]; /* of u, then of sources */
    Real scales[2][STRIP_COLUMNS];
    wide_side_arrays_t<Real, R> at_sides;
    sum_t lanes[LANE_ROWS * LANES]; /* for checks */
    rim_rows_t rim[ON_CHIP_ITEMS];
    int32 around[TILES_AROUND]; /* neighbour groups */
};

/* Rows of a warp in small and in large tiles that have sources or conductances of each cell in shared memory. */
template <typename Real>
struct wide_rows_with_arrays {
    enum { small = 6, large = sizeof(Real) == 8 ? 7 : 18 };
};

/* The conductances of one warp, contiguous, so that a lane addresses all of them from one base: of eastern faces, then of
 * southern faces of rows 1 .. The first southern row is also the northern row of the previous warp; a row of zeros follows the
 * last warp. */
template <typename Real, int R, int SOUTHS>
struct wide_varied_warp_t {
    Real first_south[STRIP_COLUMNS];
    Real edges[2][2][STRIP_COLUMNS];
    Real conductances[R + SOUTHS - 1][STRIP_COLUMNS];
};
template <typename Real, int R, int SOUTHS>
struct wide_varied_fields_t {
    wide_varied_warp_t<Real, R, SOUTHS> warps[ON_CHIP_WARPS];
    Real behind[STRIP_COLUMNS];
    wide_side_arrays_t<Real, R> at_sides;
    sum_t largest[LANES];
};
/* Varying coefficients: conductances of eastern faces, and of the southern faces of the first `souths` rows of a warp; those of
 * other rows lie in global memory. A check of heat needs only the last row of the reduction lanes, which lies behind the fields.
 * Phases, which take over if the field does not fit, need all of them. */
template <typename Real, int R>
struct wide_varied_arrays_t {
    static constexpr int souths = sizeof(Real) == 4 ? (R < 8 ? R : 4) : (R < 7 ? 2 : 1);
    static constexpr int rows_of_warp = R;
    static constexpr int values_in_memory = ON_CHIP_WARPS * (R - souths) * STRIP_COLUMNS;
    typedef wide_varied_fields_t<Real, R, souths> fields_t;
    struct checks_t {
        unsigned char before[sizeof(fields_t) - LANE_ROWS * LANES * sizeof(sum_t)];
        sum_t lanes[LANE_ROWS * LANES];
    };
    static_assert(LANE_MAX + 1u == LANE_ROWS);
    union {
        fields_t fields;
        checks_t checks;
    };
    rim_rows_t rim[ON_CHIP_ITEMS];
    int32 around[TILES_AROUND]; /* neighbour groups */
};

/* Bytes of the position of a tile and of constants of its problem, in addition to the arrays. */
#define WIDE_CONSTANT_BYTES 192

#endif
