/* What is watched, as text of this dialect that is printed with the formulas of a system (kernels/system_printed.h):
 *
 *   SYSTEM_WATCHED   cases: case pass: statements: WATCH_REDUCE(row, kind, r), for each reduction of the pass
 *   SYSTEM_PROBED    cases: case formula: statements: PROBED(r)
 *   SYSTEM_STOP      statements: STOP_WHEN(r); its VALUE_FIELD(c, 0, 0, 0) is column c of the row
 *
 * None is defined where nothing is watched. */
#ifndef PERDURE_KERNELS_WATCH_PRINTED_H
#define PERDURE_KERNELS_WATCH_PRINTED_H

#include "kernels/chunks.h"
#include "kernels/kernel_forms.h"
#include "kernels/system_printed.h"

#if defined(SYSTEM_WATCHED)
#define WATCHES(self) 1u

/* By value, as advance_near_sides(). */
SEPARATE_FUNCTION void watch_chunk(const system_t self, const system_stage_t stage, uint32 chunk,
                                   uint32 pass) {
    const run_parameters_t *grid = self.run.parameters;
    FOR_EACH_CELL (cell, lane, chunk, grid) {
        if (needs_no_side(grid, &cell)) {
            watch_inside(&self, &stage, &cell, pass, lane);
        } else {
            watch_near_sides(&self, &stage, &cell, pass, lane);
        }
    }
}

FUNCTION double formula_in_cell(const system_t *self, const system_stage_t *stage, uint32 formula,
                                const uint32 *at) {
    cell_t cell;
    cell.x = at[0];
    cell.y = at[1];
    cell.z = at[2];
    cell.index = (index_t)(at[0] + self->run.parameters->nx * (at[1] + self->run.parameters->ny * at[2]));
    return (double)(needs_no_side(self->run.parameters, &cell)
                        ? probe_inside(self, stage, &cell, formula)
                        : probe_near_sides(self, stage, &cell, formula));
}

#define STOP_WHEN(value) return IS_TRUE(value) ? 1u : 0u;
#define VALUE_FIELD(column, dx, dy, dz) ((real_t)row[column])
#undef VALUE_TIME
#define VALUE_TIME() t
FUNCTION uint32 meets_stop_condition(const system_t *self, real_t t, GLOBAL const double *row) {
    (void)self;
    (void)t;
    (void)row;
    SYSTEM_STOP
    return 0u;
}
#undef VALUE_TIME
#define VALUE_TIME() (stage->t)
#undef VALUE_FIELD
#else
#define WATCHES(self) 0u
#endif

#endif
