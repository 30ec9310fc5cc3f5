/* Watching a run whose steps are solves (kernels/watch.h): at the end of the phase that begins step n, what is watched of u(n); in a phase of
 * its own behind the last step, what is watched of the last u.
 *
 * A watcher_t knows the formulas. GPU programs that are not compiled for the formulas of a case watch nothing. */
#ifndef PERDURE_KERNELS_WATCHED_SOLVE_H
#define PERDURE_KERNELS_WATCHED_SOLVE_H

#include "kernels/convergence.h"
#include "kernels/real_type.h"
#include "kernels/system_fields.h"

/* A field leaves a residual up to the tolerance of its solve, an extrapolation of fields up to seven tolerances. Where a step changes not much
 * more than that, its solve begins from u(n). */
#define LEAST_CHANGE 20.0

/* Item 0: the norm of the change that the phase has summed up, and what follows for the first guess of this step. */
FUNCTION void know_change(const run_t *run, uint32 sums) {
    GLOBAL time_state_t *time = &run->state->time;
    const uint32 steps = time->step - run->parameters->first_alike;
    time->change = sums > 0u ? take_norm(run, total(run, 0u)) : 0.0;
    time->extrapolated =
        time->change > LEAST_CHANGE * run->state->solve.tolerance ? (steps < 2u ? steps : 2u) : 0u;
}

/* Item 0: the phase is done, unless what was watched asks the run to stop. The answer lies where every step leaves it. */
FUNCTION void go_on_unless_asked(const run_t *run, GLOBAL const segment_t *segments) {
    begin_segment(run->state, segments);
    if (run->state->control.stop == STOP_NONE) {
        end_phase(run, 0u);
    } else {
        run->state->control.answer = 0u;
    }
}

#if defined(SYSTEM_RATES) || defined(VECTORISED) /* which host threads have */
#include "kernels/system_loops.h"
#include "kernels/watch.h"

typedef system_t watcher_t;
#define WATCHER_MEMORY FORMULA_MEMORY
#define WATCHER_VALUES FORMULA_VALUES

/* Every item, at the end of a phase that does not change u, that of step `step` at `time`; `ends`: 1 behind the last step; `sums`: 1 where
 * the phase has partial sums of squares, whose norm is the change of b. */
FUNCTION void end_phase_watching(const watcher_t *self, GLOBAL const segment_t *segments,
                                 GLOBAL const real_t *u, uint32 step, double time, uint32 ends, uint32 sums) {
    const uint32 makes_row = look_at_values(self, u, step, time, 1u, ends);
    if (finish_reduction(&self->run, sums)) {
        DECIDE(know_change(&self->run, sums));
        end_watched(self, step, makes_row);
        DECIDE(go_on_unless_asked(&self->run, segments));
    }
}

/* The phase behind the last step. */
FUNCTION void watch_end_phase(const watcher_t *self, GLOBAL const segment_t *segments,
                              GLOBAL const real_t *u) {
    end_phase_watching(self, segments, u, self->run.state->time.step, self->setup->end_of_run, 1u, 0u);
}
#else
typedef struct {
    run_t run;
} watcher_t;
#define WATCHER_MEMORY
#define WATCHER_VALUES \
    { RUN_VALUES(lanes) }

FUNCTION void end_phase_watching(const watcher_t *self, GLOBAL const segment_t *segments,
                                 GLOBAL const real_t *u, uint32 step, double time, uint32 ends, uint32 sums) {
    (void)u;
    (void)step;
    (void)time;
    (void)ends;
    if (finish_reduction(&self->run, sums)) {
        DECIDE(know_change(&self->run, sums));
        DECIDE(go_on_unless_asked(&self->run, segments));
    }
}

FUNCTION void watch_end_phase(const watcher_t *self, GLOBAL const segment_t *segments,
                              GLOBAL const real_t *u) {
    end_phase_watching(self, segments, u, 0u, 0.0, 1u, 0u);
}
#endif

#endif
