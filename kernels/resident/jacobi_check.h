/* A check of Jacobi in a resident run: b - A u of a group's own cells, formed with the operations of a step. The sums are those
 * of the phase in kernels/jacobi.h, but added group by group: norms agree with the phases up to rounding, the largest |r| has the
 * same bits.
 *
 *   publishes     sums, slack and bad cells of every group
 *   observed by   the last group, which decides (kernels/relaxation_decide.h)
 *   edge          that of is_last_group; the grid barrier after it makes the decision visible to the other groups
 *   called by     every item of every group
 *
 * A step knows scale = weight / D, so D u is computed as weight u / scale. `usual` is the scale of nearly all cells. */
#ifndef PERDURE_KERNELS_RESIDENT_JACOBI_CHECK_H
#define PERDURE_KERNELS_RESIDENT_JACOBI_CHECK_H

#include "kernels/real_type.h"
#include "kernels/relaxation_decide.h"
#include "kernels/resident/row.h"

struct residual_t {
    double squares;      /* sum of r^2 */
    double sizes, inner; /* sum of (D u)^2; sum of u^2 over cells with the usual scale */
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

/* Adds this group's sums; they are valid in slot 0 of rows 0 and 1 of `lanes`. */
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

/* Decides on the residual of u(n). Every item calls it, before a grid barrier. */
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
