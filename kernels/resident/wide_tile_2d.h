/* Position of a wide tile: a window of STRIP_COLUMNS columns and ON_CHIP_WARPS times R rows of the grid. The window holds the
 * tile's own cells and a ring of WIDE_RING cells around them. At a side that is not periodic there is no ring, and the window
 * begins or ends with the grid. If the tile owns fewer cells than there is room for, cells beyond the ring are computed and not
 * used.
 *
 * Tiles at the lower side of x count their columns from the right, so that a side of x is always at the last column. The stencil
 * is symmetric: fluxes across a face are each other's negative, and west + east = east + west. */
#ifndef PERDURE_KERNELS_RESIDENT_WIDE_TILE_2D_H
#define PERDURE_KERNELS_RESIDENT_WIDE_TILE_2D_H

#include "kernels/resident/on_chip_2d.h"
#include "kernels/resident/stepping.h"

/* A window along one axis: its position 0 is cell `first`; it owns positions begin .. end - 1. */
typedef struct {
    int32 first, begin, end;
    uint32 at_lower, at_upper;
} window_t;

/* Returns the first cell of a tile. The cells between the rings at the sides are divided evenly, in multiples of `together`. What
 * is left over goes to the first tile, or to the last one of a periodic axis. */
FUNCTION int32 first_of_tile(int32 cells, uint32 periodic, int32 together, int32 tile, int32 tiles) {
    if (tile == 0 || tile == tiles) {
        return tile == 0 ? 0 : cells;
    }
    if (periodic) {
        return tile * divided_up(cells, together) / tiles * together;
    }
    const int32 ring = WIDE_RING / together;
    return cells % together + (ring + tile * (cells / together - 2 * ring) / tiles) * together;
}

FUNCTION window_t make_window(uint32 cells_along, uint32 periodic, int32 length, int32 together, int32 tile,
                              int32 tiles) {
    const int32 cells = static_cast<int32>(cells_along);
    const int32 begin = first_of_tile(cells, periodic, together, tile, tiles);
    const int32 end = first_of_tile(cells, periodic, together, tile + 1, tiles);
    window_t window;
    window.at_lower = !periodic && tile == 0 ? 1u : 0u;
    window.at_upper = !periodic && tile + 1 == tiles ? 1u : 0u;
    window.first = window.at_lower ? 0 : window.at_upper ? cells - length : begin - WIDE_RING;
    window.begin = begin - window.first;
    window.end = end - window.first;
    return window;
}

FUNCTION bool lies_in(int32 index, int32 begin, int32 end) {
    return static_cast<uint32>(index - begin) < static_cast<uint32>(end - begin);
}

/* The columns of a lane: where they lie in a row of the grid, and which of them the tile owns. */
typedef struct {
    int32 x[COLUMNS];
    bool own[COLUMNS];
} lane_columns_t;

template <int R>
struct wide_tile_t {
    enum { rows = ON_CHIP_WARPS * R };
    uint32 nx, ny;
    window_t x, y;
    int32 column_0, column_step; /* where the window's column 0 lies; 1 or -1 */

    FUNCTION_MEMBER void begin(const run_parameters_t *grid) {
        nx = grid->nx;
        ny = grid->ny;
        const int32 tiles_x = wide_tiles_along(static_cast<int32>(nx), grid->periodic_x != 0u, STRIP_COLUMNS);
        const int32 tiles_y = static_cast<int32>(group_count()) / tiles_x;
        const int32 index = static_cast<int32>(group_index());
        x = make_window(nx, grid->periodic_x, STRIP_COLUMNS, COLUMNS, index % tiles_x, tiles_x);
        y = make_window(ny, grid->periodic_y, rows, 1, index / tiles_x, tiles_y);
        column_0 = x.first;
        column_step = 1;
        if (x.at_lower) {
            const int32 begin = STRIP_COLUMNS - x.end;
            x.end = STRIP_COLUMNS - x.begin;
            x.begin = begin;
            column_0 = STRIP_COLUMNS - 1;
            column_step = -1;
        }
    }
    FUNCTION_MEMBER uint32 side_x() const { return x.at_lower | x.at_upper; }
    /* Wraps an index around. A window reaches beyond the grid only along a periodic axis, and by less than its length. */
    FUNCTION_MEMBER static int32 around(int32 i, uint32 n) {
        const int32 cells = static_cast<int32>(n);
        return i < 0 ? i + cells : i >= cells ? i - cells : i;
    }
    FUNCTION_MEMBER int32 x_of(int32 index) const { return around(column_0 + column_step * index, nx); }
    FUNCTION_MEMBER int32 y_of(int32 index) const { return around(y.first + index, ny); }
    FUNCTION_MEMBER uint32 cell(int32 row, int32 column) const {
        return static_cast<uint32>(y_of(row)) * nx + static_cast<uint32>(x_of(column));
    }
    FUNCTION_MEMBER bool owns_row(int32 row) const { return lies_in(row, y.begin, y.end); }
    FUNCTION_MEMBER bool owns_column(int32 column) const { return lies_in(column, x.begin, x.end); }
    /* Row and column in the window of this warp and lane. */
    FUNCTION_MEMBER static int32 row_of_warp(int r) { return static_cast<int32>(item_index() / 32u) * R + r; }
    FUNCTION_MEMBER static int32 column_of_lane(int j) { return lane_of_warp() * COLUMNS + j; }
    FUNCTION_MEMBER lane_columns_t columns_of_lane() const {
        lane_columns_t columns;
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            columns.x[j] = x_of(column_of_lane(j));
            columns.own[j] = owns_column(column_of_lane(j));
        }
        return columns;
    }
};

#endif
