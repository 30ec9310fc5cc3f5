/* Steps of given size of a system that may be watched: kernels/runge_kutta.h, kernels/leapfrog.h, kernels/rkl2.h.
 *
 * The first phase of step n takes what is watched of u(n) (kernels/watch.h). A run that is watched goes on to one phase behind its last
 * step, which takes what is watched of the end. */
#ifndef PERDURE_KERNELS_WATCHED_STEP_H
#define PERDURE_KERNELS_WATCHED_STEP_H

#include "kernels/explicit_step.h"
#include "kernels/watch.h"

/* When a step begins; behind the last step of the run, when that ends. */
FUNCTION double begin_of_step(const system_t *self, const segment_t *segment, uint32 step) {
    const double before = (double)(step - segment->first_step);
    return WATCHES(self) && step > segment->last_step
               ? segment->start_time + (before - 1.0) * segment->time_step + segment->last_time_step
               : segment->start_time + before * segment->time_step;
}

/* 1: the phase stands behind the last step of the run. */
FUNCTION uint32 is_behind_steps(const system_t *self, uint32 step) {
    return WATCHES(self) && step == self->run.parameters->max_iterations ? 1u : 0u;
}

FUNCTION void decide_unless_stopped(const system_t *self, uint32 steps) {
    GLOBAL run_control_t *control = &self->run.state->control;
    if (control->stop == STOP_NONE) {
        decide_step(&self->run, steps);
        if (WATCHES(self) && control->stop == STOP_COMPLETE) {
            control->stop = STOP_NONE;
        }
    }
}

/* Every item, at the end of a phase of a step that begins with u; `begins`: 1 in its first phase; `decides`: 1 in the last phase of a step
 * that is checked. */
FUNCTION void end_phase_of_step(const system_t *self, const segment_t *segment, GLOBAL const real_t *u,
                                uint32 step, uint32 begins, uint32 decides) {
    const run_t *run = &self->run;
    const uint32 is_behind = is_behind_steps(self, step);
    const uint32 makes_row =
        look_at_values(self, u, step, begin_of_step(self, segment, step), begins, is_behind);
    if (decides | makes_row | is_behind) {
        if (finish_reduction(run, 0u)) {
            end_watched(self, step, makes_row);
            if (is_behind) {
                DECIDE(run->state->control.stop = STOP_COMPLETE);
            }
            if (decides) {
                DECIDE(decide_unless_stopped(self, step + 1u));
            }
        }
    }
}

#endif
