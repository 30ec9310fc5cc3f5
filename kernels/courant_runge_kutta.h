/* Explicit Runge-Kutta steps of a system (kernels/runge_kutta_stage.h) whose size follows the fastest wave in every step
 * (Courant, Friedrichs and Lewy 1928):
 *
 *   dt = C min over cells of 1 / w(u(n)),     w = C / d + the largest of sum over axes of |speed| / h, of all terms that carry something
 *
 * C: time.dt of the case; d: a stable step of the other terms, C / d = 0 without any; w: solver/systems/system.hpp, a formula of the cell's own
 * values. The last stage of a step has these in
 * registers: the minimum is taken there, by an atomic maximum of w, which has the same bits in whatever order cells come, and the last
 * group decides the next step. So a step costs what one of given size costs, and nothing is asked of the host. A phase before the first
 * step looks at u(0).
 *
 * Shapes, bytes, barriers: kernels/runge_kutta.h. */
#ifndef PERDURE_KERNELS_COURANT_RUNGE_KUTTA_H
#define PERDURE_KERNELS_COURANT_RUNGE_KUTTA_H

#include "kernels/runge_kutta_stage.h"
#include "kernels/step_control.h"

/* Places of phases; those of stages follow. */
enum { PLACE_FIRST_WAVES = 0, PLACE_FIRST_STAGE };
enum { ROW_WAVE = 0, ROW_MAGNITUDE };

FUNCTION void note_wave(const system_t *self, size_t cell, index_t lane, real_t wave) {
    note_largest(&self->run, ROW_WAVE, lane, (double)wave);
    watch_cell(&self->run, (index_t)cell, (double)wave);
}

/* The largest size so far, infinite from a value on that is no number. */
FUNCTION real_t largest_size(real_t largest, real_t value) {
    const real_t size = (real_t)fabs(value);
    return size <= largest ? largest : (size - size == (real_t)0 ? size : (real_t)INFINITY);
}

FUNCTION void note_size(const system_t *self, size_t cell, index_t lane, real_t size) {
    note_largest(&self->run, ROW_MAGNITUDE, lane, (double)size);
    watch_cell(&self->run, (index_t)cell, (double)size);
}

/* A field at the end of this stage; in the phase before the first step as it is. */
FUNCTION real_t courant_value(const system_t *self, const system_stage_t *stage, uint32 field, size_t cell,
                              real_t begin, real_t rate) {
    return stage->moves == PLACE_FIRST_WAVES ? begin : advance_value(self, stage, field, cell, begin, rate);
}

#if defined(SYSTEM_RATES)
FUNCTION void courant_cell(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                           index_t lane, const real_t *rates) {
    const size_t at = (size_t)cell->index;
    real_t next[SYSTEM_FIELDS];
    for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        next[field] = stage->begin[place_of_value(self, field, at)];
    }
    real_t size = (real_t)0; /* of all fields */
    for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        next[field] = courant_value(self, stage, field, at, next[field], rates[field]);
        size = largest_size(size, next[field]);
    }
    if (stage->last) {
        note_size(self, at, lane, size);
        note_wave(self, at, lane, fastest_wave(self, stage, cell, next));
    }
}
#else
FUNCTION void courant_line(const system_t *self, const system_stage_t *stage, const line_t *line,
                           uint32 field, const real_t *rate) {
    const size_t first = first_of_line(self, line);
    for (uint32 i = 0; i < line->count; ++i) {
        const real_t begin = stage->begin[place_of_value(self, field, first + i)];
        const real_t next = courant_value(self, stage, field, first + i, begin, rate[i]);
        if (stage->last) {
            note_size(self, first + i, (index_t)i, (real_t)fabs(next));
        }
    }
}

FUNCTION void wave_line(const system_t *self, const system_stage_t *stage, const line_t *line, uint32 which,
                        const real_t *wave) {
    const size_t first = first_of_line(self, line);
    (void)stage;
    (void)which;
    for (uint32 i = 0; i < line->count; ++i) {
        note_wave(self, first + i, (index_t)i, wave[i]);
    }
}
#endif

