/* A march of a group through planes of a tile: planes come in one by one, and each makes T steps on its way out.
 *
 * Level l holds, in registers, the plane that has made l steps and waits for the one above it, and the flux from below. A plane
 * that arrives there lets the one before it go on to level l + 1 and takes its place. Columns meet by
 * shuffles; rows at the edges of warps pass through memory on the chip, written when a plane arrives and read when the next one
 * does: one group barrier a plane. Planes from memory are copied two ahead.
 *
 * What lacks a neighbour is wrong, one cell further in with every step. */

typedef real_t plane_on_chip_t[TILE_ROWS][TILE_COLUMNS];

/* Before all else on the chip. */
template <int T>
struct march_chip_t {
    enum { U_SLOTS = 3 };
    plane_on_chip_t u[U_SLOTS];
    real_t edges[2][T][WARPS_3D][2][TILE_COLUMNS]; /* [odd and even planes][level][warp][lower, upper] */
};

FUNCTION pair_t pair_on_chip(const real_t *row) {
    const real_t *from = row + lane_of_warp() * PAIR;
    pair_t pair;
    load_pair(from, pair.at);
    return pair;
}

/* This lane's cells of a plane; beyond sides zeros. z: -1 beyond one. */
FUNCTION void copy_plane(const real_t *field, int32 z, uint32 layer, const stand_t &stand,
                         plane_on_chip_t *to) {
    const real_t *plane = field + static_cast<size_t>(z < 0 ? 0 : z) * layer;
    const uint32 inside = z < 0 ? 0u : stand.inside;
    real_t *lane = &(*to)[item_index() / 32u * ROWS_3D][lane_of_warp() * PAIR];
    if (stand.whole) {
#pragma unroll
        for (int r = 0; r < ROWS_3D; ++r) {
            const bool there = (inside & stand.bit(r, 0)) != 0u;
            copy_async<PAIR * sizeof(real_t)>(lane + r * TILE_COLUMNS,
                                              plane + (there ? stand.cell(r, 0) : 0u), there);
        }
    } else {
#pragma unroll
        for (int i = 0; i < PAIR * ROWS_3D; ++i) {
            const int r = i / PAIR, j = i % PAIR;
            const bool there = (inside & stand.bit(r, j)) != 0u;
            copy_async<sizeof(real_t)>(lane + r * TILE_COLUMNS + j, plane + (there ? stand.cell(r, j) : 0u),
                                       there);
        }
    }
}

FUNCTION void store_plane(real_t *field, int32 z, uint32 layer, const stand_t &stand, const pair_t *u) {
    real_t *plane = field + static_cast<size_t>(z) * layer;
    if (stand.whole) {
#pragma unroll
        for (int r = 0; r < ROWS_3D; ++r) {
            if ((stand.own & stand.bit(r, 0)) != 0u) {
                store_pair(plane + stand.cell(r, 0), u[r].at);
            }
        }
    } else {
#pragma unroll
        for (int i = 0; i < PAIR * ROWS_3D; ++i) {
            const int r = i / PAIR, j = i % PAIR;
            if ((stand.own & stand.bit(r, j)) != 0u) {
                plane[stand.cell(r, j)] = u[r].at[j];
            }
        }
    }
}

/* One step of the rows of a plane that a warp holds; `below`: fluxes from below, which become those to above.
 * watch(r, j, u, b - A u, scale) for each cell. */
