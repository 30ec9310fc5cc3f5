/* The fields of kernels/cg.h. */
#ifndef PERDURE_KERNELS_CG_FIELDS_H
#define PERDURE_KERNELS_CG_FIELDS_H

#include "kernels/fields.h"

#define CG_VECTORS(F)                      \
    F(real_t, x, ANSWER, CELLS)            \
    F(real_t, r, SCRATCH, CELLS)           \
    F(real_t, q, SCRATCH, CELLS_IF_VARIED) \
    F(real_t, p, SCRATCH_COPIES, CELLS)

#define CG_OWN_FIELDS(F)       \
    F(real_t, b, INPUT, CELLS) \
    CG_VECTORS(F)

#define CG_FIELDS(F)   \
    OPERATOR_FIELDS(F) \
    CG_OWN_FIELDS(F)

#endif
