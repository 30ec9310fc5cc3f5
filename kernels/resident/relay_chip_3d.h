/* What a relay through planes (kernels/resident/relay_3d.h) keeps on the chip, and its way to memory and back.
 *
 *   u           planes from memory, copied two ticks ahead; runner 0 reads them
 *   handed on   two planes from each runner to the next
 *   b           beside sides, and everywhere where inner tiles have sources or sigma: from a plane's first step to its last, two
 *               ticks apart each, and copied one tick ahead
 *   the rest    what is asked for in every tick, but not in its steps: registers are for fields */
#ifndef PERDURE_KERNELS_RESIDENT_RELAY_CHIP_3D_H
#define PERDURE_KERNELS_RESIDENT_RELAY_CHIP_3D_H

#include "kernels/resident/relay_terms_3d.h"
#include "kernels/resident/split_barrier.h"

enum { PLANE_SIZE = TILE_ROWS * TILE_COLUMNS };
typedef real_t plane_on_chip_t[TILE_ROWS][TILE_COLUMNS];

/* What a march goes through. */
typedef struct {
    const real_t *b, *from;
    real_t *to;
    int32 nz, layer;
    uint32 periodic_z;
    uint32 active;           /* steps */
    uint32 plain;            /* 1: inner tiles have neither sources nor sigma */
    real_t factors[2];       /* of most steps, and of the last */
    numbers_3d_t numbers[2]; /* of inner cells */
} march_t;

/* Ticks after which places come round: three planes of u, two of each runner. */
#define TICKS_AROUND 6

/* Which planes a runner copies from memory. */
#define COPIES_U 1u
#define COPIES_SOURCES 2u

/* Of a march, what a runner does before a tick. */
enum { TICKS_WITHOUT_U, TICKS_BELOW, TICKS_BETWEEN, TICKS_ABOVE, ALL_TICKS, PARTS_OF_TICKS };

/* Of a runner: offsets of what it takes, of what it gives, of where it copies to and of sources of the plane that makes its step, by
 * the tick; COPIES_U, COPIES_SOURCES; ticks before which its first plane is not there, a plane at the side below makes its step, one
 * between, one at the side above, and before which the others are not done. */
typedef struct {
    uint32 taken[TICKS_AROUND], given[TICKS_AROUND], copied[TICKS_AROUND];
    uint32 sources[TICKS_AROUND];
    uint32 copies;
    int32 until[PARTS_OF_TICKS];
} leg_3d_t;

/* Before all else on the chip. */
typedef struct {
    enum { U_SLOTS = 3, B_SLOTS = 2 * STEPS_3D };
    plane_on_chip_t u[U_SLOTS];
    plane_on_chip_t handed[STEPS_3D - 1][2];
    plane_on_chip_t b[B_SLOTS];
    entries_t entries;
    stand_t stands[ITEMS_OF_RUNNER];
    deal_3d_t deal;
    march_t march;
    share_t share; /* of the group */
    uint32 ranges; /* that it has */
    dealt_t at;    /* behind the one that is marched through, and those listed */
    int32 left;
    range_t range;
    int32 first_plane; /* that comes in */
    leg_3d_t legs[STEPS_3D];
    split_barrier_t barrier; /* of the ticks */
} planes_chip_t;
static_assert(TICKS_AROUND % planes_chip_t::U_SLOTS == 0 && planes_chip_t::B_SLOTS == TICKS_AROUND,
              "places come round");

/* The first plane that a march takes in, and the ticks that it takes. */
FUNCTION int32 first_plane_of(const march_t &march, const range_t &range) {
    const int32 first = range.first - static_cast<int32>(march.active);
    return first < 0 && !march.periodic_z ? 0 : first;
}
FUNCTION int32 ticks_of(const march_t &march, const range_t &range) {
    return range.end - first_plane_of(march, range) + 2 * static_cast<int32>(march.active) - 1;
}

/* Runner 0 takes planes from memory, the others what the one before has given in the tick before; runner 0 copies u and runner 1
 * sources. */
