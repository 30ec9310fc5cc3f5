/* What the formulas of kernels/newton.h make in a cell: the known side, the residual and the diagonal, products with the derivative. */
#ifndef PERDURE_KERNELS_NEWTON_FORMULAS_H
#define PERDURE_KERNELS_NEWTON_FORMULAS_H

#include "kernels/newton_decide.h"
#include "kernels/operator.h"
#include "kernels/program.h"
#include "kernels/system_loops.h"

/* Fields of the case. The formulas' results are R of each, R' w of each, the derivative of each by itself, and where rates are divided E of
 * each. The known side takes E, or R where that is all there is. */
#if defined(SYSTEM_RATES)
#define UNKNOWNS(self) (SYSTEM_FIELDS / 2u)
#else
#define UNKNOWNS(self) ((self)->setup->fields / 2u)
#endif

FUNCTION GLOBAL real_t *newton_slot(const system_t *self, uint32 slot) {
    return self->rates + (size_t)slot * UNKNOWNS(self) * self->run.parameters->cells;
}

/* What formulas see: U at time t; and where their results go. */
FUNCTION system_stage_t newton_stage(const system_t *self, double t, uint32 target) {
    GLOBAL const run_state_t *state = self->run.state;
    system_stage_t stage;
    stage.step = state->time.step;
    stage.stage = target;
    stage.last = 1u;
    stage.check = 0u;
    stage.values = newton_slot(self, NEWTON_U);
    stage.begin = stage.added = stage.values;
    stage.next = newton_slot(self, target);
    stage.part = (real_t)0;
    stage.adds = stage.moves = stage.swaps = 0u;
    stage.t = (real_t)t;
    stage.dt = (real_t)state->time.dt;
    stage.end = (real_t)(state->time.t + state->time.dt);
    return stage;
}

FUNCTION double end_of_step(const system_t *self) {
    return self->run.state->time.t + self->run.state->time.dt;
}

FUNCTION GLOBAL const newton_weights_t *newton_weights(const system_t *self) {
    return self->setup->weights + (self->run.state->time.step == self->setup->start_step ? 0 : 1);
}

/* b in a cell; what is remembered is no number before the first step has been made. */
FUNCTION void known_value(const system_t *self, uint32 field, size_t cell, real_t rate) {
    GLOBAL const newton_weights_t *weights = newton_weights(self);
    const size_t at = place_of_value(self, field, cell);
    const real_t u = newton_slot(self, NEWTON_U)[at];
    real_t b = (real_t)weights->now * u;
    if (self->setup->remembers) {
        GLOBAL real_t *before = copy_of(self->u, 1u) + at;
        if (weights->before != 0.0) {
            b = FUSED((real_t)weights->before, *before, b);
        }
        *before = u;
    }
    b = FUSED((real_t)weights->known, rate, b);
    if (self->setup->divides) {
        GLOBAL real_t *before = newton_slot(self, NEWTON_E) + at;
        if (weights->known_before != 0.0) {
            b = FUSED((real_t)weights->known_before, *before, b);
        }
        *before = rate;
    }
    newton_slot(self, NEWTON_B)[at] = b;
}

FUNCTION void residual_value(const system_t *self, uint32 field, size_t cell, real_t rate) {
    const size_t at = place_of_value(self, field, cell);
    const real_t u = newton_slot(self, NEWTON_U)[at];
    newton_slot(self, NEWTON_R)[at] =
        FUSED((real_t)newton_weights(self)->rate, rate, newton_slot(self, NEWTON_B)[at] - u);
    copy_of(self->u, 0u)[at] = u;
}

/* A row of J that its diagonal says nothing of is left as it is. */
FUNCTION void diagonal_value(const system_t *self, uint32 field, size_t cell, real_t slope) {
    const real_t row = FUSED(-(real_t)newton_weights(self)->rate, slope, (real_t)1);
    newton_slot(self, NEWTON_D)[place_of_value(self, field, cell)] =
        (real_t)fabs(row) > (real_t)1.0e-3 ? (real_t)1 / row : (real_t)1;
}

FUNCTION void product_value(const system_t *self, const system_stage_t *stage, uint32 field, size_t cell,
                            real_t slope) {
    const size_t at = place_of_value(self, field, cell);
    stage->next[at] = FUSED(-(real_t)newton_weights(self)->rate, slope, newton_slot(self, NEWTON_W)[at]);
}

#if defined(SYSTEM_RATES)
FUNCTION void known_cell(const system_t *self, const system_stage_t *stage, const cell_t *cell, index_t lane,
                         const real_t *rates) {
    (void)stage;
    (void)lane;
    for (uint32 field = 0; field < UNKNOWNS(self); ++field) {
        known_value(self, field, (size_t)cell->index, rates[SYSTEM_KNOWN_RESULTS + field]);
    }
}

FUNCTION void residual_cell(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                            index_t lane, const real_t *rates) {
    (void)stage;
    (void)lane;
    for (uint32 field = 0; field < UNKNOWNS(self); ++field) {
        residual_value(self, field, (size_t)cell->index, rates[field]);
        diagonal_value(self, field, (size_t)cell->index, rates[2u * UNKNOWNS(self) + field]);
    }
}

FUNCTION void product_cell(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                           index_t lane, const real_t *rates) {
    (void)lane;
    for (uint32 field = 0; field < UNKNOWNS(self); ++field) {
        product_value(self, stage, field, (size_t)cell->index, rates[UNKNOWNS(self) + field]);
    }
}
#else
FUNCTION void known_line(const system_t *self, const system_stage_t *stage, const line_t *line, uint32 result,
                         const real_t *rate) {
    const uint32 field = result % UNKNOWNS(self);
    (void)stage;
    for (uint32 i = 0; i < line->count; ++i) {
        known_value(self, field, first_of_line(self, line) + i, rate[i]);
    }
}

FUNCTION void residual_line(const system_t *self, const system_stage_t *stage, const line_t *line,
                            uint32 result, const real_t *value) {
    const uint32 unknowns = UNKNOWNS(self);
    (void)stage;
    for (uint32 i = 0; i < line->count; ++i) {
        if (result < unknowns) {
            residual_value(self, result, first_of_line(self, line) + i, value[i]);
        } else {
            diagonal_value(self, result - 2u * unknowns, first_of_line(self, line) + i, value[i]);
        }
    }
}

FUNCTION void product_line(const system_t *self, const system_stage_t *stage, const line_t *line,
                           uint32 result, const real_t *slope) {
    for (uint32 i = 0; i < line->count; ++i) {
        product_value(self, stage, result - UNKNOWNS(self), first_of_line(self, line) + i, slope[i]);
    }
}
#endif

SYSTEM_CHUNK(known, known, 0u, SYSTEM_PROGRAM_KNOWN)
SYSTEM_CHUNK(residual, residual, 0u, SYSTEM_PROGRAM_RESIDUAL)
SYSTEM_CHUNK(product, product, 0u, SYSTEM_PROGRAM_SLOPES)

#endif
