/* Labels of kernels/labels.h from the materials of an image, behind kernels/image_operator.h: a cell that counts has that of its
 * material, the others have 0. They are those whose inverse diagonal is 0; where inverses are a table by kinds, those whose part of the image
 * reaches no face that is asked for. Then kinds are made as well.
 *
 * Shapes: material, reached, labels bytes [cells]; inverse_diagonal [cells], or kinds [cells] of two bytes. Bytes per cell:
 * 2 + sizeof(real_t), or 5. Barriers: none, it is one phase. */
#ifndef PERDURE_KERNELS_IMAGE_LABELS_H
#define PERDURE_KERNELS_IMAGE_LABELS_H

#include "kernels/image_labels_fields.h"
#include "kernels/kernel_forms.h"
#include "kernels/labels.h"
#include "kernels/real_type.h"
#include "kernels/run.h"

typedef struct {
    run_t run;
    IMAGE_LABELS_FIELDS(FIELD_MEMBER)
} image_labels_t;

FUNCTION uint32 image_label(const image_labels_t *self, index_t cell) {
    const uint32 counts = self->question->labels_of_kinds != 0u
                              ? (self->reached[cell] & self->question->faces) != 0u
                              : self->inverse_diagonal[cell] != (real_t)0;
    return counts ? self->material[cell] + 1u : 0u;
}

FUNCTION uint32 image_kind(const image_labels_t *self, uint32 index) {
    const run_parameters_t *grid = self->run.parameters;
    const cell_t cell = cell_at(grid, index, DIMENSIONS(grid));
    const stencil_t s = stencil_of(grid, cell);
    uint32 labels[STENCIL_POINTS];
    UNROLLED
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        labels[k] = image_label(self, s.cell[k]);
    }
    return kind_of_diagonal(
        position_of_kind(at_side(cell.x, grid->nx), at_side(cell.y, grid->ny), at_side(cell.z, grid->nz)),
        labels, self->question->labels_of_kinds);
}

FUNCTION void image_labels_phase(const image_labels_t *self) {
    const uint32 cells = self->run.parameters->cells;
    for (uint32 i = group_index() * group_size() + item_index(); i < cells;
         i += group_count() * group_size()) {
        self->labels[i] = (unsigned char)image_label(self, (index_t)i);
        if (self->question->labels_of_kinds != 0u) {
            self->kinds[i] = (unsigned short)image_kind(self, i);
        }
    }
}

PLAIN_KERNEL(image_labels, PREPARATION_ARGUMENTS(IMAGE_LABELS_FIELDS)) {
    LOCAL_MEMORY uint32 verdict;
    const image_labels_t self = {PREPARATION_VALUES, IMAGE_LABELS_FIELDS(FIELD_VALUE)};
    RUN_PHASES(self.run, image_labels_phase(&self));
}

#endif
