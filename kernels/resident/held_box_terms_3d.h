/* What the formula needs besides u in a row of a box, and a step of such a row. */

/* Of a row at no side of y or z: where x ends at a side, the outermost columns have diagonals and sources. */
struct ends_terms_t {
    real_t t_x, t_y, t_z, factor;
    entry_t first, last;
    real_t b_first, b_last;
    FUNCTION_MEMBER real_t north() const { return t_y; }
    FUNCTION_MEMBER real_t above() const { return t_z; }
};
FUNCTION real_t advance_cell(const ends_terms_t &terms, int j, real_t u, real_t balance) {
    return j == 0
               ? EXPLICIT_STEP(u, terms.first.scale, terms.b_first, STENCIL(terms.first.diagonal, u, balance))
           : j + 1 == COLUMNS
               ? EXPLICIT_STEP(u, terms.last.scale, terms.b_last, STENCIL(terms.last.diagonal, u, balance))
               : EXPLICIT_STEP(u, terms.factor, nothing_t{}, STENCIL(nothing_t{}, u, balance));
}

/* Of a row at a side of y or z. */
struct row_terms_3d_t {
    real_t t_y, t_z;
    entry_t first, middle, last;
    row_t b;
    FUNCTION_MEMBER real_t north() const { return t_y; }
    FUNCTION_MEMBER real_t above() const { return t_z; }
    FUNCTION_MEMBER const entry_t &entry(int j) const {
        return j == 0 ? first : j + 1 == COLUMNS ? last : middle;
    }
    FUNCTION_MEMBER real_t scale(int j) const { return entry(j).scale; }
    FUNCTION_MEMBER real_t diagonal(int j) const { return entry(j).diagonal; }
    FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
};

struct box_sides_t {
    bool west, east; /* this lane has the first or the last column of a row */
    bool at_west, at_east, at_south, at_north;
    bool at_below, at_above; /* this warp, known to be so to the compiler */
};

FUNCTION row_t fluxes(real_t t, const row_t &from, const row_t &to) {
    row_t flux;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        flux.at[j] = FACE_FLUX(t, from.at[j], to.at[j]);
    }
    return flux;
}

/* beside: the neighbour of the first or last lane's outermost column. */
FUNCTION across_t<COLUMNS> fluxes_in_row(const box_sides_t &at, real_t t_x, const row_t &here,
                                         real_t beside) {
    across_t<COLUMNS> across;
    const real_t of_lane = __shfl_down_sync(ALL_LANES, here.at[0], 1, LANES_OF_ROW);
    const real_t beyond = at.east ? beside : of_lane;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        across.east.at[j] = FACE_FLUX(t_x, here.at[j], j + 1 < COLUMNS ? here.at[(j + 1) % COLUMNS] : beyond);
    }
    const real_t west = __shfl_up_sync(ALL_LANES, across.east.at[COLUMNS - 1], 1, LANES_OF_ROW);
    across.west = at.west ? FACE_FLUX(t_x, beside, here.at[0]) : west;
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
        const real_t north_flux = FACE_FLUX(terms.north(), u.at[j], north.at[j]);
        const real_t above_flux = FACE_FLUX(terms.above(), u.at[j], above.at[j]);
        const real_t balance = FLUX_BALANCE_3D(-west, across.east.at[j], -south_flux->at[j], north_flux,
                                               -below_flux->at[j], above_flux);
        next.at[j] = advance_cell(terms, j, u.at[j], balance);
        south_flux->at[j] = north_flux;
        below_flux->at[j] = above_flux;
    }
    return next;
}
