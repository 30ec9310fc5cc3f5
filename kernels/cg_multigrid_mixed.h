/* In mixed precision the cycle works in float32 and the rest in float64 (as Goeddeke, Strzodka and Turek, Int. J. Parallel
 * Emergent Distrib. Syst. 22, 2007, defect correction): update writes r into b of level 0 too, times the power of two that
 * makes its root mean square about 1 (of the iteration before), z is taken times its inverse, and the operator has one
 * power of two of its own, so that no range is left. That z has 24 bits costs no iteration where coefficients differ little;
 * where they jump a millionfold and single eigenvalues lie apart, directions lose their conjugacy sooner: 34 iterations where
 * float64 takes 30 (kernels/multigrid/README.md). A flexible beta, (r' - r, z') / gamma, did not help.
 *
 * Setup: round, 2 + dimensions values read and written per cell where coefficients vary. After a true residual: begin, which
 * reads r and writes b and u, in place of the cycle's first sweeps. */
#ifndef PERDURE_KERNELS_CG_MULTIGRID_MIXED_H
#define PERDURE_KERNELS_CG_MULTIGRID_MIXED_H

#include "kernels/cg_multigrid_state.h"
#include "kernels/chunks.h"

/* What the cycle has copy `which` of r times, and what its z is to be taken times. */
FUNCTION real_t scale_to_cycle(const cg_multigrid_t *self, uint32 which) {
    return ROUNDED ? (real_t)self->run.state->solve.scale[which] : (real_t)1;
}
FUNCTION real_t scale_from_cycle(const cg_multigrid_t *self, uint32 which) {
    return ROUNDED ? (real_t)self->multigrid.hierarchy->scale / (real_t)self->run.state->solve.scale[which]
                   : (real_t)1;
}

FUNCTION void cg_multigrid_round_phase(const cg_multigrid_t *self) {
    const run_parameters_t *grid = self->run.parameters;
    const team_t everyone = team_of(group_index(), group_count());
    GLOBAL const level_entry_t *level = self->multigrid.hierarchy->level;
    GLOBAL cycle_t *arena = self->multigrid.arena;
    const real_t scale = (real_t)self->multigrid.hierarchy->scale;
    FOR_EACH_OF(entry, grid->cells, everyone) {
#if defined(BY_LABELS) /* whose tables the host has rounded */
        if (!self->multigrid.has_kinds) {
            arena[level->inverse_diagonal + entry] = (cycle_t)(self->A.inverse_diagonal[entry] / scale);
        }
#else
        arena[level->diagonal + entry] = (cycle_t)(scale * self->A.diagonal[entry]);
        arena[level->inverse_diagonal + entry] = (cycle_t)(self->A.inverse_diagonal[entry] / scale);
        arena[level->face[0] + entry] = (cycle_t)(scale * self->A.face_x[entry]);
        arena[level->face[1] + entry] = (cycle_t)(scale * self->A.face_y[entry]);
        if (DIMENSIONS(grid) == 3u) {
            arena[level->face[2] + entry] = (cycle_t)(scale * self->A.face_z[entry]);
        }
#endif
    }
}

FUNCTION void cg_multigrid_begin_phase(const cg_multigrid_t *self, const step_t *step) {
    const run_parameters_t *grid = self->run.parameters;
    const uint32 now = self->run.state->solve.parity;
    const real_t scale = scale_to_cycle(self, now);
    const level_t level = finest_level(&self->multigrid);
    const cycle_t first = (cycle_t)step->weight[0], second = (cycle_t)step->weight[1];
    GLOBAL cycle_t *u = level_copy(&level, step->to);
    FOR_EACH_CHUNK (chunk, grid) {
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const stencil_t s = stencil_of(grid, cell);
            const neighbourhood_t r = gather(residual_now(self), grid, &s);
            surroundings_t b;
            for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
                b.at[k] = (cycle_t)(scale * r.at[k]);
            }
            level.b[cell.index] = b.at[CENTRE];
            if (step->to != NO_COPY) {
                u[cell.index] = two_sweeps(&level, &s, &b, first, second);
            }
        }
    }
}

#endif
