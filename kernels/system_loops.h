/* Loops over the cells of a system, for its kernels of steps:
 *
 *   SYSTEM_LOOP(name, what, adds)   makes  name(self, stage),  which does with the rates of all cells what
 *                                   what_cell(self, stage, cell, lane, rates)         GPUs: du/dt of all fields in a cell
 *                                   what_line(self, stage, line, field, rate)         host threads: of a field along a line
 *                                   say; `adds`: 1 where the fields that formulas read are those of stage_value() with what is added
 *
 *   SYSTEM_CHUNK(name, what, adds, program)   makes  name_in_chunk(self, stage, chunk),  for kernels that sum over the cells of a chunk
 *                                             what the formulas make there; host threads run that program of setup's
 *
 * On GPUs the formulas are printed text (kernels/system_printed.h). Of a chunk first come the cells that need no side, then the others,
 * where there are any: what these need would take registers from those. They are given by value: what is pointed to from there would lie
 * in memory in the whole kernel. On host threads the formulas are interpreted (kernels/system_interpreted.h). */
#ifndef PERDURE_KERNELS_SYSTEM_LOOPS_H
#define PERDURE_KERNELS_SYSTEM_LOOPS_H

#include "kernels/chunks.h"
#include "kernels/kernel_forms.h"
#if defined(SYSTEM_RATES)
#include "kernels/system_printed.h"
#else
#include "kernels/system_interpreted.h"
#endif

/* A constant where the kernel is compiled for a system. */
#if defined(SYSTEM_STAGES)
#define STAGES_OF(setup) SYSTEM_STAGES
#else
#define STAGES_OF(setup) ((setup)->stages)
#endif

/* Of a field in arrays [fields][cells]. */
FUNCTION size_t place_of_value(const system_t *self, uint32 field, size_t cell) {
    return (size_t)field * self->run.parameters->cells + cell;
}

/* What phases that write `array`, of u or of stage_values, change of what ranks exchange: kernels/rank_place.h. */
FUNCTION uint64 rank_bit_of(const system_t *self, GLOBAL const real_t *array) {
    return rank_bit(array == self->u[0]              ? RANK_EVEN
                    : array == self->u[1]            ? RANK_ODD
                    : array == self->stage_values[0] ? RANK_EVEN_STAGES
                                                     : RANK_ODD_STAGES);
}

/* Of all fields. */
FUNCTION size_t values_of_system(const system_t *self) {
    return (size_t)self->setup->fields * self->run.parameters->cells;
}

#if defined(SYSTEM_RATES)
/* What the formulas make in a cell: rates of all fields, and of some kernels more than these. */
#if !defined(SYSTEM_RESULTS)
#define SYSTEM_RESULTS SYSTEM_FIELDS
#endif

#define CELLS_NEAR_SIDES(name, what)                                                                       \
    SEPARATE_FUNCTION void name##_near_sides(const system_t self, const system_stage_t stage, cell_t cell, \
                                             index_t lane) {                                               \
        real_t rates[SYSTEM_RESULTS];                                                                      \
        rates_near_sides(&self, &stage, &cell, rates);                                                     \
        what##_cell(&self, &stage, &cell, lane, rates);                                                    \
    }                                                                                                      \
    FUNCTION void name##_near_sides_of_chunk(const system_t *self, const system_stage_t *stage,            \
                                             uint32 chunk) {                                               \
        const run_parameters_t *grid = self->run.parameters;                                               \
        FOR_EACH_CELL (cell, lane, chunk, grid) {                                                          \
            if (!needs_no_side(grid, &cell)) {                                                             \
                name##_near_sides(*self, *stage, cell, lane);                                              \
            }                                                                                              \
        }                                                                                                  \
    }

#define SYSTEM_CHUNK(name, what, adds, program)                                                      \
    CELLS_NEAR_SIDES(name, what)                                                                     \
    FUNCTION void name##_inside(const system_t *self, const system_stage_t *stage, cell_t cell,      \
                                index_t lane) {                                                      \
        real_t rates[SYSTEM_RESULTS];                                                                \
        rates_inside(self, stage, &cell, adds, rates);                                               \
        what##_cell(self, stage, &cell, lane, rates);                                                \
    }                                                                                                \
    FUNCTION void name##_in_chunk(const system_t *self, const system_stage_t *stage, uint32 chunk) { \
        const run_parameters_t *grid = self->run.parameters;                                         \
        uint32 others = 0u;                                                                          \
        FOR_EACH_CELL (cell, lane, chunk, grid) {                                                    \
            if (needs_no_side(grid, &cell)) {                                                        \
                name##_inside(self, stage, cell, lane);                                              \
            } else {                                                                                 \
                others = 1u;                                                                         \
            }                                                                                        \
        }                                                                                            \
        if (others) {                                                                                \
            name##_near_sides_of_chunk(self, stage, chunk);                                          \
        }                                                                                            \
    }

#define FOR_EACH_CHUNK_OF_SYSTEM(name)                                      \
    FUNCTION void name(const system_t *self, const system_stage_t *stage) { \
        FOR_EACH_CHUNK_CUT_FIRST (chunk, &self->run) {                      \
            name##_in_chunk(self, stage, chunk);                            \
        }                                                                   \
    }

#if defined(SYSTEM_REUSED)
/* Of a column of cells each takes from the one before what both need, also behind cells that need a side. Which lane has a cell is
 * of no consequence: nothing is summed in steps. */