SYSTEM_LOOP(courant_cells, courant, 0u)

#if !defined(SYSTEM_RATES)
/* The waves of the cells that this group has made, once all fields of a line are there. */
FUNCTION void courant_waves(const system_t *self, const system_stage_t *stage) {
    interpret_program(self, stage, self->setup->first_of_waves, self->setup->wave_program, wave_line);
}
#endif

FUNCTION void decide_courant_step(const system_t *self, double end, uint32 place, double size) {
    const run_t *run = &self->run;
    GLOBAL run_state_t *state = run->state;
    const double wave = take_largest(run, ROW_WAVE), largest = take_largest(run, ROW_MAGNITUDE);
    if (place == PLACE_FIRST_WAVES) {
        state->control.stop = state->control.bad_cell != NO_CELL ? STOP_NOT_FINITE : STOP_NONE;
    } else {
        complete_step(self, end, size, largest);
        go_on_with_steps(self, place, PLACE_FIRST_STAGE);
    }
    /* Where nothing moves, the segment is one step. */
    state->time.dt = wave > 0.0 ? self->setup->courant / wave : self->setup->end_of_run;
}

/* A step of one stage is watched in the phase that makes it, and given up where the run then stops. */
FUNCTION void decide_unless_asked_to_stop(const system_t *self, double end, uint32 place, double size) {
    if (self->run.state->control.stop == STOP_NONE) {
        decide_courant_step(self, end, place, size);
    }
}

/* `end`: of the segment. */
FUNCTION void courant_phase(const system_t *self, double end, uint32 phase) {
    const run_t *run = &self->run;
    const uint32 place = place_of(run, phase);
    const uint32 first = place == PLACE_FIRST_WAVES ? 1u : 0u;
    const uint32 number = first ? STAGES_OF(self->setup) - 1u : place - PLACE_FIRST_STAGE;
    const uint32 is_behind = WATCHES(self) && number == STAGES_OF(self->setup) ? 1u : 0u;
    const uint32 begins = place == PLACE_FIRST_STAGE || is_behind ? 1u : 0u;
    const double dt = first ? 0.0 : step_under_way(run->state, self->setup, end);
    const double t = run->state->time.t;
    system_stage_t stage = runge_kutta_stage(self, run->state->time.step, number, t, dt);
    stage.moves = place;
    NOTE_CHANGES_OF_STAGE(self, first || is_behind ? 0u : rank_bit_of(self, stage.next), begins);
    if (first) {
        stage.values = stage.begin;
    }
    if (!is_behind) {
        clear_lanes(run, 0u, 2u);
        courant_cells(self, &stage);
    }
    if (stage.last) {
#if !defined(SYSTEM_RATES)
        stage.values = first ? stage.begin : stage.next;
        stage.t = stage.end;
        courant_waves(self, &stage);
#endif
        contribute_largest(run, ROW_WAVE);
        contribute_largest(run, ROW_MAGNITUDE);
    }
    const uint32 makes_row = look_at_values(self, stage.begin, stage.step, t, begins, is_behind);
    if (stage.last | makes_row | is_behind) {
        if (finish_reduction(run, 0u)) {
            end_watched(self, stage.step, makes_row);
            if (is_behind) {
                DECIDE(run->state->control.stop = STOP_COMPLETE);
            }
            if (stage.last) {
                DECIDE(decide_unless_asked_to_stop(self, end, place, dt));
            }
        }
    }
}

FULL_KERNEL(courant_runge_kutta, KERNEL_ARGUMENTS(MARKED_SYSTEM_FIELDS)) {
    SYSTEM_KERNEL_MEMORY;
    const system_t self = SYSTEM_VALUES;
    RUN_CHOSEN_SEGMENTS(self.run,
                        snapshot_of(copy_of(self.u, self.run.state->time.step), values_of_system(&self)),
                        courant_phase(&self, at.end, phase));
}

#endif
