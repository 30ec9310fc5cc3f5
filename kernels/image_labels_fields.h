/* The fields of kernels/image_labels.h. */
#ifndef PERDURE_KERNELS_IMAGE_LABELS_FIELDS_H
#define PERDURE_KERNELS_IMAGE_LABELS_FIELDS_H

#include "kernels/fields.h"

#define IMAGE_LABELS_FIELDS(F)                  \
    F(image_question_t, question, INPUT, GIVEN) \
    F(unsigned char, material, INPUT, GIVEN)    \
    F(unsigned char, reached, INPUT, GIVEN)     \
    F(real_t, inverse_diagonal, INPUT, CELLS)   \
    F(unsigned char, labels, CHANGED, BYTES)    \
    F(unsigned short, kinds, CHANGED, GIVEN)

#endif
