/* The operator of kernels/operator.h and its right-hand side from a labelled image, made where they are needed: the host
 * sends a byte a cell instead of five or six numbers.
 *
 *   m, n = materials of a cell and of its neighbour across a face f, where both count
 *   t_f  = pair(axis, m, n)                         harmonic(a_m, a_n) / h^2, from a table
 *   d    = sum over sides s of the cell of side(s, m),    b = side(s, m) of the side of value 1
 *   1/D  = 1 / (d + sum over faces of t_f)          0 where the cell does not count
 *
 * A cell counts where its part of the image reaches one of two faces (kernels/percolation.h has found which do). An axis of
 * one cell has no faces between cells.
 *
 * Shapes: material, reached bytes [cells]; fields [cells], face_z one entry in 2D; table [IMAGE_TABLE_ENTRIES].
 * Units: as kernels/operator.h. Bytes per cell: 2 read (neighbours from the cache), 6 x sizeof(real_t) written, 5 in 2D.
 * Barriers: none, it is one phase. */
#ifndef PERDURE_KERNELS_IMAGE_OPERATOR_H
#define PERDURE_KERNELS_IMAGE_OPERATOR_H

#include "kernels/chunks.h"
#include "kernels/image_operator_fields.h"
#include "kernels/image_question.h"
#include "kernels/kernel_forms.h"
#include "kernels/real_type.h"
#include "kernels/run.h"

typedef struct {
    run_t run;
    GLOBAL const image_question_t *question;
    GLOBAL const real_t *table;
    GLOBAL const unsigned char *material;
    GLOBAL const unsigned char *reached;
    GLOBAL real_t *diagonal;
    GLOBAL real_t *inverse_diagonal;
    GLOBAL real_t *face[3];
    GLOBAL real_t *b;
} image_operator_t;

FUNCTION uint32 image_cell_counts(const image_operator_t *self, uint32 cell) {
    return (self->reached[cell] & self->question->faces) != 0u ? 1u : 0u;
}

/* Conductance to a neighbour; 0 where there is none. */
FUNCTION real_t image_conductance(const image_operator_t *self, uint32 axis, uint32 cell, uint32 neighbour) {
    if (neighbour == cell || !image_cell_counts(self, neighbour)) {
        return (real_t)0;
    }
    return self
        ->table[PAIR_PLACE(self->question->materials, axis, self->material[cell], self->material[neighbour])];
}

FUNCTION void image_operator_at(const image_operator_t *self, cell_t cell) {
    const run_parameters_t *grid = self->run.parameters;
    const uint32 materials = self->question->materials, i = cell.index, m = self->material[i];
    const uint32 counts = image_cell_counts(self, i);
    const stencil_t s = stencil_of(grid, cell);
    const uint32 at_sides[3] = {at_side(cell.x, grid->nx), at_side(cell.y, grid->ny),
                                at_side(cell.z, grid->nz)};
    sum_t faces = (sum_t)0, sides = (sum_t)0, b = (sum_t)0;
    for (uint32 axis = 0; axis < DIMENSIONS(grid); ++axis) {
        real_t below = (real_t)0;
        for (uint32 upper_one = 0; upper_one < 2u && counts; ++upper_one) {
            const uint32 side = 2u * axis + upper_one;
            const real_t t = image_conductance(self, axis, i, s.cell[WEST + side]);
            faces += (sum_t)t;
            below = upper_one ? below : t;
            if ((at_sides[axis] >> upper_one & 1u) != 0u) {
                const sum_t to_side = (sum_t)self->table[SIDE_PLACE(materials, side, m)];
                sides += to_side;
                b += side == self->question->held ? to_side : (sum_t)0;
            }
        }
        self->face[axis][i] = below;
    }
    self->diagonal[i] = (real_t)sides;
    if (!self->question->without_b) {
        self->b[i] = (real_t)b;
    }
    if (self->question->labels_of_kinds != 0u) {
        return;
    }
    const sum_t whole = self->question->plain ? (sum_t)counts : sides + faces;
    self->inverse_diagonal[i] = whole > (sum_t)0 ? (real_t)((sum_t)1 / whole) : (real_t)0;
}

FUNCTION void image_operator_phase(const image_operator_t *self) {
    const run_parameters_t *grid = self->run.parameters;
    FOR_EACH_CHUNK (chunk, grid) {
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            image_operator_at(self, cell);
        }
    }
}

PLAIN_KERNEL(image_operator, PREPARATION_ARGUMENTS(IMAGE_OPERATOR_FIELDS)) {
    LOCAL_MEMORY uint32 verdict;
    const image_operator_t self = {
        PREPARATION_VALUES,       question, table, material, reached, diagonal, inverse_diagonal,
        {face_x, face_y, face_z}, b};
    RUN_PHASES(self.run, image_operator_phase(&self));
}

#endif
