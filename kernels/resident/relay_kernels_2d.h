/* Explicit stepping in 2D through memory by relays of warps that march through the tiles: the tiles, and the kernels. */
#ifndef PERDURE_KERNELS_RESIDENT_RELAY_KERNELS_2D_H
#define PERDURE_KERNELS_RESIDENT_RELAY_KERNELS_2D_H

#include "kernels/resident/relay_2d.h"
#include "kernels/resident/relay_numbers_2d.h"
#include "kernels/resident/streamed.h"

/* One function a kind of leg: each has registers of its own. */
template <int COUNT, bool WATCHED, bool ALIGNED, typename Terms, typename Physics>
static __device__ __noinline__ void leg_of(const Physics physics, const operator_t *A,
                                           const run_parameters_t *grid, const place_t *place,
                                           const leg_t leg, const real_t *from, real_t *to,
                                           residual_t *residual) {
    SHARED_BYTES(chip);
    real_t *rows = reinterpret_cast<real_t *>(chip);
    if constexpr (WATCHED) {
        residual_t found = *residual;
        run_leg<COUNT, WATCHED, ALIGNED, Terms>(physics, A, grid, place, leg, rows, from, to, &found);
        *residual = found;
    } else {
        run_leg<COUNT, WATCHED, ALIGNED, Terms>(physics, A, grid, place, leg, rows, from, to, residual);
    }
}

/* The COUNT steps that are this runner's; a runner with none left only copies. */
template <int COUNT, template <int, typename> class Terms, typename Physics>
FUNCTION void leg_by_count(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                           const place_t *place, const leg_t &leg, const real_t *from, real_t *to) {
    constexpr uint32 most = Terms<1, Physics>::chip_t::LEG;
    if constexpr (COUNT > 1) {
        if (leg.active - leg.runner * most < COUNT) {
            leg_by_count<COUNT - 1, Terms>(physics, A, grid, place, leg, from, to);
            return;
        }
    }
    constexpr bool whole = COUNT == most;
    if (whole && grid->nx % part_of<real_t>::columns == 0u) {
        leg_of<COUNT, false, whole, Terms<COUNT, Physics>>(physics, A, grid, place, leg, from, to, 0);
    } else {
        leg_of<COUNT, false, false, Terms<COUNT, Physics>>(physics, A, grid, place, leg, from, to, 0);
    }
}

template <template <int, typename> class Terms, typename Physics>
FUNCTION void leg_by_kind(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                          const place_t *place, const leg_t &leg, const real_t *from, real_t *to,
                          residual_t *residual) {
    if (Physics::scaled && residual != 0) {
        leg_of<1, Physics::scaled != 0, false, Terms<1, Physics>>(physics, A, grid, place, leg, from, to,
                                                                  residual);
    } else {
        leg_by_count<Terms<1, Physics>::chip_t::LEG, Terms>(physics, A, grid, place, leg, from, to);
    }
}

/* What the tile's own cells are now. */
template <int N>
FUNCTION void watch_tile(const place_t *place, const run_parameters_t *grid, const real_t *u,
                         watched_t *watched) {
#pragma unroll 4
    for (int32 row = place->tile.first_row; row < place->tile.end_row; ++row) {
        real_t values[N];
        const uint32 first = row * grid->nx + place->column;
#pragma unroll
        for (int j = 0; j < N; ++j) { /* all at once */
            values[j] = u[(place->tile.own >> j & 1u) != 0u ? first + j : 0u];
        }
#pragma unroll
        for (int j = 0; j < N; ++j) {
            if ((place->tile.own >> j & 1u) != 0u) {
                watch(watched, first + j, (double)values[j]);
            }
        }
    }
}

/* What every range asks for, on the chip: from memory it would come anew in each pass. Uniform coefficients take longer with it. */
template <bool UNIFORM>
struct given_t {};
template <>
struct given_t<false> {
    run_parameters_t grid;
    operator_t A;
};

