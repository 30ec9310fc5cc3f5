/* Steps whose size is decided behind each of them: what the run knows of them, how the next one follows from the error of the last, and
 * when a segment of the run ends. Decisions are item 0's of the last group.
 *
 *   err        the largest of |e| / (atol + rtol max(|u(n)|, |u(n+1)|)) over cells and fields, e the step's estimate of its error: the
 *              maximum norm, which has the same bits in whatever order cells come and does not hide a front among many quiet cells
 *   accepted   where err <= 1; the next step is dt * 0.9 err^(-0.7/k) err_before^(0.4/k), k the order of e
 *              (Gustafsson 1991; Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.2), 0.2 to 5 times dt, and
 *              not larger than dt behind a rejected one
 *   rejected   elsewhere: dt * 0.9 err^(-1/k), 0.1 to 0.9 times dt; a value that is not finite counts as an infinite error
 *   first      as Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.4, in the same norm
 *   too small  a step below 16 epsilon t: it is made once more, to find the cell of the largest error, and the run stops
 *
 * A run that is watched (kernels/watch.h) takes what is watched of u(n) in the first phase of step n, once where the step is made again,
 * and has a phase behind its last step.
 *
 * A step that would end within a hundredth of itself of the segment's end, or beyond, ends there; where waves say how long it may be, no
 * longer one does. What is decided here is made of
 * + - * / alone and has the same bits on every back end. */
#ifndef PERDURE_KERNELS_STEP_CONTROL_H
#define PERDURE_KERNELS_STEP_CONTROL_H

#include "kernels/snapshot_ring.h"
#include "kernels/watch.h"

#define SMALLEST_PART_OF_TIME (16.0 * 2.220446049250313e-16)
#define SMALLEST_STEP 1.0e-290

/* The logarithm to base 2 of a finite x > 0 that is no subnormal number. */
FUNCTION double portable_logarithm(double x) {
    const int64 bits = double_bits(x);
    double exponent = (double)(int32)((bits >> 52) - 1023);
    double mantissa = bits_double((bits & (int64)0xfffffffffffff) | (int64)0x3ff0000000000000);
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        exponent += 1.0;
    }
    const double s = (mantissa - 1.0) / (mantissa + 1.0), square = s * s;
    double sum = 0.0;
    for (int32 k = 23; k > 0; k -= 2) {
        sum = sum * square + 1.0 / (double)k;
    }
    return exponent + 2.0 * s * sum * 1.4426950408889634;
}

/* x^power for such an x, and 0 or infinity where the result is below 2^-1000 or above 2^1000. */
FUNCTION double portable_power(double x, double power) {
    const double exponent = power * portable_logarithm(x);
    if (!(exponent > -1000.0)) {
        return 0.0;
    }
    if (!(exponent < 1000.0)) {
        return INFINITY;
    }
    const double whole = floor(exponent + 0.5);
    const double rest = (exponent - whole) * 0.6931471805599453;
    double sum = 1.0;
    for (int32 k = 16; k > 0; --k) {
        sum = 1.0 + sum * rest / (double)k;
    }
    return sum * bits_double((int64)((int32)whole + 1023) << 52);
}

FUNCTION double limited(double value, double least, double most) {
    return value < least ? least : (value > most ? most : value);
}

/* What is left of the segment, which is over at time `end`, where the next step ends it, else 0. */
FUNCTION double last_of_segment(GLOBAL const run_state_t *state, GLOBAL const system_setup_t *setup,
                                double end) {
    const double left = end - state->time.t;
    const double stretched = setup->error_order > 0u ? 1.01 : 1.000000001;
    return state->time.t + stretched * state->time.dt >= end ? left : 0.0;
}

/* The size of the step that is under way. */
FUNCTION double step_under_way(GLOBAL const run_state_t *state, GLOBAL const system_setup_t *setup,
                               double end) {
    const double last = last_of_segment(state, setup, end);
    return last > 0.0 ? last : state->time.dt;
}

/* Any item: remembers the largest value of its lane. A value that is not finite is an infinite one. */
FUNCTION void note_largest(const run_t *run, uint32 row, index_t lane, double value) {
    LOCAL sum_t *largest = run->lanes + (index_t)(row * LANES) + lane;
    const double finite = value - value != 0.0 ? INFINITY : value;
    *largest = finite > *largest ? finite : *largest;
}

/* Every item: what this group noted in a row. */
FUNCTION void contribute_largest(const run_t *run, uint32 row) {
    enter_part(PART_REDUCTION);
    tree_max(run->lanes + row * LANES);
    if (item_index() == 0u) {
        max_double(&run->state->steps.largest[row], run->lanes[row * LANES], ORDER_RELAXED, SCOPE_DEVICE);
    }
    group_barrier();
}

FUNCTION double take_largest(const run_t *run, uint32 row) {
    GLOBAL int64 *word = &run->state->steps.largest[row];
    const double value = ordered_value(*word);
    *word = ORDERED_MINUS_INFINITY;
    return value;
}

/* Whether a run that is not at its end goes on with another launch: behind a step that is checked or ends a segment. */
FUNCTION uint32 reason_to_pause(const system_t *self, uint32 done, uint32 check, uint32 ends) {
    const run_t *run = &self->run;
    const uint32 leaves = ends && run->parameters->ring_slots == 0u ? 1u : 0u;
    return is_series_full(self, done)                  ? STOP_SERIES_FULL
           : leaves || done >= self->setup->pause_step ? STOP_AT_SNAPSHOT
           : check && stop_requested(run)              ? STOP_REQUESTED
                                                       : STOP_NONE;
}

/* A step of that size is made: the run's time, and whether its segment, which is over at time `end`, ends. `largest`: |u|. */
FUNCTION void complete_step(const system_t *self, double end, double size, double largest) {
    const run_t *run = &self->run;
    GLOBAL const system_setup_t *setup = self->setup;
    GLOBAL run_state_t *state = run->state;
    const uint32 done = state->time.step + 1u;
    const uint32 ends = last_of_segment(state, setup, end) > 0.0 ? 1u : 0u;
    if (done <= MOST_STEP_SIZES) {
        self->sizes[done - 1u] = size;
    }
    state->time.t = ends ? end : state->time.t + size;
    state->time.step = done;
    state->time.largest = largest;
    state->control.answer = done & 1u;
    const uint32 check = ends || is_check(run->parameters, done) ? 1u : 0u;
    if (check) {
        record(run, done, largest);
        store_uint64(&run->control->tolerance, (uint64)double_bits(state->time.t), ORDER_RELAXED,
                     SCOPE_SYSTEM); /* what progress is measured by */
    }
    if (state->control.bad_cell != NO_CELL) {
        state->control.stop = STOP_NOT_FINITE;
    } else if (ends && end >= setup->end_of_run) {
        state->control.stop = STOP_COMPLETE;
    } else {
        state->steps.segment += ends;
        state->control.stop = reason_to_pause(self, done, check, ends);
    }
}

/* Behind the last phase of a step, at `place`, follows the first phase of the next, at `first`; of a run that is watched and at its end the
 * phase behind its steps, which has the next place. */
FUNCTION void go_on_with_steps(const system_t *self, uint32 place, uint32 first) {
    GLOBAL run_control_t *control = &self->run.state->control;
    if (WATCHES(self) && control->stop == STOP_COMPLETE) {
        control->stop = STOP_NONE;
    } else {
        go_on_at(&self->run, place, first);
    }
}

#endif
