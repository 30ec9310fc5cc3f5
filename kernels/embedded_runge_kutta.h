/* Explicit Runge-Kutta steps of a system whose size follows from the error that an embedded method of a lower order shows
 * (Bogacki and Shampine, Appl. Math. Lett. 2 (1989) 321; Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19):
 *
 *   k(0)   = F(u(n), t_n)                                        the last rate of the step before
 *   k(s)   = F(Y(s), t_n + c_s dt),  Y(s) = u(n) + dt sum_(j < s) a_(s, j) k(j)      stages s = 1 .. S - 1
 *   u(n+1) = Y(S - 1),   e = dt sum_j (b_j - b*_j) k(j)
 *
 * and kernels/step_control.h says from e whether the step counts and how large the next one is: nothing is asked of the host. A step
 * that does not count leaves u(n) and k(0) as they were. Each stage from 1 on is a phase. Y(1) is made in each cell and its neighbours
 * from u and k(0), since only the step before decides dt. Two phases before the first step find k(0) and dt.
 *
 * Shapes: u [fields][cells], two copies; stage_values the same; rates [S][fields][cells], k(0) and k(S - 1) change places from step to
 *   step. Bytes per cell, field and step: stage 1: read u, k(0), write k, Y; stages between: read Y, u, the rates before, write k, Y;
 *   the last: read u(n), u(n+1), the rates before, write k; coefficients are read in each. x sizeof(real_t).
 * Barriers per step, also one that does not count: S - 1. Snapshots: kernels/snapshot_ring.h. */
#ifndef PERDURE_KERNELS_EMBEDDED_RUNGE_KUTTA_H
#define PERDURE_KERNELS_EMBEDDED_RUNGE_KUTTA_H

#include "kernels/operator.h"
#include "kernels/rates.h"
#include "kernels/step_control.h"

/* Places of phases; those of steps follow. */
enum { PLACE_FIRST_RATE = 0, PLACE_FIRST_STEP, PLACE_STEP };
/* What a phase looks for the largest of. */
enum { ROW_ERROR = 0, ROW_SIZE };

FUNCTION double error_scale(const system_t *self, double size) {
    return self->setup->atol + self->setup->rtol * size;
}

