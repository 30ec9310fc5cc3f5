/* The formulas of a system interpreted from its instructions (kernels/system_instruction.h): on host threads, a line of up to LANES cells
 * along x at a time, each operation a loop over the cells of the line; at sides a cell at a time. The bits are those of the printed text.
 *
 * A register is a row of LANES values. What a formula reads from memory, all of whose cells lie inside, is not copied: the register
 * points there. */
#ifndef PERDURE_KERNELS_SYSTEM_INTERPRETED_H
#define PERDURE_KERNELS_SYSTEM_INTERPRETED_H

#include "kernels/system_sides.h"

/* Cells x, ..., x + count - 1 of a line. */
typedef struct {
    int32 x, y, z;
    uint32 count;
} line_t;

/* The value of an operation on values; what reads memory is not among them. */
#define FOR_EACH_VALUE_OPERATION(X)                                    \
    X(ADD, VALUE_ADD(a, b))                                            \
    X(SUBTRACT, VALUE_SUBTRACT(a, b))                                  \
    X(MULTIPLY, VALUE_MULTIPLY(a, b))                                  \
    X(DIVIDE, VALUE_DIVIDE(a, b))                                      \
    X(FUSED_PRODUCT, VALUE_FUSED_PRODUCT(a, b, c))                     \
    X(NEGATE, VALUE_NEGATE(a))                                         \
    X(ABSOLUTE, VALUE_ABSOLUTE(a))                                     \
    X(MINIMUM, VALUE_MINIMUM(a, b))                                    \
    X(MAXIMUM, VALUE_MAXIMUM(a, b))                                    \
    X(SQUARE_ROOT, VALUE_SQUARE_ROOT(a))                               \
    X(FLOOR, VALUE_FLOOR(a))                                           \
    X(EXPONENTIAL, VALUE_EXPONENTIAL(a))                               \
    X(LOGARITHM, VALUE_LOGARITHM(a))                                   \
    X(LOGARITHM_2, VALUE_LOGARITHM_2(a))                               \
    X(LOGARITHM_10, VALUE_LOGARITHM_10(a))                             \
    X(SINE, VALUE_SINE(a))                                             \
    X(COSINE, VALUE_COSINE(a))                                         \
    X(TANGENT, VALUE_TANGENT(a))                                       \
    X(ARC_SINE, VALUE_ARC_SINE(a))                                     \
    X(ARC_COSINE, VALUE_ARC_COSINE(a))                                 \
    X(ARC_TANGENT, VALUE_ARC_TANGENT(a))                               \
    X(ARC_TANGENT_2, VALUE_ARC_TANGENT_2(a, b))                        \
    X(HYPERBOLIC_SINE, VALUE_HYPERBOLIC_SINE(a))                       \
    X(HYPERBOLIC_COSINE, VALUE_HYPERBOLIC_COSINE(a))                   \
    X(HYPERBOLIC_TANGENT, VALUE_HYPERBOLIC_TANGENT(a))                 \
    X(INVERSE_HYPERBOLIC_SINE, VALUE_INVERSE_HYPERBOLIC_SINE(a))       \
    X(INVERSE_HYPERBOLIC_COSINE, VALUE_INVERSE_HYPERBOLIC_COSINE(a))   \
    X(INVERSE_HYPERBOLIC_TANGENT, VALUE_INVERSE_HYPERBOLIC_TANGENT(a)) \
    X(ERROR_FUNCTION, VALUE_ERROR_FUNCTION(a))                         \
    X(POWER, VALUE_POWER(a, b))                                        \
    X(LESS, VALUE_LESS(a, b))                                          \
    X(LESS_OR_EQUAL, VALUE_LESS_OR_EQUAL(a, b))                        \
    X(EQUAL, VALUE_EQUAL(a, b))                                        \
    X(AND, VALUE_AND(a, b))                                            \
    X(OR, VALUE_OR(a, b))                                              \
    X(NOT, VALUE_NOT(a))                                               \
    X(SELECT, VALUE_SELECT(a, b, c))

FUNCTION side_terms_t interpreted_terms(const system_t *self, const system_stage_t *stage, uint32 field,
                                        const beside_t *beside);

