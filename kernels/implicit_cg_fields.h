/* The fields of kernels/implicit_cg.h. */
#ifndef PERDURE_KERNELS_IMPLICIT_CG_FIELDS_H
#define PERDURE_KERNELS_IMPLICIT_CG_FIELDS_H

#include "kernels/cg_fields.h"
#include "kernels/implicit_step_fields.h"

#define IMPLICIT_CG_FIELDS(F)    \
    OPERATOR_FIELDS(F)           \
    F(real_t, b, SCRATCH, CELLS) \
    CG_VECTORS(F)                \
    IMPLICIT_STEP_FIELDS(F)      \
    FORMULA_FIELDS(F)            \
    MARKED_SEGMENT_FIELDS(F)

#endif
