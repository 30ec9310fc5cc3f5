/* The steps of a cycle for  A u = b  on one level, u from 0.
 *
 *   smooth       u = w1 D^-1 b,  then  u = u + w2 D^-1 (b - A u)       in one: each cell forms its neighbours' first u
 *   restrict     b of the next level = P^T (b - A u)
 *   interpolate  u = u + P u(next)                                  kernels/multigrid/interpolate.h
 *   sweep        u = u + w2 D^-1 (b - A u)
 *
 * Weights 1 / (theta - delta cos(pi (2 i - 1) / (2 n))), i = 1 .. n, make n sweeps the Chebyshev polynomial of
 * degree n on [theta - delta, theta + delta] (Saad, Iterative Methods for Sparse Linear Systems, section 12.3);
 * equal ones are weighted Jacobi. All are polynomials in D^-1 A, so the cycle is symmetric with the same sweeps
 * before and after.
 *
 * Values per cell: smooth reads b, writes u; restrict reads u, b, writes 1/8; interpolate reads u and 1/8, writes u; each
 * of two sweeps reads u, b, writes u: 12 1/4 in all. Where coefficients vary smooth and sweep also read diagonal, its
 * inverse and one conductance an axis, restrict all but the inverse, interpolate the inverse, and restrict and
 * interpolate the weights of interpolation, 7/4 in 3D; by labels smooth and sweep the inverse, and each a byte. */
#ifndef PERDURE_KERNELS_MULTIGRID_STEPS_H
#define PERDURE_KERNELS_MULTIGRID_STEPS_H

#include "kernels/multigrid/interpolate.h"
#include "kernels/multigrid/setup.h"
#include "kernels/multigrid/transfer.h"
#include "kernels/multigrid/transfer_in_two.h"

#ifndef NO_TRANSFORMS
#include "kernels/multigrid/fast_transform.h"
#include "kernels/multigrid/modes.h"
#include "kernels/multigrid/transform.h"
#endif

CELL_FUNCTION void smooth_cell(const level_t *level, GLOBAL cycle_t *u, cycle_t first, cycle_t second,
                               cell_t cell) {
    const stencil_t s = stencil_of(&level->grid, cell);
    const surroundings_t b = look_around(level->b, level, &s);
    u[cell.index] = two_sweeps(level, &s, &b, first, second);
}

FUNCTION void smooth_step(const level_t *level, uint32 to, cycle_t first, cycle_t second, team_t team) {
    GLOBAL cycle_t *u = level_copy(level, to);
    CALL_FOR_CELLS_OF(&level->grid, team, 0u, smooth_cell(level, u, first, second, cell));
}

CELL_FUNCTION void sweep_cell(const level_t *level, GLOBAL const cycle_t *from, GLOBAL cycle_t *to,
                              cycle_t weight, cell_t cell) {
    const stencil_t s = stencil_of(&level->grid, cell);
    const surroundings_t u = look_around(from, level, &s);
    to[cell.index] = swept(level, &s, &u, level->b[cell.index], weight);
}

/* Backwards: kernels/cg_multigrid.h. */
FUNCTION void sweep_step(const level_t *level, uint32 from, uint32 to, cycle_t weight, team_t team) {
    GLOBAL const cycle_t *u = level_copy(level, from);
    GLOBAL cycle_t *swept_u = level_copy(level, to);
    CALL_FOR_CELLS_OF(&level->grid, team, 1u, sweep_cell(level, u, swept_u, weight, cell));
}

/* Cells of one colour have no neighbours among them, so this is in place (Young 1971, as kernels/sor.h). */
FUNCTION void colour_step(const level_t *level, uint32 from, uint32 to, uint32 colour, team_t team) {
    GLOBAL cycle_t *u = level_copy(level, to);
    FOR_EACH_CELL_OF(cell, &level->grid, team) {
        const cell_t at = cell_at(&level->grid, cell, DIMENSIONS(&level->grid));
        const uint32 mine = colour_of(at) == colour ? 1u : 0u;
        if (mine || from == NO_COPY) {
            const stencil_t s = stencil_at(&level->grid, cell);
            surroundings_t around = no_surroundings();
            if (from != NO_COPY) {
                around = look_around(u, level, &s);
            }
            u[cell] = mine ? swept(level, &s, &around, level->b[cell], (cycle_t)1) : (cycle_t)0;
        }
    }
}

