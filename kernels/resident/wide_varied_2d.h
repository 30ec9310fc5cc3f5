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

template <typename Physics, bool SIDE_X>
struct wide_varied_row_terms_t {
    row_t t_east, t_south, t_north;
    real_t factor;
    wide_inside_t<NO_TERMS, SIDE_X> inside;
    FUNCTION_MEMBER real_t east(int j) const { return t_east.at[j]; }
    FUNCTION_MEMBER real_t south(int j) const { return t_south.at[j]; }
    FUNCTION_MEMBER real_t north(int j) const { return t_north.at[j]; }
    FUNCTION_MEMBER real_t scale(int) const { return factor; }
    FUNCTION_MEMBER auto diagonal(int j) const { return inside.diagonal(j); }
    FUNCTION_MEMBER auto source(int j) const { return inside.source(j); }
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
        return r < chip_t::souths || r == R ? row_of_lane(chip->southern(r)) : ahead[r % WIDE_AHEAD];
    }
    FUNCTION_MEMBER void begin() {
#pragma unroll
        for (int r = 0; r <= WIDE_AHEAD; ++r) {
            ask(r);
        }
        terms.t_north = south_of(0);
    }
    FUNCTION_MEMBER const wide_varied_row_terms_t<Physics, SIDE_X> &row(int r) {
        terms.t_east = row_of_lane(chip->eastern(r));
        terms.t_south = terms.t_north;
        terms.t_north = south_of(r + 1);
        ask(r + 1 + WIDE_AHEAD);
        if constexpr (SIDE_X) {
            terms.inside.d_last = d_last[r];
            terms.inside.b_last = d_last[wide_side_arrays_t<real_t, R>::last_rows + r];
        }
        return terms;
    }
    FUNCTION_MEMBER wide_varied_side_terms_t<Physics, SIDE_X> side(int upper) const {
        return {terms, row_of_lane(chip->fields.at_sides.diagonals[upper]),
                row_of_lane(chip->fields.at_sides.sources[upper])};
    }
};

template <typename Physics, int R>
struct wide_varied_chip_t : wide_varied_arrays_t<real_t, R> {
    typedef Physics physics_t;
    typedef wide_varied_arrays_t<real_t, R> arrays_t;
    using arrays_t::fields, arrays_t::souths;
    static_assert(!Physics::scaled, "a check of Jacobi needs all reduction lanes");
    enum { uniform = 0, middle_rows = 0 };
    int32 layout;
    real_t *southern_faces; /* those in global memory: [ON_CHIP_WARPS][R - souths][STRIP_COLUMNS] */
    wide_tile_t<R> tile;
    Physics physics;

    FUNCTION_MEMBER sum_t *lanes_of_checks() { return this->checks.lanes; }
    FUNCTION_MEMBER static uint32 warp() { return item_index() / 32u; }
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
        static_assert(sizeof(wide_varied_chip_t) <= sizeof(arrays_t) + WIDE_CONSTANT_BYTES);
        physics = what;
        southern_faces =
            reinterpret_cast<real_t *>(messages + group_index() * (arrays_t::values_in_memory / 2));
    }
    FUNCTION_MEMBER bool find_terms(const operator_t &A, const Physics &what) {
        find_side_terms<R>(
            &fields.at_sides, tile, A, what, (real_t)0, (real_t)0,
            [&](uint32 x, uint32 y) { return y * tile.nx + x; }, [](int32, int32, uint32) {});
        find_conductances(A);
        return all_known_inside(tile, [&](uint32 cell) {
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
            store_row_of_lane(fields.warps[warp()].conductances[r], east);
            if (r == 0) {
                store_row_of_lane(fields.warps[warp()].first_south, south);
            } else if (r < souths) {
                store_row_of_lane(fields.warps[warp()].conductances[R + r - 1], south);
            } else {
                store_row(southern_in_memory(r), south, 32);
            }
        }
        if (warp() == 0u) {
            store_row_of_lane(fields.behind, row_t{});
        }
    }
    template <bool SIDE_X>
    FUNCTION_MEMBER wide_varied_step_t<Physics, R, SIDE_X> of_step(uint32 step, bool east) const {
        wide_varied_step_t<Physics, R, SIDE_X> of;
        of.chip = this;
        of.southern_faces = in_memory(southern_in_memory(souths));
        of.d_last = last_of_warp<R>(fields.at_sides.last_diagonals, east);
        of.terms.factor = physics.factor(step);
        of.begin();
        return of;
    }
};

#endif
