/* The terms of the formula other than u in a row of a wide tile, for uniform coefficients. The outermost column at a side of x, and
 * the outermost row at a side of y, have a diagonal and a source of their own; other cells have the terms of `wide_terms`
 * (kernels/resident/wide_shape_2d.h).
 *
 * The structure in shared memory (Chip) of a field of kernels/resident/wide_2d.h provides
 *
 *   physics_t, rows_of_warp   of the field
 *   uniform                   1: for uniform coefficients
 *   middle_rows               rows of a warp that lie here instead of in registers
 *   values_in_memory          values in a buffer of each group in memory, which lies ahead of those that groups exchange
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

/* Diagonals and sources of a row at no side of y. The last column of a window at a side of x has its own. */
template <wide_terms TERMS, bool SIDE_X>
struct wide_inside_t {
    real_t d, b;           /* away from sides */
    real_t d_last, b_last; /* in the last column */
    const real_t *sources; /* of this lane's columns, in shared memory, if each cell has its own */

    FUNCTION_MEMBER auto diagonal(int j) const {
        if constexpr (has_diagonal(TERMS)) {
            return SIDE_X && j + 1 == COLUMNS ? d_last : d;
        } else {
            return at_side_only(j, d_last);
        }
    }
    FUNCTION_MEMBER auto source(int j) const {
        if constexpr (TERMS == SOURCE_OF_CELL) {
            constexpr int part = part_of<real_t>::columns;
            return load_row<part>(sources + place_in_row(j, part) - j % part).at[j % part];
        } else if constexpr (TERMS != NO_TERMS) {
            return SIDE_X && j + 1 == COLUMNS ? b_last : b;
        } else {
            return at_side_only(j, b_last);
        }
    }
    FUNCTION_MEMBER static auto at_side_only(int j, real_t last) {
        if constexpr (SIDE_X) {
            return masked_term_t{last, j + 1 == COLUMNS};
        } else {
            return zero_term_t{};
        }
    }
};

