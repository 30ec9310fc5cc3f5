/* Cells of a structured grid and their neighbours.
 *
 * Cell (x, y, z) has index x + nx (y + ny z). Beyond a periodic side lies the cell at the other end; beyond
 * any other side a cell is its own neighbour, so that differences across that face vanish. */
#ifndef PERDURE_KERNELS_GRID_H
#define PERDURE_KERNELS_GRID_H

#include "kernels/parameters.h"

/* Kernels are also compiled for uniform problems of 2 or of 3 dimensions alone (solver/backends/all_forms.hpp), where these
 * are constants. Of an iteration of cg in float64 on an H100 that takes away a quarter of the instructions in 2D and a sixth
 * in 3D, and a sixth of the time at 1024^2. */
#define DIMENSIONS(grid) ((grid)->dimensions)
#define UNIFORM(grid) ((grid)->uniform)

enum { CENTRE = 0, WEST, EAST, SOUTH, NORTH, BELOW, ABOVE, STENCIL_POINTS };

/* Linear indices of a cell and its neighbours, and where each stands in the tables of diagonals. */
typedef struct {
    uint32 cell[STENCIL_POINTS];
    uint32 place[STENCIL_POINTS];
    uint32 inner; /* 1: a uniform problem, and neither the cell nor a neighbour is at a side */
} stencil_t;

FUNCTION uint32 divide(uint32 index, divider_t by) {
    return multiply_high(2u * index, by.multiplier) >> by.shift;
}

FUNCTION uint32 lower(uint32 i, uint32 n, uint32 periodic) {
    return i > 0u ? i - 1u : (periodic ? n - 1u : 0u);
}
FUNCTION uint32 upper(uint32 i, uint32 n, uint32 periodic) {
    return i + 1u < n ? i + 1u : (periodic ? 0u : i);
}

/* Bit 0: at the lower side, bit 1: at the upper side. */
FUNCTION uint32 at_side(uint32 i, uint32 n) {
    return (i == 0u ? 1u : 0u) | (i + 1u == n ? 2u : 0u);
}

FUNCTION uint32 table_place(uint32 side_x, uint32 side_y, uint32 side_z) {
    return side_x + 4u * side_y + 16u * side_z;
}

/* Of cells at no side. */
FUNCTION uint32 inner_place(uint32 dimensions) {
    return table_place(0u, 0u, dimensions == 3u ? 0u : at_side(0u, 1u));
}

/* Two cells or more from both sides. */
FUNCTION uint32 far_inside(uint32 i, uint32 n) {
    return i >= 2u && i + 2u < n ? 1u : 0u;
}

FUNCTION stencil_t inner_stencil(const run_parameters_t *grid, uint32 cell, uint32 dimensions,
                                 uint32 uniform) {
    const uint32 layer = dimensions == 3u ? grid->layer.divisor : 0u;
    stencil_t s;
    s.cell[CENTRE] = cell;
    s.cell[WEST] = cell - 1u;
    s.cell[EAST] = cell + 1u;
    s.cell[SOUTH] = cell - grid->nx;
    s.cell[NORTH] = cell + grid->nx;
    s.cell[BELOW] = cell - layer;
    s.cell[ABOVE] = cell + layer;
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        s.place[k] = uniform ? inner_place(dimensions) : s.cell[k];
    }
    s.inner = uniform;
    return s;
}

FUNCTION stencil_t make_stencil(const run_parameters_t *grid, uint32 cell, uint32 dimensions,
                                uint32 uniform) {
    const uint32 z = dimensions == 3u ? divide(cell, grid->layer) : 0u;
    const uint32 y = divide(cell - z * grid->layer.divisor, grid->row);
    const uint32 x = cell - z * grid->layer.divisor - y * grid->row.divisor;
    if (far_inside(x, grid->nx) && far_inside(y, grid->ny) && (dimensions < 3u || far_inside(z, grid->nz))) {
        return inner_stencil(grid, cell, dimensions, uniform);
    }
    const uint32 west = lower(x, grid->nx, grid->periodic_x), east = upper(x, grid->nx, grid->periodic_x);
    const uint32 south = lower(y, grid->ny, grid->periodic_y), north = upper(y, grid->ny, grid->periodic_y);
    const uint32 below = lower(z, grid->nz, grid->periodic_z), above = upper(z, grid->nz, grid->periodic_z);
    const uint32 line = cell - x, column = cell - y * grid->nx, pile = cell - z * grid->layer.divisor;
    stencil_t s;
    s.inner = 0u;
    s.cell[CENTRE] = cell;
    s.cell[WEST] = line + west;
    s.cell[EAST] = line + east;
    s.cell[SOUTH] = column + south * grid->nx;
    s.cell[NORTH] = column + north * grid->nx;
    s.cell[BELOW] = pile + below * grid->layer.divisor;
    s.cell[ABOVE] = pile + above * grid->layer.divisor;
    if (uniform) {
        const uint32 side_x = at_side(x, grid->nx), side_y = at_side(y, grid->ny),
                     side_z = at_side(z, grid->nz);
        s.place[CENTRE] = table_place(side_x, side_y, side_z);
        s.place[WEST] = table_place(at_side(west, grid->nx), side_y, side_z);
        s.place[EAST] = table_place(at_side(east, grid->nx), side_y, side_z);
        s.place[SOUTH] = table_place(side_x, at_side(south, grid->ny), side_z);
        s.place[NORTH] = table_place(side_x, at_side(north, grid->ny), side_z);
        s.place[BELOW] = table_place(side_x, side_y, at_side(below, grid->nz));
        s.place[ABOVE] = table_place(side_x, side_y, at_side(above, grid->nz));
    } else {
        for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
            s.place[k] = s.cell[k];
        }
    }
    return s;
}

