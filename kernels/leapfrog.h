/* Leapfrog steps of a system whose fields are positions u and velocities v, in the position form of Stoermer and Verlet
 * (Hairer, Lubich and Wanner, Geometric Numerical Integration, 2nd ed., sections I.1.4 and VI.3):
 *
 *   du/dt = G(v, x, t),   dv/dt = F(u, x, t)                       which field is which: solver/systems/roles.hpp
 *
 *   w      = u(n) + dt/2 G(v(n), t_n)                              u in the middle of the step
 *   v(n+1) = v(n) + dt F(w, t_n + dt/2)
 *   u(n+1) = w + dt/2 G(v(n+1), t_n + dt)
 *
 * Order 2, symplectic and reversible, u and v both at the time of the step; where F = -A u and G = v,
 * u . A u + v . v - dt^2/4 v . A v is conserved. Stable for dt |lambda| <= 2, lambda the eigenvalues of the system.
 *
 * Where the rate of each position is a velocity itself, G = v, a step is one phase: w of the neighbours is made again in each cell, from
 * what the cache has. Elsewhere G looks at neighbours too, and a step is three phases, one for each line above; w stands where u(n+1)
 * will.
 *
 * Shapes: u [fields][cells], two copies. Bytes per cell and pair of fields: one phase: read u, v, write u, v; three phases: read v, u,
 *   write w; read w, v, write v; read v, w, write u; coefficients are read in each phase. x sizeof(real_t).
 * Barriers per step: 1 or 3. Every check_every steps the largest magnitude is reported and cells are watched.
 * What else is watched of the fields: kernels/watched_step.h. Snapshots: kernels/snapshot_ring.h. */
#ifndef PERDURE_KERNELS_LEAPFROG_H
#define PERDURE_KERNELS_LEAPFROG_H

#include "kernels/leapfrog_stage.h"
#include "kernels/snapshot_ring.h"

FUNCTION void leapfrog_store(const system_t *self, const system_stage_t *stage, uint32 field, size_t cell,
                             index_t lane, real_t next) {
    stage->next[place_of_value(self, field, cell)] = next;
    if (stage->check) {
        watch_step(&self->run, lane, (index_t)cell, next);
    }
}

FUNCTION real_t leapfrog_begin(const system_t *self, const system_stage_t *stage, uint32 field, size_t cell) {
    return stage->begin[place_of_value(self, field, cell)];
}

/* A position at the end of the step, whose rate is a velocity. */
FUNCTION real_t moved_position(const system_stage_t *stage, real_t position, real_t velocity,
                               real_t next_velocity) {
    return FUSED(stage->part, next_velocity, FUSED(stage->part, velocity, position));
}

FUNCTION uint32 is_moved(uint32 role, uint32 moves) {
    return (role == ROLE_NONE ? MOVES_VELOCITIES : MOVES_POSITIONS) == moves ? 1u : 0u;
}

#if defined(SYSTEM_RATES)
FUNCTION void leap_cell(const system_t *self, const system_stage_t *stage, const cell_t *cell, index_t lane,
                        const real_t *rates) {
    const size_t at = (size_t)cell->index;
    real_t begin[SYSTEM_FIELDS], next[SYSTEM_FIELDS];
    UNROLLED for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        begin[field] = leapfrog_begin(self, stage, field, at);
        next[field] = EXPLICIT_STEP(begin[field], stage->dt, rates[field]);
    }
    UNROLLED for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        if (SYSTEM_ROLE(field) < ROLE_MOVES) {
            const uint32 velocity = SYSTEM_ROLE(field) % SYSTEM_FIELDS;
            next[field] = moved_position(stage, begin[field], begin[velocity], next[velocity]);
        }
        leapfrog_store(self, stage, field, at, lane, next[field]);
    }
}

