/* The fields of kernels/chebyshev.h. */
#ifndef PERDURE_KERNELS_CHEBYSHEV_FIELDS_H
#define PERDURE_KERNELS_CHEBYSHEV_FIELDS_H

#include "kernels/fields.h"

#define CHEBYSHEV_OWN_FIELDS(F) \
    F(real_t, b, INPUT, CELLS)  \
    F(real_t, u, ANSWER_COPIES, CELLS)

#define CHEBYSHEV_FIELDS(F) \
    OPERATOR_FIELDS(F)      \
    CHEBYSHEV_OWN_FIELDS(F)

#endif
