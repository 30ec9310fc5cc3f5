/* A step of explicit Euler or leapfrog in a tile of a system of equations in 2D, in place.
 *
 *   u_f(x, y) = u_f(x, y) + dt F_f(u near (x, y))         for each field f
 *   of leapfrog (kernels/leapfrog.h) with positions u and velocities v:
 *   w = u + dt/2 v,   v(x, y) = v(x, y) + dt F(w near (x, y)),   u(x, y) = w(x, y) + dt/2 v(x, y)
 *
 *   each warp takes the rows beyond its band
 *   group barrier
 *   for each row of the band, upwards: make it from the rows around it, which registers hold as they were before
 *   group barrier
 *
 * Bytes of shared memory per cell, field and step: read once and 2 reach / band more, written once; x sizeof(real_t). A warp reads a row
 * once: the rows above and below are in registers, the cells beside a lane's come from the next lanes.
 * Group barriers per step: 2. */
#ifndef PERDURE_KERNELS_RESIDENT_SYSTEM_STEP_2D_H
#define PERDURE_KERNELS_RESIDENT_SYSTEM_STEP_2D_H

#include "kernels/resident/system_rows_2d.h"

/* A part of the grid that a group advances, its own cells; the tile in memory has a ring of cells of other groups around them. */
struct system_tile_t {
    int32 x, y;          /* of the cell at the tile's first column and row: may lie beyond a side */
    int32 columns, rows; /* of the tile, the ring among them */
};

/* Parameters that are few stay in registers. */
#define NUMBERS_IN_REGISTERS 12u
struct system_numbers_t {
    real_t at[SYSTEM_NUMBERS <= NUMBERS_IN_REGISTERS && SYSTEM_NUMBERS > 0u ? SYSTEM_NUMBERS : 1u];
};
FUNCTION system_numbers_t load_numbers(const system_t *self) {
    system_numbers_t numbers = {{}};
    if constexpr (SYSTEM_NUMBERS <= NUMBERS_IN_REGISTERS) {
        UNROLLED for (uint32 i = 0; i < SYSTEM_NUMBERS; ++i) {
            numbers.at[i] = self->group_numbers[i];
        }
    }
    return numbers;
}

/* The rows that a row's formulas look at, from the lowest, and where its cells lie. */
struct system_window_t {
    system_row_t row[2 * REACH_ALONG_Y + 1];
    int32 x, y; /* of the lane's first cell, in the grid */
};

#undef VALUE_PARAMETER
#define VALUE_PARAMETER(i) (SYSTEM_NUMBERS <= NUMBERS_IN_REGISTERS ? numbers.at[i] : self->group_numbers[i])
#define CELL_OF_TILE(dx, dy) continued_cell(self->run.parameters, window.x + cell + (dx), window.y + (dy), 0)
#define VALUE_FIELD(field, dx, dy, dz) window.row[(dy) + REACH_ALONG_Y].at[field][cell + (dx) + REACH_ALONG_X]
#define VALUE_COEFFICIENT(c, dx, dy, dz) \
    self->coefficients[static_cast<size_t>(c) * self->run.parameters->cells + CELL_OF_TILE(dx, dy)]
#define VALUE_RANDOM(seed, dx, dy, dz) random_of_cell(seed, static_cast<uint32>(CELL_OF_TILE(dx, dy)))
#define VALUE_NOISE(seed, dx, dy, dz) noise_of_cell(stage, seed, static_cast<uint32>(CELL_OF_TILE(dx, dy)))
#define VALUE_COORDINATE(axis, dx, dy, dz) \
    system_coordinate(self, axis, (axis) == 0 ? window.x + cell + (dx) : ((axis) == 1 ? window.y + (dy) : 0))
FUNCTION void rates_in_tile(const system_t *self, const system_stage_t *stage, const system_window_t &window,
                            const system_numbers_t &numbers, int32 cell, real_t *rates) {
    (void)stage;
    (void)numbers;
    SYSTEM_RATES
}
#undef VALUE_FIELD
#undef VALUE_COEFFICIENT
#undef VALUE_RANDOM
#undef VALUE_NOISE
#undef VALUE_COORDINATE
#undef CELL_OF_TILE

FUNCTION next_row_t advance_row(const system_t *self, const system_stage_t *stage,
                                const system_window_t &window, const system_numbers_t &numbers) {
    next_row_t next;
    UNROLLED for (int32 cell = 0; cell < COLUMNS; ++cell) {
        real_t rates[SYSTEM_FIELDS];
        rates_in_tile(self, stage, window, numbers, cell, rates);
        UNROLLED for (int32 field = 0; field < static_cast<int32>(SYSTEM_FIELDS); ++field) {
            const real_t begin = window.row[REACH_ALONG_Y].at[field][cell + REACH_ALONG_X];
            next.at[field][cell] = EXPLICIT_STEP(begin, stage->dt, rates[field]);
        }
        UNROLLED for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
            if (is_moved_by_a_velocity(field)) {
                const real_t half_way = window.row[REACH_ALONG_Y].at[field][cell + REACH_ALONG_X];
                next.at[field][cell] = FUSED(stage->part, next.at[velocity_of(field)][cell], half_way);
            }
        }
    }
    return next;
}

/* The row nearest to `row` in the tile: what is made from rows beyond it belongs to the ring and is not used. */
FUNCTION int32 row_of_tile(int32 row) {
    return row < 0 ? 0 : (row < TILE_ROWS ? row : TILE_ROWS - 1);
}

FUNCTION void step_tile(const system_t *self, const system_stage_t *stage, const system_tile_t &place,
                        const system_numbers_t &numbers, real_t *tile) {
    const int32 first = static_cast<int32>(item_index() / 32u) * SYSTEM_TILE_BAND;
    system_window_t window;
    system_row_t beyond[REACH_ALONG_Y > 0 ? REACH_ALONG_Y : 1];
    UNROLLED for (int32 i = 0; i < REACH_ALONG_Y; ++i) {
        window.row[i] = load_own_cells(tile, row_of_tile(first - REACH_ALONG_Y + i), stage->part);
        beyond[i] = load_own_cells(tile, row_of_tile(first + SYSTEM_TILE_BAND + i), stage->part);
    }
    group_barrier();
    UNROLLED for (int32 i = 0; i < REACH_ALONG_Y; ++i) {
        take_cells_of_lanes(&window.row[i]);
        window.row[REACH_ALONG_Y + i] = load_row(tile, first + i, stage->part);
    }
    window.x = place.x + COLUMNS * lane_of_warp();
    UNROLLED for (int32 row = 0; row < SYSTEM_TILE_BAND; ++row) {
        const int32 newest = row + REACH_ALONG_Y;
        if (newest < SYSTEM_TILE_BAND) {
            window.row[2 * REACH_ALONG_Y] = load_row(tile, first + newest, stage->part);
        } else {
            window.row[2 * REACH_ALONG_Y] = beyond[newest - SYSTEM_TILE_BAND];
            take_cells_of_lanes(&window.row[2 * REACH_ALONG_Y]);
        }
        window.y = place.y + first + row;
        store_row(tile, first + row, advance_row(self, stage, window, numbers));
        UNROLLED for (int32 i = 0; i < 2 * REACH_ALONG_Y; ++i) {
            window.row[i] = window.row[i + 1];
        }
    }
    group_barrier();
}

#endif