/* The error of a cell; that which is sought is remembered with its cell. */
FUNCTION void note_error(const system_t *self, uint32 field, size_t cell, index_t lane, double error) {
    GLOBAL run_state_t *state = self->run.state;
    note_largest(&self->run, ROW_ERROR, lane, error);
    if (state->steps.sought > 0.0 && !(error < state->steps.sought)) {
        min_uint32(&state->control.bad_cell, (uint32)cell, ORDER_RELAXED, SCOPE_DEVICE);
        min_uint32(&state->steps.bad_field, field, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

FUNCTION void embedded_value(const system_t *self, const system_stage_t *stage, uint32 field, size_t cell,
                             index_t lane, real_t begin, real_t rate) {
    const size_t at = place_of_value(self, field, cell);
    const double size = fabs((double)begin);
    if (stage->moves == PLACE_FIRST_RATE) {
        rate_of_stage(self, stage, 0u, field)[cell] = rate;
        note_largest(&self->run, ROW_SIZE, lane, size / error_scale(self, size));
        note_largest(&self->run, ROW_ERROR, lane, fabs((double)rate) / error_scale(self, size));
        watch_cell(&self->run, (index_t)cell, (double)begin);
        watch_cell(&self->run, (index_t)cell, (double)rate);
        return;
    }
    if (stage->moves == PLACE_FIRST_STEP) {
        const double change = fabs((double)(rate - rate_of_stage(self, stage, 0u, field)[cell]));
        note_largest(&self->run, ROW_ERROR, lane, change / error_scale(self, size));
        return;
    }
    const real_t sum = weighted_rates(self, stage, field, cell, rate);
    rate_of_stage(self, stage, stage->stage, field)[cell] = rate;
    if (!stage->last) {
        stage->next[at] = EXPLICIT_STEP(begin, stage->dt, sum);
        return;
    }
    const double next_size = fabs((double)stage->values[at]);
    note_largest(&self->run, ROW_SIZE, lane, next_size);
    note_error(self, field, cell, lane,
               fabs((double)(stage->dt * sum)) / error_scale(self, larger(next_size, size)));
}

#if defined(SYSTEM_RATES)
FUNCTION void embedded_cell(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                            index_t lane, const real_t *rates) {
    real_t begin[SYSTEM_FIELDS];
    for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        begin[field] = stage->begin[place_of_value(self, field, (size_t)cell->index)];
    }
    for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        embedded_value(self, stage, field, (size_t)cell->index, lane, begin[field], rates[field]);
    }
}
#else
FUNCTION void embedded_line(const system_t *self, const system_stage_t *stage, const line_t *line,
                            uint32 field, const real_t *rate) {
    const size_t first = first_of_line(self, line);
    for (uint32 i = 0; i < line->count; ++i) {
        const real_t begin = stage->begin[place_of_value(self, field, first + i)];
        embedded_value(self, stage, field, first + i, (index_t)i, begin, rate[i]);
    }
}
#endif

SYSTEM_LOOP(stage_with_rate, embedded, 1u)
SYSTEM_LOOP(stage_as_it_is, embedded, 0u)

FUNCTION system_stage_t embedded_stage(const system_t *self, double end, uint32 place) {
    GLOBAL const system_setup_t *setup = self->setup;
    GLOBAL const run_state_t *state = self->run.state;
    const uint32 steps = state->time.step;
    const double dt = place == PLACE_FIRST_STEP ? state->steps.first : step_under_way(state, setup, end);
    system_stage_t stage;
    stage.step = steps;
    stage.moves = place < PLACE_STEP ? place : (uint32)PLACE_STEP;
    stage.stage = place < PLACE_STEP ? 0u : place - PLACE_STEP + 1u;
    stage.last = stage.stage + 1u == STAGES_OF(setup) ? 1u : 0u;
    stage.check = 0u;
    stage.swaps = steps & 1u;
    stage.begin = copy_of(self->u, steps);
    stage.values = stage.begin;
    if (stage.stage > 1u) {
        stage.values = stage.last ? copy_of(self->u, steps + 1u) : copy_of(self->stage_values, stage.stage);
    }
    stage.next = stage.stage + 2u == STAGES_OF(setup) ? copy_of(self->u, steps + 1u)
                                                      : copy_of(self->stage_values, stage.stage + 1u);
    stage.dt = (real_t)dt;
    stage.t = (real_t)(state->time.t + (place == PLACE_FIRST_STEP ? 1.0 : setup->node[stage.stage]) * dt);
    stage.adds = place == PLACE_FIRST_STEP || stage.stage == 1u ? 1u : 0u;
    stage.added = rate_of_stage(self, &stage, 0u, 0u);
    stage.part = place == PLACE_FIRST_STEP ? stage.dt : stage.dt * (real_t)setup->weight[0][0];
    return stage;
}

/* What others look at of what a phase writes: fields of stages, and the rate that begins a step, which is the last one of a step that counts. */
FUNCTION uint64 embedded_changes(const system_t *self, const system_stage_t *stage) {
    if (stage->moves == PLACE_FIRST_STEP) {
        return 0u;
    }
    if (stage->moves == PLACE_STEP && !stage->last) {
        return rank_bit_of(self, stage->next);
    }
    return rank_bit(slot_of_rate(self, stage, stage->stage) == 0u ? RANK_FIRST_RATES : RANK_LAST_RATES);
}

/* From the sizes of u and of its rate, a first guess; a step that the case gives is taken. */
FUNCTION void decide_first_guess(const system_t *self, uint32 place) {
    GLOBAL run_state_t *state = self->run.state;
    const double size = take_largest(&self->run, ROW_SIZE), rate = take_largest(&self->run, ROW_ERROR);
    const double span = self->setup->end_of_run - state->time.t;
    state->steps.error_before = 1.0;
    if (state->control.bad_cell != NO_CELL) {
        state->control.stop = STOP_NOT_FINITE;
    } else if (self->setup->first_step > 0.0) {
        state->time.dt = self->setup->first_step;
        go_on_at(&self->run, place, PLACE_STEP);
    } else {
        const double guess = size < 1.0e-5 || rate < 1.0e-5 ? 1.0e-6 : 0.01 * size / rate;
        state->steps.first = limited(guess, 0.0, span);
        state->steps.size_before = rate;
    }
}

/* From how much the rate changes over that. */
FUNCTION void decide_first_step(const system_t *self) {
    GLOBAL run_state_t *state = self->run.state;
    const double first = state->steps.first;
    const double change = larger(take_largest(&self->run, ROW_ERROR) / first, state->steps.size_before);
    const double found = change <= 1.0e-15
                             ? larger(1.0e-6, 1.0e-3 * first)
                             : portable_power(0.01 / change, 1.0 / (double)(self->setup->error_order));
    state->time.dt = limited(found, 0.0, 100.0 * first);
}

FUNCTION void reject_step(GLOBAL run_state_t *state, double tried, double error, double order) {
    const double factor = error < INFINITY ? 0.9 * portable_power(error, -1.0 / order) : 0.0;
    state->steps.rejected += 1u;
    state->steps.just_rejected = 1u;
    state->time.dt = tried * limited(factor, 0.1, 0.9);
    if (!(state->time.dt > SMALLEST_PART_OF_TIME * state->time.t) || state->time.dt < SMALLEST_STEP) {
        state->steps.sought = error;
        state->time.dt = tried;
    }
}

FUNCTION void decide_embedded_step(const system_t *self, double end, uint32 place) {
    const run_t *run = &self->run;
    GLOBAL run_state_t *state = run->state;
    GLOBAL steps_state_t *steps = &state->steps;
    const double order = (double)self->setup->error_order;
    const double largest = take_largest(run, ROW_SIZE), error = take_largest(run, ROW_ERROR);
    const double tried = step_under_way(state, self->setup, end);
    if (steps->sought > 0.0) {
        state->control.stop = STOP_STEP_TOO_SMALL;
    } else if (error <= 1.0) {
        const double least = larger(error, 1.0e-10);
        const double factor =
            0.9 * portable_power(least, -0.7 / order) * portable_power(steps->error_before, 0.4 / order);
        const double next = tried * limited(factor, 0.2, steps->just_rejected ? 1.0 : 5.0);
        const double before = state->time.dt;
        const uint32 shortened = tried < before ? 1u : 0u;
        complete_step(self, end, tried, largest);
        steps->error_before = larger(error, 1.0e-4);
        steps->just_rejected = 0u;
        state->time.dt = shortened ? larger(next, before) : next;
    } else {
        reject_step(state, tried, error, order);
    }
    go_on_with_steps(self, place, PLACE_STEP);
}

/* Item 0 of the last group. */
FUNCTION void decide_embedded(const system_t *self, double end, uint32 place) {
    switch (place) {
        case PLACE_FIRST_RATE:
            decide_first_guess(self, place);
            break;
        case PLACE_FIRST_STEP:
            decide_first_step(self);
            break;
        default:
            decide_embedded_step(self, end, place);
    }
}

/* `end`: of the segment. */
FUNCTION void embedded_phase(const system_t *self, double end, uint32 phase) {
    const run_t *run = &self->run;
    const uint32 place = place_of(run, phase);
    const double t = run->state->time.t;
    const system_stage_t stage = embedded_stage(self, end, place);
    const uint32 is_behind = WATCHES(self) && stage.stage == STAGES_OF(self->setup) ? 1u : 0u;
    const uint32 begins = is_behind || (place == PLACE_STEP && !run->state->steps.just_rejected) ? 1u : 0u;
    const uint32 decides = place < PLACE_STEP || stage.last ? 1u : 0u;
    NOTE_CHANGES_OF_STAGE(self, is_behind ? 0u : embedded_changes(self, &stage), begins);
    if (!is_behind) {
        clear_lanes(run, 0u, 2u);
        if (stage.adds) {
            stage_with_rate(self, &stage);
        } else {
            stage_as_it_is(self, &stage);
        }
    }
    if (decides) {
        contribute_largest(run, ROW_ERROR);
        contribute_largest(run, ROW_SIZE);
    }
    const uint32 makes_row = look_at_values(self, stage.begin, stage.step, t, begins, is_behind);
    if (decides | makes_row | is_behind) {
        if (finish_reduction(run, 0u)) {
            end_watched(self, stage.step, makes_row);
            if (is_behind) {
                DECIDE(run->state->control.stop = STOP_COMPLETE);
            }
            if (decides) {
                DECIDE(decide_embedded(self, end, place));
            }
        }
    }
}

FULL_KERNEL(embedded_runge_kutta, KERNEL_ARGUMENTS(MARKED_SYSTEM_FIELDS)) {
    SYSTEM_KERNEL_MEMORY;
    const system_t self = SYSTEM_VALUES;
    RUN_CHOSEN_SEGMENTS(self.run,
                        snapshot_of(copy_of(self.u, self.run.state->time.step), values_of_system(&self)),
                        embedded_phase(&self, at.end, phase));
}

#endif
