/* What formulas of a system ask of cells: values of fields, coefficients, coordinates, random numbers, also beyond sides, and the
 * operations between them.
 *
 * The k-th cell beyond a side continues the k-th inside: coefficients, random numbers and noise are those of that cell, across periodic sides
 * those at the other end. Coordinates beyond a side are where the cell would lie, across periodic sides those of the other end. Fields:
 * kernels/system_sides.h. */
#ifndef PERDURE_KERNELS_SYSTEM_CELLS_H
#define PERDURE_KERNELS_SYSTEM_CELLS_H

#include "kernels/cell_noise.h"
#include "kernels/cell_random.h"
#include "kernels/explicit_step.h"
#include "kernels/grid.h"
#include "kernels/real_type.h"
#include "kernels/system_fields.h"

typedef struct {
    run_t run;
    SYSTEM_OWN_FIELDS(FIELD_MEMBER)
#if defined(SYSTEM_RATES)
    LOCAL const real_t *group_numbers; /* a copy of `numbers` */
#endif
} system_t;

/* What a stage of a step reads and makes: fields [fields][cells]. */
typedef struct {
    GLOBAL const real_t *values; /* of the stage */
    GLOBAL const real_t *added;  /* what stage_value() adds */
    real_t part;                 /* of it */
    uint32 adds;                 /* 1: it does */
    uint32 moves;                /* kernels/leapfrog.h: which fields */
    uint32 swaps;                /* kernels/rates.h: whether slots of rates are exchanged */
    real_t factors[5];           /* kernels/rkl2.h */
    GLOBAL const real_t *begin;  /* of the step */
    GLOBAL real_t *next;         /* of the next stage or step */
    uint32 step;                 /* from 0 in the whole run */
    uint32 stage, last;          /* last: 1 in the last stage of a step */
    uint32 check;                /* 1: values of the next step are watched */
    real_t t, dt;
    real_t end; /* kernels/courant_runge_kutta.h: the time of the next step */
} system_stage_t;

/* The role of a field: kernels/system_setup.h. */
#if defined(SYSTEM_ROLE)
#define ROLE_OF(self, field) SYSTEM_ROLE(field)
#else
#define ROLE_OF(self, field) ((self)->roles[field])
#endif

/* What formulas of this stage see of a field in a cell: it or, of a stage that adds, where it will be a part of a step on. */
FUNCTION real_t stage_value(const system_t *self, const system_stage_t *stage, uint32 field, size_t cell,
                            uint32 adds) {
    const size_t cells = self->run.parameters->cells;
    const real_t value = stage->values[(size_t)field * cells + cell];
    const uint32 role = ROLE_OF(self, field);
    return role < ROLE_MOVES && adds ? FUSED(stage->part, stage->added[(size_t)role * cells + cell], value)
                                     : value;
}

FUNCTION uint32 is_periodic_along(const run_parameters_t *grid, uint32 axis) {
    return axis == 0u ? grid->periodic_x : axis == 1u ? grid->periodic_y : grid->periodic_z;
}

/* The cell that cell i of an axis continues: i itself where it lies between the sides. */
FUNCTION int32 continued(int32 i, int32 n, uint32 periodic) {
    if (i < 0) {
        return periodic ? i + n : -1 - i;
    }
    return i < n ? i : (periodic ? i - n : 2 * n - 1 - i);
}

FUNCTION int32 continued_along(const run_parameters_t *grid, uint32 axis, int32 i) {
    return continued(i, (int32)extent(grid, axis), is_periodic_along(grid, axis));
}

/* The index of the cell that (x, y, z) continues. */
FUNCTION index_t continued_cell(const run_parameters_t *grid, int32 x, int32 y, int32 z) {
    return (index_t)((uint32)continued_along(grid, 0u, x) +
                     grid->nx * ((uint32)continued_along(grid, 1u, y) +
                                 grid->ny * (uint32)continued_along(grid, 2u, z)));
}

FUNCTION real_t system_coordinate(const system_t *self, uint32 axis, int32 i) {
    const run_parameters_t *grid = self->run.parameters;
    const int32 at = is_periodic_along(grid, axis) ? continued_along(grid, axis, i) : i;
    return (real_t)(self->setup->origin[axis] + ((double)at + 0.5) * self->setup->spacing[axis]);
}

