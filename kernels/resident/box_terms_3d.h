/* The terms of the formula besides u in a row of a box, and one step of such a row. */
#ifndef PERDURE_KERNELS_RESIDENT_BOX_TERMS_3D_H
#define PERDURE_KERNELS_RESIDENT_BOX_TERMS_3D_H

#include "kernels/resident/advance_row.h"
#include "kernels/resident/physics.h"
#include "kernels/resident/zero_term.h"

/* Kinds of boxes. PLAIN: terms only at sides. SOURCED: sources or sigma in any cell. VARIED: every cell has its own coefficients.
 * Terms of single cells away from sides are read from memory in each step. */
enum box_kind_t { PLAIN, SOURCED, VARIED };

/* Terms of a row at no side of y or z. If x ends at a side there, the outermost columns have diagonals and sources. */
struct ends_terms_t {
    real_t t_x, t_y, t_z, factor;
    entry_t first, last;
    real_t b_first, b_last;
    FUNCTION_MEMBER real_t east(int) const { return t_x; }
    FUNCTION_MEMBER real_t west() const { return t_x; }
    FUNCTION_MEMBER real_t south(int) const { return t_y; }
    FUNCTION_MEMBER real_t north(int) const { return t_y; }
    FUNCTION_MEMBER real_t below(int) const { return t_z; }
    FUNCTION_MEMBER real_t above(int) const { return t_z; }
    FUNCTION_MEMBER static bool is_end(int j) { return j == 0 || j + 1 == COLUMNS; }
    FUNCTION_MEMBER const entry_t &entry(int j) const { return j == 0 ? first : last; }
    FUNCTION_MEMBER real_t scale(int j) const { return is_end(j) ? entry(j).scale : factor; }
    FUNCTION_MEMBER masked_term_t diagonal(int j) const { return {entry(j).diagonal, is_end(j)}; }
    FUNCTION_MEMBER masked_term_t source(int j) const { return {j == 0 ? b_first : b_last, is_end(j)}; }
};

/* Terms of a row at a side of y or z, or of any row of a uniform problem. */
struct row_terms_3d_t {
    real_t t_y, t_z;
    entry_t first, middle, last;
    row_t b;
    FUNCTION_MEMBER real_t south(int) const { return t_y; }
    FUNCTION_MEMBER real_t north(int) const { return t_y; }
    FUNCTION_MEMBER real_t below(int) const { return t_z; }
    FUNCTION_MEMBER real_t above(int) const { return t_z; }
    FUNCTION_MEMBER const entry_t &entry(int j) const {
        return j == 0 ? first : j + 1 == COLUMNS ? last : middle;
    }
    FUNCTION_MEMBER real_t scale(int j) const { return entry(j).scale; }
    FUNCTION_MEMBER real_t diagonal(int j) const { return entry(j).diagonal; }
    FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
};

/* Terms of a row whose coefficients vary. t_x: of the western faces of its columns; t_beyond: of the eastern face of the last
 * one. */
struct varied_terms_3d_t {
    row_t t_x, t_south, t_north, t_below, t_above, d, b, scales;
    real_t t_beyond;
    FUNCTION_MEMBER real_t east(int j) const {
        return j + 1 < COLUMNS ? t_x.at[(j + 1) % COLUMNS] : t_beyond;
    }
    FUNCTION_MEMBER real_t west() const { return t_x.at[0]; }
    FUNCTION_MEMBER real_t south(int j) const { return t_south.at[j]; }
    FUNCTION_MEMBER real_t north(int j) const { return t_north.at[j]; }
    FUNCTION_MEMBER real_t below(int j) const { return t_below.at[j]; }
    FUNCTION_MEMBER real_t above(int j) const { return t_above.at[j]; }
    FUNCTION_MEMBER real_t scale(int j) const { return scales.at[j]; }
    FUNCTION_MEMBER real_t diagonal(int j) const { return d.at[j]; }
    FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
};

struct box_sides_t {
    bool west, east; /* whether this lane has the first or the last column of a row */
    bool at_west, at_east, at_south, at_north;
    bool at_below, at_above; /* whether this warp is there; uniform in the warp, as the compiler knows */
};

FUNCTION row_t differences(const row_t &here, const row_t &there) {
    row_t difference;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        difference.at[j] = FACE_DIFFERENCE(here.at[j], there.at[j]);
    }
    return difference;
}
FUNCTION row_t same_in_row(real_t value) {
    row_t row;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        row.at[j] = value;
    }
    return row;
}

/* Returns the fluxes along x in a row. west, east: the neighbours of the lane's outermost columns. */
template <typename Terms>
FUNCTION across_t<COLUMNS> fluxes_in_row(const Terms &terms, real_t west, const row_t &here, real_t east) {
    across_t<COLUMNS> across;
    across.west = FACE_FLUX(terms.west(), west, here.at[0]);
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        across.east.at[j] =
            FACE_FLUX(terms.east(j), here.at[j], j + 1 < COLUMNS ? here.at[(j + 1) % COLUMNS] : east);
    }
    return across;
}

/* Advances the row u. On entry from_south and from_below hold its neighbours there minus u; on return they hold u minus its
 * northern and its upper neighbour, which is what the next rows need. */
template <typename Terms>
FUNCTION row_t advance_row_3d(const Terms &terms, const row_t &u, const row_t &north, const row_t &above,
                              const across_t<COLUMNS> &across, row_t *from_south, row_t *from_below) {
    row_t next;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        const real_t west = j == 0 ? across.west : across.east.at[(j + COLUMNS - 1) % COLUMNS];
        const real_t from_north = FACE_DIFFERENCE(u.at[j], north.at[j]);
        const real_t from_above = FACE_DIFFERENCE(u.at[j], above.at[j]);
        const real_t but_above =
            FLUX_BALANCE_BUT_ABOVE(-west, across.east.at[j], terms.south(j), -from_south->at[j],
                                   terms.north(j), from_north, terms.below(j), -from_below->at[j]);
        next.at[j] = advance_cell(terms, j, u.at[j], WITH_FLUX(but_above, terms.above(j), from_above));
        from_south->at[j] = from_north;
        from_below->at[j] = from_above;
    }
    return next;
}

#endif
