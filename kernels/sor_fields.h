/* The fields of kernels/sor.h. */
#ifndef PERDURE_KERNELS_SOR_FIELDS_H
#define PERDURE_KERNELS_SOR_FIELDS_H

#include "kernels/fields.h"

#define SOR_OWN_FIELDS(F)      \
    F(real_t, b, INPUT, CELLS) \
    F(real_t, u, ANSWER, CELLS)

#define SOR_FIELDS(F)  \
    OPERATOR_FIELDS(F) \
    SOR_OWN_FIELDS(F)  \
    ACROSS_FIELDS(F)

#endif
