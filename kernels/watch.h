/* Watching a run: integrals and values at points through time, and whether they ask the run to stop.
 *
 * Step n reads u(n) anyway, so that what is watched of u(n) is taken in the first phase of step n; what is watched of the last u by one
 * more phase behind the last step. A watched step makes a row of the series:
 *
 *   time | step | integrals | values at probes
 *
 *   integral   of sums, minima and maxima of formulas over all cells: kernels/watch_setup.h
 *   probe      a formula at a point, linear between the centres of cells:
 *                sum over corners of prod_axes (weight or 1 - weight) value in the corner's cell
 *
 * Reductions belong to chunks of cells and are combined in a fixed order: lanes of a chunk by a tree, chunks by lanes, lanes by that tree.
 * So bits depend neither on groups nor on models nor, where formulas do not, on back ends.
 *
 * Shapes: series [rows][columns], row r in place r % rows; watch_partials [reductions][chunks], then [reductions]; watch_state [2].
 * Bytes per cell and watched step: each pass reads what its formulas read, most of which the step reads again. x sizeof(real_t).
 * Barriers: none of the grid. Where there are integrals, or where the run may be asked to stop, the group that ends the phase last makes
 * the row; values at probes alone cost what their points read. */
#ifndef PERDURE_KERNELS_WATCH_H
#define PERDURE_KERNELS_WATCH_H

#include "kernels/chunks.h"
#include "kernels/kernel_forms.h"
#include "kernels/watch_schedule.h"

/* What formulas see of u(n) at time t. */
FUNCTION system_stage_t stage_of_begin(GLOBAL const real_t *u, uint32 step, double t) {
    system_stage_t stage;
    stage.values = stage.added = stage.begin = u;
    stage.part = (real_t)0;
    stage.adds = stage.moves = stage.swaps = 0u;
    stage.next = 0;
    stage.step = step;
    stage.stage = stage.last = stage.check = 0u;
    stage.t = stage.end = (real_t)t;
    stage.dt = (real_t)0;
    return stage;
}

/* What a stage changes; `begins`: 1 in the first phase of a step, which may look at values of others behind its loop. */
#define NOTE_CHANGES_OF_STAGE(self, arrays, begins) \
    NOTE_CHANGES_OF_LOOP(arrays, WATCHES(self) && (begins) ? 0u : 1u)

#if defined(SYSTEM_WATCHED) || !defined(SYSTEM_RATES)

/* Of a lane and the one that the tree adds to it. */
FUNCTION void reduce_lanes(const run_t *run, uint32 row, uint32 kind) {
    LOCAL sum_t *lanes = run->lanes + row * LANES;
    for (uint32 stride = LANES / 2u; stride > 0u; stride /= 2u) {
        lane_barrier(stride);
        for (uint32 lane = item_index(); lane < stride; lane += group_size()) {
            lanes[lane] = reduced(kind, lanes[lane], lanes[lane + stride]);
        }
    }
}

FUNCTION void clear_reductions(const system_t *self, uint32 first, uint32 count) {
    for (uint32 row = 0; row < count; ++row) {
        const sum_t nothing = nothing_reduced(self->reductions[first + row]);
        for (uint32 lane = item_index(); lane < LANES; lane += group_size()) {
            self->run.lanes[row * LANES + lane] = nothing;
        }
    }
}

/* Reductions of a pass. */
FUNCTION uint32 reductions_of_pass(const system_t *self, uint32 pass) {
    const uint32 left = self->watch->reductions - MAX_SUMS * pass;
    return left < MAX_SUMS ? left : MAX_SUMS;
}

/* Every item: the lanes, each row by its reduction, become what `results` takes, `stride` apart. */
FUNCTION void store_reductions(const system_t *self, uint32 first, uint32 count, GLOBAL sum_t *results,
                               uint32 stride) {
    for (uint32 row = 0; row < count; ++row) {
        reduce_lanes(&self->run, row, self->reductions[first + row]);
    }
    if (item_index() == 0u) {
        for (uint32 row = 0; row < count; ++row) {
            results[(first + row) * stride] = self->run.lanes[row * LANES];
        }
    }
    group_barrier();
}

