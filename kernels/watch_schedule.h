/* When a run is watched (kernels/watch.h): every so many steps, in whole numbers that need no memory, or every so much time. */
#ifndef PERDURE_KERNELS_WATCH_SCHEDULE_H
#define PERDURE_KERNELS_WATCH_SCHEDULE_H

#if defined(SYSTEM_RATES)
#include "kernels/watch_printed.h"
#else
#include "kernels/watch_interpreted.h"
#endif

/* A step that may be watched: what it begins with, and when. */
typedef struct {
    uint32 step, row;
    uint32 due;
    double time;
} watched_t;

#if defined(SYSTEM_WATCHED) || !defined(SYSTEM_RATES)
/* A time that is a whole number of intervals is not missed by rounding. */
#define WATCH_TOLERANCE 1.0e-9

FUNCTION watched_t look_at_schedule(const system_t *self, uint32 step, double time, uint32 ends) {
    const uint32 every = self->run.parameters->steps_of_row;
    if (every != 0u) {
        const uint32 row = step / every, beside = step - row * every != 0u ? 1u : 0u;
        const watched_t watched = {step, row + beside, beside ? ends : 1u, time};
        return watched;
    }
    GLOBAL const watch_state_t *state = self->watch_state + (step & 1u);
    const uint32 reached = time + WATCH_TOLERANCE * self->watch->every >= state->next_time ? 1u : 0u;
    const watched_t watched = {
        step, state->rows, state->rows == 0u || (state->step != step && (reached | ends)) ? 1u : 0u, time};
    return watched;
}

/* Item 0 of group 0: what the next step finds, and the host. Rows every so many steps need nothing moved on where none is due. */
FUNCTION void move_schedule_on(const system_t *self, watched_t watched) {
    const uint32 counts_steps = self->run.parameters->steps_of_row != 0u ? 1u : 0u;
    GLOBAL watch_state_t *states = self->watch_state;
    watch_state_t next = {watched.row + 1u, watched.step, 0.0};
    if (!watched.due) {
        if (counts_steps) {
            return;
        }
        next = states[watched.step & 1u];
    } else if (!counts_steps) {
        next.next_time =
            (floor(watched.time / self->watch->every + WATCH_TOLERANCE) + 1.0) * self->watch->every;
    }
    states[(watched.step + 1u) & 1u] = next;
}

FUNCTION GLOBAL double *row_of_series(const system_t *self, uint32 row) {
    return self->series + (size_t)(row % self->watch->rows) * self->watch->columns;
}

/* Of a run that chooses its steps, whose rows nobody can count beforehand: whether the last one that fits was made by the step before
 * number `steps`. The host then takes them all, and the next row is the first in the memory again. */
FUNCTION uint32 is_series_full(const system_t *self, uint32 steps) {
    GLOBAL const watch_state_t *state = self->watch_state + (steps & 1u);
    return WATCHES(self) && state->step + 1u == steps && state->rows % self->watch->rows == 0u ? 1u : 0u;
}
#else
FUNCTION uint32 is_series_full(const system_t *self, uint32 steps) {
    (void)self;
    (void)steps;
    return 0u;
}
#endif

#endif