template <typename Terms, typename Watch>
FUNCTION void advance_plane(const Terms &terms, const Watch &watch, const pair_t *u, const pair_t &south,
                            const pair_t &north, const pair_t *above, pair_t *below, pair_t *next) {
    real_t beyond[ROWS_3D], west[ROWS_3D];
    pair_t flux[ROWS_3D], south_flux;
#pragma unroll
    for (int r = 0; r < ROWS_3D; ++r) {
        beyond[r] = __shfl_down_sync(ALL_LANES, u[r].at[0], 1);
    }
#pragma unroll
    for (int r = 0; r < ROWS_3D; ++r) {
#pragma unroll
        for (int j = 0; j < PAIR; ++j) {
            flux[r].at[j] =
                FACE_FLUX(terms.east(r, j), u[r].at[j], j + 1 < PAIR ? u[r].at[(j + 1) % PAIR] : beyond[r]);
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS_3D; ++r) {
        west[r] = __shfl_up_sync(ALL_LANES, flux[r].at[PAIR - 1], 1);
    }
#pragma unroll
    for (int j = 0; j < PAIR; ++j) {
        south_flux.at[j] = FACE_FLUX(terms.south(j), south.at[j], u[0].at[j]);
    }
#pragma unroll
    for (int r = 0; r < ROWS_3D; ++r) {
        const pair_t &further = r + 1 < ROWS_3D ? u[(r + 1) % ROWS_3D] : north;
#pragma unroll
        for (int j = 0; j < PAIR; ++j) {
            const real_t here = u[r].at[j];
            const real_t north_flux = FACE_FLUX(terms.north(r, j), here, further.at[j]);
            const real_t above_flux = FACE_FLUX(terms.above(r, j), here, above[r].at[j]);
            const real_t balance =
                FLUX_BALANCE_3D(-(j == 0 ? west[r] : flux[r].at[0]), flux[r].at[j], -south_flux.at[j],
                                north_flux, -below[r].at[j], above_flux);
            const real_t residual =
                RESIDUAL(terms.source(r, j), STENCIL(terms.diagonal(r, j), here, balance));
            watch(r, j, here, residual, terms.scale(r, j));
            next[r].at[j] = EXPLICIT_STEP(here, terms.scale(r, j), residual);
            south_flux.at[j] = north_flux;
            below[r].at[j] = above_flux;
        }
    }
}

/* What all levels do when plane `z` arrives; leaves the plane that has made T steps in u. */
template <int T, typename Terms, typename Watch>
FUNCTION void advance_levels(const Terms &terms, const Watch &watch, int32 z, march_chip_t<T> *chip,
                             pair_t (*waiting)[ROWS_3D], pair_t (*below)[ROWS_3D], pair_t *u) {
    const uint32 warp = item_index() / 32u, writes = static_cast<uint32>(z) & 1u;
    const uint32 before = warp == 0u ? 0u : warp - 1u, behind = warp + 1u == WARPS_3D ? warp : warp + 1u;
#pragma unroll
    for (int level = 0; level < T; ++level) {
        pair_t next[ROWS_3D];
        advance_plane(terms.at(z - 1 - level, level + 1 == T), watch, waiting[level],
                      pair_on_chip(chip->edges[1u - writes][level][before][1]),
                      pair_on_chip(chip->edges[1u - writes][level][behind][0]), u, below[level], next);
        store_pair(chip->edges[writes][level][warp][0] + lane_of_warp() * PAIR, u[0].at);
        store_pair(chip->edges[writes][level][warp][1] + lane_of_warp() * PAIR, u[ROWS_3D - 1].at);
#pragma unroll
        for (int r = 0; r < ROWS_3D; ++r) {
            waiting[level][r] = u[r];
            u[r] = next[r];
        }
    }
}

/* Planes range.first .. range.end - 1, T steps; all items of the group. With T = 1 residual, of u, may be asked for. */
template <int T, bool WATCHED, typename Terms>
FUNCTION void march_planes(const Terms &terms, residual_t *residual, const stand_t &stand,
                           const range_t &range, const run_parameters_t *grid, march_chip_t<T> *chip,
                           const real_t *from, real_t *to) {
    const uint32 layer = grid->layer.divisor, nz = grid->nz, periodic_z = grid->periodic_z;
    const int32 begin = range.first - T, end = range.end + T;
    pair_t waiting[T][ROWS_3D] = {}, below[T][ROWS_3D] = {};
    group_barrier(); /* the chip is free */
    for (int32 z = begin; z < begin + 2; ++z) {
        copy_plane(from, wrapped(z, nz, periodic_z), layer, stand, &chip->u[z - begin]);
        commit_copies();
    }
    uint32 slot = 0u;
#pragma unroll 1
    for (int32 z = begin; z < end; ++z) {
        await_copies<1>();
        group_barrier();
        if (z + 2 < end) {
            const uint32 free = slot == 0u ? 2u : slot - 1u;
            copy_plane(from, wrapped(z + 2, nz, periodic_z), layer, stand, &chip->u[free]);
        }
        terms.fetch(z + 1, stand);
        commit_copies();
        pair_t u[ROWS_3D];
#pragma unroll
        for (int r = 0; r < ROWS_3D; ++r) {
            u[r] = pair_on_chip(chip->u[slot][item_index() / 32u * ROWS_3D + r]);
        }
        const auto watch = [&](int r, int j, real_t here, real_t found, real_t scale) INLINED {
            if constexpr (WATCHED) {
                static_assert(T == 1, "of the step that a plane makes");
                if (z > range.first && (stand.own & stand.bit(r, j)) != 0u) {
                    residual->add(static_cast<uint32>(z - 1) * layer + stand.cell(r, j), here, found, scale);
                }
            }
        };
        if (terms.is_inner(z)) {
            advance_levels<T>(terms.inner, watch, z, chip, waiting, below, u);
        } else {
            advance_levels<T>(terms, watch, z, chip, waiting, below, u);
        }
        if (z - T >= range.first) {
            store_plane(to, z - T, layer, stand, u);
        }
        slot = slot == 2u ? 0u : slot + 1u;
    }
}