FUNCTION void reduce_cells(const system_t *self, const system_stage_t *stage) {
    const run_parameters_t *grid = self->run.parameters;
    FOR_EACH_CHUNK (chunk, grid) {
        for (uint32 pass = 0; pass < self->watch->passes; ++pass) {
            const uint32 count = reductions_of_pass(self, pass);
            clear_reductions(self, MAX_SUMS * pass, count);
            group_barrier();
            watch_chunk(*self, *stage, chunk, pass);
            store_reductions(self, MAX_SUMS * pass, count, self->watch_partials + chunk, grid->chunks);
        }
    }
}

/* Every item of the last group: what all chunks come to, behind the partial values. */
FUNCTION void reduce_chunks(const system_t *self) {
    const run_t *run = &self->run;
    const uint32 chunks = run->parameters->chunks;
    share_values_of_chunks(run->parameters, run->state, self->watch_partials, self->watch->reductions,
                           run->sync);
    GLOBAL sum_t *totals = self->watch_partials + (size_t)self->watch->reductions * chunks;
    for (uint32 pass = 0; pass < self->watch->passes; ++pass) {
        const uint32 first = MAX_SUMS * pass, count = reductions_of_pass(self, pass);
        clear_reductions(self, first, count);
        for (uint32 row = 0; row < count; ++row) {
            const uint32 kind = self->reductions[first + row];
            for (uint32 lane = item_index(); lane < LANES; lane += group_size()) {
                sum_t value = nothing_reduced(kind);
                for (uint32 chunk = lane; chunk < chunks; chunk += LANES) {
                    value = reduced(kind, value, self->watch_partials[(first + row) * chunks + chunk]);
                }
                self->run.lanes[row * LANES + lane] = value;
            }
        }
        store_reductions(self, first, count, totals, 1u);
    }
}

FUNCTION double integral_of(watch_integral_t integral, GLOBAL const sum_t *totals) {
    const double value = (double)totals[integral.first];
    switch (integral.operation) {
        case INTEGRAL_SCALED:
            return integral.factor * value;
        case INTEGRAL_RATIO:
            return value / (double)totals[integral.second];
        case INTEGRAL_ROOT:
            return sqrt(integral.factor * value);
        default:
            return totals[integral.second] == (sum_t)0 ? value - value : value; /* NaN: nothing is infinite */
    }
}

/* What a corner adds to the value at a probe; a cell of weight 0 is not looked at. */
FUNCTION double probe_part(const system_t *self, const system_stage_t *stage, uint32 number, uint32 corner) {
    const watch_probe_t probe = self->probes[number];
    const run_parameters_t *grid = self->run.parameters;
    const uint32 last = grid->dimensions - 1u;
    if (!is_in_own_part(probe.cell[last], last == 2u ? grid->nz : grid->ny)) {
        return 0.0;
    }
    uint32 at[3];
    double weight = 1.0;
    for (uint32 axis = 0; axis < 3u; ++axis) {
        const uint32 above = (corner >> axis) & 1u;
        at[axis] = above ? probe.above[axis] : probe.cell[axis];
        weight *= above ? probe.weight[axis] : 1.0 - probe.weight[axis];
    }
    return weight != 0.0 ? weight * formula_in_cell(self, stage, probe.formula, at) : 0.0;
}

/* Probes first .. end - 1, each corner by an item, so that what it reads does not wait for what other corners read. */
FUNCTION void look_at_probes_at_once(const system_t *self, const system_stage_t *stage, uint32 first,
                                     uint32 end, GLOBAL double *values) {
    const uint32 corners = 1u << self->run.parameters->dimensions;
    LOCAL sum_t *parts = self->run.lanes;
    for (uint32 i = item_index(); i < (end - first) * corners; i += group_size()) {
        parts[i] = probe_part(self, stage, first + i / corners, i % corners);
    }
    group_barrier();
    for (uint32 i = first + item_index(); i < end; i += group_size()) {
        double value = 0.0;
        for (uint32 corner = 0; corner < corners; ++corner) {
            value += parts[(i - first) * corners + corner];
        }
        values[i] = value;
    }
    group_barrier();
}

/* Values at probes are shared out among groups: so many go to one at once. */
FUNCTION uint32 probes_at_once(const system_t *self) {
    const uint32 most = LANES >> self->run.parameters->dimensions;
    const uint32 share = (self->watch->probed + group_count() - 1u) / group_count();
    return share < most ? share : most;
}

