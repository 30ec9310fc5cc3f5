/* What flows through every plane across an axis of a labelled image, what flows along the planes, and the energy that flows dissipate.
 *
 *   flow_k   = sum over faces of plane k of  t (u_below - u_above)          k = 0 .. n; 0 and n are the sides
 *   energy_k = sum over faces of plane k of  t (u_below - u_above)^2,  with what lies between this plane and the next:
 *              faces across the other axes
 *   noise_k  = flow_k, and energy_k, of values that are rounded independently:  sum of t^2 (u_below^2 + u_above^2), and
 *              of t (u_below^2 + u_above^2)
 *   across_k = sum of  t (u_below - u_above)  over the faces across one of the other axes that energy_k counts
 *
 * t are conductances of kernels/operator.h; of a side the diagonal, which holds nothing else here, beside the side's value, 1
 * or 0. Conductance per volume: the sum of all energies times the volume of a cell is the energy of u. It is too large by the
 * square of u's error in the energy norm (Dirichlet's principle), whatever u is; what flows through planes differs by what
 * the residual leaves there.
 *
 * A plane has PLANE_PARTS items, whose sums the host adds in a fixed order.
 * Shapes: u [cells]; diagonal, face_x, face_y, face_z as in kernels/operator.h; sums [PLANE_SUMS][n + 1][PLANE_PARTS]; held
 * one word. Units: flow those of t u. Bytes per cell: 4 x sizeof(real_t) read in 3D, once. Barriers: none, it is one phase. */
#ifndef PERDURE_KERNELS_PLANE_FLOW_H
#define PERDURE_KERNELS_PLANE_FLOW_H

#include "kernels/grid.h"
#include "kernels/image_question.h"
#include "kernels/kernel_forms.h"
#include "kernels/plane_flow_fields.h"
#include "kernels/real_type.h"
#include "kernels/run.h"

typedef struct {
    run_t run;
    GLOBAL const uint32 *held; /* the side of value 1 */
    GLOBAL const real_t *diagonal;
    GLOBAL const real_t *face[3];
    GLOBAL const real_t *u;
    GLOBAL sum_t *sums;
} plane_flow_t;

typedef struct {
    sum_t sum[PLANE_SUMS];
} plane_sums_t;

/* A face of conductance t between two values. */
FUNCTION void add_energy(plane_sums_t *to, sum_t t, sum_t below, sum_t above) {
    to->sum[PLANE_ENERGY] += t * ((below - above) * (below - above));
    to->sum[PLANE_ENERGY_NOISE] += t * (below * below + above * above);
}

FUNCTION void add_flow(plane_sums_t *to, sum_t t, sum_t below, sum_t above) {
    to->sum[PLANE_FLOW] += t * (below - above);
    to->sum[PLANE_FLOW_NOISE] += t * t * (below * below + above * above);
    add_energy(to, t, below, above);
}

FUNCTION void add_across(plane_sums_t *to, uint32 is_first, sum_t t, sum_t below, sum_t above) {
    const sum_t flow = t * (below - above);
    to->sum[PLANE_ACROSS_FIRST] += is_first ? flow : (sum_t)0;
    to->sum[PLANE_ACROSS_SECOND] += is_first ? (sum_t)0 : flow;
    add_energy(to, t, below, above);
}

/* The faces of plane k that belong to a cell beside it: below it where k is n, else above it. */
FUNCTION void add_cell(const plane_flow_t *self, plane_sums_t *to, uint32 k, uint32 cell) {
    const run_parameters_t *grid = self->run.parameters;
    const uint32 axis = *self->held / 2u, upper_one = *self->held & 1u;
    const uint32 n = extent(grid, axis);
    const stencil_t s = stencil_at(grid, cell);
    const sum_t here = (sum_t)self->u[cell];
    const sum_t to_side =
        k == 0u || k == n ? (sum_t)self->diagonal[cell] / (n == 1u ? (sum_t)2 : (sum_t)1) : (sum_t)0;
    if (k == n) {
        add_flow(to, to_side, here, (sum_t)upper_one);
        return;
    }
    for (uint32 other = 0; other < DIMENSIONS(grid); ++other) {
        const sum_t below = (sum_t)self->u[s.cell[WEST + 2u * other]];
        if (other == axis && k == 0u) {
            add_flow(to, to_side, (sum_t)(1u - upper_one), here);
        } else if (other == axis) {
            add_flow(to, (sum_t)self->face[other][cell], below, here);
        } else {
            add_across(to, other == (axis == 0u ? 1u : 0u), (sum_t)self->face[other][cell], below, here);
        }
    }
}

FUNCTION void plane_flow_phase(const plane_flow_t *self) {
    const run_parameters_t *grid = self->run.parameters;
    const uint32 axis = *self->held / 2u;
    const uint32 n = extent(grid, axis);
    const uint32 stride = axis == 0u ? 1u : (axis == 1u ? grid->nx : grid->layer.divisor);
    const uint32 faces = grid->cells / n, items = (n + 1u) * PLANE_PARTS;
    for (uint32 i = group_index() * group_size() + item_index(); i < items;
         i += group_count() * group_size()) {
        /* neighbours in memory belong to neighbouring items */
        const uint32 part = axis == 0u ? i / (n + 1u) : i % PLANE_PARTS;
        const uint32 k = axis == 0u ? i % (n + 1u) : i / PLANE_PARTS;
        const uint32 layer = k < n ? k : n - 1u;
        plane_sums_t sums = {{(sum_t)0}};
        for (uint32 f = part; f < faces; f += PLANE_PARTS) {
            const uint32 before = axis == 0u ? 0u : f % stride; /* cells of the same row or layer */
            add_cell(self, &sums, k, (axis == 2u ? f : (f - before) * n + before) + layer * stride);
        }
        for (uint32 row = 0; row < PLANE_SUMS; ++row) {
            self->sums[row * items + k * PLANE_PARTS + part] = sums.sum[row];
        }
    }
}

PLAIN_KERNEL(plane_flow, PREPARATION_ARGUMENTS(PLANE_FLOW_FIELDS)) {
    LOCAL_MEMORY uint32 verdict;
    const plane_flow_t self = {PREPARATION_VALUES, held, diagonal, {face_x, face_y, face_z}, u, sums};
    RUN_PHASES(self.run, plane_flow_phase(&self));
}

#endif