#define SYSTEM_LOOP(name, what, adds)                                                                \
    CELLS_NEAR_SIDES(name, what)                                                                     \
    FUNCTION void name##_in_chunk(const system_t *self, const system_stage_t *stage, uint32 chunk) { \
        const run_parameters_t *grid = self->run.parameters;                                         \
        uint32 others = 0u;                                                                          \
        FOR_EACH_BOX (box, chunk, grid, 0u) {                                                        \
            FOR_EACH_LANE (lane) {                                                                   \
                cell_t cell = column_of_lane(grid, box, lane, SYSTEM_DIMENSIONS);                    \
                while (cell.rows != 0u) {                                                            \
                    if (!needs_no_side(grid, &cell)) {                                               \
                        others = 1u;                                                                 \
                        cell = next_of_column(grid, cell, SYSTEM_DIMENSIONS);                        \
                        continue;                                                                    \
                    }                                                                                \
                    reused_t reused;                                                                 \
                    first_values_inside(self, stage, &cell, adds, &reused);                          \
                    do {                                                                             \
                        real_t rates[SYSTEM_RESULTS];                                                \
                        reusing_rates_inside(self, stage, &cell, adds, &reused, rates);              \
                        what##_cell(self, stage, &cell, (index_t)lane, rates);                       \
                        cell = next_of_column(grid, cell, SYSTEM_DIMENSIONS);                        \
                    } while (cell.rows != 0u && needs_no_side(grid, &cell));                         \
                }                                                                                    \
            }                                                                                        \
        }                                                                                            \
        if (others) {                                                                                \
            name##_near_sides_of_chunk(self, stage, chunk);                                          \
        }                                                                                            \
    }                                                                                                \
    FOR_EACH_CHUNK_OF_SYSTEM(name)
#else
#define SYSTEM_LOOP(name, what, adds)  \
    SYSTEM_CHUNK(name, what, adds, 0u) \
    FOR_EACH_CHUNK_OF_SYSTEM(name)
#endif
#else
FUNCTION size_t first_of_line(const system_t *self, const line_t *line) {
    const run_parameters_t *grid = self->run.parameters;
    return (uint32)line->x + grid->nx * ((uint32)line->y + grid->ny * (uint32)line->z);
}

FUNCTION GLOBAL real_t *rows_of_group(const system_t *self) {
    return self->registers + (size_t)group_index() * self->setup->registers * LANES;
}

/* Some of the instructions in the cells of this group. */
FUNCTION void interpret_program(const system_t *self, const system_stage_t *stage, uint32 first, uint32 count,
                                rate_user_t use) {
    const run_parameters_t *grid = self->run.parameters;
    real_t *rows = rows_of_group(self);
    const uint32 pieces = (grid->nx + LANES - 1u) / LANES;
    FOR_EACH_IN_SHARE (piece, pieces * grid->ny * grid->nz, group_index(), group_count()) {
        const uint32 line_number = piece / pieces, x = (piece - line_number * pieces) * LANES;
        const uint32 z = line_number / grid->ny;
        const uint32 left = grid->nx - x;
        const line_t line = {(int32)x, (int32)(line_number - z * grid->ny), (int32)z,
                             left < LANES ? left : LANES};
        interpret_line(self, stage, &line, first, count, rows, use);
    }
}

/* One of setup's programs in the cells of a chunk. */
FUNCTION void interpret_chunk(const system_t *self, const system_stage_t *stage, uint32 chunk, uint32 program,
                              rate_user_t use) {
    const run_parameters_t *grid = self->run.parameters;
    const system_program_t part = self->setup->programs[program];
    FOR_EACH_ROW (row, chunk, grid, 0u) {
        const uint32 lanes_x = 1u << grid->log2_lanes_x, left = grid->nx - row.x;
        for (uint32 y = row.y; y < row.y + lanes_along_y(grid) && y < grid->ny; ++y) {
            const line_t line = {(int32)row.x, (int32)y, (int32)row.z, left < lanes_x ? left : lanes_x};
            interpret_line(self, stage, &line, part.first, part.count, rows_of_group(self), use);
        }
    }
}

#define SYSTEM_CHUNK(name, what, adds, program)                                                      \
    FUNCTION void name##_in_chunk(const system_t *self, const system_stage_t *stage, uint32 chunk) { \
        interpret_chunk(self, stage, chunk, program, what##_line);                                   \
    }

#define SYSTEM_LOOP(name, what, adds)                                               \
    FUNCTION void name(const system_t *self, const system_stage_t *stage) {         \
        interpret_program(self, stage, 0u, self->setup->instructions, what##_line); \
    }
#endif

#if defined(SYSTEM_RATES)
#define FORMULA_MEMORY                                                     \
    LOCAL_MEMORY real_t group_numbers[SYSTEM_NUMBERS];                     \
    for (uint32 i = item_index(); i < SYSTEM_NUMBERS; i += group_size()) { \
        group_numbers[i] = (real_t)numbers[i];                             \
    }                                                                      \
    group_barrier();
#define GROUP_NUMBERS_VALUE group_numbers
#else
#define FORMULA_MEMORY
#define GROUP_NUMBERS_VALUE
#endif

#define SYSTEM_KERNEL_MEMORY                     \
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES]; \
    LOCAL_MEMORY uint32 verdict;                 \
    FORMULA_MEMORY
#define SYSTEM_VALUES \
    { RUN_VALUES(lanes), SYSTEM_OWN_FIELDS(FIELD_VALUE) GROUP_NUMBERS_VALUE }
/* Of a kernel that evaluates formulas but does not step them. */
#define FORMULA_VALUES \
    { RUN_VALUES(lanes), FORMULA_FIELDS(FIELD_VALUE){0, 0}, {0, 0}, 0, 0, GROUP_NUMBERS_VALUE }

#endif
