/* Rates k(j) that a step of a system keeps from one stage to the next, and their sums. */
#ifndef PERDURE_KERNELS_RATES_H
#define PERDURE_KERNELS_RATES_H

#include "kernels/system_loops.h"

/* Where the rate of stage j stands. Of methods whose last stage is the first one of the next step, the two change places from step to
 * step: `swaps`. */
FUNCTION uint32 slot_of_rate(const system_t *self, const system_stage_t *stage, uint32 j) {
    const uint32 last = STAGES_OF(self->setup) - 1u;
    return stage->swaps && (j == 0u || j == last) ? last - j : j;
}

FUNCTION GLOBAL real_t *rate_of_stage(const system_t *self, const system_stage_t *stage, uint32 j,
                                      uint32 field) {
    const size_t cells = self->run.parameters->cells;
    return self->rates + ((size_t)slot_of_rate(self, stage, j) * self->setup->fields + field) * cells;
}

/* sum_j weight_j k_j: `rate` is that of this stage, those before are in memory. */
FUNCTION real_t weighted_rates(const system_t *self, const system_stage_t *stage, uint32 field, size_t cell,
                               real_t rate) {
    GLOBAL const double *weights = self->setup->weight[stage->stage];
    real_t sum = (real_t)weights[stage->stage] * rate;
    for (uint32 j = 0; j < stage->stage; ++j) {
        if (weights[j] != 0.0) {
            sum = FUSED((real_t)weights[j], rate_of_stage(self, stage, j, field)[cell], sum);
        }
    }
    return sum;
}

#endif
