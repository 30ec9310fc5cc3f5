/* The terms of the formula besides u in a row of a wide tile, for uniform coefficients, and their layout in shared memory. Only
 * the outermost column at a side of x, and the outermost row at a side of y, have a diagonal and a source.
 *
 * The structure in shared memory (Chip) of a field of kernels/resident/wide_2d.h provides
 *
 *   physics_t, rows_of_warp   of the field
 *   uniform                   1: for uniform coefficients
 *   middle_rows               rows of a warp that lie here instead of in registers
 *   messages_of_conductances  size of a buffer of each group in memory, in messages, ahead of those that groups exchange
 *   edge, middle              rows of u: the lower or upper row of a warp, for odd or even steps; other rows
 *   begin                     called by item 0 when the tile is known
 *   find_terms                called by every item: true if all terms have been found
 *   of_step<SIDE_X>(step, east)
 *                             returns an object whose row(r) and side(upper) return the terms of a row; SIDE_X: the window may end at
 *                             a side of x; east: it ends there in this lane */
#ifndef PERDURE_KERNELS_RESIDENT_WIDE_TERMS_2D_H
#define PERDURE_KERNELS_RESIDENT_WIDE_TERMS_2D_H

#include "kernels/resident/wide_exchange_2d.h"
#include "kernels/resident/zero_term.h"

/* Terms that exist only in the last column of a window at a side of x. */
template <bool SIDE_X>
struct of_last_column_t {
    real_t d, b;
    FUNCTION_MEMBER masked_term_t diagonal(int j) const { return {d, j + 1 == COLUMNS}; }
    FUNCTION_MEMBER masked_term_t source(int j) const { return {b, j + 1 == COLUMNS}; }
};
template <>
struct of_last_column_t<false> {
    FUNCTION_MEMBER zero_term_t diagonal(int) const { return {}; }
    FUNCTION_MEMBER zero_term_t source(int) const { return {}; }
};

/* Terms of a row at no side of y. */
template <typename Physics, bool SIDE_X>
struct wide_row_terms_t {
    real_t t_x, t_last, t_y, factor, factor_last;
    of_last_column_t<SIDE_X> last;
    FUNCTION_MEMBER real_t east(int j) const { return j + 1 == COLUMNS ? t_last : t_x; }
    FUNCTION_MEMBER real_t south(int) const { return t_y; }
    FUNCTION_MEMBER real_t north(int) const { return t_y; }
    FUNCTION_MEMBER real_t scale(int j) const { return j + 1 == COLUMNS ? factor_last : factor; }
    FUNCTION_MEMBER auto diagonal(int j) const { return last.diagonal(j); }
    FUNCTION_MEMBER auto source(int j) const { return last.source(j); }
};
/* Terms of a row at a side of y. */
template <typename Physics>
struct side_row_terms_t {
    real_t t_y, factor;
    row_t d, b, scales;
    FUNCTION_MEMBER real_t south(int) const { return t_y; }
    FUNCTION_MEMBER real_t north(int) const { return t_y; }
    FUNCTION_MEMBER real_t scale(int j) const { return Physics::scaled ? scales.at[j] : factor; }
    FUNCTION_MEMBER real_t diagonal(int j) const { return d.at[j]; }
    FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
};

/* Terms of cells at sides: of the window's first and last row, if they are at a side, and of its last column. */
template <int R>
struct wide_sides_t {
    real_t diagonals[2][STRIP_COLUMNS], sources[2][STRIP_COLUMNS];
    enum { last_rows = (ON_CHIP_WARPS + 1) * R };
    real_t last_diagonals[last_rows], last_sources[last_rows]; /* followed by zeros */

    /* Loads this lane's columns of a row. */
    FUNCTION_MEMBER static row_t row(const real_t *of) {
        return load_row(of + lane_of_warp() * part_of<real_t>::columns, 32);
    }
    /* Returns the values of this warp's rows in the last column, or zeros. */
    FUNCTION_MEMBER static const real_t *of_warp(const real_t *last, bool east) {
        return last + (east ? item_index() / 32u : static_cast<uint32>(ON_CHIP_WARPS)) * R;
    }
    /* Finds the terms. Every item calls it. place(x, y): index of the cell in A's diagonal; with(upper, at, place): called for
     * each cell of the two rows. */
    template <typename Physics, typename Place, typename With>
    FUNCTION_MEMBER void find(const wide_tile_t<R> &tile, const operator_t &A, const Physics &physics,
                              Place place, With with) {
        constexpr int32 rows = wide_tile_t<R>::rows, part = part_of<real_t>::columns;
        for (int32 i = static_cast<int32>(item_index()); i < 2 * STRIP_COLUMNS; i += ON_CHIP_ITEMS) {
            const int32 upper = i / STRIP_COLUMNS, column = i % STRIP_COLUMNS;
            const uint32 x = static_cast<uint32>(tile.x_of(column));
            const uint32 y = static_cast<uint32>(tile.y_of(upper ? rows - 1 : 0));
            const int32 at = place_in_row(column % COLUMNS, part) + column / COLUMNS * part;
            diagonals[upper][at] = A.diagonal[place(x, y)];
            sources[upper][at] = physics.source(0u, y * tile.nx + x);
            with(upper, at, place(x, y));
        }
        const uint32 x = static_cast<uint32>(tile.x_of(STRIP_COLUMNS - 1));
        for (int32 i = static_cast<int32>(item_index()); i < (ON_CHIP_WARPS + 1) * R; i += ON_CHIP_ITEMS) {
            const uint32 y = static_cast<uint32>(tile.y_of(i < rows ? i : 0));
            last_diagonals[i] = i < rows ? A.diagonal[place(x, y)] : (real_t)0;
            last_sources[i] = i < rows ? physics.source(0u, y * tile.nx + x) : (real_t)0;
        }
    }
};

