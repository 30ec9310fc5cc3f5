/* Successive over-relaxation for  A u = b  in red-black order (Young, Iterative Solution of Large Linear
 * Systems, 1971, chapters 4 to 6).
 *
 *   for n = 0, 1, ... max_iterations
 *       every check_every iterations: r = b - A u; stop if ||r|| says so
 *       red     u = u + omega D^-1 (b - A u)   where x + y + z is even
 *       black   the same where it is odd
 *
 * A cell's neighbours have the other colour, so a sweep changes u in place and each order of its cells gives
 * the same bits. A periodic axis joins equal colours unless its size is even, or 1, where a cell is its own
 * neighbour.
 *
 * Phase q: blocks of one check and 2 check_every sweeps, the last block perhaps shorter.
 *
 * Shapes: fields are [cells]. Units: r as b, u as given.
 * Bytes per cell and iteration: a sweep reads u and, of half the cells, b, and writes half of u, in whole
 *   lines of memory however: read u, b, write u twice; variable coefficients also read diagonal, inverse
 *   diagonal and one conductance per axis, with a velocity two, twice: (6 or 16 in 3D) x sizeof(real_t).
 * Barriers per iteration: 2, and 1 a check. Reductions: at checks only (two sums at once). */
#ifndef PERDURE_KERNELS_SOR_H
#define PERDURE_KERNELS_SOR_H

#include "kernels/chunks.h"
#include "kernels/kernel_forms.h"
#include "kernels/operator.h"
#include "kernels/relaxation_decide.h"
#include "kernels/sor_fields.h"

typedef struct {
    run_t run;
    operator_t A;
    SOR_OWN_FIELDS(FIELD_MEMBER)
} sor_t;

FUNCTION void sor_check_phase(const sor_t *self, uint32 n, uint32 q) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    NOTE_CHANGES(0u);
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 2u);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const stencil_t s = stencil_of(grid, cell);
            const neighbourhood_t u = gather(self->u, grid, &s);
            const real_t r = self->b[cell.index] - apply_operator(&self->A, grid, &s, &u);
            const sum_t scale = row_size(&self->A, grid, &s) * (sum_t)u.at[CENTRE];
            add_residual(run, lane, cell.index, (double)r, scale);
        }
        store_partials(run, chunk, 2u);
    }
    if (finish_check(run, 2u)) {
        DECIDE(end_solve(run, q, relaxation_decide(run, n)));
    }
}

FUNCTION void sor_sweep_phase(const sor_t *self, uint32 colour) {
    const run_parameters_t *grid = self->run.parameters;
    const real_t omega = (real_t)grid->weight;
    NOTE_CHANGES_OF_LOOP(rank_bit(RANK_OTHERS), 1u); /* u */
    FOR_EACH_CHUNK_CUT_FIRST (chunk, &self->run) {
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            if (colour_of(cell) == colour) {
                const stencil_t s = stencil_of(grid, cell);
                const neighbourhood_t u = gather(self->u, grid, &s);
                const real_t r = self->b[cell.index] - apply_operator(&self->A, grid, &s, &u);
                self->u[cell.index] = u.at[CENTRE] + omega * (inverse_diagonal_at(&self->A, grid, &s) * r);
            }
        }
    }
}

FUNCTION void sor_phase(const sor_t *self, uint32 q) {
    const run_parameters_t *grid = self->run.parameters;
    const uint32 block = 2u * grid->check_every + 1u, whole = grid->max_iterations / grid->check_every;
    const uint32 rest = 2u * (grid->max_iterations % grid->check_every);
    const uint32 place = q % block, last = whole * block + rest + 1u;
    if (place == 0u) {
        sor_check_phase(self, q / block * grid->check_every, q);
    } else if (rest > 0u && q == last) {
        sor_check_phase(self, grid->max_iterations, q);
    } else {
        sor_sweep_phase(self, (place - 1u) & 1u);
    }
}

FULL_KERNEL(sor, KERNEL_ARGUMENTS(SOR_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY uint32 verdict;
    const sor_t self = {RUN_VALUES(lanes), OPERATOR(parameters), SOR_OWN_FIELDS(FIELD_VALUE)};
    RUN_STEPS(self.run, control.begin, sor_phase(&self, step));
}

#endif
