/* Terms of the formula besides u in a pipeline of a uniform problem; members as in kernels/resident/pipeline_fields_2d.h.
 *
 *   pipeline_numbers_t        for tiles away from sides, without sigma and sources: three numbers
 *   pipeline_end_numbers_t    at sides of x: also d, 1/D and b of the first and the last column of a lane
 *   pipeline_sourced_numbers_t  the same with sigma and sources everywhere: d as a number, b from its ring
 *   pipeline_side_numbers_t   anywhere: d and scales come from a table, by the sides that a cell lies at, b from its ring */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_NUMBERS_2D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_NUMBERS_2D_H

#include "kernels/resident/pipeline_fields_2d.h"

/* No terms move with the rows. */
template <typename Physics>
struct pipeline_uniform_t {
    enum { UNIFORM = 1 };
    typedef pipeline_chip_t<Physics, true> chip_t;
    static constexpr int N = chip_t::LANE_COLUMNS;
    FUNCTION_MEMBER void arrive(uint32) {}
    FUNCTION_MEMBER void move_on(int) {}
    FUNCTION_MEMBER void settle(uint32) {}
};

template <int COUNT, typename Physics>
struct pipeline_numbers_t : pipeline_uniform_t<Physics> {
    enum { SIDES = NO_SIDES };
    using typename pipeline_uniform_t<Physics>::chip_t;
    real_t t_x, t_y, usual, last;

    struct row_terms_t {
        real_t t_y, factor;
        FUNCTION_MEMBER real_t north(int) const { return t_y; }
        FUNCTION_MEMBER zero_term_t diagonal(int) const { return {}; }
        FUNCTION_MEMBER zero_term_t source(int) const { return {}; }
        FUNCTION_MEMBER real_t scale(int) const { return factor; }
    };

    FUNCTION_MEMBER void begin(const chip_t &, const Physics &physics, const operator_t *A,
                               const run_parameters_t *, int32, real_t usual_factor, real_t last_factor) {
        const uint32 inside = table_place(0u, 0u, PLACE_Z);
        t_x = pinned(A->face_x[0]);
        t_y = pinned(A->face_y[0]);
        usual = pinned(physics.scale(usual_factor, inside));
        last = pinned(physics.scale(last_factor, inside));
    }
    FUNCTION_MEMBER real_t west(int, int) const { return t_x; }
    FUNCTION_MEMBER real_t south(int, int, int32) const { return t_y; }
    FUNCTION_MEMBER real_t east(real_t flux) const { return flux; }
    FUNCTION_MEMBER row_terms_t at(int, int32, uint32, bool is_last) const {
        return {t_y, is_last ? last : usual};
    }
};

/* For rows at no side of y. The first cell of a row is a lane's first column, the last cell a lane's last column; only these have
 * d and b. */
template <int COUNT, typename Physics>
struct pipeline_end_numbers_t : pipeline_numbers_t<COUNT, Physics> {
    typedef pipeline_numbers_t<COUNT, Physics> inner_t;
    enum { SIDES = SIDES_OF_X };
    using inner_t::N;
    using inner_t::t_x;
    using typename inner_t::chip_t;
    const real_t *sources; /* the ring of b */
    real_t t_first;
    entry_t first_cell, last_cell;
    uint32 ends; /* 1: the lane's last cell is the last of the row */

    /* What all rows have in common, whatever their sources. */
    struct end_terms_t {
        const pipeline_end_numbers_t &of;
        real_t factor;
        FUNCTION_MEMBER static bool is_end(int j) { return j == 0 || j + 1 == N; }
        FUNCTION_MEMBER const entry_t &entry(int j) const { return j == 0 ? of.first_cell : of.last_cell; }
        FUNCTION_MEMBER real_t north(int) const { return of.t_y; }
        FUNCTION_MEMBER real_t scale(int j) const {
            return Physics::scaled && is_end(j) ? entry(j).scale : factor;
        }
    };
    struct row_terms_t : end_terms_t {
        real_t b_first, b_last;
        FUNCTION_MEMBER masked_term_t diagonal(int j) const {
            return {this->entry(j).diagonal, end_terms_t::is_end(j)};
        }
        FUNCTION_MEMBER masked_term_t source(int j) const {
            return {j == 0 ? b_first : b_last, end_terms_t::is_end(j)};
        }
    };

    FUNCTION_MEMBER void begin(const chip_t &chip, const Physics &physics, const operator_t *A,
                               const run_parameters_t *grid, int32 column, real_t usual_factor,
                               real_t last_factor) {
        inner_t::begin(chip, physics, A, grid, column, usual_factor, last_factor);
        const bool at_first = column == 0 && grid->periodic_x == 0u,
                   at_last = is_last_of_row<N>(grid, column);
        const auto entry = [&](uint32 side) {
            const uint32 place = table_place(side, 0u, PLACE_Z);
            return entry_t{pinned(A->diagonal[place]), pinned(physics.scale(usual_factor, place))};
        };
        sources = chip.row(PIPELINE_SOURCE, 0u);
        t_first = pinned(at_first ? (real_t)0 : t_x);
        first_cell = entry(at_first ? 1u : 0u);
        last_cell = entry(at_last ? 2u : 0u);
        ends = pinned(at_last ? 1u : 0u);
    }
    FUNCTION_MEMBER real_t west(int, int j) const { return j == 0 ? t_first : t_x; }
    FUNCTION_MEMBER real_t east(real_t flux) const { return ends != 0u ? (real_t)0 : flux; }
    FUNCTION_MEMBER row_terms_t at(int i, int32, uint32 slot, bool is_last) const {
        const uint32 place = chip_t::earlier(slot, static_cast<uint32>(i) + 1u);
        const real_t *row = sources + place * chip_t::WIDTH;
        return {{*this, is_last ? inner_t::last : inner_t::usual},
                row[0],
                row[place_in_row(N - 1, part_of<real_t>::columns)]};
    }
};

