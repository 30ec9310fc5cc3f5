/* Temporally blocked explicit stepping in 2D: the tiles through which warp pipelines sweep, and the kernels. */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_KERNELS_2D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_KERNELS_2D_H

#include "kernels/resident/pipeline_2d.h"
#include "kernels/resident/pipeline_numbers_2d.h"
#include "kernels/resident/temporally_blocked.h"

/* Each kind of stage has a function of its own, hence a register allocation of its own. */
template <int COUNT, bool WATCHED, bool ALIGNED, typename Terms, typename Physics>
static __device__ __noinline__ void run_stage_in_own_function(
    const Physics physics, const operator_t *A, const run_parameters_t *grid, const work_t *work,
    const stage_position_t position, const real_t *from, real_t *to, residual_t *residual) {
    SHARED_BYTES(chip);
    real_t *rows = reinterpret_cast<real_t *>(chip);
    if constexpr (WATCHED) {
        residual_t found = *residual;
        run_stage<COUNT, WATCHED, ALIGNED, Terms>(physics, A, grid, work, position, rows, from, to, &found);
        *residual = found;
    } else {
        run_stage<COUNT, WATCHED, ALIGNED, Terms>(physics, A, grid, work, position, rows, from, to, residual);
    }
}

/* Runs a stage that makes all its steps. */
template <template <int, typename> class Terms, typename Physics>
FUNCTION void run_whole_stage(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                              const work_t *work, const stage_position_t &position, const real_t *from,
                              real_t *to) {
    constexpr int steps = Terms<1, Physics>::chip_t::STEPS_PER_STAGE;
    if (grid->nx % part_of<real_t>::columns == 0u) {
        run_stage_in_own_function<steps, false, true, Terms<steps, Physics>>(physics, A, grid, work, position,
                                                                             from, to, 0);
    } else {
        run_stage_in_own_function<steps, false, false, Terms<steps, Physics>>(physics, A, grid, work,
                                                                              position, from, to, 0);
    }
}

/* Runs the COUNT steps of this stage. A stage that has no step left only copies. */
template <int COUNT, template <int, typename> class Terms, typename Physics>
FUNCTION void run_stage_by_count(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                                 const work_t *work, const stage_position_t &position, const real_t *from,
                                 real_t *to) {
    constexpr uint32 most = Terms<1, Physics>::chip_t::STEPS_PER_STAGE;
    if constexpr (COUNT > 1) {
        if (position.active - position.stage * most < COUNT) {
            run_stage_by_count<COUNT - 1, Terms>(physics, A, grid, work, position, from, to);
            return;
        }
    }
    if constexpr (COUNT == most) {
        run_whole_stage<Terms>(physics, A, grid, work, position, from, to);
    } else {
        run_stage_in_own_function<COUNT, false, false, Terms<COUNT, Physics>>(physics, A, grid, work,
                                                                              position, from, to, 0);
    }
}

template <template <int, typename> class Terms, typename Physics>
FUNCTION void run_stage_by_kind(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                                const work_t *work, const stage_position_t &position, const real_t *from,
                                real_t *to, residual_t *residual) {
    if (Physics::scaled && residual != 0) {
        run_stage_in_own_function<1, Physics::scaled != 0, false, Terms<1, Physics>>(
            physics, A, grid, work, position, from, to, residual);
    } else {
        run_stage_by_count<Terms<1, Physics>::chip_t::STEPS_PER_STAGE, Terms>(physics, A, grid, work,
                                                                              position, from, to);
    }
}

/* Adds the current values of the tile's own cells to a check. */
template <int N>
FUNCTION void check_tile(const work_t *work, const run_parameters_t *grid, const real_t *u,
                         checked_t *watched) {
#pragma unroll 4
    for (int32 row = work->tile.first_row; row < work->tile.end_row; ++row) {
        real_t values[N];
        const uint32 first = row * grid->nx + work->column;
#pragma unroll
        for (int j = 0; j < N; ++j) { /* all loads at once */
            values[j] = u[(work->tile.own >> j & 1u) != 0u ? first + j : 0u];
        }
#pragma unroll
        for (int j = 0; j < N; ++j) {
            if ((work->tile.own >> j & 1u) != 0u) {
                watch(watched, first + j, (double)values[j]);
            }
        }
    }
}

