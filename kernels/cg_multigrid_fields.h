/* The fields of kernels/cg_multigrid.h. Cycles take the operator of level 0 for theirs, so its fields are not
 * constant. */
#ifndef PERDURE_KERNELS_CG_MULTIGRID_FIELDS_H
#define PERDURE_KERNELS_CG_MULTIGRID_FIELDS_H

#include "kernels/fields.h"

/* r and p take turns in both copies of r and p: kernels/cg_multigrid_state.h. */
#define CG_MULTIGRID_VECTORS(F)         \
    F(real_t, x, ANSWER, CELLS)         \
    F(real_t, r, SCRATCH_COPIES, CELLS) \
    F(real_t, q, SCRATCH, CELLS)        \
    F(real_t, p, SCRATCH, CELLS)

#define CG_MULTIGRID_OWN_FIELDS(F) \
    F(real_t, b, INPUT, CELLS)     \
    CG_MULTIGRID_VECTORS(F)

#define CG_MULTIGRID_CYCLE_FIELDS(F)        \
    F(hierarchy_t, hierarchy, INPUT, GIVEN) \
    F(phase_t, phases, INPUT, GIVEN)        \
    F(step_t, steps, INPUT, GIVEN)          \
    F(wave_t, waves, INPUT, GIVEN)          \
    F(uint32, places, INPUT, GIVEN)         \
    F(cycle_t, tables, CHANGED, GIVEN)      \
    F(cycle_t, arena, SCRATCH, GIVEN)

#define CG_MULTIGRID_FIELDS(F)          \
    OPERATOR_FIELDS_IN_ROLE(F, CHANGED) \
    CG_MULTIGRID_OWN_FIELDS(F)          \
    CG_MULTIGRID_CYCLE_FIELDS(F)

/* The same with full tensors (kernels/cross_terms.h). */
#define CG_MULTIGRID_TENSOR_FIELDS(F) \
    CG_MULTIGRID_FIELDS(F)            \
    F(uint32, vertices, INPUT, GIVEN) \
    F(real_t, cross_terms, INPUT, GIVEN)

/* The same by labels (kernels/labels.h): the table in real_t for the run, in cycle_t for cycles. Where b_by_labels is 1, b is a table of what
 * it is at a boundary position in a cell of a label, 0 in cells at no side: [PLACES][labels]. Where has_kinds is 1, inverse diagonals are a table by
 * kinds of cells, else an array. */
#define CG_MULTIGRID_LABEL_FIELDS(F)                  \
    F(unsigned char, labels, INPUT, BYTES)            \
    F(uint32, label_count, INPUT, GIVEN)              \
    F(uint32, b_by_labels, INPUT, GIVEN)              \
    F(real_t, coefficients, INPUT, GIVEN)             \
    F(cycle_t, cycle_coefficients, INPUT, GIVEN)      \
    F(real_t, inverse_diagonal, CHANGED, COEFFICIENT) \
    F(uint32, has_kinds, INPUT, GIVEN)                \
    F(unsigned short, kinds, INPUT, GIVEN)            \
    F(cycle_t, inverses, INPUT, GIVEN)                \
    CG_MULTIGRID_OWN_FIELDS(F)                        \
    CG_MULTIGRID_CYCLE_FIELDS(F)

#endif
