/* The fields of kernels/implicit_step.h: the sources [1 + factors][cells], c where it varies, u before the last step and before the one before it, and what a run that is
 * watched needs for it. */
#ifndef PERDURE_KERNELS_IMPLICIT_STEP_FIELDS_H
#define PERDURE_KERNELS_IMPLICIT_STEP_FIELDS_H

#include "kernels/system_fields.h"

#define IMPLICIT_STEP_FIELDS(F)        \
    F(real_t, sources, INPUT, CELLS)   \
    F(real_t, before, SCRATCH, CELLS)  \
    F(real_t, earlier, SCRATCH, CELLS) \
    F(real_t, capacity, INPUT, GIVEN)  \
    F(real_t, factor_table, INPUT, GIVEN)

#endif
