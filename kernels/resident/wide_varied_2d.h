/* Wide tiles with varying coefficients. Conductances of a warp's rows lie in shared memory as far as there is room, the others in
 * global memory; each lane loads its own again in every step, WIDE_AHEAD rows before it needs them. There are no other terms away
 * from sides; the scale of a step is the same everywhere (heat).
 *
 * Row r of a warp has conductances of its eastern faces (in this lane's order of columns), all in shared memory, and of its
 * southern faces. Those of the first `souths` rows lie in shared memory too, because at the beginning of a step no load is in
 * flight yet. A row's northern faces are the southern faces of the next row. Conductances in global memory stay in the L2: 15 MB
 * at 2048 x 2048 in float32 with 18 rows, read once a step. */
#ifndef PERDURE_KERNELS_RESIDENT_WIDE_VARIED_2D_H
#define PERDURE_KERNELS_RESIDENT_WIDE_VARIED_2D_H

#include "kernels/resident/wide_terms_2d.h"

#define WIDE_AHEAD 3
/* Rows of a warp. */
#define WIDE_VARIED_SMALL 6
#define WIDE_VARIED_LARGE (sizeof(real_t) == 8 ? 7 : 18)

template <typename Physics, bool SIDE_X>
struct wide_varied_row_terms_t {
    row_t t_east, t_south, t_north;
    real_t factor;
    of_last_column_t<SIDE_X> last;
    FUNCTION_MEMBER real_t east(int j) const { return t_east.at[j]; }
    FUNCTION_MEMBER real_t south(int j) const { return t_south.at[j]; }
    FUNCTION_MEMBER real_t north(int j) const { return t_north.at[j]; }
    FUNCTION_MEMBER real_t scale(int) const { return factor; }
    FUNCTION_MEMBER auto diagonal(int j) const { return last.diagonal(j); }
    FUNCTION_MEMBER auto source(int j) const { return last.source(j); }
};
template <typename Physics, bool SIDE_X>
struct wide_varied_side_terms_t {
    const wide_varied_row_terms_t<Physics, SIDE_X> &of;
    row_t d, b;
    FUNCTION_MEMBER real_t south(int j) const { return of.south(j); }
    FUNCTION_MEMBER real_t north(int j) const { return of.north(j); }
    FUNCTION_MEMBER real_t scale(int j) const { return of.scale(j); }
    FUNCTION_MEMBER real_t diagonal(int j) const { return d.at[j]; }
    FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
};

template <typename Physics, int R>
struct wide_varied_chip_t;

/* The terms of a warp's rows in one step. */
template <typename Physics, int R, bool SIDE_X>
struct wide_varied_step_t {
    typedef wide_varied_chip_t<Physics, R> chip_t;
    const chip_t *chip;
    const real_t *southern_faces, *d_last;
    wide_varied_row_terms_t<Physics, SIDE_X> terms;
    row_t ahead[WIDE_AHEAD];

    FUNCTION_MEMBER void ask(int r) {
        if (r >= chip_t::souths && r < R) {
            ahead[r % WIDE_AHEAD] =
                load_row_from_l2(southern_faces + (r - chip_t::souths) * STRIP_COLUMNS, 32);
        }
    }
    FUNCTION_MEMBER row_t south_of(int r) const {
        return r < chip_t::souths || r == R ? chip->row(chip->southern(r)) : ahead[r % WIDE_AHEAD];
    }
    FUNCTION_MEMBER void begin() {
#pragma unroll
        for (int r = 0; r <= WIDE_AHEAD; ++r) {
            ask(r);
        }
        terms.t_north = south_of(0);
    }
    FUNCTION_MEMBER const wide_varied_row_terms_t<Physics, SIDE_X> &row(int r) {
        terms.t_east = chip->row(chip->eastern(r));
        terms.t_south = terms.t_north;
        terms.t_north = south_of(r + 1);
        ask(r + 1 + WIDE_AHEAD);
        if constexpr (SIDE_X) {
            terms.last = {d_last[r], d_last[wide_sides_t<R>::last_rows + r]};
        }
        return terms;
    }
    FUNCTION_MEMBER wide_varied_side_terms_t<Physics, SIDE_X> side(int upper) const {
        return {terms, chip->row(chip->fields.sides.diagonals[upper]),
                chip->row(chip->fields.sides.sources[upper])};
    }
};

/* The conductances of one warp, contiguous, so that a lane addresses all of them from one base: of eastern faces, then of
 * southern faces of rows 1 .. The first southern row is also the northern row of the previous warp; a row of zeros follows the
 * last warp. */
template <int R, int SOUTHS>
struct wide_varied_warp_t {
    real_t first_south[STRIP_COLUMNS];
    real_t edges[2][2][STRIP_COLUMNS];
    real_t conductances[R + SOUTHS - 1][STRIP_COLUMNS];
};
template <int R, int SOUTHS>
struct wide_varied_fields_t {
    wide_varied_warp_t<R, SOUTHS> warps[ON_CHIP_WARPS];
    real_t behind[STRIP_COLUMNS];
    wide_sides_t<R> sides;
    sum_t largest[LANES];
};

