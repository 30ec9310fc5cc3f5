/* The fields of kernels/jacobi.h. */
#ifndef PERDURE_KERNELS_JACOBI_FIELDS_H
#define PERDURE_KERNELS_JACOBI_FIELDS_H

#include "kernels/fields.h"

#define JACOBI_OWN_FIELDS(F)   \
    F(real_t, b, INPUT, CELLS) \
    F(real_t, u, ANSWER_COPIES, CELLS)

#define JACOBI_FIELDS(F) \
    OPERATOR_FIELDS(F)   \
    JACOBI_OWN_FIELDS(F) \
    ACROSS_FIELDS(F)

#endif
