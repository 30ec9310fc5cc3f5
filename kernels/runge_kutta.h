/* Explicit Runge-Kutta steps of a system of equations whose right-hand sides come from a case file
 * (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.1):
 *
 *   du_f/dt = F_f(u, x, t)                          for each field f
 *
 *   Y(0)   = u(n)
 *   k(s)   = F(Y(s), x, t_n + c_s dt)               stages s = 0, 1, ...
 *   Y(s+1) = u(n) + dt sum_(j <= s) a_(s+1, j) k(j)
 *   u(n+1) is what the last stage makes, with b_j for a
 *
 * F looks at neighbours, so that a stage is a phase. On GPUs F is printed text (kernels/system_printed.h), on host threads it is
 * interpreted (kernels/system_interpreted.h).
 *
 * Shapes: u [fields][cells], two copies; stage_values the same; rates [stages - 1][fields][cells].
 * Bytes per cell, field and step: one stage: read u, write u; S stages: S times read stage, write stage or u, read u, S (S - 1) / 2 rates,
 *   write S - 1 rates; coefficients are read in each stage. x sizeof(real_t).
 * Barriers per step: one for each stage. Every check_every steps the largest magnitude is reported and cells are watched.
 * Snapshots: kernels/snapshot_ring.h. */
#ifndef PERDURE_KERNELS_RUNGE_KUTTA_H
#define PERDURE_KERNELS_RUNGE_KUTTA_H

#include "kernels/chunks.h"
#include "kernels/kernel_forms.h"
#include "kernels/operator.h"
#include "kernels/snapshot_ring.h"
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

FUNCTION GLOBAL real_t *rate_of_stage(const system_t *self, uint32 stage, uint32 field) {
    const size_t cells = self->run.parameters->cells;
    return self->rates + ((size_t)stage * self->setup->fields + field) * cells;
}

/* sum_j weight_j k_j: `rate` is that of this stage, those before are in memory. */
FUNCTION real_t weighted_rates(const system_t *self, uint32 stage, uint32 field, size_t cell, real_t rate) {
    GLOBAL const double *weights = self->setup->weight[stage];
    real_t sum = (real_t)weights[stage] * rate;
    for (uint32 j = 0; j < stage; ++j) {
        if (weights[j] != 0.0) {
            sum = FUSED((real_t)weights[j], rate_of_stage(self, j, field)[cell], sum);
        }
    }
    return sum;
}

/* A field in a cell from its rate and what the step began with. */
FUNCTION void advance_value(const system_t *self, const system_stage_t *stage, uint32 field, size_t cell,
                            index_t lane, real_t begin, real_t rate) {
    const size_t at = (size_t)field * self->run.parameters->cells + cell;
    const real_t change =
        STAGES_OF(self->setup) > 1u ? weighted_rates(self, stage->stage, field, cell, rate) : rate;
    const real_t next = EXPLICIT_STEP(begin, stage->dt, change);
    stage->next[at] = next;
    if (!stage->last) {
        rate_of_stage(self, stage->stage, field)[cell] = rate;
    }
    if (stage->check) {
        watch_step(&self->run, lane, (index_t)cell, next);
    }
}

FUNCTION system_stage_t make_stage(const system_t *self, const segment_t *segment, uint32 step,
                                   uint32 number) {
    GLOBAL const system_setup_t *setup = self->setup;
    const run_parameters_t *grid = self->run.parameters;
    system_stage_t stage;
    stage.stage = number;
    stage.last = number + 1u == STAGES_OF(setup) ? 1u : 0u;
    stage.check = stage.last ? is_checked_step(grid, segment, step) : 0u;
    stage.begin = copy_of(self->u, step);
    stage.values = STAGES_OF(setup) == 1u || number == 0u ? stage.begin : copy_of(self->stage_values, number);
    stage.next = stage.last ? copy_of(self->u, step + 1u) : copy_of(self->stage_values, number + 1u);
    stage.dt = (real_t)time_of_step(segment, step);
    const double begin = segment->start_time + (double)(step - segment->first_step) * segment->time_step;
    stage.t = (real_t)(begin + setup->node[number] * time_of_step(segment, step));
    return stage;
}

#if defined(SYSTEM_RATES)
FUNCTION void advance_cell(const system_t *self, const system_stage_t *stage, const cell_t *cell,
                           index_t lane, const real_t *rates) {
    real_t begin[SYSTEM_FIELDS];
    for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        begin[field] = stage->begin[(size_t)field * self->run.parameters->cells + (size_t)cell->index];
    }
    for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        advance_value(self, stage, field, (size_t)cell->index, lane, begin[field], rates[field]);
    }
}

