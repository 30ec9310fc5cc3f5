/* The fields of kernels/wave.h. */
#ifndef PERDURE_KERNELS_WAVE_FIELDS_H
#define PERDURE_KERNELS_WAVE_FIELDS_H

#include "kernels/fields.h"

#define WAVE_OWN_FIELDS(F)                    \
    F(real_t, b, INPUT, CELLS)                \
    F(real_t, v_diagonal, INPUT, COEFFICIENT) \
    F(real_t, u, ANSWER_COPIES, CELLS)        \
    F(real_t, v, ANSWER_COPIES, CELLS)        \
    F(real_t, factor_table, INPUT, GIVEN)

#define WAVE_FIELDS(F) \
    OPERATOR_FIELDS(F) \
    WAVE_OWN_FIELDS(F) \
    SEGMENT_FIELDS(F)

#endif
