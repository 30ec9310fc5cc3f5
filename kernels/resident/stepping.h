/* State of a launch of resident steps: passes of several steps, checks, and the copy that holds the answer.
 *
 *   pass      the steps between two grid barriers
 *   check     examines what a pass has stored, or the residual of its initial state (kernels/resident/physics.h)
 *   current   the copy of u that holds step n; the state's `answer` names it at the end */
#ifndef PERDURE_KERNELS_RESIDENT_STEPPING_H
#define PERDURE_KERNELS_RESIDENT_STEPPING_H

#include "kernels/convergence.h"
#include "kernels/resident/messages.h"
#include "kernels/resident/tiling.h"
#include "kernels/run.h"

typedef struct {
    uint32 n, end; /* next step; step at which the launch ends */
    uint32 current;
    uint32 exchanges; /* exchanges of rings; on-chip fields only */
    uint32 barriers;
} stepping_t;

FUNCTION uint32 least(uint32 a, uint32 b) {
    return a < b ? a : b;
}

/* `begin`: the phase of step 0. */
FUNCTION stepping_t begin_stepping(const run_t *run, uint32 begin) {
    const uint32 first = run->parameters->first_phase - begin, count = run->parameters->phase_count;
    stepping_t stepping;
    stepping.n = first;
    stepping.end = count < 0xffffffffu - first ? first + count : 0xffffffffu;
    stepping.current = run->state->control.answer;
    stepping.exchanges = 0u;
    stepping.barriers = 0u;
    return stepping;
}

/* Waits at a grid barrier; returns 0 if the wait was abandoned. */
FUNCTION uint32 synchronise_grid(grid_barrier_t *barrier, stepping_t *stepping) {
    DELAY_HERE();
    ++stepping->barriers;
    return grid_barrier(barrier, stepping->n);
}

/* Stores the results of the launch. A phase is the work between two grid barriers. */
FUNCTION void end_stepping(const run_t *run, const stepping_t *stepping) {
    if (group_index() == 0u && item_index() == 0u) {
        run->state->control.answer = stepping->current;
        run->state->control.phases += stepping->barriers + 1u;
    }
}

/* Returns the first check (is_check() of a relaxation) at or after n, at most max_iterations. */
FUNCTION uint32 next_check(const run_parameters_t *parameters, uint32 n) {
    const uint32 every = parameters->check_every, further = (every - n % every) % every;
    return further < parameters->max_iterations - n ? n + further : parameters->max_iterations;
}

/* Steps of a pass, and whether it has a check: at its end or, if the check examines the residual, at its beginning. */
typedef struct {
    uint32 active, check;
} step_pass_t;

/* The next pass of explicit steps in time, of `most` steps or fewer: it ends at a check or where the launch ends, and no step behind the
 * segment's last, which may be shorter, is in it. */
FUNCTION step_pass_t next_pass_in_time(const run_parameters_t *grid, const stepping_t *at, uint32 most) {
    const uint32 until = least(least(next_check(grid, at->n + 1u), at->end), grid->last_step + 1u);
    const uint32 active = least(until - at->n, most), reached = at->n + active;
    const step_pass_t pass = {active, is_check(grid, reached) | (reached == grid->last_step + 1u ? 1u : 0u)};
    return pass;
}

/* What an item has found for a check. */
typedef struct {
    double largest;
    uint32 bad_cell;
} checked_t;

FUNCTION void watch(checked_t *watched, uint32 cell, double value) {
    watched->largest = larger(fabs(value), watched->largest);
    if (value - value != 0.0 && cell < watched->bad_cell) {
        watched->bad_cell = cell;
    }
}

/* Adds what the items of the group have found to the state. Every item calls it. */
FUNCTION void contribute_watched(const run_t *run, checked_t watched) {
    for (uint32 stride = 16u; stride > 0u; stride /= 2u) {
        watched.largest = larger(watched.largest, shift_lanes(watched.largest, stride));
    }
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    group_barrier();
    if (item_index() % 32u == 0u) {
        run->lanes[LANE_MAX * LANES + item_index() / 32u] = watched.largest;
    }
    if (watched.bad_cell != NO_CELL) {
        min_uint32(&run->state->control.bad_cell, watched.bad_cell, ORDER_RELAXED, SCOPE_DEVICE);
    }
    group_barrier();
    contribute_slack(run);
}

#endif