FUNCTION void name_planes(leg_3d_t *leg, uint32 runner, uint32 tick) {
    const uint32 parity = tick & 1u, handed = planes_chip_t::U_SLOTS, b = handed + 2u * (STEPS_3D - 1);
    const uint32 given = handed + 2u * runner;
    leg->taken[tick] = PLANE_SIZE * (runner == 0u ? tick % 3u : given - 1u - parity);
    leg->given[tick] = PLANE_SIZE * (given + parity);
    leg->copied[tick] = PLANE_SIZE * (runner == 0u ? (tick + 2u) % 3u : b + tick);
    leg->sources[tick] = PLANE_SIZE * (b + (tick + 2u * TICKS_AROUND - 2u * runner - 1u) % TICKS_AROUND);
}
/* Before each range: when planes are what, and who copies. */
FUNCTION void name_ticks(leg_3d_t *leg, const march_t &march, const range_t &range, int32 runner) {
    const int32 active = static_cast<int32>(march.active);
    const int32 lag =
        2 * runner - first_plane_of(march, range);        /* the plane before tick - lag makes its step */
    const int32 needed = range.end + active - 1 - runner; /* planes before this one */
    const int32 begin = 2 * runner,
                end = (march.periodic_z || needed < march.nz ? needed : march.nz) + lag + 1;
    const auto within = [&](int32 tick) { return tick < begin ? begin : tick < end ? tick : end; };
    leg->copies = (runner == 0 ? COPIES_U : 0u) | (runner == (active > 1 ? 1 : 0) ? COPIES_SOURCES : 0u);
    leg->until[TICKS_WITHOUT_U] = begin;
    leg->until[TICKS_BELOW] = march.periodic_z ? begin : within(2 + lag);
    leg->until[TICKS_BETWEEN] = march.periodic_z ? end : within(march.nz + lag);
    leg->until[TICKS_ABOVE] = end;
    leg->until[ALL_TICKS] = ticks_of(march, range);
}

/* At a side of z or beyond it. */
FUNCTION bool is_at_side_z(const march_t &march, int32 z) {
    return march.periodic_z == 0u && (z <= 0 || z + 1 >= march.nz);
}
/* Rows of a lane of which sources are copied, where any lane of the warp has some. */
#define EVERY_ROW ((1u << ROWS_3D) - 1u)
FUNCTION uint32 rows_with_sources(const march_t &march, sides_of_lane_t lane, int32 z) {
    return march.plain != 0u && !is_at_side_z(march, z) ? lane.rows_beside() : EVERY_ROW;
}

/* Terms of a lane's cells of plane z, which makes its step; beyond sides it is one of zeros. `entries`: of inner planes; `sources`: of
 * this item. */
FUNCTION finishing_sides_t finishing_at_sides(const march_t &march, const numbers_3d_t &numbers,
                                              sides_of_lane_t lane, int32 z, const entry_t *entries,
                                              const real_t *sources) {
    const bool beyond = !march.periodic_z && (z < 0 || z + 1 >= march.nz);
    const uint32 place =
        march.periodic_z ? 0u : at_side(static_cast<uint32>(z), static_cast<uint32>(march.nz));
    return {beyond ? (real_t)0 : numbers.t_z,
            lane,
            entries + table_place(0u, 0u, place),
            sources,
            rows_with_sources(march, lane, z),
            {},
            {}};
}

/* Of this lane's rows of a plane those whose bit is in `rows` to `to`, zeros beyond sides. Where z is periodic, a grid has as many
 * planes as a march has steps at least. */
template <bool WHOLE>
FUNCTION void copy_plane(const march_t &march, const stand_t &stand, uint32 rows, const real_t *field,
                         int32 z, real_t *to) {
    const int32 nz = march.nz, around = march.periodic_z ? nz : 0;
    const int32 in_grid = z + (z < 0 ? around : z >= nz ? -around : 0);
    const bool there = in_grid >= 0 && in_grid < nz;
    const real_t *plane =
        pinned(field + static_cast<uint32>(there ? in_grid : 0) * static_cast<uint32>(march.layer));
    const stand_t place = stand;
    const uint32 inside = there ? stand.inside : 0u;
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

/* Asks for rows of a plane that will be copied: cells beside a side of x are a sector of memory each, which come from the L2 within a
 * tick, from memory not. */
FUNCTION void prefetch_plane(const march_t &march, const stand_t &stand, uint32 rows, const real_t *field,
                             int32 z) {
    if (z < 0 || z >= march.nz) {
        return;
    }
    const real_t *plane = field + static_cast<uint32>(z) * static_cast<uint32>(march.layer);
#pragma unroll
    for (int r = 0; r < ROWS_3D; ++r) {
        if ((rows >> r & 1u) != 0u && (stand.inside & stand.bit(r, 0)) != 0u) {
            PREFETCH(plane + stand.first[r]);
        }
    }
}

/* Row r of a plane to memory, where `own` says so. */
template <bool WHOLE>
FUNCTION void store_own(real_t *plane, const stand_t &place, uint32 own, int r, const part_t &u) {
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
