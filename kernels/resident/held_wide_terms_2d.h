/* What the formula needs besides u in a row of a wide tile, for uniform coefficients: at a side of x the outermost column alone has
 * a diagonal and a source, at a side of y the outermost row; and what lies on the chip. A field (kernels/resident/held_wide_2d.h) asks
 * of what lies there
 *
 *   physics_t, rows_of_warp   of the field
 *   uniform                   which coefficients it is for
 *   middle_rows               of a warp that lie here, not in registers
 *   words_beside              of a group, in memory, ahead of the words that groups exchange
 *   edge, middle              rows of u: of odd or even steps, a warp's lower or upper one; others
 *   begin                     item 0; the tile is there
 *   find_terms                every item: true when no terms are left out
 *   of_step<SIDE_X>(step, east)
 *                             what row(r) and side(upper), terms of a row, are found from; SIDE_X: the window may end at a side
 *                             of x; east: this lane does */
#ifndef PERDURE_KERNELS_RESIDENT_HELD_WIDE_TERMS_2D_H
#define PERDURE_KERNELS_RESIDENT_HELD_WIDE_TERMS_2D_H

#include "kernels/resident/held_wide_exchange_2d.h"
#include "kernels/resident/nothing.h"

/* What a window has in its last column alone, where that is at a side of x. */
template <bool SIDE_X>
struct of_last_column_t {
    real_t d, b;
    FUNCTION_MEMBER sometimes_t diagonal(int j) const { return {d, j + 1 == COLUMNS}; }
    FUNCTION_MEMBER sometimes_t source(int j) const { return {b, j + 1 == COLUMNS}; }
};
template <>
struct of_last_column_t<false> {
    FUNCTION_MEMBER nothing_t diagonal(int) const { return {}; }
    FUNCTION_MEMBER nothing_t source(int) const { return {}; }
};

/* Of a row at no side of y. */
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
/* Of a row at a side of y. */
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

/* Of the cells at sides: of the window's first and last row, where they are rows at a side, and of its last column. */
template <int R>
struct wide_sides_t {
    real_t diagonals[2][STRIP_COLUMNS], sources[2][STRIP_COLUMNS];
    enum { last_rows = (HELD_WARPS + 1) * R };
    real_t last_diagonals[last_rows], last_sources[last_rows]; /* then zeros */

    /* This lane's columns of a row. */
    FUNCTION_MEMBER static row_t row(const real_t *of) {
        return load_row(of + lane_of_warp() * part_of<real_t>::columns, 32);
    }
    /* Those of this warp's rows in the last column, or zeros. */
    FUNCTION_MEMBER static const real_t *of_warp(const real_t *last, bool east) {
        return last + (east ? item_index() / 32u : static_cast<uint32>(HELD_WARPS)) * R;
    }
    /* Every item. place(x, y): where A's diagonal of a cell lies; with(upper, at, place): for each cell of the rows. */
    template <typename Physics, typename Place, typename With>
    FUNCTION_MEMBER void find(const wide_tile_t<R> &tile, const operator_t &A, const Physics &physics,
                              Place place, With with) {
        constexpr int32 rows = wide_tile_t<R>::rows, part = part_of<real_t>::columns;
        for (int32 i = static_cast<int32>(item_index()); i < 2 * STRIP_COLUMNS; i += HELD_ITEMS) {
            const int32 upper = i / STRIP_COLUMNS, column = i % STRIP_COLUMNS;
            const uint32 x = static_cast<uint32>(tile.x_of(column));
            const uint32 y = static_cast<uint32>(tile.y_of(upper ? rows - 1 : 0));
            const int32 at = place_in_row(column % COLUMNS, part) + column / COLUMNS * part;
            diagonals[upper][at] = A.diagonal[place(x, y)];
            sources[upper][at] = physics.source(0u, y * tile.nx + x);
            with(upper, at, place(x, y));
        }
        const uint32 x = static_cast<uint32>(tile.x_of(STRIP_COLUMNS - 1));
        for (int32 i = static_cast<int32>(item_index()); i < (HELD_WARPS + 1) * R; i += HELD_ITEMS) {
            const uint32 y = static_cast<uint32>(tile.y_of(i < rows ? i : 0));
            last_diagonals[i] = i < rows ? A.diagonal[place(x, y)] : (real_t)0;
            last_sources[i] = i < rows ? physics.source(0u, y * tile.nx + x) : (real_t)0;
        }
    }
};

