/* Fields of a system beyond the sides of the grid.
 *
 * The k-th cell beyond a side has the value that, with that of the k-th cell inside, d = (2 k - 1) h away, meets what holds at the face
 * between them; n points outwards, and what is at the face is a central difference or a mean of the two:
 *
 *   value     u = values                               u_beyond = 2 values - u_inside
 *   flux      du/dn = values                           u_beyond = u_inside + d values
 *   exchange  du/dn = coefficient (values - u)         u_beyond = ((1 - d c / 2) u_inside + d c values) / (1 + d c / 2)
 *   periodic                                           u_beyond is the cell at the other end
 *
 * (LeVeque, Finite Difference Methods, section 2.12.) Beyond several sides at once cells are continued along x, then along y, then along
 * z. `values` and `coefficient` are formulas of the face, of time and of fields in the cell beside the side. */
#ifndef PERDURE_KERNELS_SYSTEM_SIDES_H
#define PERDURE_KERNELS_SYSTEM_SIDES_H

#include "kernels/system_cells.h"

typedef struct {
    real_t values, coefficient;
} side_terms_t;

/* Where the cell beside a side lies; along axes before that of the side it may itself be beyond. */
typedef struct {
    int32 at[3];
    uint32 side; /* x-, x+, y-, y+, z-, z+ */
} beside_t;

FUNCTION real_t value_in_cell(const system_t *self, const system_stage_t *stage, uint32 field, int32 x,
                              int32 y, int32 z) {
    const run_parameters_t *grid = self->run.parameters;
    const size_t cell = (uint32)x + grid->nx * ((uint32)y + grid->ny * (uint32)z);
    return stage_value(self, stage, field, cell, stage->adds);
}

FUNCTION real_t coordinate_beside(const system_t *self, const beside_t *beside, uint32 axis) {
    return axis == beside->side >> 1 ? coordinate_of_side(self, beside->side)
                                     : system_coordinate(self, axis, beside->at[axis]);
}

FUNCTION real_t coefficient_in_cell(const system_t *self, uint32 coefficient, int32 x, int32 y, int32 z) {
    const run_parameters_t *grid = self->run.parameters;
    return self->coefficients[(size_t)coefficient * grid->cells + continued_cell(grid, x, y, z)];
}

FUNCTION real_t random_in_cell(const system_t *self, uint32 seed, int32 x, int32 y, int32 z) {
    return random_of_cell(seed, (uint32)continued_cell(self->run.parameters, x, y, z));
}

FUNCTION real_t noise_in_cell(const system_t *self, const system_stage_t *stage, uint32 seed, int32 x,
                              int32 y, int32 z) {
    return noise_of_cell(stage, seed, (uint32)continued_cell(self->run.parameters, x, y, z));
}

/* Cells beyond a side, from 1; 0: none. */
FUNCTION int32 cells_beyond(int32 i, int32 n) {
    return i < 0 ? -i : (i < n ? 0 : i - n + 1);
}

FUNCTION real_t continue_field(uint32 kind, side_terms_t terms, real_t inside, real_t distance) {
    if (kind == SYSTEM_SIDE_VALUE) {
        return (real_t)2 * terms.values - inside;
    }
    if (kind == SYSTEM_SIDE_FLUX) {
        return FUSED(distance, terms.values, inside);
    }
    const real_t half_exchange = (real_t)0.5 * distance * terms.coefficient;
    return FUSED((real_t)1 - half_exchange, inside, distance * terms.coefficient * terms.values) /
           ((real_t)1 + half_exchange);
}

/* FIELD_ALONG(axis): how a field continues along that axis, from a function that continues it along those before, and from the terms at
 * the sides of that axis. */
#define FIELD_ALONG(name, axis, i, before_call, inside_call, terms_call)                                    \
    FUNCTION real_t name(const system_t *self, const system_stage_t *stage, uint32 field, int32 x, int32 y, \
                         int32 z) {                                                                         \
        const run_parameters_t *grid = self->run.parameters;                                                \
        const int32 beyond = cells_beyond(i, (int32)extent(grid, axis));                                    \
        if (beyond == 0) {                                                                                  \
            return before_call;                                                                             \
        }                                                                                                   \
        const int32 continued_cell_along = continued_along(grid, axis, i);                                  \
        const real_t inside = inside_call;                                                                  \
        if (is_periodic_along(grid, axis)) {                                                                \
            return inside;                                                                                  \
        }                                                                                                   \
        beside_t beside = {{x, y, z}, 2u * axis + (i < 0 ? 0u : 1u)};                                       \
        beside.at[axis] = i < 0 ? 0 : (int32)extent(grid, axis) - 1;                                        \
        const real_t distance = (real_t)((double)(2 * beyond - 1) * self->setup->spacing[axis]);            \
        return continue_field(self->sides[6u * field + beside.side].kind, terms_call, inside, distance);    \
    }

#endif