/* Whether nothing(cell) is true in all cells of this lane that are at no side of the window. */
template <int R, typename Nothing>
FUNCTION bool no_terms_inside(const wide_tile_t<R> &tile, Nothing nothing) {
    bool all = true;
#pragma unroll 2
    for (int r = 0; r < R; ++r) {
        const int32 row = tile.row_of_warp(r);
        const bool side = (row == 0 && tile.y.at_lower) || (row + 1 == tile.rows && tile.y.at_upper);
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            const int32 column = tile.column_of_lane(j);
            const bool known = side || (column + 1 == STRIP_COLUMNS && tile.side_x());
            all = all & (known | nothing(tile.cell(row, column)));
        }
    }
    return all;
}

template <typename Physics, int R>
struct wide_chip_t;

/* The terms of a warp's rows in one step. */
template <typename Physics, int R, bool SIDE_X>
struct wide_step_t {
    const wide_chip_t<Physics, R> *chip;
    wide_row_terms_t<Physics, SIDE_X> terms;
    const real_t *b_last;

    FUNCTION_MEMBER const wide_row_terms_t<Physics, SIDE_X> &row(int r) {
        if constexpr (SIDE_X) {
            terms.last.b = b_last[r];
        }
        return terms;
    }
    FUNCTION_MEMBER side_row_terms_t<Physics> side(int upper) const {
        return {terms.t_y, terms.factor, chip->sides.row(chip->sides.diagonals[upper]),
                chip->sides.row(chip->sides.sources[upper]), chip->sides.row(chip->scales[upper])};
    }
};

template <typename Physics, int R>
struct wide_chip_t {
    typedef Physics physics_t;
    enum { uniform = 1, rows_of_warp = R };
    static constexpr uint32 messages_of_conductances = 0u;
    enum { middle_rows = sizeof(real_t) == 8 && R > 8 ? R / 2 - 2 : 0 };
    /* Arrays that lanes load 16 bytes at a time come first, since they must be aligned. */
    real_t edges[2][ON_CHIP_WARPS][2][STRIP_COLUMNS];
    real_t middles[(middle_rows > 0 ? ON_CHIP_WARPS * middle_rows : 1) * STRIP_COLUMNS];
    wide_sides_t<R> sides;
    real_t scales[2][STRIP_COLUMNS];
    sum_t lanes[LANE_ROWS * LANES]; /* for checks */
    rim_rows_t rim[ON_CHIP_ITEMS];
    int32 layout;
    int32 around[TILES_AROUND]; /* neighbour groups */
    /* In shared memory, because they and values derived from them would fill registers from step to step. */
    wide_tile_t<R> tile;
    Physics physics;
    real_t t_x, t_y, scale;          /* away from sides */
    real_t d_at_side, scale_at_side; /* in a column at a side of x */

    FUNCTION_MEMBER real_t *edge(uint32 of_odd, int32 warp, int upper) { return edges[of_odd][warp][upper]; }
    FUNCTION_MEMBER real_t *middle(int32 warp, int row) {
        return middles + (warp * middle_rows + row) * STRIP_COLUMNS;
    }
    FUNCTION_MEMBER uint32 place_of(uint32 x, uint32 y) const {
        return table_place(at_side(x, tile.nx), at_side(y, tile.ny), PLACE_Z);
    }
    FUNCTION_MEMBER void begin(const operator_t &A, const Physics &what, message_t *) {
        const real_t factor = what.factor(0u);
        const uint32 inside = table_place(0u, 0u, PLACE_Z);
        const uint32 at_side_x =
            table_place(at_side(static_cast<uint32>(tile.x_of(STRIP_COLUMNS - 1)), tile.nx), 0u, PLACE_Z);
        physics = what;
        t_x = A.face_x[0];
        t_y = A.face_y[0];
        scale = what.scale(factor, inside);
        d_at_side = A.diagonal[at_side_x];
        scale_at_side = what.scale(factor, at_side_x);
    }
    FUNCTION_MEMBER bool find_terms(const operator_t &A, const Physics &what) {
        const real_t factor = what.factor(0u);
        const auto place = [&](uint32 x, uint32 y) { return place_of(x, y); };
        sides.find(tile, A, what, place,
                   [&](int32 upper, int32 at, uint32 of) { scales[upper][at] = what.scale(factor, of); });
        const bool inside = A.diagonal[table_place(0u, 0u, PLACE_Z)] == (real_t)0;
        return inside &
               no_terms_inside(tile, [&](uint32 cell) { return what.source(0u, cell) == (real_t)0; });
    }
    template <bool SIDE_X>
    FUNCTION_MEMBER wide_step_t<Physics, R, SIDE_X> of_step(uint32 step, bool east) const {
        const real_t factor = Physics::scaled ? scale : physics.factor(step);
        const real_t factor_last = Physics::scaled && east ? scale_at_side : factor;
        wide_row_terms_t<Physics, SIDE_X> terms = {t_x, east ? (real_t)0 : t_x, t_y, factor, factor_last, {}};
        if constexpr (SIDE_X) {
            terms.last.d = east ? d_at_side : (real_t)0;
        }
        return {this, terms, sides.of_warp(sides.last_sources, east)};
    }
};

#endif
