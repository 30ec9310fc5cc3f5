/* The fields of the resident kernels. Those of conjugate gradients hold r, q and p on the chip (cg_resident.h) or have two
 * copies of r (cg_streamed.h); what they read is reached through no other argument. */
#ifndef PERDURE_KERNELS_RESIDENT_RESIDENT_FIELDS_H
#define PERDURE_KERNELS_RESIDENT_RESIDENT_FIELDS_H

#include "kernels/heat_fields.h"

#define FIELD_ARGUMENT_UNALIASED(type, name) , GLOBAL const type *__restrict__ name

/* Of explicit steps: heat's and Jacobi's, whose factor table is empty. No velocity. */
#define STREAMED_STEPS_FIELDS(F) HEAT_FIELDS(F)
#define HELD_STEPS_FIELDS(F) \
    HEAT_FIELDS(F)           \
    F(word_t, words, SCRATCH, GIVEN)

#define UNALIASED_SYSTEM_FIELDS(F)        \
    OPERATOR_FIELDS_IN_ROLE(F, UNALIASED) \
    F(real_t, b, UNALIASED, CELLS)

#define RESIDENT_CG_FIELDS(F)             \
    UNALIASED_SYSTEM_FIELDS(F)            \
    F(real_t, x, ANSWER, CELLS)           \
    F(cg_plan_t, plan, INPUT, GIVEN)      \
    F(epoch_word_t, rows, SCRATCH, GIVEN) \
    F(word_t, words, SCRATCH, GIVEN)

#define STREAMED_CG_FIELDS(F)           \
    UNALIASED_SYSTEM_FIELDS(F)          \
    F(real_t, x, ANSWER, CELLS)         \
    F(real_t, r, SCRATCH_COPIES, CELLS) \
    F(real_t, p, SCRATCH_COPIES, CELLS) \
    F(cg_plan_t, plan, INPUT, GIVEN)    \
    F(epoch_word_t, rows, SCRATCH, GIVEN)

#endif
