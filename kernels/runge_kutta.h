/* Explicit Runge-Kutta steps of a system of equations whose right-hand sides come from a case file
 * (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.1):
 *
 *   du_f/dt = F_f(u, x, t)                          for each field f
 *
 *   Y(0)   = u(n)
 *   k(s)   = F(Y(s), x, t_n + c_s dt)               stages s = 0, 1, ...
 *   Y(s+1) = u(n) + dt sum_(j <= s) a_(s+1, j) k(j)
 *   u(n+1) is what the last stage makes, with b_j for a
 *
 * F looks at neighbours, so that a stage is a phase. How it is evaluated: kernels/system_loops.h.
 *
 * Shapes: u [fields][cells], two copies; stage_values the same; rates [stages - 1][fields][cells].
 * Bytes per cell, field and step: one stage: read u, write u; S stages: S times read stage, write stage or u, read u, S (S - 1) / 2 rates,
 *   write S - 1 rates; coefficients are read in each stage. x sizeof(real_t).
 * Barriers per step: one for each stage. Every check_every steps the largest magnitude is reported and cells are watched.
 * What else is watched of u(n) is taken in stage 0 of step n: kernels/watch.h. Snapshots: kernels/snapshot_ring.h. */
#ifndef PERDURE_KERNELS_RUNGE_KUTTA_H
#define PERDURE_KERNELS_RUNGE_KUTTA_H

#include "kernels/runge_kutta_stage.h"
#include "kernels/snapshot_ring.h"
#include "kernels/watched_step.h"

FUNCTION system_stage_t make_stage(const system_t *self, const segment_t *segment, uint32 step,
                                   uint32 number) {
    system_stage_t stage = runge_kutta_stage(self, step, number, begin_of_step(self, segment, step),
                                             time_of_step(segment, step));
    stage.check = stage.last ? is_checked_step(self->run.parameters, segment, step) : 0u;
    return stage;
}

#if defined(SYSTEM_RATES)
FUNCTION void advance_cell(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                           index_t lane, const real_t *rates) {
    real_t begin[SYSTEM_FIELDS];
    for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        begin[field] = stage->begin[place_of_value(self, field, (size_t)cell->index)];
    }
    for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        const real_t next =
            advance_value(self, stage, field, (size_t)cell->index, begin[field], rates[field]);
        if (stage->check) {
            watch_step(&self->run, lane, cell->index, next);
        }
    }
}
#else
FUNCTION void advance_line(const system_t *self, const system_stage_t *stage, const line_t *line,
                           uint32 field, const real_t *rate) {
    const size_t first = first_of_line(self, line);
    for (uint32 i = 0; i < line->count; ++i) {
        const real_t begin = stage->begin[place_of_value(self, field, first + i)];
        const real_t next = advance_value(self, stage, field, first + i, begin, rate[i]);
        if (stage->check) {
            watch_step(&self->run, (index_t)i, (index_t)(first + i), next);
        }
    }
}
#endif

SYSTEM_LOOP(advance_cells, advance, 0u)

FUNCTION void runge_kutta_phase(const system_t *self, const segment_t *segment, uint32 step, uint32 number) {
    const run_t *run = &self->run;
    const system_stage_t stage = make_stage(self, segment, step, number);
    const uint32 is_behind = is_behind_steps(self, step);
    const uint32 check = is_behind ? 0u : stage.check;
    NOTE_CHANGES_OF_STAGE(self, is_behind ? 0u : rank_bit_of(self, stage.next),
                          number == 0u); /* rates are read where they are written */
    if (!is_behind) {
        clear_lanes(run, LANE_MAX, LANE_ROWS);
        advance_cells(self, &stage);
    }
    if (check) {
        contribute_slack(run);
    }
    end_phase_of_step(self, segment, copy_of(self->u, step), step, number == 0u ? 1u : 0u, check);
}

FULL_KERNEL(runge_kutta, KERNEL_ARGUMENTS(SEGMENTED_SYSTEM_FIELDS)) {
    SYSTEM_KERNEL_MEMORY;
    const system_t self = SYSTEM_VALUES;
    RUN_SEGMENTS(self.run, STAGES_OF(setup), snapshot_of(copy_of(self.u, at.step), values_of_system(&self)),
                 runge_kutta_phase(&self, &now, at.step, at.stage));
}

#endif
