/* What the formula needs besides u in a row of a box, and a step of such a row. */

/* The kinds of boxes: PLAIN has terms at sides alone, SOURCED sources or sigma in any cell, VARIED coefficients of its own in
 * every cell. What differs from cell to cell but at sides is read from memory in each step. */
enum box_kind_t { PLAIN, SOURCED, VARIED };

/* Of a row at no side of y or z: where x ends at a side, the outermost columns have diagonals and sources. */
struct ends_terms_t {
    real_t t_x, t_y, t_z, factor;
    entry_t first, last;
    real_t b_first, b_last;
    FUNCTION_MEMBER real_t east(int) const { return t_x; }
    FUNCTION_MEMBER real_t west() const { return t_x; }
    FUNCTION_MEMBER real_t north(int) const { return t_y; }
    FUNCTION_MEMBER real_t above(int) const { return t_z; }
    FUNCTION_MEMBER real_t scale(int j) const {
        return j == 0 ? first.scale : j + 1 == COLUMNS ? last.scale : factor;
    }
};
FUNCTION real_t residual_at(const ends_terms_t &terms, int j, real_t u, real_t balance) {
    return j == 0             ? RESIDUAL(terms.b_first, STENCIL(terms.first.diagonal, u, balance))
           : j + 1 == COLUMNS ? RESIDUAL(terms.b_last, STENCIL(terms.last.diagonal, u, balance))
                              : RESIDUAL(nothing_t{}, STENCIL(nothing_t{}, u, balance));
}

/* Of a row at a side of y or z, or of any row of a uniform problem. */
struct row_terms_3d_t {
    real_t t_y, t_z;
    entry_t first, middle, last;
    row_t b;
    FUNCTION_MEMBER real_t north(int) const { return t_y; }
    FUNCTION_MEMBER real_t above(int) const { return t_z; }
    FUNCTION_MEMBER const entry_t &entry(int j) const {
        return j == 0 ? first : j + 1 == COLUMNS ? last : middle;
    }
    FUNCTION_MEMBER real_t scale(int j) const { return entry(j).scale; }
    FUNCTION_MEMBER real_t diagonal(int j) const { return entry(j).diagonal; }
    FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
};

/* Of a row whose coefficients vary: of its western, northern and upper faces, and of the face beyond its last column. */
struct varied_terms_3d_t {
    row_t t_x, t_y, t_z, d, b, scales;
    real_t t_beyond;
    FUNCTION_MEMBER real_t east(int j) const {
        return j + 1 < COLUMNS ? t_x.at[(j + 1) % COLUMNS] : t_beyond;
    }
    FUNCTION_MEMBER real_t west() const { return t_x.at[0]; }
    FUNCTION_MEMBER real_t north(int j) const { return t_y.at[j]; }
    FUNCTION_MEMBER real_t above(int j) const { return t_z.at[j]; }
    FUNCTION_MEMBER real_t scale(int j) const { return scales.at[j]; }
    FUNCTION_MEMBER real_t diagonal(int j) const { return d.at[j]; }
    FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
};

struct box_sides_t {
    bool west, east; /* this lane has the first or the last column of a row */
    bool at_west, at_east, at_south, at_north;
    bool at_below, at_above; /* this warp, known to be so to the compiler */
};

FUNCTION row_t fluxes(const row_t &t, const row_t &from, const row_t &to) {
    row_t flux;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        flux.at[j] = FACE_FLUX(t.at[j], from.at[j], to.at[j]);
    }
    return flux;
}
FUNCTION row_t same_in_row(real_t value) {
    row_t row;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        row.at[j] = value;
    }
    return row;
}

/* beside: the neighbour of the first or last lane's outermost column. */
template <typename Terms>
FUNCTION across_t<COLUMNS> fluxes_in_row(const box_sides_t &at, const Terms &terms, const row_t &here,
                                         real_t beside) {
    across_t<COLUMNS> across;
    const real_t of_lane = __shfl_down_sync(ALL_LANES, here.at[0], 1, LANES_OF_ROW);
    const real_t beyond = at.east ? beside : of_lane;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        across.east.at[j] =
            FACE_FLUX(terms.east(j), here.at[j], j + 1 < COLUMNS ? here.at[(j + 1) % COLUMNS] : beyond);
    }
    const real_t west = __shfl_up_sync(ALL_LANES, across.east.at[COLUMNS - 1], 1, LANES_OF_ROW);
    across.west = at.west ? FACE_FLUX(terms.west(), beside, here.at[0]) : west;
    return across;
}

/* u: a row whose fluxes from south and from below are known; leaves those to north and to above. */
template <typename Terms>
FUNCTION row_t advance_row_3d(const Terms &terms, const row_t &u, const row_t &north, const row_t &above,
                              const across_t<COLUMNS> &across, row_t *south_flux, row_t *below_flux) {
    row_t next;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        const real_t west = j == 0 ? across.west : across.east.at[(j + COLUMNS - 1) % COLUMNS];
        const real_t north_flux = FACE_FLUX(terms.north(j), u.at[j], north.at[j]);
        const real_t above_flux = FACE_FLUX(terms.above(j), u.at[j], above.at[j]);
        const real_t balance = FLUX_BALANCE_3D(-west, across.east.at[j], -south_flux->at[j], north_flux,
                                               -below_flux->at[j], above_flux);
        next.at[j] = advance_cell(terms, j, u.at[j], balance);
        south_flux->at[j] = north_flux;
        below_flux->at[j] = above_flux;
    }
    return next;
}