/* The tiles of a relay. */
template <typename Physics, bool UNIFORM>
struct relay_tiles_t : relay_form_t<UNIFORM> {
    using relay_form_t<UNIFORM>::ITEMS;
    using relay_form_t<UNIFORM>::RUNNERS;
    using relay_form_t<UNIFORM>::LANE_COLUMNS;
    using relay_form_t<UNIFORM>::WIDTH;
    enum { STEPS = RELAY_STEPS, MOST_RELAYS = 6 };
    typedef Physics physics_t;
    typedef row_of<real_t, LANE_COLUMNS> lane_row_t;
    typedef struct {
        uint32 word;
        deal_t<strips_t<UNIFORM>> deal;
        share_t shares[MOST_RELAYS];
        uint32 sourced[MOST_RELAYS];
        given_t<UNIFORM> given;
    } shared_t;
    static_assert(sizeof(shared_t) <= 1500, "bytes beside lanes of checks: solver/resident/plan_relays.cpp");
    Physics physics;
    const operator_t *A;
    const run_parameters_t *grid;
    shared_t *shared;
    uint32 relay, runner;

    FUNCTION_MEMBER static bool has_marches_for(const run_parameters_t *parameters) {
        const bool lanes_are_whole = parameters->nx >= WIDTH || parameters->nx % LANE_COLUMNS == 0u;
        const int32 strips = make_strips<UNIFORM>(parameters).strips;
        const bool dealt_out = can_be_dealt_out(parameters->ny, strips, 3 * strips);
        return lanes_are_whole && dealt_out && (!UNIFORM || parameters->uniform != 0u) &&
               group_size() / ITEMS <= MOST_RELAYS;
    }
    FUNCTION_MEMBER void begin(const run_t *run, const Physics &what, const operator_t *of, real_t *u,
                               shared_t *of_group) {
        physics = what;
        A = of;
        grid = run->parameters;
        shared = of_group;
        if constexpr (!UNIFORM) {
            if (item_index() == 0u) {
                shared->given = {*grid, *A};
            }
            group_barrier();
            grid = &shared->given.grid;
            A = &shared->given.A;
        }
        const uint32 relays = group_size() / ITEMS;
        const uint32 warp = __shfl_sync(ALL_LANES, item_index() / 32u, 0);
        relay = warp / RUNNERS;
        runner = warp % RUNNERS;
        const auto deal = make_deal(make_strips<UNIFORM>(grid), group_count() * relays, &shared->word);
        if (item_index() == 0u) {
            shared->deal = deal;
        }
        if (item_index() % ITEMS == 0u) {
            shared->shares[relay] = deal.share_of(static_cast<int32>(relay * group_count() + group_index()));
            shared->sourced[relay] = 1u;
        }
        group_barrier();
        const bool plain = has_no_sources(u);
        if (item_index() % ITEMS == 0u) {
            shared->sourced[relay] = plain ? 0u : 1u;
        }
        group_barrier();
    }
    FUNCTION_MEMBER void prepare(uint32, uint32, const real_t *, real_t *) const {}
    /* From step n to n + active; watched where the pass ends at a check of heat, residual where it begins at one of Jacobi, else
     * null. */
    FUNCTION_MEMBER void march(uint32 n, uint32 active, const real_t *from, real_t *to, watched_t *watched,
                               residual_t *residual) const {
        in_ranges(n, [&](const place_t &place, int32) INLINED {
            march_piece(place, {relay, runner, active}, from, to, residual);
        });
        if (watched != 0) {
            in_ranges(n, [&](place_t place, int32) INLINED {
                const int32 share = divided_up(place.tile.end_row - place.tile.first_row, RUNNERS);
                const int32 first = place.tile.first_row + share * static_cast<int32>(runner);
                place.tile.first_row = first;
                place.tile.end_row = first + share < place.tile.end_row ? first + share : place.tile.end_row;
                watch_tile<LANE_COLUMNS>(&place, grid, to, watched);
            });
        }
    }

