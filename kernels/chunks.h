/* Chunks of cells, which partial sums belong to, and loops over them. */
#ifndef PERDURE_KERNELS_CHUNKS_H
#define PERDURE_KERNELS_CHUNKS_H

#include "kernels/chunk_shares.h"
#include "kernels/grid.h"

/* A chunk is every so many-th box of cells of a section, some layers of boxes along the last axis: of a grid of few boxes one layer, and then
 * each chunk is a box. A box has rows of LANES cells, lanes_x along x times lanes_y along
 * y; its rows lie one beside the other along y in 2D, one above the other along z in 3D: what a row shares with the next is still in the
 * cache. Who has which: kernels/chunk_shares.h. */

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
    cell.inner = 0u;
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

/* Cells of a box that a lane has where it goes through them one behind the other along the last axis: in 3D those that it has
 * anyway, in 2D, instead of a cell in each row of the box, as many that lie side by side. */
FUNCTION cell_t column_of_lane(const run_parameters_t *grid, uint32 box, uint32 lane, uint32 dimensions) {
    if (dimensions == 3u) {
        return cells_of_lane(grid, box, lane, 0u, dimensions);
    }
    box_row_t row = first_row(grid, box, dimensions);
    row.y += (lane >> grid->log2_lanes_x) * (grid->box_rows - 1u);
    cell_t cell = cell_of_lane(grid, row, lane);
    if (cell.rows != 0u) {
        const uint32 to_side = grid->ny - cell.y;
        cell.rows = to_side < grid->box_rows ? to_side : grid->box_rows;
    }
    return cell;
}

FUNCTION cell_t next_of_column(const run_parameters_t *grid, cell_t cell, uint32 dimensions) {
    --cell.rows;
    cell.index += dimensions == 3u ? grid->layer.divisor : grid->nx;
    cell.y += dimensions == 3u ? 0u : 1u;
    cell.z += dimensions == 3u ? 1u : 0u;
    return cell;
}

/* The cell that the same lane has in the next row of a box; the cell itself where there is none. */
FUNCTION index_t cell_ahead(const run_parameters_t *grid, cell_t cell, uint32 dimensions) {
    return cell.rows > 1u ? cell.index + (index_t)(cell.step * row_stride(grid, dimensions)) : cell.index;
}

/* Boxes of a chunk: `begin`, begin + section_chunks, ... before the end of its section. */
FUNCTION uint32 begin_of_chunk(const run_parameters_t *grid, uint32 chunk) {
    const uint32 section = divide(chunk, grid->section_chunks);
    return chunk + section * (grid->section_boxes - grid->section_chunks.divisor);
}
FUNCTION uint32 boxes_of_chunk(const run_parameters_t *grid, uint32 chunk) {
    const uint32 begin = begin_of_chunk(grid, chunk);
    const uint32 end_of_section = (divide(chunk, grid->section_chunks) + 1u) * grid->section_boxes;
    const uint32 end = end_of_section < grid->boxes ? end_of_section : grid->boxes;
    return begin < end ? divide(end - begin - 1u, grid->section_chunks) + 1u : 0u;
}
FUNCTION uint32 first_box(const run_parameters_t *grid, uint32 chunk, uint32 boxes, uint32 backwards) {
    return begin_of_chunk(grid, chunk) + (backwards ? (boxes - 1u) * grid->section_chunks.divisor : 0u);
}

