/* What explicit steps of every equation share: a step is a phase, and what acts in it from outside is
 *
 *   b(t) = b_0 + sum_k g_k(t) b_k
 *
 * b_0: sources and sides that are constant in time; b_k those scaled by a factor of time, tabulated per step in
 * factor_table[step - factor_first][factors]. At a check the largest magnitude of the fields is reported.
 *
 * Shapes: b [1 + factors][cells]. Units: b as the rate of its field. */
#ifndef PERDURE_KERNELS_EXPLICIT_STEP_H
#define PERDURE_KERNELS_EXPLICIT_STEP_H

#include "kernels/convergence.h"
#include "kernels/real_type.h"

/* That of a launch which the host drives from snapshot to snapshot, as far as sizes of steps and checks go. */
FUNCTION segment_t segment_of_launch(const run_parameters_t *grid) {
    const segment_t segment = {0u, grid->last_step, 0.0, grid->time_step, grid->last_time_step};
    return segment;
}

/* Whether step n ends at a check. */
FUNCTION uint32 is_checked_step(const run_parameters_t *grid, const segment_t *segment, uint32 n) {
    return is_check(grid, n + 1u) | (n == segment->last_step ? 1u : 0u);
}

FUNCTION double time_of_step(const segment_t *segment, uint32 n) {
    return n == segment->last_step ? segment->last_time_step : segment->time_step;
}

/* Any item at a check: a new value of a field. */
FUNCTION void watch_step(const run_t *run, index_t lane, index_t cell, real_t advanced) {
    widen_lane(run, lane, fabs((double)advanced));
    watch_cell(run, cell, (double)advanced);
}

/* The decision at a check behind step number `steps`. */
FUNCTION void decide_step(const run_t *run, uint32 steps) {
    GLOBAL run_state_t *state = run->state;
    const double largest = -ordered_value(state->control.slack);
    state->control.slack = ORDERED_PLUS_INFINITY;
    state->time.largest = largest;
    state->time.step = steps;
    state->control.answer = steps & 1u;
    record(run, steps, largest);
    if (state->control.bad_cell != NO_CELL) {
        state->control.stop = STOP_NOT_FINITE;
    } else if (steps == run->parameters->max_iterations) {
        state->control.stop = STOP_COMPLETE;
    } else if (stop_requested(run)) {
        state->control.stop = STOP_REQUESTED;
    }
}

/* b of a cell in step n with so many factors of time. */
FUNCTION real_t source_in_time(const run_parameters_t *grid, GLOBAL const real_t *sources,
                               GLOBAL const real_t *factor_table, uint32 n, index_t cell, uint32 factors) {
    real_t b = sources[cell];
    ROLLED for (uint32 k = 0; k < factors; ++k) {
        b += factor_table[(n - grid->factor_first) * grid->factors + k] *
             sources[(size_t)(k + 1u) * grid->cells + (size_t)cell];
    }
    return b;
}

/* The same for the structure of a kernel with members run, b and factor_table. */
#define SOURCE_FUNCTION(equation, type)                                                             \
    FUNCTION real_t equation##_source(const type *self, uint32 n, index_t cell, uint32 factors) {   \
        return source_in_time(self->run.parameters, self->b, self->factor_table, n, cell, factors); \
    }

#endif
