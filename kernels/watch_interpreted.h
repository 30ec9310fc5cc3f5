/* What is watched, interpreted as the formulas of a system (kernels/system_interpreted.h). */
#ifndef PERDURE_KERNELS_WATCH_INTERPRETED_H
#define PERDURE_KERNELS_WATCH_INTERPRETED_H

#include "kernels/chunks.h"
#include "kernels/kernel_forms.h"
#include "kernels/system_interpreted.h"
#include "kernels/watch_lanes.h"

#define WATCHES(self) ((self)->watch->columns != 0u)

/* The rows of this group's registers; the last one takes a formula in a cell. */
FUNCTION GLOBAL real_t *registers_of_group(const system_t *self) {
    return self->registers + (size_t)group_index() * self->setup->registers * LANES;
}

FUNCTION GLOBAL real_t *row_of_formula(const system_t *self) {
    return registers_of_group(self) + (size_t)(self->setup->registers - 1u) * LANES;
}

/* RATEs behind those of all fields: values of a reduction in the cells of a line, which lie in one row of a box; behind all reductions: of a formula in a cell. */
FUNCTION void watch_line(const system_t *self, const system_stage_t *stage, const line_t *line, uint32 rate,
                         const real_t *values) {
    const run_parameters_t *grid = self->run.parameters;
    const uint32 reduction = rate - self->setup->fields;
    (void)stage;
    if (reduction == self->watch->reductions) {
        row_of_formula(self)[0] = values[0];
        return;
    }
    const uint32 x = (uint32)line->x & ((1u << grid->log2_lanes_x) - 1u);
    const uint32 y = (uint32)line->y & (lanes_along_y(grid) - 1u);
    const index_t first = (index_t)(x + (y << grid->log2_lanes_x));
    for (uint32 i = 0; i < line->count; ++i) {
        reduce_into_lane(&self->run, reduction % MAX_SUMS, self->reductions[reduction], first + (index_t)i,
                         (double)values[i]);
    }
}

FUNCTION void interpret_watched(const system_t *self, const system_stage_t *stage, const line_t *line,
                                uint32 program) {
    const watch_program_t part = self->watch_programs[program];
    interpret_line(self, stage, line, part.begin, part.end - part.begin, registers_of_group(self),
                   watch_line);
}

FUNCTION void watch_chunk(const system_t self, const system_stage_t stage, uint32 chunk, uint32 pass) {
    const run_parameters_t *grid = self.run.parameters;
    FOR_EACH_ROW (row, chunk, grid, 0u) {
        const uint32 lanes_x = 1u << grid->log2_lanes_x, left = grid->nx - row.x;
        for (uint32 y = row.y; y < row.y + lanes_along_y(grid) && y < grid->ny; ++y) {
            const line_t line = {(int32)row.x, (int32)y, (int32)row.z, left < lanes_x ? left : lanes_x};
            interpret_watched(&self, &stage, &line, pass);
        }
    }
}

FUNCTION double formula_in_cell(const system_t *self, const system_stage_t *stage, uint32 formula,
                                const uint32 *at) {
    const line_t line = {(int32)at[0], (int32)at[1], (int32)at[2], 1u};
    interpret_watched(self, stage, &line, self->watch->passes + formula);
    return (double)row_of_formula(self)[0];
}

/* By the program behind all others; a FIELD of it is a column of the row. */
FUNCTION uint32 meets_stop_condition(const system_t *self, real_t t, GLOBAL const double *row) {
    const watch_program_t part = self->watch_programs[self->watch->passes + self->watch->formulas];
    real_t registers[MOST_SYSTEM_REGISTERS];
    for (uint32 i = part.begin; i < part.end; ++i) {
        const system_instruction_t *instruction = self->instructions + i;
        const real_t a = registers[instruction->arguments[0]], b = registers[instruction->arguments[1]],
                     c = registers[instruction->arguments[2]];
        real_t value;
        switch (instruction->operation) {
            case SYSTEM_NUMBER:
                value = VALUE_NUMBER(instruction->number);
                break;
            case SYSTEM_PARAMETER:
                value = (real_t)self->numbers[instruction->index];
                break;
            case SYSTEM_TIME:
                value = t;
                break;
            case SYSTEM_FIELD:
                value = (real_t)row[instruction->index];
                break;
            case SYSTEM_RATE:
                return IS_TRUE(a) ? 1u : 0u;
            default:
                value = value_of_operation(instruction->operation, a, b, c);
        }
        registers[instruction->target] = value;
    }
    return 0u;
}

#endif