/* Terms of a row at no side of y. */
template <typename Physics, wide_terms TERMS, bool SIDE_X>
struct wide_row_terms_t {
    real_t t_x, t_last, t_y, factor, factor_last;
    wide_inside_t<TERMS, SIDE_X> inside;
    FUNCTION_MEMBER real_t east(int j) const { return j + 1 == COLUMNS ? t_last : t_x; }
    FUNCTION_MEMBER real_t south(int) const { return t_y; }
    FUNCTION_MEMBER real_t north(int) const { return t_y; }
    FUNCTION_MEMBER real_t scale(int j) const { return j + 1 == COLUMNS ? factor_last : factor; }
    FUNCTION_MEMBER auto diagonal(int j) const { return inside.diagonal(j); }
    FUNCTION_MEMBER auto source(int j) const { return inside.source(j); }
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

/* Loads this lane's columns of a row in shared memory. */
FUNCTION row_t row_of_lane(const real_t *of) {
    return load_row(of + lane_of_warp() * part_of<real_t>::columns, 32);
}
FUNCTION void store_row_of_lane(real_t *to, const row_t &values) {
    store_row(to + lane_of_warp() * part_of<real_t>::columns, values, 32);
}
/* Returns the values of this warp's rows in the last column, or those of cells away from sides. */
template <int R>
FUNCTION const real_t *last_of_warp(const real_t *last, bool east) {
    return last + (east ? item_index() / 32u : static_cast<uint32>(ON_CHIP_WARPS)) * R;
}

/* Finds the terms of cells at sides; d and b: those of other cells. Every item calls it. place(x, y): index of the cell in A's
 * diagonal; with(upper, at, place): called for each cell of the two rows. */
template <int R, typename Physics, typename Place, typename With>
FUNCTION void find_side_terms(wide_side_arrays_t<real_t, R> *found, const wide_tile_t<R> &tile,
                              const operator_t &A, const Physics &physics, real_t d, real_t b, Place place,
                              With with) {
    constexpr int32 rows = wide_tile_t<R>::rows, part = part_of<real_t>::columns;
    for (int32 i = static_cast<int32>(item_index()); i < 2 * STRIP_COLUMNS; i += ON_CHIP_ITEMS) {
        const int32 upper = i / STRIP_COLUMNS, column = i % STRIP_COLUMNS;
        const uint32 x = static_cast<uint32>(tile.x_of(column));
        const uint32 y = static_cast<uint32>(tile.y_of(upper ? rows - 1 : 0));
        const int32 at = place_in_row(column % COLUMNS, part) + column / COLUMNS * part;
        found->diagonals[upper][at] = A.diagonal[place(x, y)];
        found->sources[upper][at] = physics.source(0u, y * tile.nx + x);
        with(upper, at, place(x, y));
    }
    const uint32 x = static_cast<uint32>(tile.x_of(STRIP_COLUMNS - 1));
    for (int32 i = static_cast<int32>(item_index()); i < (ON_CHIP_WARPS + 1) * R; i += ON_CHIP_ITEMS) {
        const uint32 y = static_cast<uint32>(tile.y_of(i < rows ? i : 0));
        found->last_diagonals[i] = i < rows ? A.diagonal[place(x, y)] : d;
        found->last_sources[i] = i < rows ? physics.source(0u, y * tile.nx + x) : b;
    }
}

/* Whether is_known(cell) is true in all cells of this lane that are at no side of the window. */
template <int R, typename IsKnown>
FUNCTION bool all_known_inside(const wide_tile_t<R> &tile, IsKnown is_known) {
    bool all = true;
#pragma unroll 2
    for (int r = 0; r < R; ++r) {
        const int32 row = tile.row_of_warp(r);
        const bool side = (row == 0 && tile.y.at_lower) || (row + 1 == tile.rows && tile.y.at_upper);
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            const int32 column = tile.column_of_lane(j);
            const bool known = side || (column + 1 == STRIP_COLUMNS && tile.side_x());
            all = all & (known | is_known(tile.cell(row, column)));
        }
    }
    return all;
}

template <typename Physics, int R, wide_terms TERMS>
struct wide_chip_t;

/* The terms of a warp's rows in one step. */
template <typename Physics, int R, wide_terms TERMS, bool SIDE_X>
struct wide_step_t {
    typedef wide_chip_t<Physics, R, TERMS> chip_t;
    chip_t *chip;
    wide_row_terms_t<Physics, TERMS, SIDE_X> terms;
    const real_t *b_last;

    FUNCTION_MEMBER const wide_row_terms_t<Physics, TERMS, SIDE_X> &row(int r) {
        if constexpr (TERMS == SOURCE_OF_CELL) {
            terms.inside.sources = chip->sources_of_lane(r);
        } else if constexpr (SIDE_X) {
            terms.inside.b_last = b_last[r];
        }
        return terms;
    }
    FUNCTION_MEMBER side_row_terms_t<Physics> side(int upper) const {
        return {terms.t_y, terms.factor, row_of_lane(chip->at_sides.diagonals[upper]),
                row_of_lane(chip->at_sides.sources[upper]), row_of_lane(chip->scales[upper])};
    }
};

template <typename Physics, int R, wide_terms TERMS>
struct wide_chip_t : wide_arrays_t<real_t, R, TERMS> {
    typedef Physics physics_t;
    typedef wide_arrays_t<real_t, R, TERMS> arrays_t;
    using arrays_t::at_sides, arrays_t::scales;
    enum { uniform = 1, middle_rows = arrays_t::middle_rows };
    int32 layout;
    /* In shared memory, because they and values derived from them would fill registers from step to step. */
    wide_tile_t<R> tile;
    Physics physics;
    real_t t_x, t_y, scale, d, b;    /* away from sides */
    real_t d_at_side, scale_at_side; /* in a column at a side of x */