/* Each item a row of the inverse, which is symmetric. */
FUNCTION void solve_step(const multigrid_t *self, const level_t *level, uint32 to, team_t team) {
    GLOBAL const cycle_t *inverse = inverse_at(self, level);
    const uint32 cells = level->grid.cells;
    FOR_EACH_OF(cell, level->grid.cells, team) {
        cycle_t sum = (cycle_t)0;
        for (uint32 k = 0; k < cells; ++k) {
            sum += inverse[k * cells + cell] * level->b[k];
        }
        level_copy(level, to)[cell] = sum;
    }
}

/* Where all levels are uniform nothing is left to set up, which the compiler knows of kernels for uniform problems alone. */
FUNCTION void set_up(const multigrid_t *self, const step_t *step, team_t team) {
    if (UNIFORM(&self->hierarchy->level[self->hierarchy->levels - 1u].grid)) {
        return;
    }
    if (step->operation == STEP_WEIGH) {
        weigh_step(*self, step->level, step->axis, team);
    } else if (step->operation == STEP_HALVE) {
        halve_step(*self, step->level, step->axis, team);
    } else if (step->operation == STEP_DIAGONAL) {
        diagonal_step(*self, step->level, team);
    } else {
        invert_step(self, step->level);
    }
}

FUNCTION void do_step(const multigrid_t *self, const step_t *step, team_t team) {
    const uint32 number = step->level, from = step->from;
    const cycle_t first = (cycle_t)step->weight[0], second = (cycle_t)step->weight[1];
    level_t level = level_at(self, number);
    switch (step->operation) {
        case STEP_WEIGH:
        case STEP_HALVE:
        case STEP_DIAGONAL:
        case STEP_INVERT:
            set_up(self, step, team);
            break;
        case STEP_SMOOTH:
            ON_LEVEL(level, smooth_step(&level, step->to, first, second, team));
            break;
        case STEP_SWEEP:
            ON_LEVEL(level, sweep_step(&level, from, step->to, first, team));
            break;
        case STEP_COLOUR:
            ON_LEVEL(level, colour_step(&level, from, step->to, step->colour, team));
            break;
        case STEP_RESTRICT:
            restrict_step(self, number, from, team);
            break;
        case STEP_RESTRICT_ALONG:
            restrict_along_step(self, number, from, step->to, team);
            break;
        case STEP_RESTRICT_ACROSS:
            restrict_across_step(self, number, from, team);
            break;
        case STEP_SOLVE:
            solve_step(self, &level, step->to, team);
            break;
#ifndef NO_TRANSFORMS
        case STEP_MODES:
            modes_step(self, &level, team);
            break;
        case STEP_PRODUCT:
            product_step(self, &level, step, team);
            break;
        case STEP_LINES:
            lines_step(self, &level, step, team);
            break;
#endif
        default:
            interpolate_step(self, step, team);
            break;
    }
}

/* Of several ranks, each on a device of its own: who does a step, and what a phase changes. */
#if defined(PERDURE_RANKS)
FUNCTION uint32 is_step_of_ranks(const step_t *step) {
    return step->operation > STEP_MODES && step->level < perdure_ranks.shared_levels ? 1u : 0u;
}
FUNCTION team_t team_of_step(team_t team, const step_t *step) {
    team.of_ranks = is_step_of_ranks(step);
    return team;
}
/* What one group does alone is on levels that nobody shares. */
FUNCTION uint64 changes_of_phase(const multigrid_t *self, const phase_t *phase) {
    const step_t step = step_at(self, phase->first);
    const uint32 last_axis = DIMENSIONS(&self->hierarchy->level[0].grid) - 1u;
    return !phase->one_group && is_step_of_ranks(&step) ? changes_of_step(&step, last_axis) : 0u;
}
#else
#define team_of_step(team, step) (team)
#endif

/* A phase of steps alone. */
FUNCTION void do_steps(const multigrid_t *self, uint32 place) {
    const phase_t phase = phase_at(self, place);
    const team_t team = phase.one_group ? team_of(0u, 1u) : team_of(group_index(), group_count());
    NOTE_CHANGES(changes_of_phase(self, &phase));
    if (group_index() < (phase.one_group ? 1u : group_count())) {
        for (uint32 k = phase.first; k < phase.first + phase.count; ++k) {
            const step_t step = step_at(self, k);
            WITH_RANKS_OF_LEVEL(step, do_step(self, &step, team_of_step(team, &step)));
            group_barrier();
        }
    }
}

#endif
