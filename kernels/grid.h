/* Cells of a structured grid and their neighbours.
 *
 * Cell (x, y, z) has index x + nx (y + ny z). Beyond a periodic side lies the cell at the other end; beyond
 * any other side a cell is its own neighbour, so that differences across that face vanish. */
#ifndef PERDURE_KERNELS_GRID_H
#define PERDURE_KERNELS_GRID_H

#include "kernels/parameters.h"

enum { CENTRE = 0, WEST, EAST, SOUTH, NORTH, BELOW, ABOVE, STENCIL_POINTS };

/* Linear indices of a cell and its neighbours, and where each stands in the tables of a uniform problem. */
typedef struct {
    uint32 cell[STENCIL_POINTS];
    uint32 place[STENCIL_POINTS];
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

FUNCTION stencil_t stencil_at(const run_parameters_t *grid, uint32 cell) {
    const uint32 z = divide(cell, grid->layer);
    const uint32 y = divide(cell - z * grid->layer.divisor, grid->row);
    const uint32 x = cell - z * grid->layer.divisor - y * grid->row.divisor;
    const uint32 west = lower(x, grid->nx, grid->periodic_x), east = upper(x, grid->nx, grid->periodic_x);
    const uint32 south = lower(y, grid->ny, grid->periodic_y), north = upper(y, grid->ny, grid->periodic_y);
    const uint32 below = lower(z, grid->nz, grid->periodic_z), above = upper(z, grid->nz, grid->periodic_z);
    const uint32 line = cell - x, column = cell - y * grid->nx, pile = cell - z * grid->layer.divisor;
    stencil_t s;
    s.cell[CENTRE] = cell;
    s.cell[WEST] = line + west;
    s.cell[EAST] = line + east;
    s.cell[SOUTH] = column + south * grid->nx;
    s.cell[NORTH] = column + north * grid->nx;
    s.cell[BELOW] = pile + below * grid->layer.divisor;
    s.cell[ABOVE] = pile + above * grid->layer.divisor;
    if (grid->uniform) {
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

/* Red 0, black 1: neighbours differ, but across a periodic side of an axis of odd size. */
FUNCTION uint32 colour_of(const run_parameters_t *grid, uint32 cell) {
    const uint32 z = divide(cell, grid->layer);
    const uint32 y = divide(cell - z * grid->layer.divisor, grid->row);
    const uint32 x = cell - z * grid->layer.divisor - y * grid->row.divisor;
    return (x + y + z) & 1u;
}

/* Chunks belong to groups in turn; a chunk's cells to the lanes of its group in turn.
 *
 * A chunk is no box of neighbouring cells but one block of BLOCK_CELLS (the last one may be smaller) in each
 * of the stripes that the cells are cut into: groups that run side by side then work side by side, and find
 * their neighbours' cells in the cache. */
#define BLOCK_CELLS (8u * LANES)

#define FOR_EACH_CHUNK(chunk, grid) \
    for (uint32 chunk = group_index(); chunk < (grid)->chunks; chunk += group_count())

/* Cells of a chunk's block in the stripe before which the chunk has `before` cells. */
FUNCTION uint32 block_cells(const run_parameters_t *grid, uint32 before) {
    const uint32 left = grid->chunk_cells - before;
    return left < BLOCK_CELLS ? left : BLOCK_CELLS;
}

FUNCTION uint32 block_begin(const run_parameters_t *grid, uint32 chunk, uint32 before) {
    return before * grid->chunks + chunk * block_cells(grid, before);
}

#define FOR_EACH_CELL(cell, lane, chunk, grid)                                                        \
    for (uint32 lane##_before = 0; lane##_before < (grid)->chunk_cells; lane##_before += BLOCK_CELLS) \
        for (uint32 lane##_row = block_begin(grid, chunk, lane##_before),                             \
                    lane##_end = lane##_row + block_cells(grid, lane##_before);                       \
             lane##_row < lane##_end && lane##_row < (grid)->cells; lane##_row += LANES)              \
            for (uint32 lane = item_index(), cell = lane##_row + item_index();                        \
                 lane < LANES && cell < (grid)->cells; lane += group_size(), cell += group_size())

#endif
