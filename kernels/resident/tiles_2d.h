/* Tiles of a 2D grid through which warp pipelines sweep (kernels/resident/pipeline_2d.h): strips of columns. Load balancing
 * divides their rows (kernels/resident/load_balance.h).
 *
 * A strip takes in WIDTH columns and does not own DEPTH of them at each end. At sides of the grid these would lie beyond it and
 * are left out, unless the own columns of narrow lanes are whole lines of memory: then they begin with one. The first cell of a
 * row must be a lane's first column, and the last cell a lane's last column. The last strip is therefore moved back, and the
 * strip before it owns fewer columns. If the sides of y are far from each other, rows next to them are segments of their own. */
#ifndef PERDURE_KERNELS_RESIDENT_TILES_2D_H
#define PERDURE_KERNELS_RESIDENT_TILES_2D_H

#include "kernels/grid.h"
#include "kernels/real_type.h"
#include "kernels/resident/load_balance.h"
#include "kernels/resident/pipeline_shape_2d.h"

/* Kinds of segments, as bits: rows next to sides of y, strips at sides of x. */
enum { INNER_ROWS = 0, ROWS_AT_Y = 1, ROWS_WITH_ENDS = 2, CORNERS = 3 };

template <bool UNIFORM>
struct strips_t {
    enum {
        LANE_COLUMNS = pipeline_config_t<UNIFORM>::LANE_COLUMNS,
        WIDTH = pipeline_config_t<UNIFORM>::WIDTH,
        DEPTH = PIPELINE_STEPS, /* columns and rows that a tile takes in on each side of its own */
        KINDS = CORNERS + 1,
        /* includes the start of a range, in lines, as measured */
        EXTRA_LINES = 3 * DEPTH + (sizeof(real_t) == 8 ? 22 : 6),
        OWN = WIDTH - 2 * DEPTH,
        RINGS_AT_SIDES = !UNIFORM && OWN * sizeof(real_t) % 128 == 0 ? 1 : 0,
        END = DEPTH + 1 /* rows of a segment at a side of y */
    };
    int32 nx, ny;
    uint32 rings; /* 1: strips have rings at sides of x too */
    int32 strips;
    uint32 ends; /* 1: the first and the last strip lie at sides of x */
    /* Segments of a strip that this device has: 1, and 1 for each side of y where these are not near each other. */
    int32 pieces;
    int32 at_y; /* ROWS_AT_Y if they are near each other */

    /* Whether the rows at a side of y are a segment of their own, and this device's. */
    FUNCTION_MEMBER bool has_bottom() const { return pieces > 1 && device_index() == 0u; }
    FUNCTION_MEMBER bool has_top() const { return pieces > 1 && device_index() + 1u == device_count(); }
    /* The rows between. */
    FUNCTION_MEMBER int32 begin_between() const {
        return has_bottom() ? static_cast<int32>(END)
                            : static_cast<int32>(first_of_device(static_cast<uint32>(ny)));
    }
    FUNCTION_MEMBER int32 end_between() const {
        return has_top() ? ny - END : static_cast<int32>(end_of_device(static_cast<uint32>(ny)));
    }
    FUNCTION_MEMBER int32 segments() const { return strips * pieces; }
    FUNCTION_MEMBER range_t segment(int32 index) const {
        const int32 strip = index / pieces, piece = index - strip * pieces;
        const bool at_x = ends != 0u && (strip == 0 || strip + 1 == strips);
        const int32 kind = at_x ? ROWS_WITH_ENDS : INNER_ROWS;
        if (has_bottom() && piece == 0) {
            return {strip, 0, END, kind | ROWS_AT_Y};
        }
        if (has_top() && piece + 1 == pieces) {
            return {strip, ny - END, ny, kind | ROWS_AT_Y};
        }
        return {strip, begin_between(), end_between(), kind | at_y};
    }
    FUNCTION_MEMBER int32 lines_of(int32 kind) const {
        return pieces > 1 && (kind & ROWS_AT_Y) != 0 ? static_cast<int32>(END)
                                                     : end_between() - begin_between();
    }
    /* Measured: tools/results/resident_log.md. */
    FUNCTION_MEMBER static int32 cost_of(int32 kind) {
        constexpr bool wide = sizeof(real_t) == 8;
        constexpr int32 uniform[] = {32, 42, wide ? 34 : 38, 50};
        constexpr int32 varied[] = {32, wide ? 40 : 41, wide ? 44 : 42, wide ? 44 : 42};
        return UNIFORM ? uniform[kind] : varied[kind];
    }
    /* Return the first column that a strip takes in; the first and the end of its own columns. */
    FUNCTION_MEMBER int32 column_of(int32 strip) const {
        const int32 back = nx - WIDTH + (rings ? DEPTH : 0);
        const int32 usual = strip * OWN - (rings ? DEPTH : 0);
        return strip + 1 == strips && nx >= WIDTH ? back : usual;
    }
    FUNCTION_MEMBER int32 begin_of(int32 strip) const { return strip == 0 ? 0 : column_of(strip) + DEPTH; }
    FUNCTION_MEMBER int32 end_of(int32 strip) const {
        const int32 usual = begin_of(strip) + (strip == 0 && !rings ? OWN + DEPTH : OWN);
        const int32 last = begin_of(strips - 1);
        return strip + 1 == strips ? nx : usual < last ? usual : last;
    }
};

template <bool UNIFORM>
FUNCTION strips_t<UNIFORM> make_strips(const run_parameters_t *grid) {
    strips_t<UNIFORM> made;
    made.nx = static_cast<int32>(grid->nx);
    made.ny = static_cast<int32>(grid->ny);
    made.rings = grid->periodic_x || made.RINGS_AT_SIDES ? 1u : 0u;
    made.strips = tiles_along(made.nx, made.OWN, made.rings ? 0 : made.DEPTH);
    made.ends = grid->periodic_x ? 0u : 1u;
    const bool far = grid->periodic_y ? made.ny > 1 : made.ny > 2 * made.END;
    const int32 sides = (device_index() == 0u ? 1 : 0) + (device_index() + 1u == device_count() ? 1 : 0);
    made.pieces = grid->periodic_y || !far ? 1 : 1 + sides;
    made.at_y = far ? 0 : ROWS_AT_Y;
    return made;
}

/* Rows first_row .. end_row - 1 of a tile, at step n. The same in all lanes except `own`. */
typedef struct {
    int32 first_row, end_row;
    uint32 n;
    uint32 own; /* bit j: this lane's column j is the tile's own */
} pipeline_tile_t;

/* The work of a pipeline: a range of rows and the first column of this lane. */
typedef struct {
    pipeline_tile_t tile;
    int32 column;
    int32 kind;     /* kind of segment */
    uint32 sourced; /* 1: there are sources or sigma away from sides */
} work_t;

template <bool UNIFORM>
FUNCTION work_t work_of(const strips_t<UNIFORM> &strips, const range_t &range, uint32 n, uint32 sourced) {
    const int32 begin = strips.begin_of(range.tile), end = strips.end_of(range.tile);
    work_t work;
    work.tile = {range.first, range.end, n, 0u};
    work.column = strips.column_of(range.tile) + lane_of_warp() * strips.LANE_COLUMNS;
#pragma unroll
    for (int j = 0; j < strips.LANE_COLUMNS; ++j) {
        const int32 x = work.column + j;
        work.tile.own |= x >= begin && x < end ? 1u << j : 0u;
    }
    work.kind = range.kind;
    work.sourced = sourced;
    return work;
}

#endif
