/* What each phase of kernels/cg_multigrid.h changes of the arrays that ranks exchange, each on a device of its own: bits of
 * kernels/rank_place.h. Of steps without sums kernels/multigrid/steps.h knows. */
#ifndef PERDURE_KERNELS_CG_MULTIGRID_CHANGES_H
#define PERDURE_KERNELS_CG_MULTIGRID_CHANGES_H

#include "kernels/cg_multigrid_state.h"
#include "kernels/rank_place.h"

FUNCTION uint64 copy_of_finest(uint32 copy) {
    return copy == NO_COPY
               ? 0u
               : rank_bit(rank_number_of_level(0u, copy == 1u ? RANK_LEVEL_SECOND_U : RANK_LEVEL_U));
}

FUNCTION uint64 cg_multigrid_changes(const cg_multigrid_t *self, const step_t *step) {
    const uint32 turn = self->run.state->solve.turn;
    const uint64 rounded_b = ROUNDED ? rank_bit(rank_number_of_level(0u, RANK_LEVEL_B)) : 0u;
    switch (step->operation) {
        case STEP_RESIDUAL:
        case STEP_SOLVED:
            return rank_bit(RANK_EVEN + vector_number(turn, TURN_OF_R));
        case STEP_BEGIN:
            return rounded_b | copy_of_finest(step->to);
        case STEP_LAST:
            return step->to != step->from ? copy_of_finest(step->to) : 0u;
        case STEP_DIRECTION:
            return rank_bit(RANK_X) | rank_bit(RANK_Q) | rank_bit(RANK_EVEN + vector_number(turn, TURN_OF_P));
        case STEP_ADVANCE:
            return rank_bit(RANK_X) | rank_bit(RANK_EVEN);
        case STEP_FIRST:
            return rank_bit(RANK_EVEN + vector_number(turn, TURN_OF_NEXT_R)) | rounded_b |
                   copy_of_finest(step->to);
        default: /* STEP_ROUND: each rank rounds the whole operator */
            return 0u;
    }
}

#endif
