/* A relay: the warps of a group in teams, each of which marches through a tile together.
 *
 *   rows from memory -> runner 0: LEG steps -> runner 1: LEG steps -> ... -> rows after RELAY_STEPS steps
 *
 * In a tick every runner takes in one row, lets those before it make its steps, and hands on the row that has made all of
 * them, through memory on the chip; the next runner takes it in the tick after. What differs from cell to cell is copied
 * to the chip once for all runners, and each reads it once for all its steps: a row's conductances move on in registers with
 * the row, level by level.
 *
 *   runner r, in tick k:  row  = k - r (LEG + 1)
 *                         u    = r == 0 ? u(row) from memory : what runner r - 1 has handed on
 *                         copy a row AHEAD ticks ahead
 *                         for level 0 .. LEG - 1:  u(row - level) arrives as northern neighbour of u(row - level - 1),
 *                                                  which makes its step and becomes u
 *                         r last ? to memory : hand on u
 *                         for every level: the fluxes of the row that now waits there add up but for the northern one
 *                         wait for the copies of the next tick; meet the other runners
 *
 * The fluxes that need no northern neighbour, two thirds of the arithmetic, wait for nothing that comes in; what a row that arrives
 * sets off is three operations a level. Bytes on the chip per cell and step, read and written: 2 values / LEG sizeof(real_t), with
 * coefficients that vary 2 t / LEG more. Barriers of a relay: one a tick. What lacks a neighbour is wrong, one column and one
 * row more with every step: a tile takes in RELAY_STEPS columns and rows on each side, which its neighbours compute too, but
 * at sides of x where strips have none (kernels/resident/tiles_2d.h). */
#ifndef PERDURE_KERNELS_RESIDENT_RELAY_2D_H
#define PERDURE_KERNELS_RESIDENT_RELAY_2D_H

#include "kernels/resident/advance_row.h"
#include "kernels/resident/jacobi_check.h"
#include "kernels/resident/relay_rows_2d.h"

#if defined(__CUDACC__)
/* The warps of a relay meet; the barriers of a group are others. */
template <int ITEMS>
FUNCTION void relay_barrier(uint32 relay) {
    DELAY_HERE();
    asm volatile("bar.sync %0, %1;" : : "r"(relay + 1u), "n"(ITEMS) : "memory");
}
#endif

/* A value of the lane before this one, of the one behind it: __shfl_up_sync and __shfl_down_sync, whose halves of a double come in
 * an order that costs three more instructions. */
FUNCTION float from_lane_before(float value) {
    return __shfl_up_sync(ALL_LANES, value, 1);
}
FUNCTION float from_lane_behind(float value) {
    return __shfl_down_sync(ALL_LANES, value, 1);
}
FUNCTION double from_lane_before(double value) {
    const int low = __shfl_up_sync(ALL_LANES, __double2loint(value), 1);
    return __hiloint2double(__shfl_up_sync(ALL_LANES, __double2hiint(value), 1), low);
}
FUNCTION double from_lane_behind(double value) {
    const int low = __shfl_down_sync(ALL_LANES, __double2loint(value), 1);
    return __hiloint2double(__shfl_down_sync(ALL_LANES, __double2hiint(value), 1), low);
}

/* What the fluxes of a row that waits for its northern neighbour add up to; from_south: by how much it exceeds its southern one.
 * Shuffled are the last column of the lane west of this one, and back to it the flux through this one's first western face. */
template <typename Terms, int N>
FUNCTION row_of<real_t, N> balance_but_north(const Terms &terms, int level, int32 row,
                                             const row_of<real_t, N> &u,
                                             const row_of<real_t, N> &from_south) {
    const real_t beyond = from_lane_before(u.at[N - 1]);
    row_of<real_t, N> west;
#pragma unroll
    for (int j = 0; j < N; ++j) {
        west.at[j] = FACE_FLUX(terms.west(level, j), u.at[j], j == 0 ? beyond : u.at[(j + N - 1) % N]);
    }
    const real_t back = terms.east(from_lane_behind(west.at[0]));
    row_of<real_t, N> balance;
#pragma unroll
    for (int j = 0; j < N; ++j) {
        const real_t east = -(j + 1 < N ? west.at[(j + 1) % N] : back);
        balance.at[j] =
            FLUX_BALANCE_BUT_NORTH(west.at[j], east, terms.south(level, j, row), from_south.at[j]);
    }
    return balance;
}

/* Where a runner is. */
typedef struct {
    uint32 relay, runner; /* in the group, in its relay */
    uint32 active;        /* steps of the pass */
} leg_t;

/* What becomes of a row: its next values, and where WATCHED b - A u is watched. `so_far`: of balance_but_north; excess: of its
 * northern neighbour. */
template <bool WATCHED, typename Terms, int N>
FUNCTION row_of<real_t, N> next_row(const Terms &terms, const row_of<real_t, N> &u,
                                    const row_of<real_t, N> &so_far, const row_of<real_t, N> &excess,
                                    const tile_t &tile, int32 row, int32 column, uint32 nx,
                                    residual_t *residual) {
    row_of<real_t, N> next;
#pragma unroll
    for (int j = 0; j < N; ++j) {
        const real_t balance = WITH_FLUX(so_far.at[j], terms.north(j), -excess.at[j]);
        if constexpr (WATCHED) {
            const real_t found = residual_at(terms, j, u.at[j], balance);
            next.at[j] = EXPLICIT_STEP(u.at[j], terms.scale(j), found);
            if (row >= tile.first_row && row < tile.end_row && (tile.own >> j & 1u) != 0u) {
                residual->add(static_cast<uint32>(row) * nx + static_cast<uint32>(column + j), u.at[j], found,
                              terms.scale(j));
            }
        } else {
            next.at[j] = advance_cell(terms, j, u.at[j], balance);
        }
    }
    return next;
}