template <int COUNT, typename Physics>
struct pipeline_sourced_numbers_t : pipeline_end_numbers_t<COUNT, Physics> {
    typedef pipeline_end_numbers_t<COUNT, Physics> ends_t;
    enum { SIDES = ALL_SIDES };
    using ends_t::N;
    using typename ends_t::chip_t;
    real_t d; /* of other cells than the first and the last of a row */

    struct row_terms_t : ends_t::end_terms_t {
        real_t d;
        row_of<real_t, N> b;
        FUNCTION_MEMBER real_t diagonal(int j) const { return this->is_end(j) ? this->entry(j).diagonal : d; }
        FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
    };

    FUNCTION_MEMBER void begin(const chip_t &chip, const Physics &physics, const operator_t *A,
                               const run_parameters_t *grid, int32 column, real_t usual_factor,
                               real_t last_factor) {
        ends_t::begin(chip, physics, A, grid, column, usual_factor, last_factor);
        d = pinned(A->diagonal[table_place(0u, 0u, PLACE_Z)]);
    }
    FUNCTION_MEMBER row_terms_t at(int i, int32, uint32 slot, bool is_last) const {
        const uint32 place = chip_t::earlier(slot, static_cast<uint32>(i) + 1u);
        return {{*this, is_last ? ends_t::last : ends_t::usual},
                d,
                load_row<N>(ends_t::sources + place * chip_t::WIDTH, 32)};
    }
};

template <int COUNT, typename Physics>
struct pipeline_side_numbers_t : pipeline_uniform_t<Physics> {
    enum { SIDES = ALL_SIDES };
    using typename pipeline_uniform_t<Physics>::chip_t;
    using pipeline_uniform_t<Physics>::N;
    const real_t *sources;        /* the ring of b */
    const entry_t *entries;       /* table: four entries, by sides of x, for each kind of side of y */
    uint32 first_side, last_side; /* sides of the first and of the last column */
    uint32 ny, rows_with_north;   /* compared as unsigned numbers */
    real_t t_first, t_x, t_y, usual, last;

    struct row_terms_t {
        const pipeline_side_numbers_t &of;
        const entry_t *entries;
        row_of<real_t, N> b;
        real_t t_y, factor;
        FUNCTION_MEMBER real_t north(int) const { return t_y; }
        FUNCTION_MEMBER real_t diagonal(int j) const { return entry(j).diagonal; }
        FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
        FUNCTION_MEMBER real_t scale(int j) const { return Physics::scaled ? entry(j).scale : factor; }
        FUNCTION_MEMBER const entry_t &entry(int j) const {
            return entries[j == 0 ? of.first_side : j + 1 == N ? of.last_side : 0u];
        }
    };

    FUNCTION_MEMBER void begin(const chip_t &chip, const Physics &physics, const operator_t *A,
                               const run_parameters_t *grid, int32 column, real_t usual_factor,
                               real_t last_factor) {
        sources = chip.row(PIPELINE_SOURCE, 0u);
        entries = chip.table() + (grid->periodic_y && grid->ny == 1u ? 12u : 0u);
        usual = pinned(usual_factor);
        last = pinned(last_factor);
        t_x = pinned(A->face_x[0]);
        t_y = pinned(A->face_y[0]);
        for (uint32 at = static_cast<uint32>(lane_of_warp()); at < SIDE_ENTRIES; at += 32u) {
            const uint32 place = table_place(at & 3u, at >> 2, PLACE_Z);
            chip.table()[at] = {A->diagonal[place], physics.scale(usual, place)};
        }
        const int32 x = wrapped(column, grid->nx, grid->periodic_x);
        const bool first_cell = x == 0 && grid->periodic_x == 0u;
        t_first = pinned(first_cell || x < 0 ? (real_t)0 : t_x);
        first_side = pinned(first_cell ? 1u : 0u);
        last_side = pinned(is_last_of_row<N>(grid, column) ? 2u : 0u);
        /* All rows of a periodic axis are alike. */
        ny = pinned(grid->periodic_y ? 0u : grid->ny);
        rows_with_north = pinned(grid->periodic_y ? 0xffffffffu : grid->ny - 1u);
    }
    FUNCTION_MEMBER real_t west(int, int j) const { return j == 0 ? t_first : t_x; }
    FUNCTION_MEMBER real_t south(int, int, int32 row) const { return north_of(row - 1); }
    FUNCTION_MEMBER real_t north_of(int32 row) const {
        const uint32 y = static_cast<uint32>(row);
        return y < rows_with_north || rows_with_north == 0xffffffffu ? t_y : (real_t)0;
    }
    FUNCTION_MEMBER real_t east(real_t flux) const { return last_side != 0u ? (real_t)0 : flux; }
    FUNCTION_MEMBER row_terms_t at(int i, int32 row, uint32 slot, bool is_last) const {
        const uint32 y = static_cast<uint32>(row), place = chip_t::earlier(slot, static_cast<uint32>(i) + 1u);
        const uint32 side = ny == 0u ? 0u : at_side(y, ny);
        return {*this, entries + 4u * side, load_row<N>(sources + place * chip_t::WIDTH, 32), north_of(row),
                is_last ? last : usual};
    }
};

#endif