  private:
    /* what(place, kind) in each range of this relay. */
    template <typename What>
    FUNCTION_MEMBER void in_ranges(uint32 n, const What &what) const {
        const uint32 sourced = shared->sourced[relay];
        shared->deal.in_ranges(shared->shares[relay], [&](const range_t &range) INLINED {
            what(place_of(shared->deal, range, n, sourced), range.kind);
        });
    }
    FUNCTION_MEMBER void march_piece(const place_t &place, const leg_t &leg, const real_t *from, real_t *to,
                                     residual_t *residual) const {
        if constexpr (UNIFORM) {
            if (place.kind == ROWS_WITH_ENDS && residual == 0) {
                leg_by_kind<relay_end_numbers_t>(physics, A, grid, &place, leg, from, to, residual);
            } else if (place.kind == INNER_ROWS) {
                leg_by_kind<relay_numbers_t>(physics, A, grid, &place, leg, from, to, residual);
            } else {
                leg_by_kind<relay_side_numbers_t>(physics, A, grid, &place, leg, from, to, residual);
            }
        } else if (place.kind == INNER_ROWS) {
            leg_by_kind<relay_inner_fields_t>(physics, A, grid, &place, leg, from, to, residual);
        } else {
            leg_by_kind<relay_all_fields_t>(physics, A, grid, &place, leg, from, to, residual);
        }
    }
    /* Once a launch: whether the relay's ranges have sources or sigma beside sides alone; at no side of x -0 becomes 0. */
    FUNCTION_MEMBER bool has_no_sources(real_t *u) const {
        bool plain = grid->uniform == 0u || A->diagonal[table_place(0u, 0u, PLACE_Z)] == (real_t)0;
        in_ranges(0u, [&](const place_t &place, int32 kind) INLINED {
            const tile_t &tile = place.tile;
            lane_t<false, LANE_COLUMNS> lane;
            lane.begin(grid, place.column);
            columns_t<LANE_COLUMNS> columns;
            columns.begin(grid, place.column);
            for (int32 row = tile.first_row - STEPS + static_cast<int32>(runner); row < tile.end_row + STEPS;
                 row += RUNNERS) {
                const int32 begin = columns.begin_of(row);
                const lane_row_t sources = columns.load(physics.b, begin);
                const lane_row_t diagonals = grid->uniform ? lane_row_t{} : columns.load(A->diagonal, begin);
                const bool beside = lane.at_side || lane.row_at_side(lane.y_of(row));
                const bool own = kind != CORNERS && row >= tile.first_row && row < tile.end_row;
#pragma unroll
                for (int j = 0; j < LANE_COLUMNS; ++j) {
                    plain =
                        plain & (beside | ((sources.at[j] == (real_t)0) & (diagonals.at[j] == (real_t)0)));
                    if (own && (tile.own >> j & 1u) != 0u && u[begin + columns.x[j]] == (real_t)0) {
                        u[begin + columns.x[j]] = (real_t)0;
                    }
                }
            }
        });
        return all_runners(plain);
    }
    /* Whether it holds in all lanes of all runners. */
    FUNCTION_MEMBER bool all_runners(bool condition) const {
        SHARED_BYTES(bytes);
        relay_chip_t<Physics, UNIFORM> chip;
        chip.begin(reinterpret_cast<real_t *>(bytes), relay);
        real_t *votes = chip.handed(0u); /* a row of each runner */
        votes[runner * WIDTH] = condition ? (real_t)1 : (real_t)0;
        relay_barrier<ITEMS>(relay);
        bool holds = true;
        for (uint32 other = 0u; other < RUNNERS; ++other) {
            holds = holds && votes[other * WIDTH] != (real_t)0;
        }
        return __all_sync(ALL_LANES, holds);
    }
};

#endif