    FUNCTION_MEMBER sum_t *lanes_of_checks() { return this->lanes; }
    FUNCTION_MEMBER real_t *edge(uint32 of_odd, int32 warp, int upper) {
        return this->edges[of_odd][warp][upper];
    }
    FUNCTION_MEMBER real_t *middle(int32 warp, int row) { return this->rows[warp][row]; }
    FUNCTION_MEMBER uint32 place_of(uint32 x, uint32 y) const {
        return table_place(at_side(x, tile.nx), at_side(y, tile.ny), PLACE_Z);
    }
    FUNCTION_MEMBER void begin(const operator_t &A, const Physics &what, message_t *) {
        static_assert(sizeof(wide_chip_t) <= sizeof(arrays_t) + WIDE_CONSTANT_BYTES);
        const real_t factor = what.factor(0u);
        const uint32 inside = table_place(0u, 0u, PLACE_Z);
        const uint32 at_side_x =
            table_place(at_side(static_cast<uint32>(tile.x_of(STRIP_COLUMNS - 1)), tile.nx), 0u, PLACE_Z);
        physics = what;
        t_x = A.face_x[0];
        t_y = A.face_y[0];
        scale = what.scale(factor, inside);
        d = A.diagonal[inside];
        b = what.source(0u, tile.cell(tile.rows / 2, STRIP_COLUMNS / 2));
        d_at_side = A.diagonal[at_side_x];
        scale_at_side = what.scale(factor, at_side_x);
    }
    FUNCTION_MEMBER bool find_terms(const operator_t &A, const Physics &what) {
        const real_t factor = what.factor(0u);
        find_side_terms<R>(
            &at_sides, tile, A, what, d, b, [&](uint32 x, uint32 y) { return place_of(x, y); },
            [&](int32 upper, int32 at, uint32 of) { scales[upper][at] = what.scale(factor, of); });
        if constexpr (TERMS == SOURCE_OF_CELL) {
            find_sources(what);
        }
        const bool known_diagonal = has_diagonal(TERMS) || d == (real_t)0;
        return known_diagonal & all_known_inside(tile, [&](uint32 cell) {
                   return TERMS == SOURCE_OF_CELL ||
                          what.source(0u, cell) == (TERMS == NO_TERMS ? (real_t)0 : b);
               });
    }
    /* Returns this lane's part of the sources of row r of its warp. */
    FUNCTION_MEMBER real_t *sources_of_lane(int r) {
        return this->rows[item_index() / 32u][arrays_t::middle_rows + r] +
               lane_of_warp() * part_of<real_t>::columns;
    }
    FUNCTION_MEMBER void find_sources(const Physics &what) {
#pragma unroll 1
        for (int r = 0; r < R; ++r) {
            row_t sources;
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) {
                sources.at[j] = what.source(0u, tile.cell(tile.row_of_warp(r), tile.column_of_lane(j)));
            }
            store_row(sources_of_lane(r), sources, 32);
        }
    }
    template <bool SIDE_X>
    FUNCTION_MEMBER wide_step_t<Physics, R, TERMS, SIDE_X> of_step(uint32 step, bool east) {
        const real_t factor = Physics::scaled ? scale : physics.factor(step);
        const real_t factor_last = Physics::scaled && east ? scale_at_side : factor;
        wide_step_t<Physics, R, TERMS, SIDE_X> of = {
            this,
            {t_x, east ? (real_t)0 : t_x, t_y, factor, factor_last, {}},
            last_of_warp<R>(at_sides.last_sources, east)};
        if constexpr (TERMS != NO_TERMS) {
            of.terms.inside.d = d;
            of.terms.inside.b = b;
        }
        if constexpr (SIDE_X) {
            of.terms.inside.d_last = east ? d_at_side : TERMS == NO_TERMS ? (real_t)0 : d;
        }
        return of;
    }
};

#endif
