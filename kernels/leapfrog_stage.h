/* A step of leapfrog in one phase, or one of its three phases (kernels/leapfrog.h). */
#ifndef PERDURE_KERNELS_LEAPFROG_STAGE_H
#define PERDURE_KERNELS_LEAPFROG_STAGE_H

#include "kernels/operator.h"
#include "kernels/system_loops.h"
#include "kernels/watched_step.h"

enum { MOVES_VELOCITIES = 0, MOVES_POSITIONS, MOVES_ALL };

FUNCTION system_stage_t leapfrog_stage(const system_t *self, const segment_t *segment, uint32 step,
                                       uint32 number) {
    GLOBAL const system_setup_t *setup = self->setup;
    const double dt = time_of_step(segment, step), t = begin_of_step(self, segment, step);
    const uint32 whole = STAGES_OF(setup) == 1u ? 1u : 0u;
    system_stage_t stage;
    stage.step = step;
    stage.stage = number;
    stage.last = number + 1u == STAGES_OF(setup) ? 1u : 0u;
    stage.moves = whole ? MOVES_ALL : (number == 1u ? MOVES_VELOCITIES : MOVES_POSITIONS);
    stage.check = stage.last || number == 1u ? is_checked_step(self->run.parameters, segment, step) : 0u;
    stage.next = copy_of(self->u, step + 1u);
    stage.begin = copy_of(self->u, step);
    stage.values = stage.begin;
    if (number > 0u) {
        stage.values = stage.next;
        stage.begin = number == 1u ? stage.begin : stage.next;
    }
    stage.added = stage.begin;
    stage.part = (real_t)(0.5 * dt);
    stage.adds = whole;
    stage.swaps = 0u;
    stage.dt = (real_t)(whole || number == 1u ? dt : 0.5 * dt);
    stage.t = (real_t)(t + (whole ? 0.5 : 0.5 * (double)number) * dt);
    return stage;
}

#endif
