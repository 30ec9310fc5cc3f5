/* Implicit steps, each a solve by multigrid cycles, by conjugate gradients that they precondition, or by transforms: the phase `right
 * side` of kernels/implicit_step.h, then kernels/cg_multigrid.h from u(n). It runs the program in time of kernels/program.h. The first
 * solve of a launch sets the levels up; those after it begin with the residual, since their matrix is the same.
 *
 * Shapes: fields [cells], levels in kernels/multigrid/hierarchy.h. Units: kernels/implicit_step.h.
 * Bytes per cell: those of kernels/implicit_step.h for each step, of a residual, and of kernels/cg_multigrid.h for each iteration. Level 0
 *   solved directly, one iteration from u(n): residual reads b, x, writes r; transforms 4 dimensions - 2 and x; solved reads b, x, writes r:
 *   17 in 3D, with the right side 20, x sizeof(real_t).
 * Barriers per step: 1, and those of kernels/cg_multigrid.h. */
#ifndef PERDURE_KERNELS_IMPLICIT_MULTIGRID_H
#define PERDURE_KERNELS_IMPLICIT_MULTIGRID_H

#include "kernels/cg_multigrid.h"
#include "kernels/implicit_multigrid_fields.h"
#include "kernels/implicit_step.h"

FUNCTION void implicit_multigrid_phase(cg_multigrid_t *solver, const implicit_step_t *step, uint32 place) {
    const run_t *run = &solver->run;
    if (run->state->control.now == RUN_SOLVE) {
        cg_multigrid_phase(solver, place);
    } else {
        implicit_step_phase(run, &solver->A, step);
    }
}

ROOMY_KERNEL(implicit_multigrid, KERNEL_ARGUMENTS(IMPLICIT_MULTIGRID_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY cycle_t tile[LINE_VALUES]; /* and lines, never both at a time */
    LOCAL_MEMORY uint32 verdict;
    LOCAL_MEMORY kept_t kept;
    WATCHER_MEMORY
    cg_multigrid_t solver = {RUN_VALUES(lanes), SYMMETRIC_OPERATOR,
                             CG_MULTIGRID_OWN_FIELDS(FIELD_VALUE) CYCLE_VALUES(ARRAYS_OF_FINEST)};
    const implicit_step_t step = {b, x, segments, IMPLICIT_STEP_FIELDS(FIELD_VALUE) WATCHER_VALUES};
    keep_levels(&solver.multigrid, parameters.phase_count);
    RUN_SOLVED_SEGMENTS(solver.run, snapshot_of(x, parameters.cells),
                        implicit_multigrid_phase(&solver, &step, place_of(&solver.run, phase)));
}

#endif