template <typename Physics, int R>
struct wide_varied_chip_t {
    typedef Physics physics_t;
    enum { uniform = 0, rows_of_warp = R, middle_rows = 0 };
    enum { souths = sizeof(real_t) == 4 ? (R < 8 ? R : 4) : (R < 7 ? 2 : 1) };
    static constexpr uint32 messages_of_conductances = ON_CHIP_WARPS * (R - souths) * STRIP_COLUMNS / 2;
    typedef wide_varied_fields_t<R, souths> fields_t;
    /* A check of heat needs only the last row of the reduction lanes, which lies behind the fields. Phases, which take over if
     * the field does not fit, need all of them. */
    struct checks_t {
        unsigned char before[sizeof(fields_t) - LANE_ROWS * LANES * sizeof(sum_t)];
        sum_t lanes[LANE_ROWS * LANES];
    };
    static_assert(LANE_MAX + 1u == LANE_ROWS && !Physics::scaled, "a check of Jacobi needs all lanes");
    union {
        fields_t fields;
        checks_t checks;
    };
    rim_rows_t rim[ON_CHIP_ITEMS];
    int32 layout;
    int32 around[TILES_AROUND]; /* neighbour groups */
    real_t *
        southern_faces; /* southern conductances of this group's other rows, [ON_CHIP_WARPS][R - souths][STRIP_COLUMNS] */
    wide_tile_t<R> tile;
    Physics physics;

    FUNCTION_MEMBER static uint32 warp() { return item_index() / 32u; }
    FUNCTION_MEMBER static row_t row(const real_t *of) { return wide_sides_t<R>::row(of); }
    FUNCTION_MEMBER real_t *edge(uint32 of_odd, int32 warp, int upper) {
        return fields.warps[warp].edges[of_odd][upper];
    }
    FUNCTION_MEMBER static real_t *middle(int32, int) { return nullptr; }
    FUNCTION_MEMBER const real_t *eastern(int r) const { return fields.warps[warp()].conductances[r]; }
    /* Of this warp or of the next one. */
    FUNCTION_MEMBER const real_t *first_south(int next) const {
        constexpr int values = sizeof(fields.warps[0]) / sizeof(real_t);
        static_assert(sizeof(fields.warps) % alignof(decltype(fields.behind)) == 0, "one behind the other");
        return fields.warps[0].first_south + (static_cast<int>(warp()) + next) * values;
    }
    FUNCTION_MEMBER const real_t *southern(int r) const {
        return r == 0 || r == R ? first_south(r == R ? 1 : 0) : fields.warps[warp()].conductances[R + r - 1];
    }
    FUNCTION_MEMBER real_t *southern_in_memory(int r) const {
        return southern_faces + (static_cast<int32>(warp()) * (R - souths) + r - souths) * STRIP_COLUMNS +
               lane_of_warp() * part_of<real_t>::columns;
    }

    FUNCTION_MEMBER void begin(const operator_t &, const Physics &what, message_t *messages) {
        physics = what;
        southern_faces = reinterpret_cast<real_t *>(messages + group_index() * messages_of_conductances);
    }
    FUNCTION_MEMBER bool find_terms(const operator_t &A, const Physics &what) {
        fields.sides.find(
            tile, A, what, [&](uint32 x, uint32 y) { return y * tile.nx + x; }, [](int32, int32, uint32) {});
        find_conductances(A);
        return no_terms_inside(tile, [&](uint32 cell) {
            return what.source(0u, cell) == (real_t)0 && A.diagonal[cell] == (real_t)0;
        });
    }
    /* Finds the conductances. Beyond the window, and beyond a side, they are zero. */
    FUNCTION_MEMBER void find_conductances(const operator_t &A) {
        const lane_columns_t columns = tile.columns_of_lane();
#pragma unroll 1
        for (int r = 0; r < R; ++r) {
            const int32 place = tile.row_of_warp(r);
            const uint32 begin = static_cast<uint32>(tile.y_of(place)) * tile.nx;
            const bool side = place == 0 && tile.y.at_lower;
            row_t east, south;
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) {
                const int32 column = tile.column_of_lane(j);
                const int32 beyond = tile.column_step > 0 ? tile.x_of(column + 1) : columns.x[j];
                east.at[j] =
                    column + 1 < STRIP_COLUMNS ? A.face_x[begin + static_cast<uint32>(beyond)] : (real_t)0;
                south.at[j] = side ? (real_t)0 : A.face_y[begin + static_cast<uint32>(columns.x[j])];
            }
            put(fields.warps[warp()].conductances[r], east);
            if (r == 0) {
                put(fields.warps[warp()].first_south, south);
            } else if (r < souths) {
                put(fields.warps[warp()].conductances[R + r - 1], south);
            } else {
                store_row(southern_in_memory(r), south, 32);
            }
        }
        if (warp() == 0u) {
            put(fields.behind, row_t{});
        }
    }
    FUNCTION_MEMBER static void put(real_t *to, const row_t &values) {
        store_row(to + lane_of_warp() * part_of<real_t>::columns, values, 32);
    }
    template <bool SIDE_X>
    FUNCTION_MEMBER wide_varied_step_t<Physics, R, SIDE_X> of_step(uint32 step, bool east) const {
        wide_varied_step_t<Physics, R, SIDE_X> of;
        of.chip = this;
        of.southern_faces = in_memory(southern_in_memory(souths));
        of.d_last = fields.sides.of_warp(fields.sides.last_diagonals, east);
        of.terms.factor = physics.factor(step);
        of.begin();
        return of;
    }
};
template <typename Physics, int R>
FUNCTION sum_t *lanes_of_checks(wide_varied_chip_t<Physics, R> *chip) {
    return chip->checks.lanes;
}

#endif
