/* The fields of the resident kernels. Conjugate gradients keep r, q and p on the chip (cg_on_chip.h) or have two copies of r and
 * p (cg_streamed.h). Arguments marked UNALIASED are reached through no other argument. */
#ifndef PERDURE_KERNELS_RESIDENT_RESIDENT_FIELDS_H
#define PERDURE_KERNELS_RESIDENT_RESIDENT_FIELDS_H

#include "kernels/heat_fields.h"

#define FIELD_ARGUMENT_UNALIASED(type, name) , GLOBAL const type *__restrict__ name

/* Explicit steps: the fields of heat; in Jacobi the factor table is empty. There is no velocity. */
#define BLOCKED_STEPS_FIELDS(F) HEAT_FIELDS(F)
#define ON_CHIP_STEPS_FIELDS(F) \
    HEAT_FIELDS(F)              \
    F(message_t, messages, SCRATCH, GIVEN)

#define UNALIASED_SYSTEM_FIELDS(F)        \
    OPERATOR_FIELDS_IN_ROLE(F, UNALIASED) \
    F(real_t, b, UNALIASED, CELLS)

#define ON_CHIP_CG_FIELDS(F)              \
    UNALIASED_SYSTEM_FIELDS(F)            \
    F(real_t, x, ANSWER, CELLS)           \
    F(cg_plan_t, plan, INPUT, GIVEN)      \
    F(epoch_word_t, rows, SCRATCH, GIVEN) \
    F(message_t, messages, SCRATCH, GIVEN)

#define STREAMED_CG_FIELDS(F)           \
    UNALIASED_SYSTEM_FIELDS(F)          \
    F(real_t, x, ANSWER, CELLS)         \
    F(real_t, r, SCRATCH_COPIES, CELLS) \
    F(real_t, p, SCRATCH_COPIES, CELLS) \
    F(cg_plan_t, plan, INPUT, GIVEN)    \
    F(epoch_word_t, rows, SCRATCH, GIVEN)

#endif
