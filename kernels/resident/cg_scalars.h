/* State and scalars that all resident runs of conjugate gradients share, wherever their vectors lie. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_SCALARS_H
#define PERDURE_KERNELS_RESIDENT_CG_SCALARS_H

#include "kernels/real_type.h"
#include "kernels/resident/cg_sums.h"
#include "kernels/run.h"

enum { GO_ON = 0, CURVATURE_LOST };

/* Diagonal entries of A and of M^-1. */
typedef struct {
    real_t diagonal, inverse;
} diagonals_t;

/* A check; only item 0 of group 0 reads it. */
typedef struct {
    double squares;   /* sum of r^2 or, in the maximum norm, the largest |r| */
    uint32 undecided; /* 1: until decide_check */
    uint32 stop;      /* 1: the run has been asked to stop */
    uint32 wanted;    /* 1: the true residual is wanted */
} cg_check_t;

/* State that all items of a group share in shared memory: registers are for cells. */
typedef struct {
    run_t run;
    sums_exchange_t sums;
    grid_barrier_t barrier; /* used by item 0 */
    cg_check_t check;
    diagonals_t diagonals[64]; /* of a uniform problem, by table index */
} cg_group_t;

/* Fills the state, except the diagonals. Item 0 calls it. */
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

/* The scalars of an iteration and what to do next. */
typedef struct {
    real_t alpha, beta;
    uint32 then; /* GO_ON or CURVATURE_LOST */
} direction_t;

/* Computes the scalars of the next iteration from the sums. */
FUNCTION direction_t find_direction(const sums_exchange_t &sums) {
    const double gamma = taken_sum(sums, SUM_R_V), delta = taken_sum(sums, SUM_P_W),
                 mu = taken_sum(sums, SUM_W_V), nu = taken_sum(sums, SUM_W_MW);
    const double inverse_delta = 1.0 / delta;
    const double alpha = gamma * inverse_delta;
    const double beta = fma(inverse_delta, fma(alpha, nu, -2.0 * mu), 1.0);
    const bool bounded = alpha - alpha == 0.0 && beta - beta == 0.0; /* 1 / (p, A p) may overflow */
    const bool positive = gamma > 0.0 && delta > 0.0;
    direction_t direction;
    direction.alpha = (real_t)alpha;
    direction.beta =
        (real_t)(beta > 0.0 ? beta : 0.0); /* may be negative by rounding when r almost vanishes */
    direction.then = positive && bounded ? GO_ON : CURVATURE_LOST;
    return direction;
}

/* Offers the largest |r| of an item or of all items, if the maximum norm needs it. All groups synchronise between the decision on
 * it and the next offer. */
FUNCTION void offer_slack(const run_t *run, double largest) {
    if (run->parameters->norm == NORM_MAX) {
        min_double(&run->state->control.slack, run->state->solve.tolerance - largest, ORDER_RELAXED,
                   SCOPE_DEVICE);
    }
}

/* Adds r of a cell at a check to the sum or to the maximum, according to the norm. */
FUNCTION void add_to_check(uint32 norm, double r, sums_t *sums) {
    double *const of_check = &sums->of[SUM_R_R];
    *of_check = norm == NORM_MAX ? larger(fabs(r), *of_check) : fma(r, r, *of_check);
}

/* Returns 1 if this update of x, which lies in memory, is deferred and made together with the next one. Not if the previous
 * update was deferred, nor if beta is so small that the previous p cannot be recovered accurately. */
FUNCTION uint32 defers_x(real_t deferred, real_t beta) {
    return deferred == (real_t)0 && beta > (real_t)0.125 ? 1u : 0u;
}

#endif
