/* Restriction in two steps, for levels of many cells whose coefficients are fields (kernels/multigrid/transfer.h has it tile by tile):
 *
 *   along    the residual in columns along the last axis, restricted along them, to a copy of u that is free
 *   across   that, across the columns: b of the next level
 *
 * An item has a segment of a column: with s coarse cells of it (2 s + 2) / (2 s) residuals are formed for each cell, where in tiles
 * ends of all three axes are formed twice, and no group waits for its slowest item before it goes on. The values and the order of sums
 * are those of tiles.
 *
 * Shape of what lies between: [x][y][next level's z], in 2D [x][next level's y], each layer `apart` layers of the level from the next.
 * Values per cell: along reads u, b, weights along the last axis and coefficients, writes 1/2; across reads 1/2, weights 3/4 in 3D, writes
 * 1/8: one more in all than tiles, of which it takes the ends of tiles that are read twice. */
#ifndef PERDURE_KERNELS_MULTIGRID_TRANSFER_IN_TWO_H
#define PERDURE_KERNELS_MULTIGRID_TRANSFER_IN_TWO_H

#include "kernels/multigrid/transfer.h"

/* Cells of a layer of columns. */
FUNCTION uint32 columns_in_layer(const level_t *level) {
    return DIMENSIONS(&level->grid) == 3u ? level->grid.nx * level->grid.ny : level->grid.nx;
}

FUNCTION void restrict_segments(const level_t *level, uint32 from, uint32 to, uint32 cells, uint32 apart,
                                team_t team) {
    const run_parameters_t *grid = &level->grid;
    const uint32 stacked = DIMENSIONS(grid) == 3u ? 1u : 0u, columns = columns_in_layer(level);
    const slots_t first = slots_of_segment(level, cells, 0u);
    const uint32 count = columns * ((first.coarse + cells - 1u) / cells);
    GLOBAL cycle_t *values = level_copy(level, to);
    FOR_EACH_OF(n, count, team) {
        /* backwards: kernels/cg_multigrid.h */
        const uint32 number = number_from_last(n, count);
        const uint32 segment = divide(number, stacked ? grid->layer : grid->row);
        const uint32 column = number - segment * columns, j = stacked ? divide(column, grid->row) : 0u;
        const slots_t along = slots_of_rank(slots_of_segment(level, cells, segment), team);
        GLOBAL cycle_t *lowest = values + (column + apart * columns * along.origin);
        if (HAS_PART_OF(along)) {
            RESTRICT_COLUMN(level, from, &along, column - j * grid->nx, j, lowest, apart * columns);
        }
    }
}

FUNCTION void restrict_layers(const level_t *level, const level_t *next, uint32 from, uint32 apart,
                              team_t team) {
    const uint32 stacked = DIMENSIONS(&level->grid) == 3u ? 1u : 0u;
    const slots_t x = slots_along(level, 0u, next->grid.nx, 0u);
    const slots_t across = stacked ? slots_along(level, 1u, next->grid.ny, 0u) : no_slots();
    GLOBAL const cycle_t *values = level_copy(level, from);
    FOR_EACH_CELL_OF(cell, &next->grid, team) {
        const cell_t at = cell_at(&next->grid, cell, DIMENSIONS(&next->grid));
        const uint32 Y = stacked ? at.y : 0u, Z = stacked ? at.z : at.y;
        cycle_t sum = (cycle_t)0;
        GATHER_COLUMNS(sum, level, &x, &across, at.x, Y, Z, values[index_of(i, j, apart * Z, x.n, across.n)]);
        next->b[cell] = sum;
    }
}

/* Levels of uniform problems have tiles; kernels for such problems alone keep nothing of this. */
FUNCTION void restrict_along_step(const multigrid_t *self, uint32 number, uint32 from, uint32 to,
                                  team_t team) {
    level_t level = level_at(self, number);
    const uint32 cells = self->hierarchy->level[number].segment;
    const uint32 apart = self->hierarchy->level[number].apart;
    if (!UNIFORM(&level.grid)) {
        ON_LEVEL(level, restrict_segments(&level, from, to, cells, apart, team));
    }
}

FUNCTION void restrict_across_step(const multigrid_t *self, uint32 number, uint32 from, team_t team) {
    const level_t level = level_at(self, number), next = level_at(self, number + 1u);
    if (!UNIFORM(&level.grid)) {
        restrict_layers(&level, &next, from, self->hierarchy->level[number].apart, team);
    }
}

#endif
