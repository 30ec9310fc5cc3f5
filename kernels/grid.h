/* Cells of a structured grid and their neighbours.
 *
 * Cell (x, y, z) has index x + nx (y + ny z). Beyond a periodic side lies the cell at the other end; beyond
 * any other side a cell is its own neighbour, so that differences across that face vanish. */
#ifndef PERDURE_KERNELS_GRID_H
#define PERDURE_KERNELS_GRID_H

#include "kernels/parameters.h"

/* Kernels are also compiled for uniform problems of 2 or of 3 dimensions alone (solver/backends/kernel_text.cpp; on host threads also
 * for varied ones, solver/backends/host/host_typed_kernels.cpp), where these are constants. Of an iteration of cg in float64 on an H100
 * that takes away a quarter of the instructions in 2D and a sixth in 3D, and a sixth of the time at 1024^2. */
#define DIMENSIONS(grid) ((grid)->dimensions)
#define UNIFORM(grid) ((grid)->uniform)

enum { CENTRE = 0, WEST, EAST, SOUTH, NORTH, BELOW, ABOVE, STENCIL_POINTS };

/* A cell: its linear index and where it lies; of a row of a box (below), how many rows are left with this one, 0 when there
 * is no cell, and 1 or -1, where the next row lies. */
typedef struct {
    index_t index;
    uint32 x, y, z, rows, step;
    uint32 inner; /* 1: it is known that neither the cell nor a neighbour is at a side */
} cell_t;

/* Linear indices of a cell and its neighbours, and where each stands in the tables of diagonals. */
typedef struct {
    index_t cell[STENCIL_POINTS];
    index_t place[STENCIL_POINTS];
    uint32 inner; /* 1: neither the cell nor a neighbour is at a side */
} stencil_t;

FUNCTION uint32 divide(uint32 index, divider_t by) {
    return multiply_high(2u * index, by.multiplier) >> by.shift;
}

FUNCTION cell_t cell_at(const run_parameters_t *grid, uint32 index, uint32 dimensions) {
    cell_t cell;
    cell.index = (index_t)index;
    cell.z = dimensions == 3u ? divide(index, grid->layer) : 0u;
    cell.y = divide(index - cell.z * grid->layer.divisor, grid->row);
    cell.x = index - cell.z * grid->layer.divisor - cell.y * grid->row.divisor;
    cell.rows = 1u;
    cell.step = 1u;
    cell.inner = 0u;
    return cell;
}

/* Cells along an axis. */
FUNCTION uint32 extent(const run_parameters_t *grid, uint32 axis) {
    return axis == 0u ? grid->nx : axis == 1u ? grid->ny : grid->nz;
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
    return i - 2u < n - 4u && n > 4u ? 1u : 0u;
}

CELL_FUNCTION stencil_t make_stencil(const run_parameters_t *grid, cell_t at, uint32 dimensions,
                                     uint32 uniform) {
    const index_t cell = at.index;
    const uint32 x = at.x, y = at.y, z = at.z;
    stencil_t s;
    s.cell[CENTRE] = cell;
    s.inner = at.inner || (far_inside(x, grid->nx) && far_inside(y, grid->ny) &&
                           (dimensions < 3u || far_inside(z, grid->nz)));
    if (s.inner) {
        const index_t line = (index_t)grid->nx, layer = dimensions == 3u ? (index_t)grid->layer.divisor : 0;
        s.cell[WEST] = cell - 1;
        s.cell[EAST] = cell + 1;
        s.cell[SOUTH] = cell - line;
        s.cell[NORTH] = cell + line;
        s.cell[BELOW] = cell - layer;
        s.cell[ABOVE] = cell + layer;
        for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
            s.place[k] = uniform ? (index_t)inner_place(dimensions) : s.cell[k];
        }
        return s;
    }
    const uint32 west = lower(x, grid->nx, grid->periodic_x), east = upper(x, grid->nx, grid->periodic_x);
    const uint32 south = lower(y, grid->ny, grid->periodic_y), north = upper(y, grid->ny, grid->periodic_y);
    const uint32 below = lower(z, grid->nz, grid->periodic_z), above = upper(z, grid->nz, grid->periodic_z);
    const uint32 line = cell - x, column = cell - y * grid->nx, pile = cell - z * grid->layer.divisor;
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

#define stencil_of(grid, cell) make_stencil(grid, cell, DIMENSIONS(grid), UNIFORM(grid))
#define stencil_at(grid, index) stencil_of(grid, cell_at(grid, index, DIMENSIONS(grid)))

/* Red 0, black 1: neighbours differ, but across a periodic side of an axis of odd size. */
FUNCTION uint32 colour_of(cell_t cell) {
    return (cell.x + cell.y + cell.z) & 1u;
}

#endif
