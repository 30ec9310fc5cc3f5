/* The formulas of a system as text of this dialect, printed from its graph (solver/systems/print.cpp) and defined before this header:
 *
 *   SYSTEM_FIELDS, SYSTEM_STAGES, SYSTEM_NUMBERS         how many fields, stages of a step, and parameters
 *   SYSTEM_REACH_X, SYSTEM_REACH_Y, SYSTEM_REACH_Z       cells that formulas look away
 *   SYSTEM_RATES                                         statements: VALUE_RATE(f, r) for each field f
 *   SYSTEM_X_SIDES, SYSTEM_Y_SIDES, SYSTEM_Z_SIDES       cases: case 6 f + side: statements: SIDE_VALUES(r), SIDE_COEFFICIENT(r)
 *
 * Statements are of the operations in kernels/system_cells.h; what reads memory is given its meaning here: in cells whose neighbours all
 * lie inside, near sides, and at the sides of each axis. */
#ifndef PERDURE_KERNELS_SYSTEM_PRINTED_H
#define PERDURE_KERNELS_SYSTEM_PRINTED_H

#include "kernels/system_sides.h"

#define VALUE_PARAMETER(i) (self->group_numbers[i])
#define VALUE_TIME() (stage->t)
#define VALUE_RATE(field, value) rates[field] = (value);
#define SIDE_VALUES(value) terms.values = (value);
#define SIDE_COEFFICIENT(value) terms.coefficient = (value);

#define SIDE_TERMS(name, cases)                                                                 \
    FUNCTION side_terms_t name(const system_t *self, const system_stage_t *stage, uint32 field, \
                               const beside_t *beside) {                                        \
        side_terms_t terms = {(real_t)0, (real_t)0};                                            \
        const int32 *at = beside->at;                                                           \
        (void)self;                                                                             \
        (void)stage;                                                                            \
        (void)at;                                                                               \
        switch (6u * field + beside->side) { cases default : break; }                           \
        return terms;                                                                           \
    }

#define VALUE_COORDINATE(axis, dx, dy, dz) coordinate_beside(self, beside, axis)
#define VALUE_COEFFICIENT(c, dx, dy, dz) coefficient_in_cell(self, c, at[0], at[1], at[2])
#define VALUE_RANDOM(seed, dx, dy, dz) random_in_cell(self, seed, at[0], at[1], at[2])

#define VALUE_FIELD(f, dx, dy, dz) value_in_cell(self, stage, f, at[0], at[1], at[2])
SIDE_TERMS(terms_at_x_side, SYSTEM_X_SIDES)
#undef VALUE_FIELD
FIELD_ALONG(field_along_x, 0u, x, value_in_cell(self, stage, field, x, y, z),
            value_in_cell(self, stage, field, continued_cell_along, y, z),
            terms_at_x_side(self, stage, field, &beside))

#define VALUE_FIELD(f, dx, dy, dz) field_along_x(self, stage, f, at[0], at[1], at[2])
SIDE_TERMS(terms_at_y_side, SYSTEM_Y_SIDES)
#undef VALUE_FIELD
FIELD_ALONG(field_along_y, 1u, y, field_along_x(self, stage, field, x, y, z),
            field_along_x(self, stage, field, x, continued_cell_along, z),
            terms_at_y_side(self, stage, field, &beside))

#define VALUE_FIELD(f, dx, dy, dz) field_along_y(self, stage, f, at[0], at[1], at[2])
SIDE_TERMS(terms_at_z_side, SYSTEM_Z_SIDES)
#undef VALUE_FIELD
FIELD_ALONG(field_along_z, 2u, z, field_along_y(self, stage, field, x, y, z),
            field_along_y(self, stage, field, x, y, continued_cell_along),
            terms_at_z_side(self, stage, field, &beside))

#undef VALUE_COORDINATE
#undef VALUE_COEFFICIENT
#undef VALUE_RANDOM

#define VALUE_COORDINATE(axis, dx, dy, dz) \
    system_coordinate(                     \
        self, axis,                        \
        (axis) == 0 ? (int32)cell->x + (dx) : ((axis) == 1 ? (int32)cell->y + (dy) : (int32)cell->z + (dz)))
#define CELL_AT(dx, dy, dz) (int32) cell->x + (dx), (int32)cell->y + (dy), (int32)cell->z + (dz)

#define NEIGHBOUR(dx, dy, dz)                                          \
    (cell->index + (index_t)(dx) + (index_t)(dy) * (index_t)grid->nx + \
     (index_t)(dz) * (index_t)grid->layer.divisor)
#define VALUE_FIELD(f, dx, dy, dz) stage->values[(size_t)(f)*grid->cells + NEIGHBOUR(dx, dy, dz)]
#define VALUE_COEFFICIENT(c, dx, dy, dz) self->coefficients[(size_t)(c)*grid->cells + NEIGHBOUR(dx, dy, dz)]
#define VALUE_RANDOM(seed, dx, dy, dz) random_of_cell(seed, (uint32)NEIGHBOUR(dx, dy, dz))
FUNCTION void rates_inside(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                           real_t *rates) {
    const run_parameters_t *grid = self->run.parameters;
    (void)grid;
    SYSTEM_RATES
}
#undef VALUE_FIELD
#undef VALUE_COEFFICIENT
#undef VALUE_RANDOM

#define VALUE_FIELD(f, dx, dy, dz) field_along_z(self, stage, f, CELL_AT(dx, dy, dz))
#define VALUE_COEFFICIENT(c, dx, dy, dz) coefficient_in_cell(self, c, CELL_AT(dx, dy, dz))
#define VALUE_RANDOM(seed, dx, dy, dz) random_in_cell(self, seed, CELL_AT(dx, dy, dz))
FUNCTION void rates_near_sides(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                               real_t *rates) {
    SYSTEM_RATES
}
#undef VALUE_FIELD
#undef VALUE_COEFFICIENT
#undef VALUE_RANDOM
#undef VALUE_COORDINATE

/* Whether all that the formulas of a cell read lies between the sides. */
FUNCTION uint32 reaches_no_side(const run_parameters_t *grid, const cell_t *cell) {
    const uint32 along_x = cell->x >= SYSTEM_REACH_X && cell->x + SYSTEM_REACH_X < grid->nx;
    const uint32 along_y = cell->y >= SYSTEM_REACH_Y && cell->y + SYSTEM_REACH_Y < grid->ny;
    const uint32 along_z = cell->z >= SYSTEM_REACH_Z && cell->z + SYSTEM_REACH_Z < grid->nz;
    return along_x && along_y && along_z ? 1u : 0u;
}

#endif
