/* Steps of explicit Euler or leapfrog of a system of equations in 2D whose sides are periodic, temporally blocked: kernels/runge_kutta.h
 * with one stage or kernels/leapfrog.h with one phase a step, in tiles of shared memory, several steps a pass.
 *
 *   the grid is cut into tiles; each group has one or several
 *   pass: for each tile of the group
 *     copy its cells and a ring of (steps reach) cells around them into shared memory
 *     make the steps there: with each the outermost cells of the ring lose their meaning
 *     store its own cells
 *   grid barrier
 *
 * If there is a group for each tile, cells stay in shared memory between passes: only those that neighbours take are stored, and the
 * ring alone is copied.
 *
 * Shapes: u [fields][cells], two copies, of which a pass reads one and writes the other.
 * Bytes per cell, field and step: 2 / steps of a pass, and less if tiles stay on the chip; x sizeof(real_t). Rings are read twice.
 * Barriers per step: 1 / steps of a pass. */
#ifndef PERDURE_KERNELS_RESIDENT_SYSTEM_TILES_2D_H
#define PERDURE_KERNELS_RESIDENT_SYSTEM_TILES_2D_H

#include "kernels/resident/stepping.h"
#include "kernels/resident/system_step_2d.h"

#define RING_ALONG_X (SYSTEM_TILE_STEPS * REACH_ALONG_X)
#define RING_ALONG_Y (SYSTEM_TILE_STEPS * REACH_ALONG_Y)
#define FIELDS_OF_TILE static_cast<int32>(SYSTEM_FIELDS)

/* How the grid is cut: tile (i, j) owns columns i nx / along_x .. (i + 1) nx / along_x, and rows likewise. */
struct system_tiling_t {
    uint32 along_x, along_y;
    FUNCTION_MEMBER uint32 count() const { return along_x * along_y; }
    FUNCTION_MEMBER system_tile_t tile(const run_parameters_t *grid, uint32 number) const {
        const uint32 i = number % along_x, j = number / along_x;
        const int32 x = static_cast<int32>(i * grid->nx / along_x),
                    y = static_cast<int32>(j * grid->ny / along_y);
        const int32 end_x = static_cast<int32>((i + 1u) * grid->nx / along_x);
        const int32 end_y = static_cast<int32>((j + 1u) * grid->ny / along_y);
        return {x - RING_ALONG_X, y - RING_ALONG_Y, end_x - x + 2 * RING_ALONG_X,
                end_y - y + 2 * RING_ALONG_Y};
    }
};
FUNCTION system_tiling_t tiling_of(const run_parameters_t *grid) {
    return {divided_up(grid->nx, static_cast<uint32>(STRIP_COLUMNS - 2 * RING_ALONG_X)),
            divided_up(grid->ny, static_cast<uint32>(TILE_ROWS - 2 * RING_ALONG_Y))};
}

/* A lane copies the columns lane, lane + 32 .. of rows: where they lie in the grid and in the tile. */
struct copied_columns_t {
    int32 in_grid[COLUMNS], in_tile[COLUMNS];
    bool is_there[COLUMNS];
};
/* Columns begin .. end - 1 of a tile. */
FUNCTION copied_columns_t columns_of_lane(const run_parameters_t *grid, const system_tile_t &place,
                                          int32 begin, int32 end) {
    copied_columns_t columns;
    UNROLLED for (int32 i = 0; i < COLUMNS; ++i) {
        const int32 column = begin + lane_of_warp() + 32 * i;
        columns.is_there[i] = column < end;
        columns.in_tile[i] = place_in_tile(0, 0, column);
        columns.in_grid[i] = continued_along(grid, 0u, place.x + column);
    }
    return columns;
}

FUNCTION size_t row_of_grid(const run_parameters_t *grid, const system_tile_t &place, int32 row) {
    return static_cast<size_t>(continued_along(grid, 1u, place.y + row)) * grid->nx;
}

