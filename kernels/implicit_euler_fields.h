/* The fields of kernels/implicit_euler.h. */
#ifndef PERDURE_KERNELS_IMPLICIT_EULER_FIELDS_H
#define PERDURE_KERNELS_IMPLICIT_EULER_FIELDS_H

#include "kernels/cg_fields.h"

#define IMPLICIT_EULER_FIELDS(F) \
    OPERATOR_FIELDS(F)           \
    F(real_t, b, SCRATCH, CELLS) \
    CG_VECTORS(F)                \
    F(real_t, f, INPUT, CELLS)

#endif
