/* Explicit stepping in 2D through memory where coefficients differ from cell to cell: relays of warps march through the tiles. */

/* Of tiles at sides, against inner ones: as measured. */
#define RELAY_SIDE_COST (sizeof(real_t) == 8 ? 1.15f : 1.3f)

/* One function a kind of leg: each has registers of its own. */
template <int COUNT, bool WATCHED, typename Terms, typename Physics>
static __device__ __noinline__ void leg_of(const Physics physics, const operator_t *A,
                                           const run_parameters_t *grid, const place_t *place,
                                           const leg_t leg, const real_t *from, real_t *to,
                                           residual_t *residual) {
    SHARED_BYTES(chip);
    real_t *rows = reinterpret_cast<real_t *>(chip);
    if constexpr (WATCHED) {
        residual_t found = *residual;
        run_leg<COUNT, WATCHED, Terms>(physics, A, grid, place, leg, rows, from, to, &found);
        *residual = found;
    } else {
        run_leg<COUNT, WATCHED, Terms>(physics, A, grid, place, leg, rows, from, to, residual);
    }
}

/* The steps that are this runner's; a runner with none left only copies. */
template <int COUNT, typename Terms, typename Physics>
FUNCTION void leg_by_count(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                           const place_t *place, const leg_t &leg, const real_t *from, real_t *to) {
    if constexpr (COUNT > 1) {
        if (leg.active - leg.runner * RELAY_LEG < COUNT) {
            leg_by_count<COUNT - 1, Terms>(physics, A, grid, place, leg, from, to);
            return;
        }
    }
    leg_of<COUNT, false, Terms>(physics, A, grid, place, leg, from, to, 0);
}

template <typename Terms, typename Physics>
FUNCTION void leg_by_kind(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                          const place_t *place, const leg_t &leg, const real_t *from, real_t *to,
                          residual_t *residual) {
    if (Physics::scaled && residual != 0) {
        leg_of<1, Physics::scaled != 0, Terms>(physics, A, grid, place, leg, from, to, residual);
    } else {
        leg_by_count<RELAY_LEG, Terms>(physics, A, grid, place, leg, from, to);
    }
}

/* The tiles of a relay. */
template <typename Physics>
struct relay_tiles_t {
    Physics physics;
    const operator_t *A;
    const run_parameters_t *grid;
    tiling_t tiling;
    uint32 relay, runner;
    place_t first;

    FUNCTION_MEMBER void begin(const Physics &what, const operator_t *of, const run_parameters_t *parameters,
                               real_t *u) {
        physics = what;
        A = of;
        grid = parameters;
        const uint32 relays = group_size() / RELAY_ITEMS;
        const uint32 warp = __shfl_sync(ALL_LANES, item_index() / 32u, 0);
        relay = warp / RELAY_RUNNERS;
        runner = warp % RELAY_RUNNERS;
        tiling = make_tiling(grid, group_count() * relays, relay * group_count() + group_index(), RELAY_STEPS,
                             RELAY_SIDE_COST);
        first = place_of(&tiling, grid, tiling.worker < tiling.tiles ? tiling.worker : 0u);
        if (tiling.worker < tiling.tiles) {
            first_look_together(u);
        }
    }
    FUNCTION_MEMBER uint32 steps(uint32 left) const { return least(left, RELAY_STEPS); }
    /* As strips_t::march. */
    FUNCTION_MEMBER void march(uint32 n, uint32 active, const real_t *from, real_t *to, watched_t *watched,
                               residual_t *residual) const {
        for (uint32 index = tiling.worker; index < tiling.tiles; index += tiling.workers) {
            place_t place = index == tiling.worker ? first : place_of(&tiling, grid, index);
            place.tile.n = n;
            place.inner = index == tiling.worker ? place.inner : 0u;
            const leg_t leg = {relay, runner, active};
            if (place.inner) {
                leg_by_kind<relay_inner_terms_t>(physics, A, grid, &place, leg, from, to, residual);
            } else {
                leg_by_kind<relay_terms_t>(physics, A, grid, &place, leg, from, to, residual);
            }
            if (watched != 0) {
                const int32 share = divided_up(place.tile.end_row - place.tile.first_row, RELAY_RUNNERS);
                place.tile.first_row += share * static_cast<int32>(runner);
                place.tile.end_row = place.tile.first_row + share < place.tile.end_row
                                         ? place.tile.first_row + share
                                         : place.tile.end_row;
                watch_tile(&place, grid, to, watched);
            }
        }
    }