FUNCTION void look_at_probes(const system_t *self, const system_stage_t *stage, uint32 row) {
    GLOBAL const watch_setup_t *setup = self->watch;
    GLOBAL double *values = row_of_series(self, row) + (setup->columns - setup->probed);
    const uint32 at_once = probes_at_once(self);
    for (uint32 first = group_index() * at_once; first < setup->probed; first += group_count() * at_once) {
        const uint32 left = setup->probed - first;
        look_at_probes_at_once(self, stage, first, first + (left < at_once ? left : at_once), values);
    }
}

/* Apart, so that phases keep their registers; what they have reduced may lie in the lanes until the barrier. */
SEPARATE_FUNCTION void look_at_step(const system_t self, watched_t watched, GLOBAL const real_t *u) {
    const system_stage_t stage = stage_of_begin(u, watched.step, watched.time);
    group_barrier();
    if (group_index() == 0u && item_index() == 0u) {
        GLOBAL double *row = row_of_series(&self, watched.row);
        row[0] = watched.time;
        row[1] = (double)watched.step;
    }
    look_at_probes(&self, &stage, watched.row);
    if (self.watch->reductions > 0u) {
        reduce_cells(&self, &stage);
    }
}

/* Every item of all groups, at the end of each phase: u is what the step begins with, at `time`; `begins`: 1 in the first phase of a step and
 * behind the last one, where `ends` is 1 too. Returns 1 where the last group is to end the phase by end_watched(). */
FUNCTION uint32 look_at_values(const system_t *self, GLOBAL const real_t *u, uint32 step, double time,
                               uint32 begins, uint32 ends) {
    GLOBAL const watch_setup_t *setup = self->watch;
    if (!WATCHES(self) || !begins) {
        return 0u;
    }
    const watched_t watched = look_at_schedule(self, step, time, ends);
    if (group_index() == 0u && item_index() == 0u) {
        move_schedule_on(self, watched);
    }
    if (!watched.due) {
        return 0u;
    }
    const uint32 has_part = group_index() == 0u || group_index() * probes_at_once(self) < setup->probed;
    if (has_part || setup->reductions > 0u) {
        look_at_step(*self, watched, u);
    }
    return setup->reductions > 0u || setup->stops ? 1u : 0u;
}

/* Item 0 of the last group: the row of step number `step`. */
FUNCTION void make_row(const system_t *self, uint32 step) {
    GLOBAL const watch_setup_t *setup = self->watch;
    GLOBAL run_state_t *state = self->run.state;
    GLOBAL const sum_t *totals =
        self->watch_partials + (size_t)setup->reductions * self->run.parameters->chunks;
    GLOBAL double *row = row_of_series(self, look_at_schedule(self, step, 0.0, 1u).row);
    for (uint32 i = 0; i < setup->integrals; ++i) {
        row[2u + i] = integral_of(self->integrals[i], totals);
    }
    if (setup->stops && meets_stop_condition(self, (real_t)row[0], row)) {
        state->control.stop = STOP_ASKED;
        state->control.bad_cell = NO_CELL; /* of the next step, which is given up */
        state->control.answer = step & 1u;
        state->time.step = step;
    }
}

/* Every item of the last group: values at probes of the row of step number `step`. */
FUNCTION void share_probes(const system_t *self, uint32 step) {
    const run_t *run = &self->run;
    GLOBAL double *row = row_of_series(self, look_at_schedule(self, step, 0.0, 1u).row);
    share_single_values(run->parameters, run->state, row + (self->watch->columns - self->watch->probed),
                        self->watch->probed, run->sync);
}

/* Every item of the last group of a phase that makes a row: what the run is asked to stop by, it stops before the step. */
SEPARATE_FUNCTION void end_row(const system_t self, uint32 step) {
    reduce_chunks(&self);
    share_probes(&self, step);
    DECIDE(make_row(&self, step));
}
FUNCTION void end_watched(const system_t *self, uint32 step, uint32 makes_row) {
    if (makes_row) {
        end_row(*self, step);
    }
}
#else
FUNCTION uint32 look_at_values(const system_t *self, GLOBAL const real_t *u, uint32 step, double time,
                               uint32 begins, uint32 ends) {
    (void)self;
    (void)u;
    (void)step;
    (void)time;
    (void)begins;
    (void)ends;
    return 0u;
}

FUNCTION void end_watched(const system_t *self, uint32 step, uint32 makes_row) {
    (void)self;
    (void)step;
    (void)makes_row;
}
#endif

#endif
