/* Fast diagonalisation as fast_transform.h, for axes whose modes have no fast transforms: products with tables of modes.
 *
 * Such a level is  A = T_x + T_y + T_z + sigma, each T a matrix along one axis alone with  T V = V diag(lambda),
 * V orthogonal. With products alone  u = A^-1 b  is
 *
 *   c = V_z^T V_y^T V_x^T b                              a step for each axis
 *   c = c / (lambda_x + lambda_y + lambda_z + sigma)     behind the last of them; 0 where nothing fixes the constant
 *   u = V_x V_y V_z c                                    a step for each axis
 *
 * A step is the product of an n x n matrix and all lines of cells along its axis: n multiplications and additions a cell,
 * each sum in the order of the line. The host finds lambda and the angles of V (solver/run/modes.hpp). An item forms a tile of the
 * product: ROWS of an operand that neighbouring items have in common, each with LANES of the other one, which lie side by
 * side. Along x the matrix is the other one; along y and z the field is.
 *
 * Values a cell and step: reads 1, writes 1. Barriers: one a step, 2 a dimension. */
#ifndef PERDURE_KERNELS_MULTIGRID_TRANSFORM_H
#define PERDURE_KERNELS_MULTIGRID_TRANSFORM_H

#include "kernels/chunks.h"
#include "kernels/multigrid/line_parts.h"
#include "kernels/multigrid/transform_matrix_units.h"

#define TRANSFORM_ROWS 8u
#define TRANSFORM_LANES 4u
/* Rows of a small tile, which has one lane: where large ones are too few for all items, or larger than the product. */
#define SMALL_TRANSFORM_ROWS 4u
/* Between two lanes of an item: neighbouring items go side by side where that is how memory is read. */
#define TRANSFORM_WIDTH (LANES_BEFORE_ROWS ? 32u : 1u)

/* What the compiler knows of a tile. */
typedef struct {
    uint32 rows, lanes;
    uint32 depth;   /* terms whose operands are loaded at once */
    uint32 whole;   /* 1: the product is no smaller */
    uint32 along_x; /* 1: row_step is 1; 0: row_stride is */
} tile_kind_t;

typedef struct {
    cycle_t at[TRANSFORM_ROWS * TRANSFORM_LANES];
} product_tile_t;

/* `depth` terms of all sums. */
FUNCTION void add_terms(product_tile_t *sum, GLOBAL const cycle_t *a, GLOBAL const cycle_t *b,
                        const uint64 *row, const uint64 *lane, uint64 row_step, uint64 lane_step,
                        tile_kind_t kind, uint32 depth) {
    for (uint32 d = 0; d < depth; ++d) {
        cycle_t value[TRANSFORM_LANES];
        for (uint32 l = 0; l < kind.lanes; ++l) {
            value[l] = b[lane[l] + d * lane_step];
        }
        for (uint32 r = 0; r < kind.rows; ++r) {
            const cycle_t factor = a[row[r] + d * row_step];
            for (uint32 l = 0; l < kind.lanes; ++l) {
                sum->at[r * TRANSFORM_LANES + l] =
                    MULTIPLY_ADD(factor, value[l], sum->at[r * TRANSFORM_LANES + l]);
            }
        }
    }
}

/* Beyond the end of a product that is smaller, rows and lanes are formed like the last one; they are not stored. */
FUNCTION product_tile_t product_tile(const product_t *p, uint32 first_row, uint32 first_lane,
                                     tile_kind_t kind) {
    const uint64 row_stride = kind.along_x ? p->row_stride : 1u, row_step = kind.along_x ? 1u : p->row_step;
    const uint64 lane_step = p->lane_step;
    GLOBAL const cycle_t *a = p->rows + first_row * row_stride;
    GLOBAL const cycle_t *b = p->lanes + first_lane;
    product_tile_t sum;
    uint64 row[TRANSFORM_ROWS], lane[TRANSFORM_LANES];
    for (uint32 r = 0; r < kind.rows; ++r) {
        row[r] = (kind.whole ? r : at_most(r, p->row_count - 1u - first_row)) * row_stride;
        for (uint32 l = 0; l < kind.lanes; ++l) {
            sum.at[r * TRANSFORM_LANES + l] = (cycle_t)0;
        }
    }
    for (uint32 l = 0; l < kind.lanes; ++l) {
        lane[l] = l * TRANSFORM_WIDTH;
    }
    uint32 k = 0;
    for (; k + kind.depth <= p->length; k += kind.depth) {
        add_terms(&sum, a, b, row, lane, row_step, lane_step, kind, kind.depth);
        a += kind.depth * row_step;
        b += kind.depth * lane_step;
    }
    for (; k < p->length; ++k) {
        add_terms(&sum, a, b, row, lane, row_step, lane_step, kind, 1u);
        a += row_step;
        b += lane_step;
    }
    return sum;
}

/* All tiles of one kind. Neighbouring items take neighbouring lanes, the next ones other rows of the same lanes. The last
 * tiles of a row or a column begin so early that they are whole, and leave what they share to the others. */
