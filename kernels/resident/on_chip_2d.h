/* Explicit stepping in 2D of a field in registers: each group keeps a tile, ON_CHIP_WARPS times R rows of 32 times C columns,
 * from the first step of a launch to its last.
 *
 * A tile is its own cells and a ring of `ring` cells around them, which other groups own. Each step makes one more layer of the
 * ring invalid, from outside; after `ring` steps the ring is received anew. Cells are sent as epoch-tagged messages
 * (sync/epoch_word.h). Each cell has its own slot in the buffer, where every group whose ring contains it finds it: there are no
 * flags, no fences, no list of neighbours. Messages of odd and of even exchanges have separate buffers. A group overwrites a
 * message two exchanges later. By then it has received the messages of the exchange in between from all neighbours, and each
 * neighbour had read the old message before it sent those.
 *
 * Within a group neighbouring warps exchange rows through shared memory, with one group barrier a step. */
#ifndef PERDURE_KERNELS_RESIDENT_ON_CHIP_2D_H
#define PERDURE_KERNELS_RESIDENT_ON_CHIP_2D_H

#include "kernels/resident/advance_row.h"
#include "kernels/resident/jacobi_check.h"
#include "kernels/resident/messages.h"
#include "kernels/resident/physics.h"
#include "kernels/resident/tiling.h"

typedef message_of<real_t>::type message_t;

template <int C, int R>
struct on_chip_shape {
    enum { ring = R == 6 ? 6 : 4, own_columns = 32 * C - 2 * ring, own_rows = ON_CHIP_WARPS * R - 2 * ring };
};

/* Bit r C + j of a mask is this lane's column j in the warp's row r. */
template <int C, int R>
struct on_chip_tile_t {
    int32 x[C], row_begin[R]; /* -1: beyond a side */
    uint32 own, sent, received;

    FUNCTION_MEMBER bool inside(int r, int j) const { return row_begin[r] >= 0 && x[j] >= 0; }
    FUNCTION_MEMBER uint32 cell(int r, int j) const { return static_cast<uint32>(row_begin[r] + x[j]); }
    FUNCTION_MEMBER static uint32 bit(int r, int j) { return 1u << (r * C + j); }
};

/* Returns how near i is to the cells first .. end - 1 that a tile owns: 0 inside and not near a border, 1 near a border, 2 in the
 * ring, 3 further out. */
FUNCTION uint32 nearness(int32 i, int32 first, int32 end, int32 ring) {
    if (i >= first && i < end) {
        return i - first < ring || end - i <= ring ? 1u : 0u;
    }
    return i >= first - ring && i < end + ring ? 2u : 3u;
}

template <int C, int R>
FUNCTION on_chip_tile_t<C, R> make_on_chip_tile(const run_parameters_t *grid) {
    constexpr int32 own_columns = on_chip_shape<C, R>::own_columns, own_rows = on_chip_shape<C, R>::own_rows;
    constexpr int32 ring = on_chip_shape<C, R>::ring;
    const int32 nx = static_cast<int32>(grid->nx), ny = static_cast<int32>(grid->ny);
    const int32 tiles_x = divided_up(nx, own_columns);
    const int32 first_x = static_cast<int32>(group_index()) % tiles_x * own_columns;
    const int32 first_y = static_cast<int32>(group_index()) / tiles_x * own_rows;
    const int32 end_x = first_x + own_columns < nx ? first_x + own_columns : nx;
    const int32 end_y = first_y + own_rows < ny ? first_y + own_rows : ny;
    on_chip_tile_t<C, R> tile;
    tile.own = tile.sent = tile.received = 0u;
#pragma unroll
    for (int j = 0; j < C; ++j) {
        tile.x[j] = wrapped(first_x - ring + lane_of_warp() * C + j, grid->nx, grid->periodic_x);
    }
#pragma unroll
    for (int r = 0; r < R; ++r) {
        const int32 row = first_y - ring + static_cast<int32>(item_index() / 32u) * R + r;
        const int32 y = wrapped(row, grid->ny, grid->periodic_y);
        tile.row_begin[r] = y < 0 ? -1 : y * nx;
#pragma unroll
        for (int j = 0; j < C; ++j) {
            const uint32 near_x = nearness(first_x - ring + lane_of_warp() * C + j, first_x, end_x, ring);
            const uint32 near_y = nearness(row, first_y, end_y, ring);
            const uint32 nearest = near_x > near_y ? near_x : near_y;
            const uint32 bit = tile.inside(r, j) ? tile.bit(r, j) : 0u;
            tile.own |= nearest <= 1u ? bit : 0u;
            tile.sent |= nearest == 1u ? bit : 0u;
            tile.received |= nearest == 2u ? bit : 0u;
        }
    }
    return tile;
}

