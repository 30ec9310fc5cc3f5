/* Temporally blocked explicit stepping in 3D: the tiles through whose planes a group sweeps, and the kernels. */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_KERNELS_3D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_KERNELS_3D_H

#include "kernels/resident/pipeline_3d.h"
#include "kernels/resident/temporally_blocked.h"

/* Each kind of stage has a function of its own, hence a register allocation of its own. */
template <bool LAST, bool WHOLE, bool WATCHED>
static __device__ __noinline__ void sweep_range(int32 stage, residual_t *residual) {
    SHARED_BYTES(bytes);
    auto *chip = reinterpret_cast<planes_chip_t *>(bytes);
    if constexpr (WATCHED) {
        residual_t found = *residual;
        run_planes<LAST, WHOLE, WATCHED>(chip, stage, &found);
        *residual = found;
    } else {
        run_planes<LAST, WHOLE, WATCHED>(chip, stage, residual);
    }
}

/* Finds the next range of this group, or the first one of a sweep, and the position of each item in it. All items call it, with
 * group barriers before and after. A separate function, called as rarely as possible: fetching its instructions takes longer than
 * executing them. */
static __device__ __noinline__ void take_range(planes_chip_t *chip, uint32 made) {
    const uint32 in_stage = item_index() % ITEMS_OF_STAGE, stage = item_index() / ITEMS_OF_STAGE;
    remainder_t at = made == 0u ? chip->assignment.at : chip->at;
    int32 left = made == 0u ? chip->assignment.left : chip->left;
    range_t range;
    chip->load_balance.range_of(chip->assignment, made, &at, &left, &range);
    group_barrier(); /* all items have read the position */
    item_position_t &position = chip->positions[in_stage];
    if (stage == 0u) {
        find_position(chip->load_balance, range.tile, &position);
    } else if (stage == 1u) {
        position.sides = make_sides(chip->load_balance, range.tile, chip->sweep.plain != 0u).bits;
    } else if (in_stage < STEPS_3D) {
        schedule_iterations(&chip->schedules[in_stage], chip->sweep, range, static_cast<int32>(in_stage));
    }
    if (item_index() == 0u) {
        chip->at = at;
        chip->left = left;
        chip->range = range;
        chip->first_plane = first_plane_of(chip->sweep, range);
    }
}

/* Sweeps through all ranges of a group; all its items call it. The first range has been taken already. A stage without a step to
 * make only takes part in the barriers. */
template <bool WATCHED>
FUNCTION void sweep_ranges(planes_chip_t *chip, residual_t *residual) {
    const int32 stage = __shfl_sync(ALL_LANES, static_cast<int32>(item_index() / ITEMS_OF_STAGE), 0);
    const int32 last = static_cast<int32>(chip->sweep.active) - 1;
    for (uint32 made = 0u; made < chip->ranges; ++made) {
        if (made > 0u) {
            take_range(chip, made);
            if (item_index() == 0u) {
                begin_split_barrier(&chip->barrier, ITEMS_3D / 32u);
            }
            group_barrier();
        }
        if (stage > last) {
            group_barrier();
            for (int32 iteration = 0; iteration < iterations_of(chip->sweep, chip->range); ++iteration) {
                arrive_at(&chip->barrier);
                wait_at(&chip->barrier, static_cast<uint32>(iteration) & 1u);
            }
        } else if (stage < last) {
            if (lanes_are_whole(chip->load_balance)) {
                sweep_range<false, true, false>(stage, residual);
            } else {
                sweep_range<false, false, false>(stage, residual);
            }
        } else if (!WATCHED && lanes_are_whole(chip->load_balance) && last + 1 == STEPS_3D) {
            sweep_range<true, true, false>(stage, residual);
        } else {
            sweep_range<true, false, WATCHED>(stage, residual);
        }
        group_barrier(); /* shared memory is free */
        if (item_index() == 0u) {
            end_split_barrier(&chip->barrier);
        }
    }
}

/* Calls use(value, cell, z) for all cells of a field in this group's tiles: own cells only, or also those around them. */
template <typename Use>
FUNCTION void for_each_tile_cell(const real_t *field, const run_parameters_t *grid,
                                 const load_balance_3d_t &load_balance, const assignment_t &assignment,
                                 bool own, Use use) {
    const int32 around = own ? 0 : STEPS_3D;
    const int32 stage = static_cast<int32>(item_index() / ITEMS_OF_STAGE);
    load_balance.in_ranges(assignment, [&](const range_t &range) {
        item_position_t position;
        find_position(load_balance, range.tile, &position);
        const uint32 mask = own ? position.own : position.inside;
#pragma unroll 1
        for (int32 z = range.first - around + stage; z < range.end + around; z += STEPS_3D) {
            const int32 in_grid = wrapped(z, grid->nz, grid->periodic_z);
            const uint32 there = in_grid < 0 ? 0u : mask;
            const uint32 plane = static_cast<uint32>(in_grid) * grid->layer.divisor;
            real_t values[COLUMNS_3D * ROWS_3D];
#pragma unroll
            for (int i = 0; i < COLUMNS_3D * ROWS_3D; ++i) { /* all loads at once */
                values[i] =
                    field[(there >> i & 1u) != 0u ? plane + position.cell(i / COLUMNS_3D, i % COLUMNS_3D)
                                                  : 0u];
            }
#pragma unroll
            for (int i = 0; i < COLUMNS_3D * ROWS_3D; ++i) {
                if ((there >> i & 1u) != 0u) {
                    use(values[i], plane + position.cell(i / COLUMNS_3D, i % COLUMNS_3D),
                        static_cast<uint32>(in_grid));
                }
            }
        }
    });
}