#define HALF_STEP_CELL(name, moves)                                                                          \
    FUNCTION void name##_cell(const system_t *self, const system_stage_t *stage, const cell_t *cell,         \
                              index_t lane, const real_t *rates) {                                           \
        const size_t at = (size_t)cell->index;                                                               \
        UNROLLED for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {                                    \
            if (is_moved(SYSTEM_ROLE(field), moves)) {                                                       \
                const real_t begin = leapfrog_begin(self, stage, field, at);                                 \
                leapfrog_store(self, stage, field, at, lane, EXPLICIT_STEP(begin, stage->dt, rates[field])); \
            }                                                                                                \
        }                                                                                                    \
    }
HALF_STEP_CELL(drift, MOVES_POSITIONS)
HALF_STEP_CELL(kick, MOVES_VELOCITIES)
#else
/* A velocity, and all positions that it moves. */
FUNCTION void leap_line(const system_t *self, const system_stage_t *stage, const line_t *line, uint32 field,
                        const real_t *rate) {
    const size_t first = first_of_line(self, line);
    if (self->roles[field] != ROLE_NONE) {
        return;
    }
    for (uint32 i = 0; i < line->count; ++i) {
        const real_t begin = leapfrog_begin(self, stage, field, first + i);
        leapfrog_store(self, stage, field, first + i, (index_t)i, EXPLICIT_STEP(begin, stage->dt, rate[i]));
    }
    for (uint32 other = 0; other < self->setup->fields; ++other) {
        if (self->roles[other] != field) {
            continue;
        }
        for (uint32 i = 0; i < line->count; ++i) {
            const real_t position = leapfrog_begin(self, stage, other, first + i);
            const real_t velocity = leapfrog_begin(self, stage, field, first + i);
            const real_t next = stage->next[place_of_value(self, field, first + i)];
            leapfrog_store(self, stage, other, first + i, (index_t)i,
                           moved_position(stage, position, velocity, next));
        }
    }
}

FUNCTION void half_step_line(const system_t *self, const system_stage_t *stage, const line_t *line,
                             uint32 field, const real_t *rate) {
    const size_t first = first_of_line(self, line);
    if (!is_moved(self->roles[field], stage->moves)) {
        return;
    }
    for (uint32 i = 0; i < line->count; ++i) {
        const real_t begin = leapfrog_begin(self, stage, field, first + i);
        leapfrog_store(self, stage, field, first + i, (index_t)i, EXPLICIT_STEP(begin, stage->dt, rate[i]));
    }
}
#define drift_line half_step_line
#define kick_line half_step_line
#endif

SYSTEM_LOOP(leap_cells, leap, 1u)
SYSTEM_LOOP(drift_cells, drift, 0u)
SYSTEM_LOOP(kick_cells, kick, 0u)

FUNCTION void leapfrog_phase(const system_t *self, const segment_t *segment, uint32 step, uint32 number) {
    const run_t *run = &self->run;
    const system_stage_t stage = leapfrog_stage(self, segment, step, number);
    const uint32 is_behind = is_behind_steps(self, step);
    const uint32 check = is_behind ? 0u : stage.check;
    NOTE_CHANGES_OF_STAGE(self, is_behind ? 0u : rank_bit_of(self, stage.next), number == 0u);
    if (!is_behind) {
        clear_lanes(run, LANE_MAX, LANE_ROWS);
        if (STAGES_OF(self->setup) == 1u) {
            leap_cells(self, &stage);
        } else if (number == 1u) {
            kick_cells(self, &stage);
        } else {
            drift_cells(self, &stage);
        }
    }
    if (check) {
        contribute_slack(run);
    }
    end_phase_of_step(self, segment, copy_of(self->u, step), step, number == 0u ? 1u : 0u,
                      check & stage.last);
}

FULL_KERNEL(leapfrog, KERNEL_ARGUMENTS(SEGMENTED_SYSTEM_FIELDS)) {
    SYSTEM_KERNEL_MEMORY;
    const system_t self = SYSTEM_VALUES;
    RUN_SEGMENTS(self.run, STAGES_OF(setup), snapshot_of(copy_of(self.u, at.step), values_of_system(&self)),
                 leapfrog_phase(&self, &now, at.step, at.stage));
}

#endif
