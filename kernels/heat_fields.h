/* The fields of kernels/heat.h. */
#ifndef PERDURE_KERNELS_HEAT_FIELDS_H
#define PERDURE_KERNELS_HEAT_FIELDS_H

#include "kernels/fields.h"

#define HEAT_OWN_FIELDS(F)             \
    F(real_t, b, INPUT, CELLS)         \
    F(real_t, u, ANSWER_COPIES, CELLS) \
    F(real_t, capacity, INPUT, GIVEN)  \
    F(real_t, factor_table, INPUT, GIVEN)

#define HEAT_FIELDS(F) \
    OPERATOR_FIELDS(F) \
    HEAT_OWN_FIELDS(F)

#define HEAT_SEGMENTED_FIELDS(F) \
    HEAT_FIELDS(F)               \
    SEGMENT_FIELDS(F)

#endif
