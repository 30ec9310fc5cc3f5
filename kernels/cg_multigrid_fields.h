/* The fields of kernels/cg_multigrid.h. Cycles take the operator of level 0 as theirs, and its fields are therefore not
 * constant */
#ifndef PERDURE_KERNELS_CG_MULTIGRID_FIELDS_H
#define PERDURE_KERNELS_CG_MULTIGRID_FIELDS_H

#include "kernels/fields.h"

#define CG_MULTIGRID_OPERATOR_FIELDS(F)               \
    F(real_t, diagonal, CHANGED, COEFFICIENT)         \
    F(real_t, inverse_diagonal, CHANGED, COEFFICIENT) \
    F(real_t, face_x, CHANGED, COEFFICIENT)           \
    F(real_t, face_y, CHANGED, COEFFICIENT)           \
    F(real_t, face_z, CHANGED, COEFFICIENT_3D)

#define CG_MULTIGRID_OWN_FIELDS(F)      \
    F(real_t, b, INPUT, CELLS)          \
    F(real_t, x, ANSWER, CELLS)         \
    F(real_t, r, SCRATCH_COPIES, CELLS) \
    F(real_t, q, SCRATCH, CELLS)        \
    F(real_t, p, SCRATCH_COPIES, CELLS)

#define CG_MULTIGRID_CYCLE_FIELDS(F)        \
    F(hierarchy_t, hierarchy, INPUT, GIVEN) \
    F(phase_t, phases, INPUT, GIVEN)        \
    F(step_t, steps, INPUT, GIVEN)          \
    F(wave_t, waves, INPUT, GIVEN)          \
    F(uint32, places, INPUT, GIVEN)         \
    F(cycle_t, tables, CHANGED, GIVEN)      \
    F(cycle_t, arena, SCRATCH, GIVEN)

#define CG_MULTIGRID_FIELDS(F)      \
    CG_MULTIGRID_OPERATOR_FIELDS(F) \
    CG_MULTIGRID_OWN_FIELDS(F)      \
    CG_MULTIGRID_CYCLE_FIELDS(F)

#endif
