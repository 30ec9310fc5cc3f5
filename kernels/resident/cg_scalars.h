/* What resident runs of conjugate gradients have in common, wherever their vectors lie: sums, scalars, what follows from them. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_SCALARS_H
#define PERDURE_KERNELS_RESIDENT_CG_SCALARS_H

#include "kernels/real_type.h"
#include "kernels/resident/cg_sums.h"
#include "kernels/run.h"

enum { GO_ON = 0, CURVATURE_LOST };

/* Of A and of M^-1. */
typedef struct {
    real_t diagonal, inverse;
} diagonals_t;

/* A check, which item 0 of group 0 alone sees. */
typedef struct {
    double squares;   /* sum of r^2 or, in the maximum norm, the largest |r| */
    uint32 undecided; /* 1: until decide_check */
    uint32 stop;      /* 1: the run has been asked to stop */
    uint32 wanted;    /* 1: the true residual is */
} cg_check_t;

/* What all items of a group have in common, in shared memory: registers are for cells. */
typedef struct {
    run_t run;
    sums_place_t sums;
    grid_barrier_t barrier; /* used by item 0 */
    cg_check_t check;
    diagonals_t diagonals[64]; /* of a uniform problem, by place */
} cg_group_t;

/* All but the diagonals, by item 0. */
FUNCTION void begin_group(cg_group_t &common, const run_t &run, epoch_word_t *rows) {
    const uint64 limit = run.parameters->wait_limit;
    common.run = run;
    common.check = {};
    common.sums.rows = rows;
    common.sums.sync = run.sync;
    common.sums.limit = limit;
    common.sums.widest = run.parameters->norm == NORM_MAX ? 1u : 0u;
    common.barrier = make_grid_barrier(BARRIER_GROUP_LEADER, run.sync, run.verdict, limit);
}

/* What follows from the sums. */
typedef struct {
    real_t alpha, beta;
    uint32 then; /* GO_ON, ... */
} direction_t;

/* The scalars of the next iteration. */
FUNCTION direction_t find_direction(const sums_place_t &sums) {
    const double gamma = taken_sum(sums, SUM_R_V), delta = taken_sum(sums, SUM_P_W),
                 mu = taken_sum(sums, SUM_W_V), nu = taken_sum(sums, SUM_W_MW);
    const double inverse_delta = 1.0 / delta;
    const double alpha = gamma * inverse_delta;
    const double beta = fma(inverse_delta, fma(alpha, nu, -2.0 * mu), 1.0);
    const bool bounded = alpha - alpha == 0.0 && beta - beta == 0.0; /* 1 / (p, A p) may overflow */
    const bool positive = gamma > 0.0 && delta > 0.0;
    direction_t direction;
    direction.alpha = (real_t)alpha;
    direction.beta = (real_t)(beta > 0.0 ? beta : 0.0); /* rounding, where r all but vanishes */
    direction.then = positive && bounded ? GO_ON : CURVATURE_LOST;
    return direction;
}

/* The largest |r| of an item or of all, where the maximum norm needs it. Between the verdict on it and the next offer lies a
 * synchronisation of all groups. */
FUNCTION void offer_slack(const run_t *run, double largest) {
    if (run->parameters->norm == NORM_MAX) {
        min_double(&run->state->control.slack, run->state->solve.tolerance - largest, ORDER_RELAXED,
                   SCOPE_DEVICE);
    }
}

/* r of a cell at a check, to what the norm is of. */
FUNCTION void add_to_check(uint32 norm, double r, sums_t *sums) {
    double *const of_check = &sums->of[SUM_R_R];
    *of_check = norm == NORM_MAX ? larger(fabs(r), *of_check) : fma(r, r, *of_check);
}

/* Whether x, which lies in memory, is to be advanced together with the next p: not where it lacks one already, nor where
 * p of the time before would come out of the next one inexactly. */
FUNCTION uint32 leaves_x(real_t owed, real_t beta) {
    return owed == (real_t)0 && beta > (real_t)0.125 ? 1u : 0u;
}

#endif
