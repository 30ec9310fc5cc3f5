/* Runge-Kutta-Legendre steps of second order, for systems in which diffusion limits the step (Meyer, Balsara and Aslam, J. Comput. Phys.
 * 257 (2014) 594): the largest stable step grows with the square of the number of stages s, which is odd.
 *
 *   Y(0) = u(n),   Y(1) = Y(0) + m_1 dt F(Y(0))
 *   Y(j) = mu_j Y(j-1) + nu_j Y(j-2) + (1 - mu_j - nu_j) Y(0) + m_j dt F(Y(j-1)) + g_j dt F(Y(0)),    j = 2 .. s
 *   u(n+1) = Y(s)
 *
 *   b_j = (j^2 + j - 2) / (2 j (j + 1)), 1/3 for j < 2;   w = 4 / (s^2 + s - 2);   c_j = (j^2 + j - 2) / (s^2 + s - 2), c_1 = c_2 / 3
 *   mu_j = (2j - 1) / j b_j / b_(j-1),   nu_j = -(j - 1) / j b_j / b_(j-2),   m_j = mu_j w, m_1 = w / 3,   g_j = -(1 - b_(j-1)) m_j
 *
 * Stable for dt <= (s^2 + s - 2) / 4 times the largest step of explicit Euler, where eigenvalues are real and negative.
 *
 * Shapes: u [fields][cells], two copies; stage_values the same; rates [1][fields][cells]: F(Y(0)).
 * Bytes per cell, field and step: first stage: read u, write Y, F; others: read Y(j-1), Y(j-2), u, F, write Y(j); coefficients are read in
 *   each. x sizeof(real_t).
 * Barriers per step: s. Every check_every steps the largest magnitude is reported and cells are watched.
 * What else is watched of the fields: kernels/watched_step.h. Snapshots: kernels/snapshot_ring.h. */
#ifndef PERDURE_KERNELS_RKL2_H
#define PERDURE_KERNELS_RKL2_H

#include "kernels/operator.h"
#include "kernels/rates.h"
#include "kernels/snapshot_ring.h"
#include "kernels/watched_step.h"

/* b_j */
FUNCTION double legendre_weight(uint32 j) {
    const double n = (double)j;
    return j < 2u ? 1.0 / 3.0 : (n * n + n - 2.0) / (2.0 * n * (n + 1.0));
}

/* What Y(j) is made with: factors of a stage. */
enum {
    OF_BEGIN = 0,
    OF_ONE_BEFORE,
    OF_TWO_BEFORE,
    OF_RATE,
    OF_FIRST_RATE
}; /* 1 - mu - nu, mu, nu, m dt, g dt */

FUNCTION void set_factors(system_stage_t *stage, uint32 j, uint32 stages, double dt) {
    const double n = (double)j, s = (double)stages;
    const double w = 4.0 / (s * s + s - 2.0);
    double mu = 0.0, nu = 0.0, rate = w / 3.0, first_rate = 0.0;
    if (j > 1u) {
        const double b = legendre_weight(j), b_before = legendre_weight(j - 1u);
        mu = (2.0 * n - 1.0) / n * b / b_before;
        nu = -(n - 1.0) / n * b / legendre_weight(j - 2u);
        rate = mu * w;
        first_rate = (b_before - 1.0) * rate;
    }
    stage->factors[OF_BEGIN] = (real_t)(1.0 - mu - nu);
    stage->factors[OF_ONE_BEFORE] = (real_t)mu;
    stage->factors[OF_TWO_BEFORE] = (real_t)nu;
    stage->factors[OF_RATE] = (real_t)(rate * dt);
    stage->factors[OF_FIRST_RATE] = (real_t)(first_rate * dt);
}

/* c_j */
FUNCTION double legendre_node(uint32 j, uint32 stages) {
    const double n = (double)j, s = (double)stages;
    const double all = s * s + s - 2.0;
    return j == 0u ? 0.0 : (j == 1u ? 4.0 / (3.0 * all) : (n * n + n - 2.0) / all);
}