FIELD_ALONG(field_along_x, 0u, x, value_in_cell(self, stage, field, x, y, z),
            value_in_cell(self, stage, field, continued_cell_along, y, z),
            interpreted_terms(self, stage, field, &beside))
FIELD_ALONG(field_along_y, 1u, y, field_along_x(self, stage, field, x, y, z),
            field_along_x(self, stage, field, x, continued_cell_along, z),
            interpreted_terms(self, stage, field, &beside))
FIELD_ALONG(field_along_z, 2u, z, field_along_y(self, stage, field, x, y, z),
            field_along_y(self, stage, field, x, y, continued_cell_along),
            interpreted_terms(self, stage, field, &beside))

FUNCTION real_t field_beside(const system_t *self, const system_stage_t *stage, uint32 field,
                             const beside_t *beside) {
    const int32 x = beside->at[0], y = beside->at[1], z = beside->at[2];
    const uint32 axis = beside->side >> 1;
    return axis == 0u   ? value_in_cell(self, stage, field, x, y, z)
           : axis == 1u ? field_along_x(self, stage, field, x, y, z)
                        : field_along_y(self, stage, field, x, y, z);
}

/* An operation on values, at a side. */
FUNCTION real_t value_of_operation(uint32 operation, real_t a, real_t b, real_t c) {
    switch (operation) {
#define SYSTEM_CASE(name, value) \
    case SYSTEM_##name:          \
        return (real_t)(value);
        FOR_EACH_VALUE_OPERATION(SYSTEM_CASE)
#undef SYSTEM_CASE
        default:
            return a;
    }
}

FUNCTION side_terms_t interpreted_terms(const system_t *self, const system_stage_t *stage, uint32 field,
                                        const beside_t *beside) {
    const system_side_t side = self->sides[6u * field + beside->side];
    const int32 *at = beside->at;
    real_t registers[MOST_SYSTEM_REGISTERS];
    real_t terms[2] = {(real_t)0, (real_t)0};
    for (uint32 i = side.begin; i < side.end; ++i) {
        const system_instruction_t *instruction = self->instructions + i;
        const real_t a = registers[instruction->arguments[0]], b = registers[instruction->arguments[1]],
                     c = registers[instruction->arguments[2]];
        const uint32 index = instruction->index;
        real_t value;
        switch (instruction->operation) {
            case SYSTEM_NUMBER:
                value = VALUE_NUMBER(instruction->number);
                break;
            case SYSTEM_PARAMETER:
                value = (real_t)self->numbers[index];
                break;
            case SYSTEM_TIME:
                value = stage->t;
                break;
            case SYSTEM_FIELD:
                value = field_beside(self, stage, index, beside);
                break;
            case SYSTEM_COEFFICIENT:
                value = coefficient_in_cell(self, index, at[0], at[1], at[2]);
                break;
            case SYSTEM_COORDINATE:
                value = coordinate_beside(self, beside, index);
                break;
            case SYSTEM_RANDOM:
                value = random_in_cell(self, index, at[0], at[1], at[2]);
                break;
            case SYSTEM_RATE:
                terms[index] = a;
                continue;
            default:
                value = value_of_operation(instruction->operation, a, b, c);
        }
        registers[instruction->target] = value;
    }
    const side_terms_t found = {terms[0], terms[1]};
    return found;
}

/* Whether all cells of a line and an offset lie between the sides. */
FUNCTION uint32 lies_inside(const run_parameters_t *grid, const line_t *line, const int32 *offset) {
    const int32 x = line->x + offset[0], y = line->y + offset[1], z = line->z + offset[2];
    return x >= 0 && x + (int32)line->count <= (int32)grid->nx && y >= 0 && y < (int32)grid->ny && z >= 0 &&
                   z < (int32)grid->nz
               ? 1u
               : 0u;
}

