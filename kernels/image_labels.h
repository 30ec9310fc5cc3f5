/* Labels of kernels/labels.h from the materials of an image, behind kernels/image_operator.h: a cell that counts has that of its
 * material, the others have 0. They are those whose inverse diagonal is 0.
 *
 * Shapes: material, labels bytes [cells]; inverse_diagonal [cells]. Bytes per cell: 2 + sizeof(real_t). Barriers: none, it is one
 * phase. */
#ifndef PERDURE_KERNELS_IMAGE_LABELS_H
#define PERDURE_KERNELS_IMAGE_LABELS_H

#include "kernels/image_labels_fields.h"
#include "kernels/kernel_forms.h"
#include "kernels/real_type.h"
#include "kernels/run.h"

typedef struct {
    run_t run;
    IMAGE_LABELS_FIELDS(FIELD_MEMBER)
} image_labels_t;

FUNCTION void image_labels_phase(const image_labels_t *self) {
    const uint32 cells = self->run.parameters->cells;
    for (uint32 i = group_index() * group_size() + item_index(); i < cells;
         i += group_count() * group_size()) {
        self->labels[i] = self->inverse_diagonal[i] != (real_t)0 ? (unsigned char)(self->material[i] + 1u)
                                                                 : (unsigned char)0;
    }
}

PLAIN_KERNEL(image_labels, PREPARATION_ARGUMENTS(IMAGE_LABELS_FIELDS)) {
    LOCAL_MEMORY uint32 verdict;
    const image_labels_t self = {PREPARATION_VALUES, IMAGE_LABELS_FIELDS(FIELD_VALUE)};
    RUN_PHASES(self.run, image_labels_phase(&self));
}

#endif