/* The terms of the formula besides u. */
template <typename Physics, int C, int R, bool VARIABLE>
struct on_chip_terms_t {
    row_of<real_t, C> d[R], b[R], scales[Physics::scaled ? R : 1], t_x[VARIABLE ? R : 1],
        t_y[VARIABLE ? R : 1];
    real_t uniform_t_y[R];
    row_of<real_t, C> t_south; /* of the southern faces of the first row */

    FUNCTION_MEMBER void fetch(const on_chip_tile_t<C, R> &tile, const operator_t &A, const Physics &physics,
                               const run_parameters_t *grid, uint32 n) {
        const int32 nx = static_cast<int32>(grid->nx);
        const real_t factor = physics.factor(n);
#pragma unroll
        for (int r = 0; r < R; ++r) {
            const int32 y = tile.row_begin[r] < 0 ? -1 : tile.row_begin[r] / nx;
            const int32 north = y < 0 ? -1 : wrapped(y + 1, grid->ny, grid->periodic_y);
            const bool south = y >= 0 && (y > 0 || grid->periodic_y != 0u);
            uniform_t_y[r] = VARIABLE || north < 0 ? (real_t)0 : A.face_y[0];
#pragma unroll
            for (int j = 0; j < C; ++j) {
                const bool in = tile.inside(r, j);
                const uint32 cell = tile.cell(r, j);
                const int32 east = tile.x[j] < 0 ? -1 : wrapped(tile.x[j] + 1, grid->nx, grid->periodic_x);
                const uint32 place = VARIABLE
                                         ? cell
                                         : table_place(at_side(static_cast<uint32>(tile.x[j]), grid->nx),
                                                       at_side(static_cast<uint32>(y), grid->ny), PLACE_Z);
                d[r].at[j] = in ? A.diagonal[place] : (real_t)0;
                b[r].at[j] = in ? physics.source(n, cell) : (real_t)0;
                if (Physics::scaled) {
                    scales[r].at[j] = in ? physics.scale(factor, place) : (real_t)0;
                }
                if (VARIABLE) {
                    t_x[r].at[j] = in && east >= 0 ? A.face_x[tile.row_begin[r] + east] : (real_t)0;
                    t_y[r].at[j] = in && north >= 0 ? A.face_y[north * nx + tile.x[j]] : (real_t)0;
                } else if (r == 0) {
                    t_x[0].at[j] = east >= 0 ? A.face_x[0] : (real_t)0;
                }
                if (r == 0) {
                    t_south.at[j] = in && south ? A.face_y[VARIABLE ? cell : 0u] : (real_t)0;
                }
            }
        }
    }

    struct row_terms_t {
        const on_chip_terms_t &of;
        int r;
        real_t factor;
        FUNCTION_MEMBER real_t east(int j) const { return of.t_x[VARIABLE ? r : 0].at[j]; }
        FUNCTION_MEMBER real_t north(int j) const {
            return VARIABLE ? of.t_y[VARIABLE ? r : 0].at[j] : of.uniform_t_y[r];
        }
        FUNCTION_MEMBER real_t south(int j) const {
            return r == 0 ? of.t_south.at[j] : row_terms_t{of, r == 0 ? 0 : r - 1, factor}.north(j);
        }
        FUNCTION_MEMBER real_t scale(int j) const {
            return Physics::scaled ? of.scales[Physics::scaled ? r : 0].at[j] : factor;
        }
        FUNCTION_MEMBER real_t diagonal(int j) const { return of.d[r].at[j]; }
        FUNCTION_MEMBER real_t source(int j) const { return of.b[r].at[j]; }
    };
};

/* Rows at the edges of warps, for odd and for even steps: [ON_CHIP_WARPS][lower, upper][32 C]. */
template <int C>
struct on_chip_edges_t {
    real_t at[2][ON_CHIP_WARPS][2][C][32];

    FUNCTION_MEMBER void put(uint32 step, int upper, const row_of<real_t, C> &row) {
#pragma unroll
        for (int j = 0; j < C; ++j) {
            at[step & 1u][item_index() / 32u][upper][j][item_index() % 32u] = row.at[j];
        }
    }
    FUNCTION_MEMBER row_of<real_t, C> of(uint32 step, uint32 warp, int upper) const {
        row_of<real_t, C> row;
#pragma unroll
        for (int j = 0; j < C; ++j) {
            row.at[j] = at[step & 1u][warp][upper][j][item_index() % 32u];
        }
        return row;
    }
};