/* Data that every range needs, in shared memory: from global memory they would be loaded anew in each pass. Uniform coefficients
 * are slower with it. */
template <bool UNIFORM>
struct given_t {};
template <>
struct given_t<false> {
    run_parameters_t grid;
    operator_t A;
};

/* The tiles of the pipelines of a group. */
template <typename Physics, bool UNIFORM>
struct pipeline_tiles_t : pipeline_config_t<UNIFORM> {
    using pipeline_config_t<UNIFORM>::ITEMS;
    using pipeline_config_t<UNIFORM>::STAGES;
    using pipeline_config_t<UNIFORM>::LANE_COLUMNS;
    using pipeline_config_t<UNIFORM>::WIDTH;
    enum { STEPS = PIPELINE_STEPS, MOST_PIPELINES = 6 };
    typedef Physics physics_t;
    typedef row_of<real_t, LANE_COLUMNS> lane_row_t;
    typedef struct {
        uint32 word;
        load_balance_t<strips_t<UNIFORM>> load_balance;
        assignment_t assignments[MOST_PIPELINES];
        uint32 sourced[MOST_PIPELINES];
        given_t<UNIFORM> given;
    } shared_t;
    static_assert(sizeof(shared_t) <= 1500,
                  "bytes in addition to the lanes of checks: solver/resident/plan_pipelines.cpp");
    Physics physics;
    const operator_t *A;
    const run_parameters_t *grid;
    shared_t *shared;
    uint32 pipeline, stage;

    FUNCTION_MEMBER static bool can_sweep(const run_parameters_t *parameters) {
        const bool lanes_are_whole = parameters->nx >= WIDTH || parameters->nx % LANE_COLUMNS == 0u;
        const int32 strips = make_strips<UNIFORM>(parameters).strips;
        const bool assignable = can_be_assigned(parameters->ny, strips, 3 * strips);
        return lanes_are_whole && assignable && (!UNIFORM || parameters->uniform != 0u) &&
               group_size() / ITEMS <= MOST_PIPELINES;
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
        const uint32 pipelines = group_size() / ITEMS;
        const uint32 warp = __shfl_sync(ALL_LANES, item_index() / 32u, 0);
        pipeline = warp / STAGES;
        stage = warp % STAGES;
        const auto load_balance =
            make_load_balance(make_strips<UNIFORM>(grid), groups_of_own_device() * pipelines, &shared->word);
        if (item_index() == 0u) {
            shared->load_balance = load_balance;
        }
        if (item_index() % ITEMS == 0u) {
            shared->assignments[pipeline] = load_balance.assignment_of(
                static_cast<int32>(pipeline * groups_of_own_device() + group_of_device()));
            shared->sourced[pipeline] = 1u;
        }
        group_barrier();
        const bool plain = has_no_sources(u);
        if (item_index() % ITEMS == 0u) {
            shared->sourced[pipeline] = plain ? 0u : 1u;
        }
        group_barrier();
    }
    FUNCTION_MEMBER void prepare(uint32, uint32, const real_t *, real_t *) const {}
    /* Advances from step n to n + active. watched: not null if a check of heat ends the pass; residual: not null if a check of
     * Jacobi begins it. */
    FUNCTION_MEMBER void sweep(uint32 n, uint32 active, const real_t *from, real_t *to, checked_t *watched,
                               residual_t *residual) const {
        in_ranges(n, [&](const work_t &work, int32) INLINED {
            sweep_range_of_rows(work, {pipeline, stage, active}, from, to, residual);
        });
        if (watched != 0) {
            in_ranges(n, [&](work_t work, int32) INLINED {
                const int32 rows_each = divided_up(work.tile.end_row - work.tile.first_row, STAGES);
                const int32 first = work.tile.first_row + rows_each * static_cast<int32>(stage);
                work.tile.first_row = first;
                work.tile.end_row =
                    first + rows_each < work.tile.end_row ? first + rows_each : work.tile.end_row;
                check_tile<LANE_COLUMNS>(&work, grid, to, watched);
            });
        }
    }