/* A frame of cells in a tile: those at least `outer` and less than `inner` cells from its edges. */
struct system_frame_t {
    int32 outer_x, outer_y, inner_x, inner_y;
};
/* visit(cell of the grid, place in the tile of its first field) for the cells of a frame or, if `all`, for those within it, too. */
template <typename Visit>
FUNCTION void for_each_of_frame(const run_parameters_t *grid, const system_tile_t &place,
                                const system_frame_t &frame, bool all, Visit visit) {
    const copied_columns_t columns =
        columns_of_lane(grid, place, frame.outer_x, place.columns - frame.outer_x);
    const int32 thick = frame.inner_y - frame.outer_y, within = place.rows - 2 * frame.outer_y;
    const int32 rows = all ? within : 2 * thick;
    for (int32 i = static_cast<int32>(item_index() / 32u); i < rows; i += SYSTEM_TILE_WARPS) {
        const int32 row = frame.outer_y + (all || i < thick ? i : within - 2 * thick + i);
        const size_t begin = row_of_grid(grid, place, row);
        const int32 of_row = place_in_tile(row, 0, 0);
        UNROLLED for (int32 j = 0; j < COLUMNS; ++j) {
            if (columns.is_there[j]) {
                visit(begin + static_cast<size_t>(columns.in_grid[j]), of_row + columns.in_tile[j]);
            }
        }
    }
    const int32 across = 2 * (frame.inner_x - frame.outer_x), items = 32 * SYSTEM_TILE_WARPS;
    if (!all && across > 0 && static_cast<int32>(item_index()) < items / across * across) {
        const int32 i = static_cast<int32>(item_index()) % across;
        const int32 column = i < across / 2 ? frame.outer_x + i : place.columns - frame.outer_x - across + i;
        const int32 in_grid = continued_along(grid, 0u, place.x + column),
                    in_tile = place_in_tile(0, 0, column);
        for (int32 row = frame.inner_y + static_cast<int32>(item_index()) / across;
             row < place.rows - frame.inner_y; row += items / across) {
            visit(row_of_grid(grid, place, row) + static_cast<size_t>(in_grid),
                  place_in_tile(row, 0, 0) + in_tile);
        }
    }
}

/* From a cell's first field in the tile to the others. */
#define TILE_FIELD_STRIDE place_in_tile(0, 1, 0)

/* Copies all cells of a tile, or those of its ring. */
FUNCTION void copy_to_tile(const run_parameters_t *grid, const system_tile_t &place, bool ring_alone,
                           const real_t *u, real_t *tile) {
    for_each_of_frame(
        grid, place, {0, 0, RING_ALONG_X, RING_ALONG_Y}, !ring_alone, [&](size_t cell, int32 in_tile) {
            UNROLLED for (int32 field = 0; field < FIELDS_OF_TILE; ++field) {
                copy_async<sizeof(real_t)>(tile + in_tile + field * TILE_FIELD_STRIDE,
                                           u + static_cast<size_t>(field) * grid->cells + cell, 1u);
            }
        });
    commit_copies();
    await_copies<0>();
    group_barrier();
}

/* Stores all own cells of a tile, or those that neighbours take. `watched`: of a check, else null. */
FUNCTION void store_tile(const run_parameters_t *grid, const system_tile_t &place, bool border_alone,
                         const real_t *tile, real_t *u, checked_t *watched) {
    const system_frame_t border = {RING_ALONG_X, RING_ALONG_Y, 2 * RING_ALONG_X, 2 * RING_ALONG_Y};
    for_each_of_frame(grid, place, border, !border_alone, [&](size_t cell, int32 in_tile) {
        UNROLLED for (int32 field = 0; field < FIELDS_OF_TILE; ++field) {
            const real_t value = tile[in_tile + field * TILE_FIELD_STRIDE];
            u[static_cast<size_t>(field) * grid->cells + cell] = value;
            if (watched != 0) {
                watch(watched, static_cast<uint32>(cell), static_cast<double>(value));
            }
        }
    });
}