/* COUNT steps of the rows of a tile, the last of the pass or all of this runner; none where it is not needed. */
template <int COUNT, bool WATCHED, bool ALIGNED, typename Terms, typename Physics>
FUNCTION void run_leg(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                      const place_t *place, const leg_t &asked, real_t *memory_on_chip, const real_t *from,
                      real_t *to, residual_t *residual) {
    typedef typename Terms::chip_t chip_t;
    constexpr int N = chip_t::LANE_COLUMNS;
    typedef row_of<real_t, N> lane_row_t;
    const leg_t leg = {same_in_warp(asked.relay), same_in_warp(asked.runner), same_in_warp(asked.active)};
    const tile_t tile = {same_in_warp(place->tile.first_row), same_in_warp(place->tile.end_row),
                         place->tile.n, place->tile.own};
    const int32 active = static_cast<int32>(leg.active), runner = static_cast<int32>(leg.runner);
    const int32 last_runner = divided_up(active, chip_t::LEG) - 1;
    const int32 begin = tile.first_row - active;      /* the first row that the relay takes in */
    const int32 left = active - runner * chip_t::LEG; /* steps from here to the end of the pass */
    const int32 late = runner * chip_t::LAG;
    /* The runner takes in rows from first_row - left to end_row + left - 1. */
    const int32 begin_tick = left > 0 ? tile.first_row - left - begin + late : 0;
    const int32 end_tick = left > 0 ? tile.end_row + left - begin + late : 0;
    const int32 ticks = tile.end_row + active - last_runner * chip_t::LEG - begin + last_runner * chip_t::LAG;
    const bool is_last = runner == last_runner;

    lane_t<ALIGNED, N> lane;
    lane.begin(grid, place->column);
    chip_t chip;
    chip.begin(memory_on_chip, leg.relay);
    relay_copies_t<Physics, Terms::UNIFORM, Terms::SIDES> copies(
        chip, physics, A, grid, place, lane, from, leg.runner, begin, tile.end_row + active - begin);
    for (int32 row = 0; row < chip_t::AHEAD; ++row) {
        copies.copy(lane, row);
    }
    const real_t usual = physics.factor(tile.n);
    Terms terms;
    terms.begin(chip, physics, A, grid, place->column, usual,
                is_last ? physics.factor(tile.n + leg.active - 1u) : usual);
    await_copies<chip_t::AHEAD - 1>();
    relay_barrier<chip_t::ITEMS>(leg.relay);
    int32 tick = 0;
    const auto copy_ahead = [&] INLINED { copies.copy(lane, tick + chip_t::AHEAD); };
    const auto meet_runners = [&] {
        await_copies<chip_t::AHEAD - 1>();
        relay_barrier<chip_t::ITEMS>(leg.relay);
        ++tick;
    };
    while (tick < begin_tick) {
        copy_ahead();
        meet_runners();
    }
    lane_row_t waiting[COUNT] = {}, balance[COUNT] = {};
    int32 row = begin + tick - late;
    uint32 slot = static_cast<uint32>(tick - late) % chip_t::ROWS_OF_RING;
    const real_t *taken = runner == 0 ? chip.row(RELAY_U, 0u) : chip.handed(leg.runner - 1u);
    const uint32 last_slot = (runner == 0 ? static_cast<uint32>(chip_t::SLOTS_OF_U) : 2u) - 1u;
    real_t *handed = chip.handed(leg.runner);
#pragma unroll 2
    while (tick < end_tick) {
        lane_row_t u = load_row<N>(taken + (static_cast<uint32>(tick) & last_slot) * chip_t::WIDTH, 32);
        terms.arrive(slot);
        copy_ahead();
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            const auto of_row = terms.at(i, row - i - 1, slot, i + 1 == COUNT);
            lane_row_t excess;
#pragma unroll
            for (int j = 0; j < N; ++j) {
                excess.at[j] = FACE_DIFFERENCE(u.at[j], waiting[i].at[j]);
            }
            const lane_row_t next = next_row<WATCHED>(of_row, waiting[i], balance[i], excess, tile,
                                                      row - i - 1, place->column, grid->nx, residual);
            balance[i] = excess; /* of the row that waits now */
            waiting[i] = u;
            u = next;
            terms.move_on(i);
        }
        if (!is_last) {
            store_row(handed + (static_cast<uint32>(tick + 1) & 1u) * chip_t::WIDTH, u, 32);
        } else if (row - COUNT >= tile.first_row) {
            lane.store(to, row - COUNT, u, tile.own);
        }
        terms.settle(slot);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            balance[i] = balance_but_north(terms, i, row - i, waiting[i], balance[i]);
        }
        meet_runners();
        ++row;
        slot = chip_t::later(slot);
    }
    while (tick < ticks) {
        copy_ahead();
        meet_runners();
    }
}

#endif
