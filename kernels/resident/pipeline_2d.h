/* A warp pipeline: the warps of a group form teams, and each team sweeps through a tile row by row.
 *
 *   rows from memory -> stage 0: STEPS_PER_STAGE steps -> stage 1: STEPS_PER_STAGE steps -> ... -> rows after PIPELINE_STEPS steps
 *
 * In an iteration of the pipeline every stage takes in one row, advances the rows before it, and hands on, through shared memory,
 * the row that has made all steps of the stage. The next stage takes that row in the next iteration. Terms of single cells are
 * copied to shared memory once for all stages. A stage reads them once for all its steps: the conductances of a row move on with
 * it in registers, from level to level.
 *
 *   stage r, in iteration k:  row  = k - r (STEPS_PER_STAGE + 1)
 *                             u    = r == 0 ? u(row) from memory : the row that stage r - 1 has handed on
 *                             start the copy of the row AHEAD iterations ahead
 *                             for level 0 .. STEPS_PER_STAGE - 1:  u(row - level) arrives as northern neighbour of
 *                                                 u(row - level - 1), which is advanced and becomes u
 *                             store u in memory if stage r is the last, otherwise hand it on
 *                             for every level: add the fluxes of the row that now waits there, except the northern one
 *                             wait for the copies of the next iteration and for the other stages
 *
 * Two thirds of the arithmetic, the fluxes that need no northern neighbour, do not depend on the arriving row. Only three
 * operations a level depend on it. Shared-memory traffic per cell and step: 2 / STEPS_PER_STAGE values of u, and 2 /
 * STEPS_PER_STAGE of each conductance that varies. Barriers of a pipeline: one an iteration. Cells without a neighbour become
 * invalid, one column and one row more with every step. A tile therefore takes in PIPELINE_STEPS columns and rows on each side,
 * which its neighbours compute too, except at sides of x (kernels/resident/tiles_2d.h). */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_2D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_2D_H

#include "kernels/resident/advance_row.h"
#include "kernels/resident/jacobi_check.h"
#include "kernels/resident/pipeline_rows_2d.h"

#if defined(__CUDACC__)
/* Barrier of the warps of one pipeline. It is not one of the group's barriers. */
template <int ITEMS>
FUNCTION void pipeline_barrier(uint32 pipeline) {
    DELAY_HERE();
    asm volatile("bar.sync %0, %1;" : : "r"(pipeline + 1u), "n"(ITEMS) : "memory");
}
#endif

/* Return the value of the previous or of the next lane, like __shfl_up_sync and __shfl_down_sync, which shuffle the halves of a
 * double in an order that costs three more instructions. */
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

/* Adds the fluxes of a row that waits for its northern neighbour; from_south: the row minus its southern neighbour. Shuffles
 * fetch the last column of the lane to the west, and return to it the flux through this lane's first western face. */
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

/* The position of a warp in its pipeline. */
typedef struct {
    uint32 pipeline, stage; /* index of the pipeline in the group; of the stage in the pipeline */
    uint32 active;          /* steps of the pass */
} stage_position_t;

/* Returns the next values of a row; if WATCHED, also adds b - A u to `residual`. so_far: the result of balance_but_north; excess:
 * the northern neighbour minus the row. */
