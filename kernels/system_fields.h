/* The fields of kernels/system.h. */
#ifndef PERDURE_KERNELS_SYSTEM_FIELDS_H
#define PERDURE_KERNELS_SYSTEM_FIELDS_H

#include "kernels/fields.h"
#include "kernels/system_setup.h"

/* numbers       [parameters]
 * sides         [fields][6]
 * u             [fields][cells]
 * stage_values  [fields][cells], two copies; nothing where a step has one stage
 * rates         [stages - 1][fields][cells]
 * coefficients  [coefficients][cells]
 * instructions  the row program and those of the sides: host threads
 * registers     [groups][registers][LANES]: host threads */
#define SYSTEM_OWN_FIELDS(F)                            \
    F(system_setup_t, setup, INPUT, GIVEN)              \
    F(double, numbers, INPUT, GIVEN)                    \
    F(system_side_t, sides, INPUT, GIVEN)               \
    F(real_t, u, ANSWER_COPIES, FIELDS)                 \
    F(real_t, stage_values, SCRATCH_COPIES, STAGES)     \
    F(real_t, rates, SCRATCH, RATES)                    \
    F(real_t, coefficients, INPUT, GIVEN)               \
    F(system_instruction_t, instructions, INPUT, GIVEN) \
    F(real_t, registers, SCRATCH, GIVEN)

#define SYSTEM_FIELDS(F) \
    SYSTEM_OWN_FIELDS(F) \
    SEGMENT_FIELDS(F)

#endif