#define stencil_at(grid, cell) make_stencil(grid, cell, DIMENSIONS(grid), UNIFORM(grid))

/* Red 0, black 1: neighbours differ, but across a periodic side of an axis of odd size. */
FUNCTION uint32 colour_of(const run_parameters_t *grid, uint32 cell) {
    const uint32 z = divide(cell, grid->layer);
    const uint32 y = divide(cell - z * grid->layer.divisor, grid->row);
    const uint32 x = cell - z * grid->layer.divisor - y * grid->row.divisor;
    return (x + y + z) & 1u;
}

/* Chunks belong to groups in turn. A chunk is every chunks-th box of cells, so that groups that run side by side work
 * side by side. A box has rows of LANES cells, lanes_x along x times lanes_y along y; its rows lie one beside the other
 * along y in 2D, one above the other along z in 3D: what a row shares with the next is still in the cache. */
#define FOR_EACH_CHUNK(chunk, grid) \
    for (uint32 chunk = group_index(); chunk < (grid)->chunks; chunk += group_count())

/* A row of a box: its first cell, how many cells lie along x and y before the grid ends, and rows left with this one. */
typedef struct {
    uint32 first, along_x, along_y, rows;
} box_row_t;

FUNCTION uint32 lanes_along_y(const run_parameters_t *grid) {
    return LANES >> grid->log2_lanes_x;
}

/* From a cell to the one that the same lane has in the next row. */
FUNCTION uint32 row_stride(const run_parameters_t *grid, uint32 dimensions) {
    return dimensions == 3u ? grid->layer.divisor : lanes_along_y(grid) * grid->nx;
}

FUNCTION box_row_t first_row(const run_parameters_t *grid, uint32 box, uint32 dimensions) {
    const uint32 box_z = divide(box, grid->box_layer);
    const uint32 box_y = divide(box - box_z * grid->box_layer.divisor, grid->box_line);
    const uint32 box_x = box - box_z * grid->box_layer.divisor - box_y * grid->box_line.divisor;
    const uint32 stacked = dimensions == 3u ? 1u : 0u;
    const uint32 x = box_x << grid->log2_lanes_x;
    const uint32 y = box_y * lanes_along_y(grid) * (stacked ? 1u : grid->box_rows);
    const uint32 z = box_z * (stacked ? grid->box_rows : 1u);
    box_row_t row;
    row.first = x + y * grid->nx + z * grid->layer.divisor;
    row.along_x = grid->nx - x;
    row.along_y = grid->ny - y;
    row.rows = stacked && grid->nz - z < grid->box_rows ? grid->nz - z : grid->box_rows;
    return row;
}

FUNCTION box_row_t next_row(const run_parameters_t *grid, box_row_t row, uint32 dimensions) {
    row.first += row_stride(grid, dimensions);
    --row.rows;
    if (dimensions != 3u) {
        row.rows = row.along_y > lanes_along_y(grid) ? row.rows : 0u;
        row.along_y -= lanes_along_y(grid);
    }
    return row;
}

/* The cell of a lane; NO_CELL where the row reaches beyond the grid. */
FUNCTION uint32 cell_of_lane(const run_parameters_t *grid, box_row_t row, uint32 lane) {
    const uint32 x = lane & ((1u << grid->log2_lanes_x) - 1u), y = lane >> grid->log2_lanes_x;
    return x < row.along_x && y < row.along_y ? row.first + x + y * grid->nx : NO_CELL;
}

/* The cell one row of a box further on; the cell itself where the grid ends before. */
FUNCTION uint32 cell_ahead(const run_parameters_t *grid, uint32 cell, uint32 dimensions) {
    const uint32 ahead = cell + row_stride(grid, dimensions);
    return ahead < grid->cells ? ahead : cell;
}

#define FOR_EACH_CELL(cell, lane, chunk, grid)                                                            \
    for (uint32 lane##_box = (chunk); lane##_box < (grid)->boxes; lane##_box += (grid)->chunks)           \
        for (box_row_t lane##_row = first_row(grid, lane##_box, DIMENSIONS(grid)); lane##_row.rows != 0u; \
             lane##_row = next_row(grid, lane##_row, DIMENSIONS(grid)))                                   \
            for (uint32 lane = item_index(); lane < LANES; lane += group_size())                          \
                for (uint32 cell = cell_of_lane(grid, lane##_row, lane); cell != NO_CELL; cell = NO_CELL)

#endif
