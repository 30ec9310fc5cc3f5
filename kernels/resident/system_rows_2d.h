/* Rows of a tile of a system of equations in 2D: all fields of STRIP_COLUMNS cells, COLUMNS neighbouring ones a lane (tiling.h).
 *
 * A tile lies in shared memory as [TILE_ROWS][fields][parts][lanes][cells of a part]: a part is 16 bytes, so that a warp reads and
 * writes a row without conflicts of banks. The plan (solver/resident/plan_system_tiles.cpp) defines
 *
 *   SYSTEM_TILE_WARPS   warps of a group; each has a band of the tile's rows
 *   SYSTEM_TILE_BAND    rows of a band
 *   SYSTEM_TILE_STEPS   most steps of a pass */
#ifndef PERDURE_KERNELS_RESIDENT_SYSTEM_ROWS_2D_H
#define PERDURE_KERNELS_RESIDENT_SYSTEM_ROWS_2D_H

#include "kernels/leapfrog_stage.h"
#include "kernels/resident/row.h"
#include "kernels/runge_kutta.h"

#define TILE_ROWS (SYSTEM_TILE_WARPS * SYSTEM_TILE_BAND)
#define REACH_ALONG_X static_cast<int32>(SYSTEM_REACH_X)
#define REACH_ALONG_Y static_cast<int32>(SYSTEM_REACH_Y)
#define CELLS_OF_PART static_cast<int32>(16 / sizeof(real_t))
#define PARTS_OF_LANE (COLUMNS / CELLS_OF_PART)

static_assert(SYSTEM_REACH_X <= COLUMNS, "a lane takes cells of the next lane alone");
static_assert(SYSTEM_REACH_Y <= SYSTEM_TILE_BAND, "a band takes rows of the next band alone");

/* Positions of leapfrog, and the fields that are their rates. */
FUNCTION constexpr bool is_moved_by_a_velocity(uint32 field) {
    return SYSTEM_ROLE(field) < ROLE_MOVES;
}
FUNCTION constexpr uint32 velocity_of(uint32 field) {
    return SYSTEM_ROLE(field) % SYSTEM_FIELDS;
}

struct alignas(16) part_of_row_t {
    real_t at[CELLS_OF_PART];
};

/* What a lane knows of a row: its own cells and, on both sides, those that formulas look at. */
struct system_row_t {
    real_t at[SYSTEM_FIELDS][COLUMNS + 2 * REACH_ALONG_X];
};

struct next_row_t {
    real_t at[SYSTEM_FIELDS][COLUMNS];
};

FUNCTION int32 place_of_part(int32 row, int32 field, int32 part, int32 lane) {
    return (((row * static_cast<int32>(SYSTEM_FIELDS) + field) * PARTS_OF_LANE + part) * 32 + lane) *
           CELLS_OF_PART;
}

/* Of one value in the tile. */
FUNCTION int32 place_in_tile(int32 row, int32 field, int32 column) {
    const int32 lane = column / COLUMNS, cell = column % COLUMNS;
    return place_of_part(row, field, cell / CELLS_OF_PART, lane) + cell % CELLS_OF_PART;
}

/* This lane's cells of a row, as formulas see them: positions of leapfrog are those in the middle of the step (kernels/leapfrog.h). */
FUNCTION system_row_t load_own_cells(const real_t *tile, int32 row, real_t half_step) {
    system_row_t loaded;
    UNROLLED for (int32 field = 0; field < static_cast<int32>(SYSTEM_FIELDS); ++field) {
        UNROLLED for (int32 part = 0; part < PARTS_OF_LANE; ++part) {
            const part_of_row_t values = *reinterpret_cast<const part_of_row_t *>(
                tile + place_of_part(row, field, part, lane_of_warp()));
            UNROLLED for (int32 i = 0; i < CELLS_OF_PART; ++i) {
                loaded.at[field][REACH_ALONG_X + part * CELLS_OF_PART + i] = values.at[i];
            }
        }
    }
    UNROLLED for (uint32 field = 0; field < SYSTEM_FIELDS; ++field) {
        if (is_moved_by_a_velocity(field)) {
            UNROLLED for (int32 i = REACH_ALONG_X; i < REACH_ALONG_X + COLUMNS; ++i) {
                real_t *position = &loaded.at[field][i];
                *position = FUSED(half_step, loaded.at[velocity_of(field)][i], *position);
            }
        }
    }
    return loaded;
}

/* Cells at both sides, from the next lanes; at the ends of a row they have no meaning. */
FUNCTION void take_cells_of_lanes(system_row_t *row) {
    UNROLLED for (int32 field = 0; field < static_cast<int32>(SYSTEM_FIELDS); ++field) {
        UNROLLED for (int32 i = 0; i < REACH_ALONG_X; ++i) {
            real_t *at = row->at[field];
            at[i] = __shfl_up_sync(ALL_LANES, at[COLUMNS + i], 1);
            at[REACH_ALONG_X + COLUMNS + i] = __shfl_down_sync(ALL_LANES, at[REACH_ALONG_X + i], 1);
        }
    }
}

FUNCTION system_row_t load_row(const real_t *tile, int32 row, real_t half_step) {
    system_row_t loaded = load_own_cells(tile, row, half_step);
    take_cells_of_lanes(&loaded);
    return loaded;
}

FUNCTION void store_row(real_t *tile, int32 row, const next_row_t &next) {
    UNROLLED for (int32 field = 0; field < static_cast<int32>(SYSTEM_FIELDS); ++field) {
        UNROLLED for (int32 part = 0; part < PARTS_OF_LANE; ++part) {
            part_of_row_t values;
            UNROLLED for (int32 i = 0; i < CELLS_OF_PART; ++i) {
                values.at[i] = next.at[field][part * CELLS_OF_PART + i];
            }
            *reinterpret_cast<part_of_row_t *>(tile + place_of_part(row, field, part, lane_of_warp())) =
                values;
        }
    }
}

#endif
