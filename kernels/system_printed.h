/* The formulas of a system as text of this dialect, printed from its graph (solver/systems/print.cpp) and defined before this header:
 *
 *   SYSTEM_FIELDS, SYSTEM_STAGES, SYSTEM_NUMBERS         how many fields, stages of a step, and parameters
 *   SYSTEM_ROLE(field)                                   the role of a field (kernels/system_setup.h)
 *   SYSTEM_REACH_X, SYSTEM_REACH_Y, SYSTEM_REACH_Z       cells that formulas look away
 *   SYSTEM_OPEN_X, SYSTEM_OPEN_Y, SYSTEM_OPEN_Z          1: a side of that axis has a formula; else both are periodic or closed
 *   SYSTEM_RATES                                         statements: VALUE_RATE(f, r) for each field f
 *   SYSTEM_REUSED, SYSTEM_DIMENSIONS                     how many values the next cell along the last axis reuses, where it does; axes
 *   SYSTEM_FIRST_VALUES                                  statements: VALUE_TO_REUSE(i, r) for each of them, of the first cell
 *   SYSTEM_REUSING_RATES                                 the same for the next cell, and those of SYSTEM_RATES with VALUE_REUSED(i)
 *   SYSTEM_WAVES                                         statements: VALUE_WAVE(r); where steps follow waves
 *   SYSTEM_X_SIDES, SYSTEM_Y_SIDES, SYSTEM_Z_SIDES       cases: case 6 f + side: statements: SIDE_VALUES(r), SIDE_COEFFICIENT(r)
 *
 * Statements are of the operations in kernels/system_cells.h; what reads memory is given its meaning here: in cells that need no side's
 * formula, near sides that have one, and at the sides of each axis. */
#ifndef PERDURE_KERNELS_SYSTEM_PRINTED_H
#define PERDURE_KERNELS_SYSTEM_PRINTED_H

#include "kernels/system_sides.h"
#include "kernels/watch_lanes.h"

#define VALUE_PARAMETER(i) (self->group_numbers[i])
#define VALUE_TIME() (stage->t)
#define VALUE_RATE(field, value) rates[field] = (value);
#define SIDE_VALUES(value) terms.values = (value);
#define SIDE_COEFFICIENT(value) terms.coefficient = (value);
#define WATCH_REDUCE(row, kind, value) reduce_into_lane(&self->run, row, kind, lane, (double)(value));
#define PROBED(value) return (value);

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

/* Along each axis, what leads from the cell's index to those of the cells that formulas look at: the continued ones, which periodic
 * and closed sides take their values from as they are. */
typedef struct {
    index_t x[2u * SYSTEM_REACH_X + 1u], y[2u * SYSTEM_REACH_Y + 1u], z[2u * SYSTEM_REACH_Z + 1u];
} neighbours_t;

/* From cell i of an axis to the one that i + offset continues; of a constant offset one side is asked for. */
FUNCTION index_t cells_towards(const run_parameters_t *grid, uint32 axis, uint32 i, int32 offset) {
    const int32 n = (int32)extent(grid, axis), from = (int32)i, to = from + offset;
    const uint32 periodic = is_periodic_along(grid, axis);
    if (offset < 0) {
        return (index_t)(to >= 0 ? offset : (periodic ? offset + n : -1 - to - from));
    }
    if (offset > 0) {
        return (index_t)(to < n ? offset : (periodic ? offset - n : 2 * n - 1 - to - from));
    }
    return 0;
}

FUNCTION neighbours_t neighbours_of(const run_parameters_t *grid, const cell_t *cell) {
    neighbours_t all;
    UNROLLED for (int32 i = 0; i < 2 * (int32)SYSTEM_REACH_X + 1; ++i) {
        all.x[i] = cells_towards(grid, 0u, cell->x, i - (int32)SYSTEM_REACH_X);
    }
    UNROLLED for (int32 i = 0; i < 2 * (int32)SYSTEM_REACH_Y + 1; ++i) {
        all.y[i] = cells_towards(grid, 1u, cell->y, i - (int32)SYSTEM_REACH_Y) * (index_t)grid->nx;
    }
    UNROLLED for (int32 i = 0; i < 2 * (int32)SYSTEM_REACH_Z + 1; ++i) {
        all.z[i] = cells_towards(grid, 2u, cell->z, i - (int32)SYSTEM_REACH_Z) * (index_t)grid->layer.divisor;
    }
    return all;
}

#define NEIGHBOUR(dx, dy, dz)                                                                  \
    (cell->index + all.x[(dx) + (int32)SYSTEM_REACH_X] + all.y[(dy) + (int32)SYSTEM_REACH_Y] + \
     all.z[(dz) + (int32)SYSTEM_REACH_Z])