template <bool WATCHED, typename Terms, int N>
FUNCTION row_of<real_t, N> next_row(const Terms &terms, const row_of<real_t, N> &u,
                                    const row_of<real_t, N> &so_far, const row_of<real_t, N> &excess,
                                    const pipeline_tile_t &tile, int32 row, int32 column, uint32 nx,
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

/* Advances the rows of a tile by COUNT steps: all steps of this stage or, in the last stage, the rest of the pass. A stage that
 * is not needed only copies. */
template <int COUNT, bool WATCHED, bool ALIGNED, typename Terms, typename Physics>
FUNCTION void run_stage(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                        const work_t *work, const stage_position_t &asked, real_t *memory_on_chip,
                        const real_t *from, real_t *to, residual_t *residual) {
    typedef typename Terms::chip_t chip_t;
    constexpr int N = chip_t::LANE_COLUMNS;
    typedef row_of<real_t, N> lane_row_t;
    const stage_position_t position = {same_in_warp(asked.pipeline), same_in_warp(asked.stage),
                                       same_in_warp(asked.active)};
    const pipeline_tile_t tile = {same_in_warp(work->tile.first_row), same_in_warp(work->tile.end_row),
                                  work->tile.n, work->tile.own};
    const int32 active = static_cast<int32>(position.active), stage = static_cast<int32>(position.stage);
    const int32 last_stage = divided_up(active, chip_t::STEPS_PER_STAGE) - 1;
    const int32 begin = tile.first_row - active; /* first row that the pipeline takes in */
    const int32 left =
        active - stage * chip_t::STEPS_PER_STAGE; /* steps from this stage to the end of the pass */
    const int32 late = stage * chip_t::LAG;
    /* This stage takes in rows first_row - left .. end_row + left - 1. */
    const int32 begin_iteration = left > 0 ? tile.first_row - left - begin + late : 0;
    const int32 end_iteration = left > 0 ? tile.end_row + left - begin + late : 0;
    const int32 iterations =
        tile.end_row + active - last_stage * chip_t::STEPS_PER_STAGE - begin + last_stage * chip_t::LAG;
    const bool is_last = stage == last_stage;

    lane_t<ALIGNED, N> lane;
    lane.begin(grid, work->column);
    chip_t chip;
    chip.begin(memory_on_chip, position.pipeline);
    pipeline_copies_t<Physics, Terms::UNIFORM, Terms::SIDES> copies(
        chip, physics, A, grid, work, lane, from, position.stage, begin, tile.end_row + active - begin);
    for (int32 row = 0; row < chip_t::AHEAD; ++row) {
        copies.copy(lane, row);
    }
    const real_t usual = physics.factor(tile.n);
    Terms terms;
    terms.begin(chip, physics, A, grid, work->column, usual,
                is_last ? physics.factor(tile.n + position.active - 1u) : usual);
    await_copies<chip_t::AHEAD - 1>();
    pipeline_barrier<chip_t::ITEMS>(position.pipeline);
    int32 iteration = 0;
    const auto copy_ahead = [&] INLINED { copies.copy(lane, iteration + chip_t::AHEAD); };
    const auto synchronise_stages = [&] {
        await_copies<chip_t::AHEAD - 1>();
        pipeline_barrier<chip_t::ITEMS>(position.pipeline);
        ++iteration;
    };
    while (iteration < begin_iteration) {
        copy_ahead();
        synchronise_stages();
    }
    lane_row_t waiting[COUNT] = {}, balance[COUNT] = {};
    int32 row = begin + iteration - late;
    uint32 slot = static_cast<uint32>(iteration - late) % chip_t::ROWS_OF_RING;
    const real_t *taken = stage == 0 ? chip.row(PIPELINE_U, 0u) : chip.handed(position.stage - 1u);
    const uint32 last_slot = (stage == 0 ? static_cast<uint32>(chip_t::SLOTS_OF_U) : 2u) - 1u;
    real_t *handed = chip.handed(position.stage);
#pragma unroll 2
    while (iteration < end_iteration) {
        lane_row_t u = load_row<N>(taken + (static_cast<uint32>(iteration) & last_slot) * chip_t::WIDTH, 32);
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
                                                      row - i - 1, work->column, grid->nx, residual);
            balance[i] = excess; /* of the row that waits now */
            waiting[i] = u;
            u = next;
            terms.move_on(i);
        }
        if (!is_last) {
            store_row(handed + (static_cast<uint32>(iteration + 1) & 1u) * chip_t::WIDTH, u, 32);
        } else if (row - COUNT >= tile.first_row) {
            lane.store(to, row - COUNT, u, tile.own);
        }
        terms.settle(slot);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            balance[i] = balance_but_north(terms, i, row - i, waiting[i], balance[i]);
        }
        synchronise_stages();
        ++row;
        slot = chip_t::later(slot);
    }
    while (iteration < iterations) {
        copy_ahead();
        synchronise_stages();
    }
}

#endif
