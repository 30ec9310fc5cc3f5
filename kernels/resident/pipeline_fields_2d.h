/* Terms of the formula besides u in a pipeline (kernels/resident/pipeline_2d.h) with coefficients that differ from cell to cell.
 * A stage reads them once from rings in shared memory; they then move on with the rows through its COUNT levels. All classes of
 * terms have these members:
 *
 *   at(i, row, slot, is_last)  terms of the row that waits at level i, while the row at `slot` of the rings arrives
 *   west(i, j)                 conductance of western faces of that row
 *   south(i, j, row)           conductance of southern faces of the row that waits there after an arrival
 *   east(flux)                 flux through the lane's last face: 0 if there is no cell behind it
 *   arrive(slot)               a row arrives; move_on(i): level i has taken in its row; settle(slot): all levels have */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_FIELDS_2D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_FIELDS_2D_H

#include "kernels/resident/pipeline_rows_2d.h"
#include "kernels/resident/zero_term.h"

/* Whether a lane of N columns ends at a side of x that is not periodic. */
template <int N>
FUNCTION bool is_last_of_row(const run_parameters_t *grid, int32 column) {
    return column + N == static_cast<int32>(grid->nx) && grid->periodic_x == 0u;
}

template <int COUNT, typename Physics, bool WITHOUT_SOURCES>
struct pipeline_fields_t {
    enum { UNIFORM = 0, SIDES = WITHOUT_SOURCES ? NO_SIDES : ALL_SIDES };
    typedef pipeline_chip_t<Physics, false> chip_t;
    chip_t chip;
    row_t west_faces[COUNT], south_faces[COUNT];
    row_t arriving; /* southern faces of the row that a level takes in */
    real_t usual, last;
    bool ends; /* the lane's last cell is the last of the row */

    struct row_terms_t {
        const row_t &north_faces;
        row_t d, b, inverse;
        real_t factor;
        FUNCTION_MEMBER real_t north(int j) const { return north_faces.at[j]; }
        FUNCTION_MEMBER auto diagonal(int j) const { return unless_inner(d.at[j]); }
        FUNCTION_MEMBER auto source(int j) const { return unless_inner(b.at[j]); }
        FUNCTION_MEMBER real_t scale(int j) const {
            return Physics::scaled ? factor * inverse.at[j] : factor;
        }

      private:
        FUNCTION_MEMBER static auto unless_inner(real_t value) {
            if constexpr (WITHOUT_SOURCES) {
                return zero_term_t{};
            } else {
                return value;
            }
        }
    };

    FUNCTION_MEMBER void begin(const chip_t &rows, const Physics &, const operator_t *,
                               const run_parameters_t *grid, int32 column, real_t usual_factor,
                               real_t last_factor) {
        chip = rows;
        ends = is_last_of_row<chip_t::LANE_COLUMNS>(grid, column);
        usual = pinned(usual_factor);
        last = pinned(last_factor);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            west_faces[i] = {};
            south_faces[i] = {};
        }
    }
    FUNCTION_MEMBER real_t west(int i, int j) const {
        return west_faces[i].at[j];
    }
    FUNCTION_MEMBER real_t south(int i, int j, int32) const {
        return south_faces[i].at[j];
    }
    FUNCTION_MEMBER real_t east(real_t flux) const {
        return !WITHOUT_SOURCES && ends ? (real_t)0 : flux;
    }
    FUNCTION_MEMBER void arrive(uint32 slot) {
        arriving = load_row(chip.row(PIPELINE_SOUTH, slot), 32);
    }
    FUNCTION_MEMBER row_terms_t at(int i, int32, uint32 slot, bool is_last) const {
        row_terms_t terms = {arriving, {}, {}, {}, is_last ? last : usual};
        const uint32 of_row = chip_t::earlier(slot, static_cast<uint32>(i) + 1u);
        if (!WITHOUT_SOURCES) {
            terms.d = load_row(chip.row(PIPELINE_DIAGONAL, of_row), 32);
            terms.b = load_row(chip.row(PIPELINE_SOURCE, of_row), 32);
        }
        if (Physics::scaled) {
            terms.inverse = load_row(chip.row(PIPELINE_INVERSE, of_row), 32);
        }
        return terms;
    }
    FUNCTION_MEMBER void move_on(int i) {
        const row_t before = south_faces[i];
        south_faces[i] = arriving;
        arriving = before;
    }
    FUNCTION_MEMBER void settle(uint32 slot) {
#pragma unroll
        for (int i = COUNT - 1; i > 0; --i) {
            west_faces[i] = west_faces[i - 1];
        }
        west_faces[0] = load_row(chip.row(PIPELINE_WEST, slot), 32);
    }
};

template <int COUNT, typename Physics>
using pipeline_inner_fields_t = pipeline_fields_t<COUNT, Physics, true>;
template <int COUNT, typename Physics>
using pipeline_all_fields_t = pipeline_fields_t<COUNT, Physics, false>;

#endif