#define VALUE_FIELD(f, dx, dy, dz) stage_value(self, stage, f, (size_t)NEIGHBOUR(dx, dy, dz), adds)
#define VALUE_COEFFICIENT(c, dx, dy, dz) self->coefficients[(size_t)(c)*grid->cells + NEIGHBOUR(dx, dy, dz)]
#define VALUE_RANDOM(seed, dx, dy, dz) random_of_cell(seed, (uint32)NEIGHBOUR(dx, dy, dz))
#define VALUE_NOISE(seed, dx, dy, dz) noise_of_cell(stage, seed, (uint32)NEIGHBOUR(dx, dy, dz))
/* `adds`: that of the stage, as a constant. */
FUNCTION void rates_inside(const system_t *self, const system_stage_t *stage, const cell_t *cell, uint32 adds,
                           real_t *rates) {
    const run_parameters_t *grid = self->run.parameters;
    const neighbours_t all = neighbours_of(grid, cell);
    (void)all;
    (void)adds;
    SYSTEM_RATES
}
#if defined(SYSTEM_REUSED)
/* What the cell before left for this one: solver/systems/reuse.hpp. */
typedef struct {
    real_t at[SYSTEM_REUSED];
} reused_t;
#define VALUE_REUSED(i) (reused->at[i])
#define VALUE_TO_REUSE(i, value) reused->at[i] = (value);
FUNCTION void first_values_inside(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                                  uint32 adds, reused_t *reused) {
    const run_parameters_t *grid = self->run.parameters;
    const neighbours_t all = neighbours_of(grid, cell);
    (void)adds;
    SYSTEM_FIRST_VALUES
}
FUNCTION void reusing_rates_inside(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                                   uint32 adds, reused_t *reused, real_t *rates) {
    const run_parameters_t *grid = self->run.parameters;
    const neighbours_t all = neighbours_of(grid, cell);
    (void)all;
    (void)adds;
    SYSTEM_REUSING_RATES
}
#endif
#if defined(SYSTEM_WATCHED)
FUNCTION void watch_inside(const system_t *self, const system_stage_t *stage, const cell_t *cell, uint32 pass,
                           index_t lane) {
    const run_parameters_t *grid = self->run.parameters;
    const neighbours_t all = neighbours_of(grid, cell);
    const uint32 adds = 0u;
    (void)all;
    (void)adds;
    switch (pass) { SYSTEM_WATCHED default : break; }
}
FUNCTION real_t probe_inside(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                             uint32 formula) {
    const run_parameters_t *grid = self->run.parameters;
    const neighbours_t all = neighbours_of(grid, cell);
    const uint32 adds = 0u;
    (void)all;
    (void)adds;
    switch (formula) { SYSTEM_PROBED default : break; }
    return (real_t)0;
}
#endif
#undef VALUE_FIELD
#undef VALUE_COEFFICIENT
#undef VALUE_RANDOM
#undef VALUE_NOISE

#define VALUE_FIELD(f, dx, dy, dz) field_along_z(self, stage, f, CELL_AT(dx, dy, dz))
#define VALUE_COEFFICIENT(c, dx, dy, dz) coefficient_in_cell(self, c, CELL_AT(dx, dy, dz))
#define VALUE_RANDOM(seed, dx, dy, dz) random_in_cell(self, seed, CELL_AT(dx, dy, dz))
#define VALUE_NOISE(seed, dx, dy, dz) noise_in_cell(self, stage, seed, CELL_AT(dx, dy, dz))
FUNCTION void rates_near_sides(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                               real_t *rates){SYSTEM_RATES}
#if defined(SYSTEM_WATCHED)
FUNCTION void watch_near_sides(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                               uint32 pass, index_t lane) {
    switch (pass) { SYSTEM_WATCHED default : break; }
}
FUNCTION real_t probe_near_sides(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                                 uint32 formula) {
    switch (formula) { SYSTEM_PROBED default : break; }
    return (real_t)0;
}
#endif
#undef VALUE_FIELD
#undef VALUE_COEFFICIENT
#undef VALUE_RANDOM
#undef VALUE_NOISE
#undef VALUE_COORDINATE

#if defined(SYSTEM_WAVES)
/* The fastest wave in a cell whose fields are `own`, at the end of the step. */
#define VALUE_FIELD(f, dx, dy, dz) own[f]
#define VALUE_COEFFICIENT(c, dx, dy, dz) self->coefficients[(size_t)(c)*grid->cells + (size_t)cell->index]
#define VALUE_RANDOM(seed, dx, dy, dz) random_of_cell(seed, (uint32)cell->index)
#define VALUE_COORDINATE(axis, dx, dy, dz) \
    system_coordinate(self, axis, (int32)((axis) == 0 ? cell->x : ((axis) == 1 ? cell->y : cell->z)))
#define VALUE_WAVE(value) wave = (value);
#undef VALUE_TIME
#define VALUE_TIME() (stage->end)
FUNCTION real_t fastest_wave(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                             const real_t *own) {
    const run_parameters_t *grid = self->run.parameters;
    real_t wave = (real_t)0;
    (void)grid;
    (void)stage;
    (void)cell;
    SYSTEM_WAVES
    return wave;
}
#undef VALUE_TIME
#define VALUE_TIME() (stage->t)
#undef VALUE_FIELD
#undef VALUE_COEFFICIENT
#undef VALUE_RANDOM
#undef VALUE_COORDINATE
#endif

/* Whether nothing that the formulas of a cell read lies beyond a side with a formula of its own. */
FUNCTION uint32 needs_no_side(const run_parameters_t *grid, const cell_t *cell) {
    const uint32 along_x =
        !SYSTEM_OPEN_X || (cell->x >= SYSTEM_REACH_X && cell->x + SYSTEM_REACH_X < grid->nx);
    const uint32 along_y =
        !SYSTEM_OPEN_Y || (cell->y >= SYSTEM_REACH_Y && cell->y + SYSTEM_REACH_Y < grid->ny);
    const uint32 along_z =
        !SYSTEM_OPEN_Z || (cell->z >= SYSTEM_REACH_Z && cell->z + SYSTEM_REACH_Z < grid->nz);
    return along_x & along_y & along_z;
}

#endif
