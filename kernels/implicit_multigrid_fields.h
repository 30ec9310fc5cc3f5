/* The fields of kernels/implicit_multigrid.h. */
#ifndef PERDURE_KERNELS_IMPLICIT_MULTIGRID_FIELDS_H
#define PERDURE_KERNELS_IMPLICIT_MULTIGRID_FIELDS_H

#include "kernels/cg_multigrid_fields.h"
#include "kernels/implicit_step_fields.h"

#define IMPLICIT_MULTIGRID_FIELDS(F)    \
    OPERATOR_FIELDS_IN_ROLE(F, CHANGED) \
    F(real_t, b, SCRATCH, CELLS)        \
    CG_MULTIGRID_VECTORS(F)             \
    CG_MULTIGRID_CYCLE_FIELDS(F)        \
    IMPLICIT_STEP_FIELDS(F)             \
    FORMULA_FIELDS(F)                   \
    MARKED_SEGMENT_FIELDS(F)

#endif