/* Whether nothing(cell) in all cells of this lane that are at no side of the window. */
template <int R, typename Nothing>
FUNCTION bool nothing_inside(const wide_tile_t<R> &tile, Nothing nothing) {
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

/* Of the rows of a warp in one step. */
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
    static constexpr uint32 words_beside = 0u;
    enum { middle_rows = sizeof(real_t) == 8 && R > 8 ? R / 2 - 2 : 0 };
    /* Rows that lanes load 16 bytes of stand first. */
    real_t edges[2][HELD_WARPS][2][STRIP_COLUMNS];
    real_t middles[(middle_rows > 0 ? HELD_WARPS * middle_rows : 1) * STRIP_COLUMNS];
    wide_sides_t<R> sides;
    real_t scales[2][STRIP_COLUMNS];
    sum_t lanes[LANE_ROWS * LANES]; /* of checks */
    rim_rows_t rim[HELD_ITEMS];
    int32 layout;
    int32 around[TILES_AROUND]; /* the groups there */
    /* Here, lest they and what follows from them fill registers from step to step. */
    wide_tile_t<R> tile;
    Physics physics;
    real_t t_x, t_y, scale;        /* inside */
    real_t d_beside, scale_beside; /* in a column at a side of x */

    FUNCTION_MEMBER real_t *edge(uint32 of_odd, int32 warp, int upper) { return edges[of_odd][warp][upper]; }
    FUNCTION_MEMBER real_t *middle(int32 warp, int row) {
        return middles + (warp * middle_rows + row) * STRIP_COLUMNS;
    }
    FUNCTION_MEMBER uint32 place_of(uint32 x, uint32 y) const {
        return table_place(at_side(x, tile.nx), at_side(y, tile.ny), PLACE_Z);
    }
    FUNCTION_MEMBER void begin(const operator_t &A, const Physics &what, word_t *) {
        const real_t factor = what.factor(0u);
        const uint32 inside = table_place(0u, 0u, PLACE_Z);
        const uint32 beside =
            table_place(at_side(static_cast<uint32>(tile.x_of(STRIP_COLUMNS - 1)), tile.nx), 0u, PLACE_Z);
        physics = what;
        t_x = A.face_x[0];
        t_y = A.face_y[0];
        scale = what.scale(factor, inside);
        d_beside = A.diagonal[beside];
        scale_beside = what.scale(factor, beside);
    }
    FUNCTION_MEMBER bool find_terms(const operator_t &A, const Physics &what) {
        const real_t factor = what.factor(0u);
        const auto place = [&](uint32 x, uint32 y) { return place_of(x, y); };
        sides.find(tile, A, what, place,
                   [&](int32 upper, int32 at, uint32 of) { scales[upper][at] = what.scale(factor, of); });
        const bool inside = A.diagonal[table_place(0u, 0u, PLACE_Z)] == (real_t)0;
        return inside & nothing_inside(tile, [&](uint32 cell) { return what.source(0u, cell) == (real_t)0; });
    }
    template <bool SIDE_X>
    FUNCTION_MEMBER wide_step_t<Physics, R, SIDE_X> of_step(uint32 step, bool east) const {
        const real_t factor = Physics::scaled ? scale : physics.factor(step);
        const real_t factor_last = Physics::scaled && east ? scale_beside : factor;
        wide_row_terms_t<Physics, SIDE_X> terms = {t_x, east ? (real_t)0 : t_x, t_y, factor, factor_last, {}};
        if constexpr (SIDE_X) {
            terms.last.d = east ? d_beside : (real_t)0;
        }
        return {this, terms, sides.of_warp(sides.last_sources, east)};
    }
};

#endif
