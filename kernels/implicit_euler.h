/* Implicit Euler steps of  du/dt = div(a grad u) - sigma u + f  (LeVeque, Finite Difference Methods, ch. 9), each a solve
 * by kernels/cg.h.
 *
 *   right side   b = f + u(n) / dt                 ||b||, from which the tolerance of the solve follows
 *   solve        (A + 1 / dt) u(n+1) = b           from u(n)
 *
 * It runs the program in time of kernels/program.h: a solve in a step in a loop, in one launch. The operator that it is given
 * contains 1 / dt; f contains the sides, all constant in time. A solve that does not converge ends the run.
 *
 * Shapes: fields [cells]. Units: b and f as A u.
 * Bytes per cell: those of kernels/cg.h for each iteration; right side reads f, u, writes b: 3 x sizeof(real_t) for each
 *   step.
 * Barriers per step: 2, and those of kernels/cg.h. */
#ifndef PERDURE_KERNELS_IMPLICIT_EULER_H
#define PERDURE_KERNELS_IMPLICIT_EULER_H

#include "kernels/cg.h"
#include "kernels/chunks.h"
#include "kernels/implicit_euler_fields.h"

typedef struct {
    cg_t solver;
    GLOBAL real_t *b;
    GLOBAL const real_t *f;
} implicit_euler_t;

FUNCTION void implicit_euler_decide(const run_t *run) {
    const double norm = take_norm(run, total(run, 0u));
    end_phase(run, 0u);
    know_right_hand_side(&run->state->solve, run->parameters, norm);
}

FUNCTION void implicit_euler_right_side_phase(const implicit_euler_t *self) {
    const run_t *run = &self->solver.run;
    const run_parameters_t *grid = run->parameters;
    const real_t rate = (real_t)(1.0 / run->state->time.dt);
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 1u);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const real_t b = self->f[cell.index] + rate * self->solver.x[cell.index];
            self->b[cell.index] = b;
            add_to_lane(run, 0u, lane, (sum_t)b * (sum_t)b);
            widen_lane(run, lane, fabs((double)b));
        }
        store_partials(run, chunk, 1u);
    }
    if (finish_check(run, 1u)) {
        DECIDE(implicit_euler_decide(run));
    }
}

FUNCTION void implicit_euler_phase(const implicit_euler_t *self, uint32 place) {
    if (self->solver.run.state->control.now == RUN_SOLVE) {
        cg_phase(&self->solver, place);
    } else {
        implicit_euler_right_side_phase(self);
    }
}

FULL_KERNEL void implicit_euler(KERNEL_ARGUMENTS(IMPLICIT_EULER_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY uint32 verdict;
    const implicit_euler_t self = {{RUN_VALUES(lanes), SYMMETRIC_OPERATOR, CG_OWN_FIELDS(FIELD_VALUE)}, b, f};
    RUN_PHASES(self.solver.run, implicit_euler_phase(&self, place_of(&self.solver.run, phase)));
}

#endif
