/* Explicit stepping in 3D through memory by relays through planes, a group each: the tiles, and the kernels. */
#ifndef PERDURE_KERNELS_RESIDENT_RELAY_KERNELS_3D_H
#define PERDURE_KERNELS_RESIDENT_RELAY_KERNELS_3D_H

#include "kernels/resident/relay_3d.h"
#include "kernels/resident/streamed.h"

/* One function a kind of march: each has registers of its own. */
template <bool LAST, bool WHOLE, bool WATCHED>
static __device__ __noinline__ void march_range(int32 runner, residual_t *residual) {
    SHARED_BYTES(bytes);
    auto *chip = reinterpret_cast<planes_chip_t *>(bytes);
    if constexpr (WATCHED) {
        residual_t found = *residual;
        run_planes<LAST, WHOLE, WATCHED>(chip, runner, &found);
        *residual = found;
    } else {
        run_planes<LAST, WHOLE, WATCHED>(chip, runner, residual);
    }
}

/* Of this group's ranges the next, or the first of a march, and who does what in it; by all items, group barriers before and behind.
 * Apart, and as seldom as can be: instructions that are not at hand take longer than what they do. */
static __device__ __noinline__ void take_range(planes_chip_t *chip, uint32 made) {
    const uint32 of_runner = item_index() % ITEMS_OF_RUNNER, runner = item_index() / ITEMS_OF_RUNNER;
    dealt_t at = made == 0u ? chip->share.at : chip->at;
    int32 left = made == 0u ? chip->share.left : chip->left;
    range_t range;
    chip->deal.range_of(chip->share, made, &at, &left, &range);
    group_barrier(); /* all have read where dealing out stood */
    stand_t &stand = chip->stands[of_runner];
    if (runner == 0u) {
        place_lane(chip->deal, range.tile, &stand);
    } else if (runner == 1u) {
        stand.sides = make_sides(chip->deal, range.tile, chip->march.plain != 0u).bits;
    } else if (of_runner < STEPS_3D) {
        name_ticks(&chip->legs[of_runner], chip->march, range, static_cast<int32>(of_runner));
    }
    if (item_index() == 0u) {
        chip->at = at;
        chip->left = left;
        chip->range = range;
        chip->first_plane = first_plane_of(chip->march, range);
    }
}

/* All ranges of a group, by all its items; the first has been taken. A runner without a step to make meets the others. */
template <bool WATCHED>
FUNCTION void march_ranges(planes_chip_t *chip, residual_t *residual) {
    const int32 runner = __shfl_sync(ALL_LANES, static_cast<int32>(item_index() / ITEMS_OF_RUNNER), 0);
    const int32 last = static_cast<int32>(chip->march.active) - 1;
    for (uint32 made = 0u; made < chip->ranges; ++made) {
        if (made > 0u) {
            take_range(chip, made);
            if (item_index() == 0u) {
                begin_split_barrier(&chip->barrier, ITEMS_3D / 32u);
            }
            group_barrier();
        }
        if (runner > last) {
            group_barrier();
            for (int32 tick = 0; tick < ticks_of(chip->march, chip->range); ++tick) {
                arrive_at(&chip->barrier);
                wait_at(&chip->barrier, static_cast<uint32>(tick) & 1u);
            }
        } else if (runner < last) {
            if (lanes_are_whole(chip->deal)) {
                march_range<false, true, false>(runner, residual);
            } else {
                march_range<false, false, false>(runner, residual);
            }
        } else if (!WATCHED && lanes_are_whole(chip->deal) && last + 1 == STEPS_3D) {
            march_range<true, true, false>(runner, residual);
        } else {
            march_range<true, false, WATCHED>(runner, residual);
        }
        group_barrier(); /* the chip is free */
        if (item_index() == 0u) {
            end_split_barrier(&chip->barrier);
        }
    }
}

/* look(value, cell, z) for all cells of a field in the tiles of this group: their own ones, or those around too. */
template <typename Look>
FUNCTION void look_at_tiles(const real_t *field, const run_parameters_t *grid, const deal_3d_t &deal,
                            const share_t &share, bool own, Look look) {
    const int32 around = own ? 0 : STEPS_3D;
    const int32 runner = static_cast<int32>(item_index() / ITEMS_OF_RUNNER);
    deal.in_ranges(share, [&](const range_t &range) {
        stand_t stand;
        place_lane(deal, range.tile, &stand);
        const uint32 mask = own ? stand.own : stand.inside;
#pragma unroll 1
        for (int32 z = range.first - around + runner; z < range.end + around; z += STEPS_3D) {
            const int32 in_grid = wrapped(z, grid->nz, grid->periodic_z);
            const uint32 there = in_grid < 0 ? 0u : mask;
            const uint32 plane = static_cast<uint32>(in_grid) * grid->layer.divisor;
            real_t values[COLUMNS_3D * ROWS_3D];
#pragma unroll
            for (int i = 0; i < COLUMNS_3D * ROWS_3D; ++i) { /* all at once */
                values[i] =
                    field[(there >> i & 1u) != 0u ? plane + stand.cell(i / COLUMNS_3D, i % COLUMNS_3D) : 0u];
            }
#pragma unroll
            for (int i = 0; i < COLUMNS_3D * ROWS_3D; ++i) {
                if ((there >> i & 1u) != 0u) {
                    look(values[i], plane + stand.cell(i / COLUMNS_3D, i % COLUMNS_3D),
                         static_cast<uint32>(in_grid));
                }
            }
        }
    });
}