/* What an instruction reads of a line; returns where it stands, in memory or in the register `row`. */
FUNCTION const real_t *read_line(const system_t *self, const system_stage_t *stage, const line_t *line,
                                 const system_instruction_t *instruction, real_t *row) {
    const run_parameters_t *grid = self->run.parameters;
    const int32 *offset = instruction->offset;
    const int32 x = line->x + offset[0], y = line->y + offset[1], z = line->z + offset[2];
    const uint32 index = instruction->index;
    const uint32 inside = lies_inside(grid, line, offset);
    const size_t first =
        (size_t)index * grid->cells + (size_t)((uint32)x + grid->nx * ((uint32)y + grid->ny * (uint32)z));
    const int32 count = (int32)line->count;
    switch (instruction->operation) {
        case SYSTEM_FIELD:
            if (inside && stage->adds && self->roles[index] < ROLE_MOVES) {
                GLOBAL const real_t *value = stage->values + first;
                GLOBAL const real_t *added = stage->added + first - (size_t)index * grid->cells +
                                             (size_t)self->roles[index] * grid->cells;
                const real_t part = stage->part;
                VECTORISED for (int32 i = 0; i < count; ++i) {
                    row[i] = FUSED(part, added[i], value[i]);
                }
                break;
            }
            if (inside) {
                return stage->values + first;
            }
            for (int32 i = 0; i < count; ++i) {
                row[i] = field_along_z(self, stage, index, x + i, y, z);
            }
            break;
        case SYSTEM_COEFFICIENT:
            if (inside) {
                return self->coefficients + first;
            }
            for (int32 i = 0; i < count; ++i) {
                row[i] = coefficient_in_cell(self, index, x + i, y, z);
            }
            break;
        case SYSTEM_COORDINATE:
            for (int32 i = 0; i < count; ++i) {
                row[i] = system_coordinate(self, index, index == 0u ? x + i : (index == 1u ? y : z));
            }
            break;
        case SYSTEM_NOISE:
            for (int32 i = 0; i < count; ++i) {
                row[i] = noise_in_cell(self, stage, index, x + i, y, z);
            }
            break;
        default: /* RANDOM */
            for (int32 i = 0; i < count; ++i) {
                row[i] = random_in_cell(self, index, x + i, y, z);
            }
    }
    return row;
}

FUNCTION void fill_row(real_t *row, uint32 count, real_t value) {
    for (uint32 i = 0; i < count; ++i) {
        row[i] = value;
    }
}

/* What is made of du/dt of a field in the cells of a line. */
typedef void (*rate_user_t)(const system_t *self, const system_stage_t *stage, const line_t *line,
                            uint32 field, const real_t *rate);

/* What some of the instructions make along a line: each RATE goes to `use`. `rows`: [registers][LANES]. */
FUNCTION void interpret_line(const system_t *self, const system_stage_t *stage, const line_t *line,
                             uint32 first, uint32 count_of_instructions, real_t *rows, rate_user_t use) {
    const real_t *registers[MOST_SYSTEM_REGISTERS];
    const int32 count = (int32)line->count;
    for (uint32 n = 0; n < self->setup->registers; ++n) {
        registers[n] = rows + (size_t)n * LANES;
    }
    for (uint32 n = 0; n < count_of_instructions; ++n) {
        const system_instruction_t *instruction = self->instructions + first + n;
        real_t *row = rows + (size_t)instruction->target * LANES;
        const real_t *of_a = registers[instruction->arguments[0]];
        const real_t *of_b = registers[instruction->arguments[1]];
        const real_t *of_c = registers[instruction->arguments[2]];
        const real_t *value = row;
        switch (instruction->operation) {
            case SYSTEM_NUMBER:
                fill_row(row, line->count, VALUE_NUMBER(instruction->number));
                break;
            case SYSTEM_PARAMETER:
                fill_row(row, line->count, (real_t)self->numbers[instruction->index]);
                break;
            case SYSTEM_TIME:
                fill_row(row, line->count, stage->t);
                break;
            case SYSTEM_RATE:
                use(self, stage, line, instruction->index, of_a);
                continue;
#define SYSTEM_CASE(name, expression)                           \
    case SYSTEM_##name:                                         \
        VECTORISED for (int32 i = 0; i < count; ++i) {          \
            const real_t a = of_a[i], b = of_b[i], c = of_c[i]; \
            (void)a, (void)b, (void)c;                          \
            row[i] = (real_t)(expression);                      \
        }                                                       \
        break;
                FOR_EACH_VALUE_OPERATION(SYSTEM_CASE)
#undef SYSTEM_CASE
            default:
                value = read_line(self, stage, line, instruction, row);
        }
        registers[instruction->target] = value;
    }
}

#endif
