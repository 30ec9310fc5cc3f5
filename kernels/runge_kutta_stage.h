/* A stage of an explicit Runge-Kutta step, of a size that is given (kernels/runge_kutta.h) or chosen (kernels/courant_runge_kutta.h). */
#ifndef PERDURE_KERNELS_RUNGE_KUTTA_STAGE_H
#define PERDURE_KERNELS_RUNGE_KUTTA_STAGE_H

#include "kernels/operator.h"
#include "kernels/rates.h"

/* A field in a cell from its rate and what the step began with; returns it. */
FUNCTION real_t advance_value(const system_t *self, const system_stage_t *stage, uint32 field, size_t cell,
                              real_t begin, real_t rate) {
    const real_t change = STAGES_OF(self->setup) > 1u ? weighted_rates(self, stage, field, cell, rate) : rate;
    const real_t next = EXPLICIT_STEP(begin, stage->dt, change);
    stage->next[place_of_value(self, field, cell)] = next;
    if (!stage->last) {
        rate_of_stage(self, stage, stage->stage, field)[cell] = rate;
    }
    return next;
}

/* Of step number `step`, which begins at time t. */
FUNCTION system_stage_t runge_kutta_stage(const system_t *self, uint32 step, uint32 number, double t,
                                          double dt) {
    GLOBAL const system_setup_t *setup = self->setup;
    system_stage_t stage;
    stage.step = step;
    stage.stage = number;
    stage.last = number + 1u == STAGES_OF(setup) ? 1u : 0u;
    stage.check = 0u;
    stage.begin = copy_of(self->u, step);
    stage.added = stage.begin;
    stage.part = (real_t)0;
    stage.adds = stage.moves = stage.swaps = 0u;
    stage.values = STAGES_OF(setup) == 1u || number == 0u ? stage.begin : copy_of(self->stage_values, number);
    stage.next = stage.last ? copy_of(self->u, step + 1u) : copy_of(self->stage_values, number + 1u);
    stage.dt = (real_t)dt;
    stage.t = (real_t)(t + setup->node[number] * dt);
    stage.end = (real_t)(t + dt);
    return stage;
}

#endif