FUNCTION bool beside_a_side(const run_parameters_t *grid, uint32 cell, uint32 z) {
    const uint32 in_plane = cell - z * grid->layer.divisor;
    const bool at_x = at_side(in_plane % grid->nx, grid->nx) != 0u,
               at_y = at_side(in_plane / grid->nx, grid->ny) != 0u;
    return (at_x && !grid->periodic_x) || (at_y && !grid->periodic_y) ||
           (at_side(z, grid->nz) != 0u && !grid->periodic_z);
}

/* The tiles of a group. */
template <typename Physics>
struct relay_tiles_3d_t {
    enum { STEPS = STEPS_3D };
    typedef Physics physics_t;
    /* For what the group finds out together. */
    typedef struct {
        uint32 word;
    } shared_t;
    Physics physics;
    const run_parameters_t *grid;

    /* One conductance a direction; planes of a march lie at two ends of the grid at most. */
    FUNCTION_MEMBER static bool has_marches_for(const run_parameters_t *parameters) {
        const bool wraps_twice = parameters->periodic_z && parameters->nz < STEPS_3D;
        const bool room = chip_bytes() >= sizeof(planes_chip_t) && group_size() == ITEMS_3D;
        const int32 tiles = make_tiles(parameters).tiles;
        const bool dealt_out = can_be_dealt_out(parameters->nz, tiles, tiles);
        return parameters->uniform != 0u && room && dealt_out && !wraps_twice;
    }
    FUNCTION_MEMBER void begin(const run_t *run, const Physics &what, const operator_t *A, real_t *u,
                               shared_t *shared) {
        SHARED_BYTES(bytes);
        auto *chip = reinterpret_cast<planes_chip_t *>(bytes);
        physics = what;
        grid = run->parameters;
        const deal_3d_t deal = make_deal(make_tiles(grid), group_count(), &shared->word);
        const share_t share = deal.share_of(static_cast<int32>(group_index()));
        for (uint32 place = item_index(); place < 64u; place += group_size()) {
            chip->entries.usual[place].diagonal = chip->entries.last[place].diagonal = A->diagonal[place];
        }
        bool nothing = A->diagonal[table_place(0u, 0u, 0u)] == (real_t)0;
        look_at_tiles(u, grid, deal, share, true, [&](real_t value, uint32 cell, uint32) {
            if (value == (real_t)0) {
                u[cell] = (real_t)0;
            }
        });
        look_at_tiles(physics.b, grid, deal, share, false, [&](real_t value, uint32 cell, uint32 z) {
            nothing = nothing && (value == (real_t)0 || beside_a_side(grid, cell, z));
        });
        const uint32 plain = group_all(run->verdict, nothing ? 1u : 0u);
        if (item_index() < STEPS_3D * TICKS_AROUND) {
            const uint32 runner = item_index() / TICKS_AROUND;
            name_planes(&chip->legs[runner], runner, item_index() % TICKS_AROUND);
        }
        if (item_index() == 0u) {
            const numbers_3d_t numbers = {A->face_x[0], A->face_y[0], A->face_z[0], (real_t)0};
            chip->deal = deal;
            chip->march = {physics.b,
                           0,
                           0,
                           static_cast<int32>(grid->nz),
                           static_cast<int32>(grid->layer.divisor),
                           grid->periodic_z,
                           0u,
                           plain,
                           {},
                           {numbers, numbers}};
            chip->share = share;
            chip->ranges = deal.in_ranges(share, [](const range_t &) {});
        }
        group_barrier();
    }
    /* Of the march from step n to n + active what needs no other group. */
    FUNCTION_MEMBER void prepare(uint32 n, uint32 active, const real_t *from, real_t *to) {
        SHARED_BYTES(bytes);
        auto *chip = reinterpret_cast<planes_chip_t *>(bytes);
        march_t &march = chip->march;
        const real_t usual = physics.factor(n), last = physics.factor(n + active - 1u);
        const bool differs = march.active != active || march.factors[0] != usual || march.factors[1] != last;
        group_barrier(); /* all know that */
        if (differs) {
            for (uint32 place = item_index(); place < 64u; place += group_size()) {
                chip->entries.usual[place].scale = physics.scale(usual, place);
                chip->entries.last[place].scale = physics.scale(last, place);
            }
        }
        if (item_index() == 0u) {
            march.from = from;
            march.to = to;
            if (differs) {
                march.active = active;
                march.factors[0] = usual;
                march.factors[1] = last;
                march.numbers[0].factor = physics.scale(usual, table_place(0u, 0u, 0u));
                march.numbers[1].factor = physics.scale(last, table_place(0u, 0u, 0u));
            }
            if (chip->ranges > 0u) {
                begin_split_barrier(&chip->barrier, ITEMS_3D / 32u);
            }
        }
        if (chip->ranges > (differs ? 0u : 1u)) {
            group_barrier();
            take_range(chip, 0u);
        }
    }
    /* What was prepared; watched where the pass ends at a check of heat, residual where it begins at one of Jacobi, else null. */
    FUNCTION_MEMBER void march(uint32, uint32, const real_t *, real_t *to, watched_t *watched,
                               residual_t *residual) {
        SHARED_BYTES(bytes);
        auto *chip = reinterpret_cast<planes_chip_t *>(bytes);
        if (Physics::scaled && residual != 0) {
            march_ranges<Physics::scaled>(chip, residual);
        } else {
            march_ranges<false>(chip, 0);
        }
        if (watched != 0) {
            group_barrier();
            look_at_tiles(to, grid, chip->deal, chip->share, true,
                          [&](real_t value, uint32 cell, uint32) { watch(watched, cell, (double)value); });
        }
    }
};

#endif
