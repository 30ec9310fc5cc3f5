/* Explicit stepping in 2D through memory, LEVELS steps a pass: every warp marches through its tile, then all
 * meet at a grid barrier and the copies of u change roles.
 *
 * Tiles are strips of columns cut into segments of rows, one tile a warp as near as that goes. Those at a side take
 * SIDE_COST times as long a row as inner ones, and are as much shorter. A check ends a pass. */

#define OWN_COLUMNS (STRIP_COLUMNS - 2 * LEVELS)
#define SIDE_COST 2.4f

typedef struct {
    uint32 warps; /* of the launch, that work */
    uint32 warp;  /* this one, or NO_WARP */
    uint32 tiles;
    int32 strips;
    int32 inner_strips, segments; /* all but the first and the last strip, and how often each is cut */
    int32 rows, end_rows;         /* of their segments; of the first and the last of these */
    int32 side_rows;              /* of the segments of the other strips */
} tiling_t;

/* Rows of a tile at a side that take as long as `rows` of an inner one. */
FUNCTION int32 rows_at_side(int32 rows) {
    const int32 found = static_cast<int32>(static_cast<float>(rows + 2 * LEVELS) / SIDE_COST) - 2 * LEVELS;
    return found < LEVELS ? LEVELS : found;
}

/* `segments` of each inner strip: a short one at either end. */
FUNCTION void cut(tiling_t *tiling, int32 ny, int32 segments, uint32 even) {
    const int32 guess = divided_up(ny, segments);
    tiling->segments = segments;
    tiling->end_rows = even || segments < 3 ? guess : rows_at_side(guess);
    tiling->rows = segments < 3 ? guess : divided_up(ny - 2 * tiling->end_rows, segments - 2);
    tiling->side_rows = even ? guess : rows_at_side(tiling->rows);
    const int32 side_strips = tiling->strips - tiling->inner_strips;
    tiling->tiles = static_cast<uint32>(tiling->inner_strips * segments +
                                        side_strips * divided_up(ny, tiling->side_rows));
}

/* As many segments as there are warps for; `kept_bytes`: of memory on the chip that each of them needs. */
FUNCTION tiling_t make_tiling(const run_parameters_t *grid, uint32 kept_bytes) {
    const uint32 fit = chip_bytes() / kept_bytes, warps = group_size() / 32u;
    const uint32 working = fit < warps ? fit : warps;
    const int32 ny = static_cast<int32>(grid->ny);
    tiling_t tiling;
    tiling.warps = group_count() * working;
    tiling.warp = warp_of_launch(working);
    tiling.strips = divided_up(static_cast<int32>(grid->nx), OWN_COLUMNS);
    tiling.inner_strips = tiling.strips > 2 ? tiling.strips - 2 : 0;
    int32 segments = static_cast<int32>(tiling.warps) / tiling.strips;
    segments = segments < 1 ? 1 : segments > ny ? ny : segments;
    cut(&tiling, ny, segments, grid->uniform == 0u);
    while (tiling.tiles > tiling.warps && segments > 1) {
        cut(&tiling, ny, --segments, grid->uniform == 0u);
    }
    return tiling;
}

/* Where a warp is: its tile, the first column of this lane. */
typedef struct {
    tile_t tile;
    int32 column;
    uint32 inner; /* 1: inner_terms_t fit */
} place_t;

/* The strip and the rows of a tile. */
FUNCTION int32 strip_of(const tiling_t *tiling, int32 index, int32 ny, tile_t *tile) {
    const int32 of_inner = tiling->inner_strips * tiling->segments;
    if (index < of_inner) {
        const int32 segment = index / tiling->inner_strips;
        tile->first_row = segment == 0 ? 0 : tiling->end_rows + (segment - 1) * tiling->rows;
        tile->end_row = segment + 1 == tiling->segments ? ny : tiling->end_rows + segment * tiling->rows;
        tile->end_row = tile->end_row < ny ? tile->end_row : ny;
        return 1 + index % tiling->inner_strips;
    }
    const int32 side_strips = tiling->strips - tiling->inner_strips;
    const int32 segment = (index - of_inner) / side_strips;
    tile->first_row = segment * tiling->side_rows;
    tile->end_row = tile->first_row + tiling->side_rows < ny ? tile->first_row + tiling->side_rows : ny;
    return (index - of_inner) % side_strips == 0 ? 0 : tiling->strips - 1;
}

FUNCTION place_t place_of(const tiling_t *tiling, const run_parameters_t *grid, uint32 index) {
    const int32 ny = static_cast<int32>(grid->ny), nx = static_cast<int32>(grid->nx);
    place_t place;
    const int32 strip = strip_of(tiling, static_cast<int32>(index), ny, &place.tile);
    const int32 first = strip * OWN_COLUMNS - LEVELS;
    place.tile.n = 0u;
    place.tile.own = 0u;
    place.column = first + lane_of_warp() * COLUMNS;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        const int32 x = place.column + j;
        const bool own = x >= strip * OWN_COLUMNS && x < (strip + 1) * OWN_COLUMNS && x < nx;
        place.tile.own |= own ? 1u << j : 0u;
    }
    const bool no_side = first > 0 && first + STRIP_COLUMNS < nx && place.tile.first_row > LEVELS &&
                         place.tile.end_row + LEVELS < ny;
    place.inner = no_side && grid->uniform != 0u && nx % COLUMNS == 0 ? 1u : 0u;
    return place;
}

/* Once a launch: a tile with a source or sigma is no inner one, and -0 becomes 0. */
template <typename Physics>
FUNCTION void first_look(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                         place_t *place, real_t *u) {
    const tile_t &tile = place->tile;
    bool nothing = physics.sourced() == 0u && A->diagonal[table_place(0u, 0u, PLACE_Z)] == (real_t)0;
    if (!place->inner) {
        return;
    }
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
    extern __shared__ __align__(16) unsigned char chip[];
    march_or_watch<ACTIVE, WATCHED>(
        terms, place, static_cast<int32>(grid->nx),
        chip_of_warp(reinterpret_cast<real_t *>(chip), inner_terms_t::ROWS_OF_WARP), from, to, residual);
}

/* Terms: of sides or variable. */
template <int ACTIVE, bool WATCHED, typename Terms, typename Physics>
static __device__ __noinline__ void march_kept(const Physics physics, const operator_t *A,
                                               const run_parameters_t *grid, const place_t *place,
                                               const real_t *from, real_t *to, residual_t *residual) {
    extern __shared__ __align__(16) unsigned char chip[];
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

/* All tiles of this warp, from step n to n + active; watched where the pass ends at a check of heat, else null. */
template <typename Physics>
FUNCTION void march_tiles(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                          const tiling_t *tiling, const place_t *first, uint32 n, uint32 active,
                          const real_t *from, real_t *to, watched_t *watched, residual_t *residual) {
    for (uint32 index = tiling->warp; index < tiling->tiles; index += tiling->warps) {
        place_t place = index == tiling->warp ? *first : place_of(tiling, grid, index);
        place.inner = index == tiling->warp ? place.inner : 0u;
        place.tile.n = n;
        march_tile(physics, A, grid, &place, active, from, to, residual);
        if (watched != 0) {
            watch_tile(&place, grid, to, watched);
        }
    }
}
