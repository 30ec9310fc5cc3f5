/* The fields of kernels/plane_flow.h. */
#ifndef PERDURE_KERNELS_PLANE_FLOW_FIELDS_H
#define PERDURE_KERNELS_PLANE_FLOW_FIELDS_H

#include "kernels/fields.h"

#define PLANE_FLOW_FIELDS(F)          \
    F(uint32, held, INPUT, GIVEN)     \
    F(real_t, diagonal, INPUT, CELLS) \
    F(real_t, face_x, INPUT, CELLS)   \
    F(real_t, face_y, INPUT, CELLS)   \
    F(real_t, face_z, INPUT, CELLS)   \
    F(real_t, u, INPUT, GIVEN)        \
    F(sum_t, sums, SCRATCH, GIVEN)

#endif