FUNCTION bool is_next_to_side(const run_parameters_t *grid, uint32 cell, uint32 z) {
    const uint32 in_plane = cell - z * grid->layer.divisor;
    const bool at_x = at_side(in_plane % grid->nx, grid->nx) != 0u,
               at_y = at_side(in_plane / grid->nx, grid->ny) != 0u;
    return (at_x && !grid->periodic_x) || (at_y && !grid->periodic_y) ||
           (at_side(z, grid->nz) != 0u && !grid->periodic_z);
}

/* The tiles of a group. */
template <typename Physics>
struct pipeline_tiles_3d_t {
    enum { STEPS = STEPS_3D };
    typedef Physics physics_t;
    /* Used when the items of a group compute something together. */
    typedef struct {
        uint32 word;
    } shared_t;
    Physics physics;
    const run_parameters_t *grid;

    /* Whether the problem can be swept: conductances are uniform in each direction, and the planes of a sweep wrap around at most
     * once at each end of the grid. */
    FUNCTION_MEMBER static bool can_sweep(const run_parameters_t *parameters) {
        const bool wraps_twice = parameters->periodic_z && parameters->nz < STEPS_3D;
        const bool room = chip_bytes() >= sizeof(planes_chip_t) && group_size() == ITEMS_3D;
        const int32 tiles = make_tiles(parameters).tiles;
        const bool assignable = can_be_assigned(parameters->nz, tiles, tiles);
        return parameters->uniform != 0u && room && assignable && !wraps_twice;
    }
    FUNCTION_MEMBER void begin(const run_t *run, const Physics &what, const operator_t *A, real_t *u,
                               shared_t *shared) {
        SHARED_BYTES(bytes);
        auto *chip = reinterpret_cast<planes_chip_t *>(bytes);
        physics = what;
        grid = run->parameters;
        const load_balance_3d_t load_balance =
            make_load_balance(make_tiles(grid), groups_of_own_device(), &shared->word);
        const assignment_t assignment = load_balance.assignment_of(static_cast<int32>(group_of_device()));
        for (uint32 place = item_index(); place < 64u; place += group_size()) {
            chip->entries.usual[place].diagonal = chip->entries.last[place].diagonal = A->diagonal[place];
        }
        bool nothing = A->diagonal[table_place(0u, 0u, 0u)] == (real_t)0;
        for_each_tile_cell(u, grid, load_balance, assignment, true, [&](real_t value, uint32 cell, uint32) {
            if (value == (real_t)0) {
                u[cell] = (real_t)0;
            }
        });
        for_each_tile_cell(physics.b, grid, load_balance, assignment, false,
                           [&](real_t value, uint32 cell, uint32 z) {
                               nothing = nothing && (value == (real_t)0 || is_next_to_side(grid, cell, z));
                           });
        const uint32 plain = group_all(run->verdict, nothing ? 1u : 0u);
        if (item_index() < STEPS_3D * SLOT_PERIOD) {
            const uint32 stage = item_index() / SLOT_PERIOD;
            schedule_planes(&chip->schedules[stage], stage, item_index() % SLOT_PERIOD);
        }
        if (item_index() == 0u) {
            const numbers_3d_t numbers = {A->face_x[0], A->face_y[0], A->face_z[0], (real_t)0};
            chip->load_balance = load_balance;
            chip->sweep = {physics.b,
                           0,
                           0,
                           static_cast<int32>(grid->nz),
                           static_cast<int32>(grid->layer.divisor),
                           grid->periodic_z,
                           0u,
                           plain,
                           {},
                           {numbers, numbers}};
            chip->assignment = assignment;
            chip->ranges = load_balance.in_ranges(assignment, [](const range_t &) {});
        }
        group_barrier();
    }
    /* Prepares the sweep from step n to n + active as far as it depends on no other group. */
    FUNCTION_MEMBER void prepare(uint32 n, uint32 active, const real_t *from, real_t *to) {
        SHARED_BYTES(bytes);
        auto *chip = reinterpret_cast<planes_chip_t *>(bytes);
        sweep_t &sweep = chip->sweep;
        const real_t usual = physics.factor(n), last = physics.factor(n + active - 1u);
        const bool differs = sweep.active != active || sweep.factors[0] != usual || sweep.factors[1] != last;
        group_barrier(); /* all items know `differs` */
        if (differs) {
            for (uint32 place = item_index(); place < 64u; place += group_size()) {
                chip->entries.usual[place].scale = physics.scale(usual, place);
                chip->entries.last[place].scale = physics.scale(last, place);
            }
        }
        if (item_index() == 0u) {
            sweep.from = from;
            sweep.to = to;
            if (differs) {
                sweep.active = active;
                sweep.factors[0] = usual;
                sweep.factors[1] = last;
                sweep.numbers[0].factor = physics.scale(usual, table_place(0u, 0u, 0u));
                sweep.numbers[1].factor = physics.scale(last, table_place(0u, 0u, 0u));
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
    /* Makes the sweep that was prepared. watched: not null if a check of heat ends the pass; residual: not null if a check of
     * Jacobi begins it. */
    FUNCTION_MEMBER void sweep(uint32, uint32, const real_t *, real_t *to, checked_t *watched,
                               residual_t *residual) {
        SHARED_BYTES(bytes);
        auto *chip = reinterpret_cast<planes_chip_t *>(bytes);
        if (Physics::scaled && residual != 0) {
            sweep_ranges<Physics::scaled>(chip, residual);
        } else {
            sweep_ranges<false>(chip, 0);
        }
        if (watched != 0) {
            group_barrier();
            for_each_tile_cell(
                to, grid, chip->load_balance, chip->assignment, true,
                [&](real_t value, uint32 cell, uint32) { watch(watched, cell, (double)value); });
        }
    }
};

#endif