/* Calls of(r, terms, u, north, across, &from_south), the arguments of advance_row, for all rows of the tile. */
template <typename Terms, int C, int R, typename Of>
FUNCTION void for_each_row(const Terms &terms, real_t factor, const row_of<real_t, C> *u,
                           on_chip_edges_t<C> *edges, uint32 step, Of of) {
    const uint32 warp = item_index() / 32u;
    edges->put(step, 0, u[0]);
    edges->put(step, 1, u[R - 1]);
    group_barrier();
    const row_of<real_t, C> south = edges->of(step, warp == 0u ? 0u : warp - 1u, 1);
    const row_of<real_t, C> north = edges->of(step, warp + 1u == ON_CHIP_WARPS ? warp : warp + 1u, 0);
    row_of<real_t, C> from_south;
#pragma unroll
    for (int j = 0; j < C; ++j) {
        from_south.at[j] = FACE_DIFFERENCE(south.at[j], u[0].at[j]);
    }
    across_t<C> across[R];
    fluxes_across<R>([&](int r) { return typename Terms::row_terms_t{terms, r, factor}; }, u, across);
#pragma unroll
    for (int r = 0; r < R; ++r) {
        const typename Terms::row_terms_t of_row = {terms, r, factor};
        of(r, of_row, u[r], r + 1 < R ? u[(r + 1) % R] : north, across[r], &from_south);
    }
}

/* A field in registers, as the driver in on_chip_kernels_2d.h needs it. */
template <typename Physics, int C, int R, bool VARIABLE>
struct small_field_t {
    enum { ring = on_chip_shape<C, R>::ring, always_fits = 1 };
    typedef Physics physics_t;
    typedef on_chip_edges_t<C> chip_t;
    typedef on_chip_terms_t<Physics, C, R, VARIABLE> terms_t;

    Physics physics;
    on_chip_tile_t<C, R> tile;
    row_of<real_t, C> u[R];
    terms_t terms;
    chip_t *edges;

    FUNCTION_MEMBER void begin(const run_t *run, const operator_t &A, const Physics &what, uint32 n,
                               message_t *, chip_t *chip) {
        physics = what;
        edges = chip;
        tile = make_on_chip_tile<C, R>(run->parameters);
        terms.fetch(tile, A, physics, run->parameters, n);
    }
    FUNCTION_MEMBER void renew_sources(const operator_t &A, const run_parameters_t *grid, uint32 n) {
        terms.fetch(tile, A, physics, grid, n);
    }
    FUNCTION_MEMBER void load(const real_t *from) {
#pragma unroll
        for (int r = 0; r < R; ++r) {
#pragma unroll
            for (int j = 0; j < C; ++j) {
                u[r].at[j] = tile.inside(r, j) ? from[tile.cell(r, j)] : (real_t)0;
            }
        }
    }
    template <typename Of>
    FUNCTION_MEMBER void for_each_own(Of of) const {
#pragma unroll
        for (int r = 0; r < R; ++r) {
#pragma unroll
            for (int j = 0; j < C; ++j) {
                if ((tile.own & tile.bit(r, j)) != 0u) {
                    of(tile.cell(r, j), u[r].at[j]);
                }
            }
        }
    }
    FUNCTION_MEMBER void advance(uint32 n, uint32 steps, message_t *, uint32) {
        for (uint32 step = n; step < n + steps; ++step) {
            for_each_row<terms_t, C, R>(terms, physics.factor(step), u, edges, step,
                                        [&](int r, const auto &of_row, const auto &here, const auto &north,
                                            const auto &across, auto *from_south) INLINED {
                                            u[r] = advance_row(of_row, here, north, across, from_south);
                                        });
        }
    }
    /* Adds b - A u of the own cells. */
    FUNCTION_MEMBER void watch_residual(uint32 n, const run_parameters_t *grid, residual_t *residual) {
        residual->begin(grid, terms.scales[0].at[0]);
        for_each_row<terms_t, C, R>(
            terms, physics.factor(n), u, edges, n,
            [&](int r, const auto &of_row, const auto &here, const auto &north, const auto &across,
                auto *from_south) INLINED {
                const auto found = advance_row(residual_of(of_row), here, north, across, from_south);
#pragma unroll
                for (int j = 0; j < C; ++j) {
                    if ((tile.own & tile.bit(r, j)) != 0u) {
                        residual->add(tile.cell(r, j), here.at[j], found.at[j], of_row.scale(j));
                    }
                }
            });
    }
    FUNCTION_MEMBER static uint32 messages_of_exchange(const run_parameters_t *grid) {
        return grid->cells;
    }
    FUNCTION_MEMBER void clear_messages(message_t *messages, uint32 cells, uint32) const {
        clear_ring(tile, messages, cells);
    }
    FUNCTION_MEMBER uint32 exchange(message_t *messages, uint32 odd, uint32 epoch, const run_t *run) {
        return exchange_ring(tile, u, messages + odd * run->parameters->cells, epoch, run);
    }
};

#endif
