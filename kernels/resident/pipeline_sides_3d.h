/* Terms of the formula besides u for warps whose cells touch only sides of x, or only sides of y, in planes at no side of z.
 * Names as in kernels/resident/pipeline_terms_3d.h. There are sources only next to sides.
 *
 *   finishing_ends_t, opening_ends_t   sides of x: only a lane's first and last column can have d and b
 *   finishing_rows_t, opening_rows_t   sides of y: all cells of a row have the same d and scale */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_SIDES_3D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_SIDES_3D_H

#include "kernels/resident/pipeline_terms_3d.h"

struct finishing_ends_t {
    real_t t_z, factor;
    sides_of_lane_t lane;
    entry_t first, last;   /* of the outermost columns */
    const real_t *sources; /* of this item in the plane */
    part_t b;
    FUNCTION_MEMBER static bool is_end(int j) { return j == 0 || j + 1 == COLUMNS_3D; }
    FUNCTION_MEMBER const entry_t &entry(int j) const { return j == 0 ? first : last; }
    FUNCTION_MEMBER void begin_row(int r) { b = sources_of_row(lane.rows_at_sides(), r, sources); }
    FUNCTION_MEMBER real_t above() const { return t_z; }
    FUNCTION_MEMBER real_t scale(int j) const { return is_end(j) ? entry(j).scale : factor; }
    FUNCTION_MEMBER masked_term_t diagonal(int j) const { return {entry(j).diagonal, is_end(j)}; }
    FUNCTION_MEMBER masked_term_t source(int j) const { return {b.at[j], is_end(j)}; }
};
struct opening_ends_t {
    real_t t_first, t_x, t_y, t_z;
    bool has_east;
    FUNCTION_MEMBER real_t west(int j) const { return j == 0 ? t_first : t_x; }
    FUNCTION_MEMBER real_t east(real_t flux) const { return has_east ? flux : (real_t)0; }
    FUNCTION_MEMBER real_t south(int) const { return t_y; }
    FUNCTION_MEMBER real_t below() const { return t_z; }
};

struct finishing_rows_t {
    real_t t_z;
    sides_of_lane_t lane;
    const entry_t *entries; /* of the plane */
    const real_t *sources;  /* of this item in the plane */
    entry_t of_row;
    part_t b;
    FUNCTION_MEMBER void begin_row(int r) {
        b = sources_of_row(lane.rows_at_sides(), r, sources);
        of_row = entries[table_place(0u, lane.place_y(r), 0u)];
    }
    FUNCTION_MEMBER real_t above() const { return t_z; }
    FUNCTION_MEMBER real_t scale(int) const { return of_row.scale; }
    FUNCTION_MEMBER real_t diagonal(int) const { return of_row.diagonal; }
    FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
};
struct opening_rows_t {
    real_t t_x, t_y, t_z;
    sides_of_lane_t lane;
    FUNCTION_MEMBER real_t west(int) const { return t_x; }
    FUNCTION_MEMBER real_t east(real_t flux) const { return flux; }
    FUNCTION_MEMBER real_t south(int r) const { return lane.has_south(r) ? t_y : (real_t)0; }
    FUNCTION_MEMBER real_t below() const { return t_z; }
};

#endif
