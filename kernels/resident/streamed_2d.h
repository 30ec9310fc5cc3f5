/* Explicit stepping in 2D through memory, LEVELS steps a pass: every warp marches through its tile, then all
 * meet at a grid barrier and the copies of u change roles.
 *
 * One tile a warp as near as that goes. A check ends a pass. */

/* Of tiles at sides in uniform problems, against inner ones. */
#define SIDE_COST 2.4f

/* Once a launch: a tile with a source or sigma is no inner one, and -0 becomes 0. */
template <typename Physics>
FUNCTION void first_look(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                         place_t *place, real_t *u) {
    const tile_t &tile = place->tile;
    place->inner = place->inner && grid->uniform != 0u && grid->nx % COLUMNS == 0u ? 1u : 0u;
    if (!place->inner) {
        return;
    }
    bool nothing = physics.sourced() == 0u && A->diagonal[table_place(0u, 0u, PLACE_Z)] == (real_t)0;
#pragma unroll 4
    for (int32 row = tile.first_row - LEVELS; row < tile.end_row + LEVELS; ++row) {
        const uint32 first = row * grid->nx + place->column;
        const row_t sources = load_row(physics.b + first), values = load_row(u + first);
        const bool own = row >= tile.first_row && row < tile.end_row && tile.own != 0u;
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            nothing = nothing & (sources.at[j] == (real_t)0);
            if (own && values.at[j] == (real_t)0) {
                u[first + j] = (real_t)0;
            }
        }
    }
    place->inner = __all_sync(ALL_LANES, nothing) ? 1u : 0u;
}

/* A march, watched where it begins at a check of Jacobi, which then takes one step. */
template <int ACTIVE, bool WATCHED, typename Terms>
FUNCTION void march_or_watch(const Terms &terms, const place_t *place, int32 nx, real_t *of_warp,
                             const real_t *from, real_t *to, residual_t *residual) {
    const tile_t tile = place->tile;
    if constexpr (WATCHED) {
        residual_t found = *residual;
        march<ACTIVE>(terms, tile, of_warp, from, to, watching_t{&found, tile, place->column, nx});
        *residual = found;
    } else {
        march<ACTIVE>(terms, tile, of_warp, from, to, advancing_t{});
    }
}

/* One function a kind of tile: each has registers of its own. */
template <int ACTIVE, bool WATCHED, typename Physics>
static __device__ __noinline__ void march_inner(const Physics physics, const operator_t *A,
                                                const run_parameters_t *grid, const place_t *place,
                                                const real_t *from, real_t *to, residual_t *residual) {
    const uint32 n = place->tile.n, inside = table_place(0u, 0u, PLACE_Z);
    const inner_terms_t terms = {grid->nx,
                                 static_cast<uint32>(place->column),
                                 pinned(A->face_x[0]),
                                 pinned(A->face_y[0]),
                                 pinned(physics.scale(physics.factor(n), inside)),
                                 pinned(physics.scale(physics.factor(n + ACTIVE - 1u), inside))};
    SHARED_BYTES(chip);
    march_or_watch<ACTIVE, WATCHED>(
        terms, place, static_cast<int32>(grid->nx),
        chip_of_warp(reinterpret_cast<real_t *>(chip), inner_terms_t::ROWS_OF_WARP), from, to, residual);
}

/* Terms: of sides or variable. */
template <int ACTIVE, bool WATCHED, typename Terms, typename Physics>
static __device__ __noinline__ void march_kept(const Physics physics, const operator_t *A,
                                               const run_parameters_t *grid, const place_t *place,
                                               const real_t *from, real_t *to, residual_t *residual) {
    SHARED_BYTES(chip);
    real_t *of_warp = chip_of_warp(reinterpret_cast<real_t *>(chip), Terms::ROWS_OF_WARP);
    Terms terms;
    terms.begin(grid, A, physics, of_warp, place->column, place->tile.n, ACTIVE);
    march_or_watch<ACTIVE, WATCHED>(terms, place, static_cast<int32>(grid->nx), of_warp, from, to, residual);
}