#define FOR_EACH_BOX(box, chunk, grid, backwards)                    \
    for (uint32 box##_left = boxes_of_chunk(grid, chunk),            \
                box = first_box(grid, chunk, box##_left, backwards); \
         box##_left != 0u; --box##_left,                             \
                box += (backwards) ? 0u - (grid)->section_chunks.divisor : (grid)->section_chunks.divisor)
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

#define FOR_EACH_ROW(row, chunk, grid, backwards)                                                        \
    FOR_EACH_BOX (row##_box, chunk, grid, backwards)                                                     \
        for (box_row_t row = rows_towards(grid, first_row(grid, row##_box, DIMENSIONS(grid)), backwards, \
                                          DIMENSIONS(grid));                                             \
             row.rows != 0u; row = next_row(grid, row, DIMENSIONS(grid)))

#define FOR_EACH_CELL_BY_ROWS(cell, lane, chunk, grid, backwards) \
    FOR_EACH_ROW (lane##_row, chunk, grid, backwards)             \
        FOR_EACH_LANE (lane)                                      \
            for (cell_t cell = cell_of_lane(grid, lane##_row, lane); cell.rows != 0u; cell.rows = 0u)

/* Lanes of a row whose cells lie one behind the other, and are all `inner`, or to be looked at each. */
typedef struct {
    index_t begin, end;
    cell_t first; /* of lane `begin` */
} stretch_t;

/* The first of `count` cells of a line, lanes `lane`, ..., that are inner or not as the first is. */
FUNCTION stretch_t first_of_its_kind(const run_parameters_t *grid, cell_t first, uint32 lane, uint32 count,
                                     uint32 dimensions) {
    const uint32 to_side = grid->nx - first.x;
    stretch_t stretch;
    stretch.first = first;
    if (grid->nx > 4u && to_side > 2u && far_inside(first.y, grid->ny) &&
        (dimensions < 3u || far_inside(first.z, grid->nz))) {
        stretch.first.inner = first.x < 2u ? 0u : 1u;
        const uint32 of_its_kind = first.x < 2u ? 2u - first.x : to_side - 2u;
        count = count < of_its_kind ? count : of_its_kind;
    }
    stretch.begin = (index_t)lane;
    stretch.end = (index_t)(lane + count);
    return stretch;
}

/* The stretch from `lane` on; it begins at LANES where there is none left. */
FUNCTION stretch_t stretch_from(const run_parameters_t *grid, box_row_t row, uint32 lane, uint32 dimensions) {
    const uint32 lanes_x = 1u << grid->log2_lanes_x;
    cell_t first = cell_of_lane(grid, row, lane);
    if (first.x >= grid->nx) { /* the rest of this line is beyond the grid */
        lane = (lane | (lanes_x - 1u)) + 1u;
        first = cell_of_lane(grid, row, lane);
    }
    if (lane >= LANES || first.y >= grid->ny) {
        const stretch_t none = {(index_t)LANES, (index_t)LANES, first};
        return none;
    }
    const uint32 to_side = grid->nx - first.x, in_line = lanes_x - (lane & (lanes_x - 1u));
    return first_of_its_kind(grid, first, lane, in_line < to_side ? in_line : to_side, dimensions);
}

CELL_FUNCTION cell_t cell_of_stretch(const stretch_t *stretch, index_t lane, uint32 inner) {
    cell_t cell = stretch->first;
    cell.inner = inner;
    cell.index += lane - stretch->begin;
    cell.x += (uint32)(lane - stretch->begin);
    cell.rows = 1u;
    return cell;
}

#define FOR_EACH_STRETCH(stretch, chunk, grid, backwards)                                 \
    FOR_EACH_ROW (stretch##_row, chunk, grid, backwards)                                  \
        for (stretch_t stretch = stretch_from(grid, stretch##_row, 0u, DIMENSIONS(grid)); \
             stretch.begin < (index_t)LANES;                                              \
             stretch = stretch_from(grid, stretch##_row, (uint32)stretch.end, DIMENSIONS(grid)))

#if LANES_BEFORE_ROWS
#define FOR_EACH_CELL_TOWARDS FOR_EACH_CELL_BY_LANES
#else
#define FOR_EACH_CELL_TOWARDS FOR_EACH_CELL_BY_ROWS
#endif
#define FOR_EACH_CELL(cell, lane, chunk, grid) FOR_EACH_CELL_TOWARDS (cell, lane, chunk, grid, 0u)
#define FOR_EACH_CELL_BACKWARDS(cell, lane, chunk, grid) FOR_EACH_CELL_TOWARDS (cell, lane, chunk, grid, 1u)

#if defined(VECTORISED)
#define CALL_FOR_STRETCH(stretch, call)                                             \
    if (stretch.first.inner) {                                                      \
        VECTORISED for (index_t lane = stretch.begin; lane < stretch.end; ++lane) { \
            const cell_t cell = cell_of_stretch(&stretch, lane, 1u);                \
            call;                                                                   \
        }                                                                           \
    } else {                                                                        \
        for (index_t lane = stretch.begin; lane < stretch.end; ++lane) {            \
            const cell_t cell = cell_of_stretch(&stretch, lane, 0u);                \
            call;                                                                   \
        }                                                                           \
    }
#endif

/* `call`, of a CELL_FUNCTION, for each `cell` and `lane` of a chunk. On host threads, where an item has all lanes, there are two loops:
 * that over inner cells has neither branches nor cells that depend on each other, and becomes vector instructions. */
#if defined(VECTORISED)
#define CALL_FOR_CELLS_TOWARDS(chunk, grid, backwards, call) \
    FOR_EACH_STRETCH (found, chunk, grid, backwards) {       \
        const stretch_t stretch = found; /* in registers */  \
        CALL_FOR_STRETCH(stretch, call)                      \
    }
#else
#define CALL_FOR_CELLS_TOWARDS(chunk, grid, backwards, call)     \
    FOR_EACH_CELL_TOWARDS (cell, lane, chunk, grid, backwards) { \
        call;                                                    \
    }
#endif
#define CALL_FOR_CELLS(chunk, grid, call) CALL_FOR_CELLS_TOWARDS(chunk, grid, 0u, call)
#define CALL_FOR_CELLS_BACKWARDS(chunk, grid, call) CALL_FOR_CELLS_TOWARDS(chunk, grid, 1u, call)

/* A statement with the constant `name`, which is 0 where `value` is: on host threads twice, with 0 and with 1, without a branch in its
 * loops. */
#if defined(VECTORISED)
#define WITH_CONSTANT(name, value, statement) \
    do {                                      \
        if (value) {                          \
            const uint32 name = 1u;           \
            statement;                        \
        } else {                              \
            const uint32 name = 0u;           \
            statement;                        \
        }                                     \
    } while (0)
#else
#define WITH_CONSTANT(name, value, statement) \
    do {                                      \
        const uint32 name = (value);          \
        statement;                            \
    } while (0)
#endif

#endif
