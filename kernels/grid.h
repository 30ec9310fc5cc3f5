/* Cells of a structured grid and their neighbours.
 *
 * Cell (x, y, z) has index x + nx (y + ny z). Beyond a periodic side lies the cell at the other end; beyond
 * any other side a cell is its own neighbour, so that differences across that face vanish. */
#ifndef PERDURE_KERNELS_GRID_H
#define PERDURE_KERNELS_GRID_H

#include "kernels/parameters.h"

/* Kernels are also compiled for uniform problems of 2 or of 3 dimensions alone (solver/backends/all_forms.inc), where these
 * are constants. Of an iteration of cg in float64 on an H100 that takes away a quarter of the instructions in 2D and a sixth
 * in 3D, and a sixth of the time at 1024^2. */
#define DIMENSIONS(grid) ((grid)->dimensions)
#define UNIFORM(grid) ((grid)->uniform)

enum { CENTRE = 0, WEST, EAST, SOUTH, NORTH, BELOW, ABOVE, STENCIL_POINTS };

/* A cell: its linear index and where it lies; of a row of a box (below), how many rows are left with this one, 0 when there
 * is no cell, and 1 or -1, where the next row lies. */
typedef struct {
    uint32 index, x, y, z, rows, step;
} cell_t;

/* Linear indices of a cell and its neighbours, and where each stands in the tables of diagonals. */
typedef struct {
    uint32 cell[STENCIL_POINTS];
    uint32 place[STENCIL_POINTS];
    uint32 inner; /* 1: neither the cell nor a neighbour is at a side */
} stencil_t;

FUNCTION uint32 divide(uint32 index, divider_t by) {
    return multiply_high(2u * index, by.multiplier) >> by.shift;
}