  private:
    /* Once a launch: whether the tile has sources or sigma, beside sides and elsewhere; in an inner one -0 becomes 0. */
    FUNCTION_MEMBER void first_look_together(real_t *u) {
        const tile_t &tile = first.tile;
        lane_t lane;
        lane.begin(grid, first.column);
        strip_t strip;
        strip.begin(grid, first.column);
        bool plain = physics.sourced() == 0u &&
                     (grid->uniform == 0u || A->diagonal[table_place(0u, 0u, PLACE_Z)] == (real_t)0);
        for (int32 row = tile.first_row - RELAY_STEPS + static_cast<int32>(runner);
             row < tile.end_row + RELAY_STEPS; row += RELAY_RUNNERS) {
            const int32 begin = strip.begin_of(row);
            const row_t sources = strip.load(physics.b, begin);
            const row_t diagonals = grid->uniform ? row_t{} : strip.load(A->diagonal, begin);
            const bool beside = lane.at_side || lane.row_at_side(lane.y_of(row));
            const bool own = first.inner && row >= tile.first_row && row < tile.end_row;
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) {
                plain = plain & (beside | ((sources.at[j] == (real_t)0) & (diagonals.at[j] == (real_t)0)));
                if (own && (tile.own >> j & 1u) != 0u && u[begin + strip.x[j]] == (real_t)0) {
                    u[begin + strip.x[j]] = (real_t)0;
                }
            }
        }
        first.sourced = all_runners(plain) ? 0u : 1u;
        first.inner = first.inner && first.sourced == 0u ? 1u : 0u;
    }
    /* Whether it holds in all lanes of all runners. */
    FUNCTION_MEMBER bool all_runners(bool condition) const {
        SHARED_BYTES(bytes);
        relay_chip_t<Physics> chip;
        chip.begin(reinterpret_cast<real_t *>(bytes), relay);
        /* A row for the vote of each runner, of those that runners hand on. */
        *chip.handed(runner / 2u, runner) = condition ? (real_t)1 : (real_t)0;
        relay_barrier(relay);
        bool holds = true;
        for (uint32 other = 0u; other < RELAY_RUNNERS; ++other) {
            holds = holds && *chip.handed(other / 2u, other) != (real_t)0;
        }
        return __all_sync(ALL_LANES, holds);
    }
};

/* Of a group at most: three relays in float64, two of Jacobi, whose rows on the chip are more. */
#define RELAY_KERNEL(items) __global__ __launch_bounds__(sizeof(real_t) == 8 ? (items) : 512, 1)

RELAY_KERNEL(384)
void heat_relayed_2d(PARAMETERS parameters, control_t *control, grid_sync_t *sync, run_state_t *state,
                     sum_t *partials, double *history, const real_t *diagonal, const real_t *inverse_diagonal,
                     const real_t *face_x, const real_t *face_y, const real_t *face_z, const real_t *b,
                     real_t *u_even, real_t *u_odd, const real_t *factor_table) {
    LOCAL sum_t lanes[LANE_ROWS * LANES];
    LOCAL uint32 verdict;
    const heat_t self = {{&parameters, control, sync, state, partials, history, lanes, &verdict},
                         {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z},
                         {u_even, u_odd},
                         b,
                         factor_table};
    heat_streamed<relay_tiles_t<heat_physics_t>>(&self);
}

RELAY_KERNEL(256)
void jacobi_relayed_2d(PARAMETERS parameters, control_t *control, grid_sync_t *sync, run_state_t *state,
                       sum_t *partials, double *history, const real_t *diagonal,
                       const real_t *inverse_diagonal, const real_t *face_x, const real_t *face_y,
                       const real_t *face_z, const real_t *b, real_t *u_even, real_t *u_odd, const real_t *,
                       const real_t *, const real_t *) {
    LOCAL sum_t lanes[LANE_ROWS * LANES];
    LOCAL uint32 verdict;
    const jacobi_t self = {{&parameters, control, sync, state, partials, history, lanes, &verdict},
                           {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z},
                           {u_even, u_odd},
                           b};
    jacobi_streamed<relay_tiles_t<jacobi_physics_t>>(&self);
}
