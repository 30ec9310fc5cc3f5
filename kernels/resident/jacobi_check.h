/* A check of Jacobi in a resident run: b - A u of a group's own cells, formed as a step forms it, summed up as the phase of
 * kernels/jacobi.h does, but group by group: norms have the phases' value but for rounding, the largest |r| its bits.
 *
 *   publishes     sums, slack and bad cells of every group
 *   observed by   the last group, which decides (kernels/relaxation_decide.h)
 *   edge          is_last_group's; the decision reaches the others by the grid barrier behind it
 *   called by     every item of every group
 *
 * D u is weight u / scale: scale = weight / D is at hand in a step. It is the same nearly everywhere, `usual`. */
#ifndef PERDURE_KERNELS_RESIDENT_JACOBI_CHECK_H
#define PERDURE_KERNELS_RESIDENT_JACOBI_CHECK_H

#include "kernels/real_type.h"
#include "kernels/relaxation_decide.h"
#include "kernels/resident/row.h"

struct residual_t {
    double squares;      /* of r */
    double sizes, inner; /* squares of D u; of u where scale is usual */
    double largest;
    double weight;
    real_t usual;
    uint32 bad_cell;

    FUNCTION_MEMBER void begin(const run_parameters_t *grid, real_t usual_scale) {
        squares = sizes = inner = largest = 0.0;
        weight = grid->weight;
        usual = usual_scale;
        bad_cell = NO_CELL;
    }
    FUNCTION_MEMBER void add(uint32 cell, real_t u, real_t r, real_t scale) {
        squares += (double)r * (double)r;
        largest = larger(fabs((double)r), largest);
        if (scale == usual) {
            inner += (double)u * (double)u;
        } else if (scale != (real_t)0) {
            const double size = weight * (double)u / (double)scale;
            sizes += size * size;
        }
        if (r - r != (real_t)0 && cell < bad_cell) {
            bad_cell = cell;
        }
    }
    FUNCTION_MEMBER double all_sizes() const {
        const double diagonal = usual != (real_t)0 ? weight / (double)usual : 0.0;
        return sizes + inner * diagonal * diagonal;
    }
};

FUNCTION double add_warp(double value) {
    for (uint32 stride = 16u; stride > 0u; stride /= 2u) {
        value += shift_lanes(value, stride);
    }
    return value;
}

/* This group's sums, in lanes 0 of rows 0 and 1. */
FUNCTION void contribute_residual(const run_t *run, const residual_t &residual) {
    const double squares = add_warp(residual.squares), sizes = add_warp(residual.all_sizes());
    double largest = residual.largest;
    for (uint32 stride = 16u; stride > 0u; stride /= 2u) {
        largest = larger(largest, shift_lanes(largest, stride));
    }
    clear_lanes(run, 0u, LANE_ROWS);
    group_barrier();
    if (item_index() % 32u == 0u) {
        run->lanes[item_index() / 32u] = squares;
        run->lanes[LANES + item_index() / 32u] = sizes;
        run->lanes[LANE_MAX * LANES + item_index() / 32u] = largest;
    }
    if (residual.bad_cell != NO_CELL) {
        min_uint32(&run->state->control.bad_cell, residual.bad_cell, ORDER_RELAXED, SCOPE_DEVICE);
    }
    group_barrier();
    tree_sum(run->lanes, 2u);
    if (run->parameters->norm == NORM_MAX) {
        contribute_slack(run);
    }
}

/* Every item, before a grid barrier. `residual`: of u(n). */
static __device__ __noinline__ void decide_on_residual(const run_t *run, const residual_t *residual,
                                                       uint32 n) {
    contribute_residual(run, *residual);
    if (item_index() == 0u) {
        run->partials[group_index()] = run->lanes[0];
        run->partials[group_count() + group_index()] = run->lanes[LANES];
    }
    if (!is_last_group(run->sync, run->verdict)) {
        return;
    }
    for (uint32 lane = item_index(); lane < LANES; lane += group_size()) {
        sum_t sum[2] = {(sum_t)0, (sum_t)0};
        for (uint32 group = lane; group < group_count(); group += LANES) {
            sum[0] += run->partials[group];
            sum[1] += run->partials[group_count() + group];
        }
        run->lanes[lane] = sum[0];
        run->lanes[LANES + lane] = sum[1];
    }
    tree_sum(run->lanes, 2u);
    DECIDE(end_solve(run, n, relaxation_decide(run, n)));
}

#endif