/* Of a face on side 2 axis (lower) or 2 axis + 1. */
FUNCTION real_t coordinate_of_side(const system_t *self, uint32 side) {
    const uint32 axis = side >> 1;
    const double faces = (side & 1u) != 0u ? (double)extent(self->run.parameters, axis) : 0.0;
    return (real_t)(self->setup->origin[axis] + faces * self->setup->spacing[axis]);
}

FUNCTION real_t random_of_cell(uint32 seed, uint32 cell) {
    return sizeof(real_t) == sizeof(float) ? (real_t)cell_random_float(seed, cell)
                                           : (real_t)cell_random_double(seed, cell);
}

/* White in time: what a step adds has the variance dt. */
FUNCTION real_t noise_of_cell(const system_stage_t *stage, uint32 seed, uint32 cell) {
    return (real_t)cell_noise(seed, cell, stage->step) / (real_t)sqrt(stage->dt);
}

/* The operations of kernels/system_instruction.h on values. Those up to FLOOR, and comparisons, have the same bits on every back end; the
 * others are those of its library. */
#define VALUE_NUMBER(number) ((real_t)(number))
#define VALUE_ADD(a, b) ((a) + (b))
#define VALUE_SUBTRACT(a, b) ((a) - (b))
#define VALUE_MULTIPLY(a, b) ((a) * (b))
#define VALUE_DIVIDE(a, b) ((a) / (b))
#define VALUE_FUSED_PRODUCT(a, b, c) FUSED(a, b, c)
#define VALUE_NEGATE(a) (-(a))
#define VALUE_ABSOLUTE(a) ((real_t)fabs(a))
#define VALUE_MINIMUM(a, b) ((b) < (a) ? (b) : (a))
#define VALUE_MAXIMUM(a, b) ((a) < (b) ? (b) : (a))
#define VALUE_SQUARE_ROOT(a) ((real_t)sqrt(a))
#define VALUE_FLOOR(a) ((real_t)floor(a))
#define VALUE_EXPONENTIAL(a) ((real_t)exp(a))
#define VALUE_LOGARITHM(a) ((real_t)log(a))
#define VALUE_LOGARITHM_2(a) ((real_t)log2(a))
#define VALUE_LOGARITHM_10(a) ((real_t)log10(a))
#define VALUE_SINE(a) ((real_t)sin(a))
#define VALUE_COSINE(a) ((real_t)cos(a))
#define VALUE_TANGENT(a) ((real_t)tan(a))
#define VALUE_ARC_SINE(a) ((real_t)asin(a))
#define VALUE_ARC_COSINE(a) ((real_t)acos(a))
#define VALUE_ARC_TANGENT(a) ((real_t)atan(a))
#define VALUE_ARC_TANGENT_2(a, b) ((real_t)atan2(a, b))
#define VALUE_HYPERBOLIC_SINE(a) ((real_t)sinh(a))
#define VALUE_HYPERBOLIC_COSINE(a) ((real_t)cosh(a))
#define VALUE_HYPERBOLIC_TANGENT(a) ((real_t)tanh(a))
#define VALUE_INVERSE_HYPERBOLIC_SINE(a) ((real_t)asinh(a))
#define VALUE_INVERSE_HYPERBOLIC_COSINE(a) ((real_t)acosh(a))
#define VALUE_INVERSE_HYPERBOLIC_TANGENT(a) ((real_t)atanh(a))
#define VALUE_ERROR_FUNCTION(a) ((real_t)erf(a))
#define VALUE_POWER(a, b) ((real_t)pow(a, b))
#define VALUE_OF_TRUTH(condition) ((condition) ? (real_t)1 : (real_t)0)
#define IS_TRUE(a) ((a) != (real_t)0)
#define VALUE_LESS(a, b) VALUE_OF_TRUTH((a) < (b))
#define VALUE_LESS_OR_EQUAL(a, b) VALUE_OF_TRUTH((a) <= (b))
#define VALUE_EQUAL(a, b) VALUE_OF_TRUTH((a) == (b))
#define VALUE_AND(a, b) VALUE_OF_TRUTH(IS_TRUE(a) && IS_TRUE(b))
#define VALUE_OR(a, b) VALUE_OF_TRUTH(IS_TRUE(a) || IS_TRUE(b))
#define VALUE_NOT(a) VALUE_OF_TRUTH(!IS_TRUE(a))
#define VALUE_SELECT(a, b, c) (IS_TRUE(a) ? (b) : (c))

#endif
