/* The data of a warp pipeline through planes (kernels/resident/pipeline_3d.h) in shared memory, and the transfers to and from
 * memory.
 *
 *   u           planes from memory, copied two iterations ahead; stage 0 reads them
 *   handed on   two planes from each stage to the next
 *   b           next to sides, or everywhere if inner tiles have sources or sigma: from the first step of a plane to its last, two
 *               iterations for each step, and copied one iteration ahead
 *   the rest    data that every iteration needs outside its inner loops; registers are for fields */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_CHIP_3D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_CHIP_3D_H

#include "kernels/resident/pipeline_terms_3d.h"
#include "kernels/resident/split_barrier.h"

enum { PLANE_SIZE = TILE_ROWS * TILE_COLUMNS };

/* The parameters of a sweep. */
typedef struct {
    const real_t *b, *from;
    real_t *to;
    int32 nz, layer;
    uint32 periodic_z;
    uint32 active;           /* steps */
    uint32 plain;            /* 1: inner tiles have neither sources nor sigma */
    real_t factors[2];       /* of all steps but the last; of the last */
    numbers_3d_t numbers[2]; /* of cells away from sides */
} sweep_t;

/* Iterations after which slots repeat: three planes of u, two of each stage. */
#define SLOT_PERIOD 6

/* Planes that a stage copies from memory. */
#define COPIES_U 1u
#define COPIES_SOURCES 2u

/* Successive parts of a sweep, which differ in what a stage does: no plane has arrived yet; a plane at the lower side is
 * advanced; a plane between; a plane at the upper side; the stage is done but others are not. */
enum {
    ITERATIONS_WITHOUT_U,
    ITERATIONS_BELOW,
    ITERATIONS_BETWEEN,
    ITERATIONS_ABOVE,
    ALL_ITERATIONS,
    ITERATION_RANGES
};

/* The schedule of a stage. By iteration, modulo SLOT_PERIOD: offsets of the plane that it takes, of the plane that it gives, of
 * the plane that it copies to, and of the sources of the plane that it advances. copies: COPIES_U, COPIES_SOURCES. until: the
 * iteration before which each part of the sweep ends. */
typedef struct {
    uint32 taken[SLOT_PERIOD], given[SLOT_PERIOD], copied[SLOT_PERIOD];
    uint32 sources[SLOT_PERIOD];
    uint32 copies;
    int32 until[ITERATION_RANGES];
} stage_schedule_t;

/* Layout of shared memory, from its beginning. */
struct planes_chip_t : planes_arrays_t<real_t> {
    entries_t entries;
    item_position_t positions[ITEMS_OF_STAGE];
    load_balance_3d_t load_balance;
    sweep_t sweep;
    assignment_t assignment; /* of the group */
    uint32 ranges;           /* ranges of the assignment */
    remainder_t at;          /* position behind the current range and those listed */
    int32 left;
    range_t range;
    int32 first_plane; /* first plane that comes in */
    stage_schedule_t schedules[STEPS_3D];
    split_barrier_t barrier; /* of the iterations */
};
static_assert(sizeof(planes_chip_t) <=
              sizeof(planes_arrays_t<real_t>) + PLANES_CONSTANT_BYTES(sizeof(real_t)));
static_assert(SLOT_PERIOD % planes_chip_t::U_SLOTS == 0 && planes_chip_t::B_SLOTS == SLOT_PERIOD,
              "places come round");

/* Return the first plane that a sweep takes in, and the number of its iterations. */
FUNCTION int32 first_plane_of(const sweep_t &sweep, const range_t &range) {
    const int32 first = range.first - static_cast<int32>(sweep.active);
    return first < 0 && !sweep.periodic_z ? 0 : first;
}
FUNCTION int32 iterations_of(const sweep_t &sweep, const range_t &range) {
    return range.end - first_plane_of(sweep, range) + 2 * static_cast<int32>(sweep.active) - 1;
}

/* Fills the offsets of a schedule. Stage 0 takes planes from memory, the others take what the previous stage has given in the
 * iteration before. Stage 0 copies u, stage 1 copies sources. */
FUNCTION void schedule_planes(stage_schedule_t *schedule, uint32 stage, uint32 iteration) {
    const uint32 parity = iteration & 1u, handed = planes_chip_t::U_SLOTS, b = handed + 2u * (STEPS_3D - 1);
    const uint32 given = handed + 2u * stage;
    schedule->taken[iteration] = PLANE_SIZE * (stage == 0u ? iteration % 3u : given - 1u - parity);
    schedule->given[iteration] = PLANE_SIZE * (given + parity);
    schedule->copied[iteration] = PLANE_SIZE * (stage == 0u ? (iteration + 2u) % 3u : b + iteration);
    schedule->sources[iteration] =
        PLANE_SIZE * (b + (iteration + 2u * SLOT_PERIOD - 2u * stage - 1u) % SLOT_PERIOD);
}
/* Fills the parts of a schedule, before each range: in which iterations they end, and who copies. */
FUNCTION void schedule_iterations(stage_schedule_t *schedule, const sweep_t &sweep, const range_t &range,
                                  int32 stage) {
    const int32 active = static_cast<int32>(sweep.active);
    const int32 lag = 2 * stage - first_plane_of(sweep, range); /* plane (iteration - lag - 1) is advanced */
    const int32 needed = range.end + active - 1 - stage;        /* only planes before this one are needed */
    const int32 begin = 2 * stage,
                end = (sweep.periodic_z || needed < sweep.nz ? needed : sweep.nz) + lag + 1;
    const auto within = [&](int32 iteration) {
        return iteration < begin ? begin : iteration < end ? iteration : end;
    };
    schedule->copies = (stage == 0 ? COPIES_U : 0u) | (stage == (active > 1 ? 1 : 0) ? COPIES_SOURCES : 0u);
    schedule->until[ITERATIONS_WITHOUT_U] = begin;
    schedule->until[ITERATIONS_BELOW] = sweep.periodic_z ? begin : within(2 + lag);
    schedule->until[ITERATIONS_BETWEEN] = sweep.periodic_z ? end : within(sweep.nz + lag);
    schedule->until[ITERATIONS_ABOVE] = end;
    schedule->until[ALL_ITERATIONS] = iterations_of(sweep, range);
}