FUNCTION void rkl2_value(const system_t *self, const system_stage_t *stage, uint32 field, size_t cell,
                         index_t lane, real_t begin, real_t rate) {
    const size_t at = place_of_value(self, field, cell);
    const real_t *factors = stage->factors;
    real_t next = begin;
    if (stage->stage == 0u) {
        self->rates[at] = rate;
    } else {
        next = FUSED(factors[OF_BEGIN], begin, factors[OF_TWO_BEFORE] * stage->added[at]);
        next = FUSED(factors[OF_ONE_BEFORE], stage->values[at], next);
        next = FUSED(factors[OF_FIRST_RATE], self->rates[at], next);
    }
    next = EXPLICIT_STEP(next, factors[OF_RATE], rate);
    stage->next[at] = next;
    if (stage->check) {
        watch_step(&self->run, lane, (index_t)cell, next);
    }
}

#if defined(SYSTEM_RATES)
FUNCTION void rkl2_cell(const system_t *self, const system_stage_t *stage, const cell_t *cell, index_t lane,
                        const real_t *rates) {
    for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        const real_t begin = stage->begin[place_of_value(self, field, (size_t)cell->index)];
        rkl2_value(self, stage, field, (size_t)cell->index, lane, begin, rates[field]);
    }
}
#else
FUNCTION void rkl2_line(const system_t *self, const system_stage_t *stage, const line_t *line, uint32 field,
                        const real_t *rate) {
    const size_t first = first_of_line(self, line);
    for (uint32 i = 0; i < line->count; ++i) {
        const real_t begin = stage->begin[place_of_value(self, field, first + i)];
        rkl2_value(self, stage, field, first + i, (index_t)i, begin, rate[i]);
    }
}
#endif

SYSTEM_LOOP(rkl2_cells, rkl2, 0u)

FUNCTION system_stage_t rkl2_stage(const system_t *self, const segment_t *segment, uint32 step,
                                   uint32 number) {
    GLOBAL const system_setup_t *setup = self->setup;
    const double dt = time_of_step(segment, step), t = begin_of_step(self, segment, step);
    system_stage_t stage;
    stage.step = step;
    stage.stage = number;
    stage.last = number + 1u == setup->stages ? 1u : 0u;
    stage.check = stage.last ? is_checked_step(self->run.parameters, segment, step) : 0u;
    stage.begin = copy_of(self->u, step);
    stage.values = number == 0u ? stage.begin : copy_of(self->stage_values, number);
    stage.next = stage.last ? copy_of(self->u, step + 1u) : copy_of(self->stage_values, number + 1u);
    stage.added = number < 2u ? stage.begin : copy_of(self->stage_values, number + 1u); /* Y(j-2) */
    stage.part = (real_t)0;
    stage.adds = stage.moves = stage.swaps = 0u;
    stage.dt = (real_t)dt;
    set_factors(&stage, number + 1u, setup->stages, dt);
    stage.t = (real_t)(t + legendre_node(number, setup->stages) * dt);
    return stage;
}

FUNCTION void rkl2_phase(const system_t *self, const segment_t *segment, uint32 step, uint32 number) {
    const run_t *run = &self->run;
    const system_stage_t stage = rkl2_stage(self, segment, step, number);
    const uint32 is_behind = is_behind_steps(self, step);
    const uint32 check = is_behind ? 0u : stage.check;
    NOTE_CHANGES_OF_STAGE(self, is_behind ? 0u : rank_bit_of(self, stage.next),
                          number == 0u); /* rates are read where they are written */
    if (!is_behind) {
        clear_lanes(run, LANE_MAX, LANE_ROWS);
        rkl2_cells(self, &stage);
    }
    if (check) {
        contribute_slack(run);
    }
    end_phase_of_step(self, segment, copy_of(self->u, step), step, number == 0u ? 1u : 0u, check);
}

FULL_KERNEL(rkl2, KERNEL_ARGUMENTS(SEGMENTED_SYSTEM_FIELDS)) {
    SYSTEM_KERNEL_MEMORY;
    const system_t self = SYSTEM_VALUES;
    RUN_SEGMENTS(self.run, setup->stages, snapshot_of(copy_of(self.u, at.step), values_of_system(&self)),
                 rkl2_phase(&self, &now, at.step, at.stage));
}

#endif