template <int ACTIVE, bool WATCHED, typename Physics>
FUNCTION void march_tile_by(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                            const place_t *place, const real_t *from, real_t *to, residual_t *residual) {
    if (place->inner) {
        march_inner<ACTIVE, WATCHED>(physics, A, grid, place, from, to, residual);
    } else if (grid->uniform) {
        march_kept<ACTIVE, WATCHED, side_terms_t<Physics>>(physics, A, grid, place, from, to, residual);
    } else {
        march_kept<ACTIVE, WATCHED, variable_terms_t<Physics>>(physics, A, grid, place, from, to, residual);
    }
}

/* residual: of u, where one step begins at a check of Jacobi; else null. */
template <typename Physics>
FUNCTION void march_tile(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                         const place_t *place, uint32 active, const real_t *from, real_t *to,
                         residual_t *residual) {
    if (Physics::scaled && residual != 0) {
        march_tile_by<1, Physics::scaled>(physics, A, grid, place, from, to, residual);
        return;
    }
    switch (active) {
        case LEVELS:
            march_tile_by<LEVELS, false>(physics, A, grid, place, from, to, residual);
            break;
        case 2:
            march_tile_by<2, false>(physics, A, grid, place, from, to, residual);
            break;
        default:
            march_tile_by<1, false>(physics, A, grid, place, from, to, residual);
    }
}

/* What the tile's own cells are now. */
FUNCTION void watch_tile(const place_t *place, const run_parameters_t *grid, const real_t *u,
                         watched_t *watched) {
#pragma unroll 4
    for (int32 row = place->tile.first_row; row < place->tile.end_row; ++row) {
        real_t values[COLUMNS];
        const uint32 first = row * grid->nx + place->column;
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) { /* all at once */
            values[j] = u[(place->tile.own >> j & 1u) != 0u ? first + j : 0u];
        }
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            if ((place->tile.own >> j & 1u) != 0u) {
                watch(watched, first + j, (double)values[j]);
            }
        }
    }
}

/* The tiles of a warp. */
template <typename Physics>
struct strips_t {
    Physics physics;
    const operator_t *A;
    const run_parameters_t *grid;
    tiling_t tiling;
    place_t first;

    FUNCTION_MEMBER void begin(const Physics &what, const operator_t *of, const run_parameters_t *parameters,
                               real_t *u) {
        physics = what;
        A = of;
        grid = parameters;
        const uint32 fit = chip_bytes() / kept_bytes(physics, grid), warps = group_size() / 32u;
        const uint32 working = fit < warps ? fit : warps;
        tiling = make_tiling(grid, group_count() * working, warp_of_launch(working), LEVELS,
                             grid->uniform ? SIDE_COST : 1.0f);
        first = place_of(&tiling, grid, tiling.worker < tiling.tiles ? tiling.worker : 0u);
        if (tiling.worker < tiling.tiles) {
            first_look(physics, A, grid, &first, u);
        }
    }
    /* Of `left`, those that there are marches for. */
    FUNCTION_MEMBER uint32 steps(uint32 left) const { return left >= LEVELS ? LEVELS : left >= 2u ? 2u : 1u; }
    /* From step n to n + active; watched where the pass ends at a check of heat, residual where it begins at one of Jacobi, else
     * null. */
    FUNCTION_MEMBER void march(uint32 n, uint32 active, const real_t *from, real_t *to, watched_t *watched,
                               residual_t *residual) const {
        for (uint32 index = tiling.worker; index < tiling.tiles; index += tiling.workers) {
            place_t place = index == tiling.worker ? first : place_of(&tiling, grid, index);
            place.inner = index == tiling.worker ? place.inner : 0u;
            place.tile.n = n;
            march_tile(physics, A, grid, &place, active, from, to, residual);
            if (watched != 0) {
                watch_tile(&place, grid, to, watched);
            }
        }
    }
};