FUNCTION void transform_tiles(product_t p, tile_kind_t kind, team_t team) {
    const uint32 lanes = TRANSFORM_WIDTH * kind.lanes;
    const uint32 strips = (p.lane_count + lanes - 1u) / lanes;
    const uint32 blocks = (p.row_count + kind.rows - 1u) / kind.rows;
    GLOBAL const cycle_t *first_layer = p.lanes;
    FOR_EACH_OF(tile, p.layers * strips * blocks * TRANSFORM_WIDTH, team) {
        const uint32 block = tile / TRANSFORM_WIDTH, strip = block / blocks, layer = strip / strips;
        const uint32 own_row = (block - strip * blocks) * kind.rows,
                     own_lane = (strip - layer * strips) * lanes;
        const uint32 within = tile - block * TRANSFORM_WIDTH;
        const uint32 first_row = kind.whole ? at_most(own_row, p.row_count - kind.rows) : own_row;
        const uint32 first_lane = kind.whole ? at_most(own_lane, p.lane_count - lanes) + within
                                             : at_most(own_lane + within, p.lane_count - 1u);
        const uint32 origin = layer * p.layer_cells;
        p.lanes = first_layer + origin;
        const product_tile_t sum = product_tile(&p, first_row, first_lane, kind);
        for (uint32 r = 0; r < kind.rows; ++r) {
            for (uint32 l = 0; l < kind.lanes; ++l) {
                const uint32 row = first_row + r, lane = first_lane + l * TRANSFORM_WIDTH;
                if (row >= own_row && row < p.row_count && lane >= own_lane + (kind.whole ? 0u : within)) {
                    const uint32 cell = origin + row * p.lane_step + lane;
                    const cycle_t value = sum.at[r * TRANSFORM_LANES + l];
                    p.to[cell] = p.divide ? over_eigenvalue(&p, row, lane, value) : value;
                }
            }
        }
    }
}

/* By value: what a pointer is passed to lies in memory. */
SEPARATE_FUNCTION void large_tiles_along_x(product_t p, team_t team) {
    const tile_kind_t kind = {TRANSFORM_ROWS, TRANSFORM_LANES, 1u, 1u, 1u};
    transform_tiles(p, kind, team);
}
SEPARATE_FUNCTION void large_tiles_across(product_t p, team_t team) {
    const tile_kind_t kind = {TRANSFORM_ROWS, TRANSFORM_LANES, 2u, 1u, 0u};
    transform_tiles(p, kind, team);
}
SEPARATE_FUNCTION void small_tiles_along_x(product_t p, team_t team) {
    const tile_kind_t kind = {SMALL_TRANSFORM_ROWS, 1u, 8u, 0u, 1u};
    transform_tiles(p, kind, team);
}
SEPARATE_FUNCTION void small_tiles_across(product_t p, team_t team) {
    const tile_kind_t kind = {SMALL_TRANSFORM_ROWS, 1u, 8u, 0u, 0u};
    transform_tiles(p, kind, team);
}

#ifndef MATRIX_UNITS
FUNCTION uint32 on_matrix_units(const product_t *p, uint32 along_x, team_t team) {
    (void)p;
    (void)along_x;
    (void)team;
    return 0u;
}
#endif

FUNCTION void product_step(const multigrid_t *self, const level_t *level, const step_t *step, team_t team) {
    const run_parameters_t *grid = &level->grid;
    const uint32 axis = step->axis, n = extent(grid, axis), inner = step_along(grid, axis);
    const line_part_t part = part_of_lines(grid, axis, team);
    const uint32 lines = part.end_of_lines - part.first_line;
    const uint32 first =
        axis == 0u ? part.first_line * n : part.first_layer * n * inner + part.first_line; /* cell */
    const uint32 back = step->way == FROM_MODES ? 1u : 0u;
    GLOBAL const cycle_t *field = (step->from == NO_COPY ? level->b : level_copy(level, step->from)) + first;
    GLOBAL const cycle_t *modes = self->arena + self->hierarchy->modes[axis] + (back ? (uint64)n * n : 0u);
    product_t p;
    p.to = level_copy(level, step->to) + first;
    p.length = n;
    p.rows = axis == 0u ? field : modes;
    p.lanes = axis == 0u ? modes : field;
    p.row_count = axis == 0u ? lines : n;
    p.lane_count = axis == 0u ? n : lines;
    p.row_stride = axis == 0u ? n : 1u;
    p.row_step = axis == 0u ? 1u : n;
    p.lane_step = axis == 0u ? n : inner;
    p.layers = part.end_of_layers - part.first_layer;
    p.layer_cells = axis == 0u ? 0u : n * inner;
    p.first_lane = axis == 0u ? 0u : part.first_line;
    p.divide = !back && axis + 1u == DIMENSIONS(grid) ? 1u : 0u;
    p.nx = grid->nx;
    p.three = DIMENSIONS(grid) == 3u ? 1u : 0u;
    p.lambda[0] = self->tables + self->hierarchy->eigenvalues[0];
    p.lambda[1] = self->tables + self->hierarchy->eigenvalues[1];
    p.lambda_of_row = self->tables + self->hierarchy->eigenvalues[DIMENSIONS(grid) - 1u];
    if (on_matrix_units(&p, axis == 0u ? 1u : 0u, team)) {
        return;
    }
    const uint32 whole = p.lane_count >= TRANSFORM_WIDTH * TRANSFORM_LANES && p.row_count >= TRANSFORM_ROWS;
    const uint32 tiles = p.layers * (p.lane_count / TRANSFORM_LANES) * (p.row_count / TRANSFORM_ROWS);
    if (!whole || 2u * tiles < team.groups * group_size()) {
        if (axis == 0u) {
            small_tiles_along_x(p, team);
        } else {
            small_tiles_across(p, team);
        }
    } else if (axis == 0u) {
        large_tiles_along_x(p, team);
    } else {
        large_tiles_across(p, team);
    }
}

#endif