FUNCTION cell_t cell_at(const run_parameters_t *grid, uint32 index, uint32 dimensions) {
    cell_t cell;
    cell.index = index;
    cell.z = dimensions == 3u ? divide(index, grid->layer) : 0u;
    cell.y = divide(index - cell.z * grid->layer.divisor, grid->row);
    cell.x = index - cell.z * grid->layer.divisor - cell.y * grid->row.divisor;
    cell.rows = 1u;
    cell.step = 1u;
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

FUNCTION stencil_t make_stencil(const run_parameters_t *grid, cell_t at, uint32 dimensions, uint32 uniform) {
    const uint32 cell = at.index, x = at.x, y = at.y, z = at.z;
    stencil_t s;
    s.cell[CENTRE] = cell;
    s.inner =
        far_inside(x, grid->nx) && far_inside(y, grid->ny) && (dimensions < 3u || far_inside(z, grid->nz));
    if (s.inner) {
        const uint32 layer = dimensions == 3u ? grid->layer.divisor : 0u;
        s.cell[WEST] = cell - 1u;
        s.cell[EAST] = cell + 1u;
        s.cell[SOUTH] = cell - grid->nx;
        s.cell[NORTH] = cell + grid->nx;
        s.cell[BELOW] = cell - layer;
        s.cell[ABOVE] = cell + layer;
        for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
            s.place[k] = uniform ? inner_place(dimensions) : s.cell[k];
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

/* Chunks belong to groups in turn. A chunk is every chunks-th box of cells, so that groups that run side by side work
 * side by side. A box has rows of LANES cells, lanes_x along x times lanes_y along y; its rows lie one beside the other
 * along y in 2D, one above the other along z in 3D: what a row shares with the next is still in the cache. */
#define FOR_EACH_CHUNK(chunk, grid) \
    for (uint32 chunk = group_index(); chunk < (grid)->chunks; chunk += group_count())

/* A row of a box: where its first cell lies, rows left with this one, and 1 or -1, where the next row lies. */
typedef struct {
    uint32 x, y, z, rows, step;
} box_row_t;

FUNCTION uint32 lanes_along_y(const run_parameters_t *grid) {
    return LANES >> grid->log2_lanes_x;
}

/* From a cell to the one that the same lane has in the row that lies further along y or z. */
FUNCTION uint32 row_stride(const run_parameters_t *grid, uint32 dimensions) {
    return dimensions == 3u ? grid->layer.divisor : lanes_along_y(grid) * grid->nx;
}

/* Rows of a box from y on, in 2D. */
FUNCTION uint32 rows_to_side(const run_parameters_t *grid, uint32 y) {
    return (grid->ny - y + lanes_along_y(grid) - 1u) >> (LOG2_LANES - grid->log2_lanes_x);
}

FUNCTION box_row_t first_row(const run_parameters_t *grid, uint32 box, uint32 dimensions) {
    const uint32 box_z = divide(box, grid->box_layer);
    const uint32 box_y = divide(box - box_z * grid->box_layer.divisor, grid->box_line);
    const uint32 box_x = box - box_z * grid->box_layer.divisor - box_y * grid->box_line.divisor;
    const uint32 stacked = dimensions == 3u ? 1u : 0u;
    box_row_t row;
    row.x = box_x << grid->log2_lanes_x;
    row.y = box_y * lanes_along_y(grid) * (stacked ? 1u : grid->box_rows);
    row.z = box_z * (stacked ? grid->box_rows : 1u);
    const uint32 to_side = stacked ? grid->nz - row.z : rows_to_side(grid, row.y);
    row.rows = to_side < grid->box_rows ? to_side : grid->box_rows;
    row.step = 1u;
    return row;
}

FUNCTION box_row_t row_further(const run_parameters_t *grid, box_row_t row, uint32 rows, uint32 dimensions) {
    row.y += dimensions == 3u ? 0u : rows * lanes_along_y(grid);
    row.z += dimensions == 3u ? rows : 0u;
    return row;
}

FUNCTION box_row_t next_row(const run_parameters_t *grid, box_row_t row, uint32 dimensions) {
    --row.rows;
    return row_further(grid, row, row.step, dimensions);
}

/* Rows from here on, or backwards from the last. */
FUNCTION box_row_t rows_towards(const run_parameters_t *grid, box_row_t row, uint32 backwards,
                                uint32 dimensions) {
    if (backwards) {
        row = row_further(grid, row, row.rows - 1u, dimensions);
        row.step = 0u - 1u;
    }
    return row;
}

/* The cell of a lane in a row; none where the row reaches beyond the grid. */
FUNCTION cell_t cell_of_lane(const run_parameters_t *grid, box_row_t row, uint32 lane) {
    cell_t cell;
    cell.x = row.x + (lane & ((1u << grid->log2_lanes_x) - 1u));
    cell.y = row.y + (lane >> grid->log2_lanes_x);
    cell.z = row.z;
    cell.index = cell.x + grid->nx * cell.y + grid->layer.divisor * cell.z;
    cell.rows = cell.x < grid->nx && cell.y < grid->ny ? row.rows : 0u;
    cell.step = row.step;
    return cell;
}

FUNCTION cell_t cell_further(const run_parameters_t *grid, cell_t cell, uint32 rows, uint32 dimensions) {
    cell.index += rows * row_stride(grid, dimensions);
    cell.y += dimensions == 3u ? 0u : rows * lanes_along_y(grid);
    cell.z += dimensions == 3u ? rows : 0u;
    return cell;
}

/* What the same lane has in the next row. */
FUNCTION cell_t next_cell(const run_parameters_t *grid, cell_t cell, uint32 dimensions) {
    --cell.rows;
    return cell_further(grid, cell, cell.step, dimensions);
}

/* Cells of a lane in all rows of a box in the order asked for; its rows may be fewer than the box has. */
FUNCTION cell_t cells_of_lane(const run_parameters_t *grid, uint32 box, uint32 lane, uint32 backwards,
                              uint32 dimensions) {
    cell_t cell = cell_of_lane(grid, first_row(grid, box, dimensions), lane);
    if (dimensions != 3u && cell.rows != 0u) {
        const uint32 to_side = rows_to_side(grid, cell.y);
        cell.rows = cell.rows < to_side ? cell.rows : to_side;
    }
    if (backwards && cell.rows != 0u) {
        cell = cell_further(grid, cell, cell.rows - 1u, dimensions);
        cell.step = 0u - 1u;
    }
    return cell;
}

/* The cell that the same lane has in the next row of a box; the cell itself where there is none. */
FUNCTION uint32 cell_ahead(const run_parameters_t *grid, cell_t cell, uint32 dimensions) {
    return cell.rows > 1u ? cell.index + cell.step * row_stride(grid, dimensions) : cell.index;
}

/* The box that a chunk begins with. */
FUNCTION uint32 first_box(const run_parameters_t *grid, uint32 chunk, uint32 backwards) {
    return backwards ? chunk + (grid->boxes - 1u - chunk) / grid->chunks * grid->chunks : chunk;
}

#define FOR_EACH_BOX(box, chunk, grid, backwards)                             \
    for (uint32 box = first_box(grid, chunk, backwards); box < (grid)->boxes; \
         box += (backwards) ? 0u - (grid)->chunks : (grid)->chunks)
#define FOR_EACH_LANE(lane) for (uint32 lane = item_index(); lane < LANES; lane += group_size())

/* Cells of a chunk, from its first box to the last and from the first row of a box to the last, or backwards: a phase that
 * begins where the one before ended finds that still in the cache.
 *
 * Where an item has one lane, it goes along its rows without asking again where it is; where it has all of them, along
 * memory. Of each lane the rows come in the same order. */
#define FOR_EACH_CELL_BY_LANES(cell, lane, chunk, grid, backwards)                                 \
    FOR_EACH_BOX (lane##_box, chunk, grid, backwards)                                              \
        FOR_EACH_LANE (lane)                                                                       \
            for (cell_t cell = cells_of_lane(grid, lane##_box, lane, backwards, DIMENSIONS(grid)); \
                 cell.rows != 0u; cell = next_cell(grid, cell, DIMENSIONS(grid)))

#define FOR_EACH_CELL_BY_ROWS(cell, lane, chunk, grid, backwards)                                     \
    FOR_EACH_BOX (lane##_box, chunk, grid, backwards)                                                 \
        for (box_row_t lane##_row = rows_towards(grid, first_row(grid, lane##_box, DIMENSIONS(grid)), \
                                                 backwards, DIMENSIONS(grid));                        \
             lane##_row.rows != 0u; lane##_row = next_row(grid, lane##_row, DIMENSIONS(grid)))        \
            FOR_EACH_LANE (lane)                                                                      \
                for (cell_t cell = cell_of_lane(grid, lane##_row, lane); cell.rows != 0u; cell.rows = 0u)

#if LANES_BEFORE_ROWS
#define FOR_EACH_CELL_TOWARDS FOR_EACH_CELL_BY_LANES
#else
#define FOR_EACH_CELL_TOWARDS FOR_EACH_CELL_BY_ROWS
#endif
#define FOR_EACH_CELL(cell, lane, chunk, grid) FOR_EACH_CELL_TOWARDS (cell, lane, chunk, grid, 0u)
#define FOR_EACH_CELL_BACKWARDS(cell, lane, chunk, grid) FOR_EACH_CELL_TOWARDS (cell, lane, chunk, grid, 1u)

#endif