/* Has the cells of a tile brought into the cache that all groups share. */
FUNCTION void prefetch_tile(const run_parameters_t *grid, const system_tile_t &place, const real_t *u) {
    constexpr int32 cells_of_line = static_cast<int32>(128 / sizeof(real_t));
    const int32 lines = place.columns / cells_of_line + 1, items = 32 * SYSTEM_TILE_WARPS;
    for (int32 i = static_cast<int32>(item_index()); i < lines * place.rows; i += items) {
        const int32 row = i / lines, line = i - row * lines;
        const int32 column = line < lines - 1 ? line * cells_of_line : place.columns - 1;
        const real_t *from = u + row_of_grid(grid, place, row) + continued_along(grid, 0u, place.x + column);
        UNROLLED for (int32 field = 0; field < FIELDS_OF_TILE; ++field) {
            prefetch_to_l2(from + static_cast<size_t>(field) * grid->cells);
        }
    }
}

FUNCTION constexpr bool has_positions() {
    for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        if (is_moved_by_a_velocity(field)) {
            return true;
        }
    }
    return false;
}

FUNCTION system_stage_t stage_of_tile(const system_t *self, const segment_t *segment, uint32 step) {
    return has_positions() ? leapfrog_stage(self, segment, step, 0u) : make_stage(self, segment, step, 0u);
}

FUNCTION void make_steps(const system_t *self, const system_tile_t &place, const system_numbers_t &numbers,
                         uint32 first, uint32 steps, real_t *tile) {
    const run_parameters_t *grid = self->run.parameters;
    const segment_t segment = {self->setup->start_step, grid->last_step, self->setup->start_time,
                               grid->time_step, grid->last_time_step};
    ROLLED for (uint32 step = first; step < first + steps; ++step) {
        const system_stage_t stage = stage_of_tile(self, &segment, step);
        step_tile(self, &stage, place, numbers, tile);
    }
}

/* Publishes: the cells of u that a pass has stored, and the decision at a check. Observed by: all groups in the next pass. Edge: the grid
 * barrier behind the pass. */
FUNCTION void run_system_tiles(const system_t *self, real_t *tile) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const system_tiling_t tiling = tiling_of(grid);
    const system_numbers_t numbers = load_numbers(self);
    const bool stays = has_one_each(tiling.count(), group_count()) != 0u;
    stepping_t at = begin_stepping(run, run->state->time.begin);
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    bool is_there = false; /* in shared memory */
    uint32 passed = 1u;
    while (passed && at.n < at.end && run->state->control.stop == STOP_NONE) {
        const step_pass_t pass = next_pass_in_time(grid, &at, SYSTEM_TILE_STEPS);
        const bool border_alone = stays && !pass.check && at.n + pass.active < at.end;
        checked_t watched = {0.0, NO_CELL};
        FOR_EACH_SIDE_BY_SIDE(number, tiling.count(), group_index(), group_count()) {
            const system_tile_t place = tiling.tile(grid, number);
            copy_to_tile(grid, place, is_there, self->u[at.current], tile);
            const uint32 next = number + groups_side_by_side(group_count());
            if (next < number_end &&
                device_count() == 1u) { /* a tile may reach into the memory of another device */
                prefetch_tile(grid, tiling.tile(grid, next), self->u[at.current]);
            }
            make_steps(self, place, numbers, at.n, pass.active, tile);
            store_tile(grid, place, border_alone, tile, self->u[1u - at.current], pass.check ? &watched : 0);
            if (!stays) {
                group_barrier();
            }
        }
        is_there = stays;
        if (pass.check) {
            contribute_watched(run, watched);
            if (finish_reduction(run, 0u)) {
                DECIDE(decide_step(run, at.n + pass.active));
            }
        }
        at.n += pass.active;
        at.current = 1u - at.current;
        passed = synchronise_grid(&barrier, &at);
    }
    end_stepping(run, &at);
}

__global__ __launch_bounds__(32 * SYSTEM_TILE_WARPS,
                             1) void system_tiles_2d(KERNEL_ARGUMENTS(SYSTEM_OWN_FIELDS)) {
    SYSTEM_KERNEL_MEMORY;
    SHARED_BYTES(tile);
    const system_t self = SYSTEM_VALUES;
    run_system_tiles(&self, reinterpret_cast<real_t *>(tile));
}

#endif
