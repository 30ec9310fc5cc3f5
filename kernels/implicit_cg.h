/* Implicit steps, each a solve by conjugate gradients: the phase `right side` of kernels/implicit_step.h, then kernels/cg.h from u(n).
 * It runs the program in time of kernels/program.h: a solve in a step in a loop, in one launch.
 *
 * Shapes: fields [cells]. Units: kernels/implicit_step.h.
 * Bytes per cell: those of kernels/implicit_step.h for each step and of kernels/cg.h for each iteration.
 * Barriers per step: 3, and 2 for each iteration. */
#ifndef PERDURE_KERNELS_IMPLICIT_CG_H
#define PERDURE_KERNELS_IMPLICIT_CG_H

#include "kernels/cg.h"
#include "kernels/implicit_cg_fields.h"
#include "kernels/implicit_step.h"

typedef struct {
    cg_t solver;
    implicit_step_t step;
} implicit_cg_t;

FUNCTION void implicit_cg_phase(const implicit_cg_t *self, uint32 place) {
    const run_t *run = &self->solver.run;
    if (run->state->control.now == RUN_SOLVE) {
        cg_phase(&self->solver, place);
    } else {
        implicit_step_phase(run, &self->solver.A, &self->step);
    }
}

FULL_KERNEL(implicit_cg, KERNEL_ARGUMENTS(IMPLICIT_CG_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY uint32 verdict;
    WATCHER_MEMORY
    const implicit_cg_t self = {{RUN_VALUES(lanes), SYMMETRIC_OPERATOR, CG_OWN_FIELDS(FIELD_VALUE)},
                                {b, x, segments, IMPLICIT_STEP_FIELDS(FIELD_VALUE) WATCHER_VALUES}};
    RUN_SOLVED_SEGMENTS(self.solver.run, snapshot_of(x, parameters.cells),
                        implicit_cg_phase(&self, place_of(&self.solver.run, phase)));
}

#endif
