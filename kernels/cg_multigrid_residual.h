/* The true residual of kernels/cg_multigrid.h, which decides. */
#ifndef PERDURE_KERNELS_CG_MULTIGRID_RESIDUAL_H
#define PERDURE_KERNELS_CG_MULTIGRID_RESIDUAL_H

#include "kernels/cg_multigrid_decide.h"
#include "kernels/cg_multigrid_state.h"
#include "kernels/chunks.h"

/* Rows of a lane whose values are under way at a time. */
#define ROWS_TOGETHER 4u

/* The residual from x = 0. */
FUNCTION void add_right_hand_side(const cg_multigrid_t *self, uint32 chunk) {
    const run_parameters_t *grid = self->run.parameters;
    const uint32 dimensions = DIMENSIONS(grid), stride = row_stride(grid, dimensions);
    FOR_EACH_BOX (box, chunk, grid, 0u) {
        FOR_EACH_LANE (lane) {
            cell_t cell = cells_of_lane(grid, box, lane, 0u, dimensions);
            while (cell.rows != 0u) {
                const uint32 rows = at_most(cell.rows, ROWS_TOGETHER);
                real_t b[ROWS_TOGETHER];
                for (uint32 k = 0; k < ROWS_TOGETHER; ++k) {
                    b[k] = self->b[cell.index + (k < rows ? k : 0u) * stride];
                }
                for (uint32 k = 0; k < rows; ++k) {
                    add_residual(&self->run, lane, cell.index + k * stride, (double)b[k], (sum_t)0);
                }
                cell = cell_further(grid, cell, rows, dimensions);
                cell.rows -= rows;
            }
        }
    }
}

/* `solved`: behind a direct solve that has added to x, which is an iteration. */
FUNCTION void cg_multigrid_residual_phase(const cg_multigrid_t *self, uint32 solved, uint32 place) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    GLOBAL real_t *r = vector_in_turn(self, TURN_OF_R);
    const uint32 at_zero = !solved && is_at_zero(self) ? 1u : 0u;
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 2u);
        if (at_zero && has_array_of_b(self)) {
            add_right_hand_side(self, chunk);
            store_partials(run, chunk, 2u);
            continue;
        }
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const stencil_t s = stencil_of(grid, cell);
            const neighbourhood_t x = gather(self->x, grid, &s);
            const real_t product = WITH_CROSS_TERMS(apply_operator(&self->A, grid, &s, &x),
                                                    cross_terms_of_field(&self->C, grid, cell, &s, self->x));
            const real_t residual = right_hand_side_at(self, &s) - product;
            const sum_t scale = row_size(&self->A, grid, &s) * (sum_t)x.at[CENTRE];
            r[cell.index] = residual;
            add_residual(run, lane, cell.index, (double)residual, scale);
        }
        store_partials(run, chunk, 2u);
    }
    if (finish_check(run, 2u)) {
        DECIDE(cg_multigrid_decide_true(run, solved, place, self->multigrid.hierarchy->cycle_place));
    }
}

#endif