/* By value: what is pointed to from here would lie in memory in the whole kernel. */
SEPARATE_FUNCTION void advance_near_sides(const system_t self, const system_stage_t stage, cell_t cell,
                                          index_t lane) {
    real_t rates[SYSTEM_FIELDS];
    rates_near_sides(&self, &stage, &cell, rates);
    advance_cell(&self, &stage, &cell, lane, rates);
}

FUNCTION void advance_inside(const system_t *self, const system_stage_t *stage, cell_t cell, index_t lane) {
    real_t rates[SYSTEM_FIELDS];
    rates_inside(self, stage, &cell, rates);
    advance_cell(self, stage, &cell, lane, rates);
}

/* Of a chunk first the cells that need no side, then the others, where there are any: what these need would take registers from
 * those. */
FUNCTION void advance_cells(const system_t *self, const system_stage_t *stage) {
    const run_parameters_t *grid = self->run.parameters;
    FOR_EACH_CHUNK (chunk, grid) {
        uint32 others = 0u;
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            if (needs_no_side(grid, &cell)) {
                advance_inside(self, stage, cell, lane);
            } else {
                others = 1u;
            }
        }
        if (others) {
            FOR_EACH_CELL (side_cell, side_lane, chunk, grid) {
                if (!needs_no_side(grid, &side_cell)) {
                    advance_near_sides(*self, *stage, side_cell, side_lane);
                }
            }
        }
    }
}
#else
FUNCTION void advance_line(const system_t *self, const system_stage_t *stage, const line_t *line,
                           uint32 field, const real_t *rate) {
    const run_parameters_t *grid = self->run.parameters;
    const size_t first = (uint32)line->x + grid->nx * ((uint32)line->y + grid->ny * (uint32)line->z);
    for (uint32 i = 0; i < line->count; ++i) {
        const real_t begin = stage->begin[(size_t)field * grid->cells + first + i];
        advance_value(self, stage, field, first + i, (index_t)i, begin, rate[i]);
    }
}

FUNCTION void advance_cells(const system_t *self, const system_stage_t *stage) {
    const run_parameters_t *grid = self->run.parameters;
    real_t *rows = self->registers + (size_t)group_index() * self->setup->registers * LANES;
    const uint32 pieces = (grid->nx + LANES - 1u) / LANES;
    FOR_EACH_IN_SHARE (piece, pieces * grid->ny * grid->nz, group_index(), group_count()) {
        const uint32 line_number = piece / pieces, x = (piece - line_number * pieces) * LANES;
        const uint32 z = line_number / grid->ny;
        const uint32 left = grid->nx - x;
        const line_t line = {(int32)x, (int32)(line_number - z * grid->ny), (int32)z,
                             left < LANES ? left : LANES};
        interpret_line(self, stage, &line, rows);
    }
}
#endif

FUNCTION void runge_kutta_phase(const system_t *self, const segment_t *segment, uint32 step, uint32 number) {
    const run_t *run = &self->run;
    const system_stage_t stage = make_stage(self, segment, step, number);
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    advance_cells(self, &stage);
    if (stage.check) {
        contribute_slack(run);
        if (finish_reduction(run, 0u)) {
            DECIDE(decide_step(run, step + 1u));
        }
    }
}

FULL_KERNEL void runge_kutta(KERNEL_ARGUMENTS(SYSTEM_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY uint32 verdict;
#if defined(SYSTEM_RATES)
    LOCAL_MEMORY real_t group_numbers[SYSTEM_NUMBERS];
    for (uint32 i = item_index(); i < SYSTEM_NUMBERS; i += group_size()) {
        group_numbers[i] = (real_t)numbers[i];
    }
    group_barrier();
    const system_t self = {RUN_VALUES(lanes), SYSTEM_OWN_FIELDS(FIELD_VALUE) group_numbers};
#else
    const system_t self = {RUN_VALUES(lanes), SYSTEM_OWN_FIELDS(FIELD_VALUE)};
#endif
    RUN_SEGMENTS(self.run, STAGES_OF(setup), self.u, (size_t)self.setup->fields * self.run.parameters->cells,
                 runge_kutta_phase(&self, &at.now, at.step, at.stage));
}

#endif
