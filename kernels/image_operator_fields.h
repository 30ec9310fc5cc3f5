/* The fields of kernels/image_operator.h. */
#ifndef PERDURE_KERNELS_IMAGE_OPERATOR_FIELDS_H
#define PERDURE_KERNELS_IMAGE_OPERATOR_FIELDS_H

#include "kernels/fields.h"

#define IMAGE_OPERATOR_FIELDS(F)                \
    F(image_question_t, question, INPUT, GIVEN) \
    F(real_t, table, INPUT, GIVEN)              \
    F(unsigned char, material, INPUT, GIVEN)    \
    F(unsigned char, reached, INPUT, GIVEN)     \
    F(real_t, diagonal, CHANGED, CELLS)         \
    F(real_t, inverse_diagonal, CHANGED, CELLS) \
    F(real_t, face_x, CHANGED, CELLS)           \
    F(real_t, face_y, CHANGED, CELLS)           \
    F(real_t, face_z, CHANGED, CELLS)           \
    F(real_t, b, CHANGED, CELLS)

#endif