/* Whether plane z lies at a side of z or beyond it. */
FUNCTION bool is_at_side_z(const sweep_t &sweep, int32 z) {
    return sweep.periodic_z == 0u && (z <= 0 || z + 1 >= sweep.nz);
}
/* Rows of a lane whose sources are copied, if any lane of the warp has some. */
#define EVERY_ROW ((1u << ROWS_3D) - 1u)
FUNCTION uint32 rows_with_sources(const sweep_t &sweep, sides_of_lane_t lane, int32 z) {
    return sweep.plain != 0u && !is_at_side_z(sweep, z) ? lane.rows_at_sides() : EVERY_ROW;
}

/* Returns the terms of a lane's cells of plane z, which is advanced; beyond sides it is a plane of zeros. entries: of planes away
 * from sides; sources: of this item. */
FUNCTION finishing_sides_t finishing_at_sides(const sweep_t &sweep, const numbers_3d_t &numbers,
                                              sides_of_lane_t lane, int32 z, const entry_t *entries,
                                              const real_t *sources) {
    const bool beyond = !sweep.periodic_z && (z < 0 || z + 1 >= sweep.nz);
    const uint32 place =
        sweep.periodic_z ? 0u : at_side(static_cast<uint32>(z), static_cast<uint32>(sweep.nz));
    return {beyond ? (real_t)0 : numbers.t_z,
            lane,
            entries + table_place(0u, 0u, place),
            sources,
            rows_with_sources(sweep, lane, z),
            {},
            {}};
}

/* Copies the lane's rows of a plane whose bits are set in `rows`; copies zeros beyond sides. If z is periodic, the grid has at
 * least as many planes as a sweep has steps. */
template <bool WHOLE>
FUNCTION void copy_plane(const sweep_t &sweep, const item_position_t &position, uint32 rows,
                         const real_t *field, int32 z, real_t *to) {
    const int32 nz = sweep.nz, around = sweep.periodic_z ? nz : 0;
    const int32 in_grid = z + (z < 0 ? around : z >= nz ? -around : 0);
    const bool there = in_grid >= 0 && in_grid < nz;
    const real_t *plane =
        pinned(field + static_cast<uint32>(there ? in_grid : 0) * static_cast<uint32>(sweep.layer));
    const item_position_t place = position;
    const uint32 inside = there ? position.inside : 0u;
#pragma unroll
    for (int r = 0; r < ROWS_3D; ++r) {
        if ((rows >> r & 1u) == 0u) {
            continue;
        }
        if constexpr (WHOLE) {
            copy_async<16>(to + r * TILE_COLUMNS, plane + place.first[r], inside & place.bit(r, 0));
        } else {
#pragma unroll
            for (int j = 0; j < COLUMNS_3D; ++j) {
                copy_async<sizeof(real_t)>(to + r * TILE_COLUMNS + j, plane + place.cell(r, j),
                                           inside & place.bit(r, j));
            }
        }
    }
}

/* Prefetches rows of a plane that will be copied. Each cell next to a side of x is a sector of memory of its own, which the L2
 * delivers within an iteration, but memory does not. */
FUNCTION void prefetch_plane(const sweep_t &sweep, const item_position_t &position, uint32 rows,
                             const real_t *field, int32 z) {
    const uint32 first = static_cast<uint32>(z) * static_cast<uint32>(sweep.layer);
    if (z < 0 || z >= sweep.nz || !may_be_prefetched(first) ||
        !may_be_prefetched(first + static_cast<uint32>(sweep.layer) - 1u)) {
        return;
    }
    const real_t *plane = field + first;
#pragma unroll
    for (int r = 0; r < ROWS_3D; ++r) {
        if ((rows >> r & 1u) != 0u && (position.inside & position.bit(r, 0)) != 0u) {
            PREFETCH(plane + position.first[r]);
        }
    }
}

/* Stores row r of a plane in memory, as far as `own` has bits. */
template <bool WHOLE>
FUNCTION void store_own(real_t *plane, const item_position_t &place, uint32 own, int r, const part_t &u) {
    if constexpr (WHOLE) {
        if ((own & place.bit(r, 0)) != 0u) {
            store_part(plane + place.first[r], u);
        }
    } else {
#pragma unroll
        for (int j = 0; j < COLUMNS_3D; ++j) {
            if ((own & place.bit(r, j)) != 0u) {
                plane[place.cell(r, j)] = u.at[j];
            }
        }
    }
}

#endif