  private:
    /* Calls what(work, kind) for each range of this pipeline. */
    template <typename What>
    FUNCTION_MEMBER void in_ranges(uint32 n, const What &what) const {
        const uint32 sourced = shared->sourced[pipeline];
        shared->load_balance.in_ranges(shared->assignments[pipeline], [&](const range_t &range) INLINED {
            what(work_of(shared->load_balance, range, n, sourced), range.kind);
        });
    }
    FUNCTION_MEMBER void sweep_range_of_rows(const work_t &work, const stage_position_t &position,
                                             const real_t *from, real_t *to, residual_t *residual) const {
        if constexpr (UNIFORM) {
            const uint32 steps_until_next =
                (position.stage + 1u) * pipeline_config_t<UNIFORM>::STEPS_PER_STAGE;
            if (work.sourced != 0u && (work.kind & ROWS_AT_Y) == 0 && residual == 0 &&
                position.active >= steps_until_next) {
                run_whole_stage<pipeline_sourced_numbers_t>(physics, A, grid, &work, position, from, to);
            } else if (work.sourced != 0u) {
                run_stage_by_kind<pipeline_side_numbers_t>(physics, A, grid, &work, position, from, to,
                                                           residual);
            } else if (work.kind == ROWS_WITH_ENDS && residual == 0) {
                run_stage_by_kind<pipeline_end_numbers_t>(physics, A, grid, &work, position, from, to,
                                                          residual);
            } else if (work.kind == INNER_ROWS) {
                run_stage_by_kind<pipeline_numbers_t>(physics, A, grid, &work, position, from, to, residual);
            } else {
                run_stage_by_kind<pipeline_side_numbers_t>(physics, A, grid, &work, position, from, to,
                                                           residual);
            }
        } else if (work.kind == INNER_ROWS && work.sourced == 0u) {
            run_stage_by_kind<pipeline_inner_fields_t>(physics, A, grid, &work, position, from, to, residual);
        } else {
            run_stage_by_kind<pipeline_all_fields_t>(physics, A, grid, &work, position, from, to, residual);
        }
    }
    /* Returns whether the pipeline's ranges have sources or sigma only next to sides. Called once a launch. It also turns -0 in u
     * into 0 at no side of x. */
    FUNCTION_MEMBER bool has_no_sources(real_t *u) const {
        bool plain = grid->uniform == 0u || A->diagonal[table_place(0u, 0u, PLACE_Z)] == (real_t)0;
        in_ranges(0u, [&](const work_t &work, int32 kind) INLINED {
            const pipeline_tile_t &tile = work.tile;
            lane_t<false, LANE_COLUMNS> lane;
            lane.begin(grid, work.column);
            columns_t<LANE_COLUMNS> columns;
            columns.begin(grid, work.column);
            for (int32 row = tile.first_row - STEPS + static_cast<int32>(stage); row < tile.end_row + STEPS;
                 row += STAGES) {
                const int32 begin = columns.begin_of(row);
                const lane_row_t sources = columns.load(physics.b, begin);
                const lane_row_t diagonals = grid->uniform ? lane_row_t{} : columns.load(A->diagonal, begin);
                const bool at_side = lane.at_side || lane.row_at_side(lane.y_of(row));
                const bool own = kind != CORNERS && row >= tile.first_row && row < tile.end_row;
#pragma unroll
                for (int j = 0; j < LANE_COLUMNS; ++j) {
                    plain =
                        plain & (at_side | ((sources.at[j] == (real_t)0) & (diagonals.at[j] == (real_t)0)));
                    if (own && (tile.own >> j & 1u) != 0u && u[begin + columns.x[j]] == (real_t)0) {
                        u[begin + columns.x[j]] = (real_t)0;
                    }
                }
            }
        });
        return all_stages(plain);
    }
    /* Returns whether the condition holds in all lanes of all stages. */
    FUNCTION_MEMBER bool all_stages(bool condition) const {
        SHARED_BYTES(bytes);
        pipeline_chip_t<Physics, UNIFORM> chip;
        chip.begin(reinterpret_cast<real_t *>(bytes), pipeline);
        real_t *votes = chip.handed(0u); /* a row for each stage */
        votes[stage * WIDTH] = condition ? (real_t)1 : (real_t)0;
        pipeline_barrier<ITEMS>(pipeline);
        bool holds = true;
        for (uint32 other = 0u; other < STAGES; ++other) {
            holds = holds && votes[other * WIDTH] != (real_t)0;
        }
        return __all_sync(ALL_LANES, holds);
    }
};

#endif
