/* The fields of kernels/bicgstab.h. */
#ifndef PERDURE_KERNELS_BICGSTAB_FIELDS_H
#define PERDURE_KERNELS_BICGSTAB_FIELDS_H

#include "kernels/fields.h"

#define BICGSTAB_OWN_FIELDS(F)          \
    F(real_t, b, INPUT, CELLS)          \
    F(real_t, x, ANSWER, CELLS)         \
    F(real_t, r, SCRATCH, CELLS)        \
    F(real_t, s, SCRATCH, CELLS)        \
    F(real_t, t, SCRATCH, CELLS)        \
    F(real_t, p, SCRATCH_COPIES, CELLS) \
    F(real_t, v, SCRATCH_COPIES, CELLS)

#define BICGSTAB_FIELDS(F) \
    OPERATOR_FIELDS(F)     \
    BICGSTAB_OWN_FIELDS(F) \
    ACROSS_FIELDS(F)

#endif
