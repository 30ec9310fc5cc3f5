/* What the formula needs besides u in a row of a wide tile: at a side of x the outermost column alone has a diagonal and a
 * source, at a side of y the outermost row; and where it lies. */

/* Of a row at no side of y. */
template <typename Physics>
struct wide_row_terms_t {
    real_t t_x, t_last, t_y, d_last, factor, factor_last, b_last;
    FUNCTION_MEMBER real_t east(int j) const { return j + 1 == COLUMNS ? t_last : t_x; }
    FUNCTION_MEMBER real_t south(int) const { return t_y; }
    FUNCTION_MEMBER real_t north(int) const { return t_y; }
    FUNCTION_MEMBER real_t scale(int j) const { return j + 1 == COLUMNS ? factor_last : factor; }
};
template <typename Physics>
FUNCTION real_t residual_at(const wide_row_terms_t<Physics> &terms, int j, real_t u, real_t balance) {
    return j + 1 == COLUMNS ? RESIDUAL(terms.b_last, STENCIL(terms.d_last, u, balance))
                            : RESIDUAL(nothing_t{}, STENCIL(nothing_t{}, u, balance));
}
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

/* The same in all lanes. */
template <typename Physics>
struct wide_constants_t {
    Physics physics;
    real_t t_x, t_y, scale;        /* inside */
    real_t d_beside, scale_beside; /* in a column at a side of x */
};

template <typename Physics, int R>
struct wide_chip_t {
    enum { middle_rows = sizeof(real_t) == 8 && R > 8 ? R / 2 - 2 : 0 };
    /* Rows that lanes load 16 bytes of stand first. */
    real_t edges[2][HELD_WARPS][2][STRIP_COLUMNS];
    real_t middle[(middle_rows > 0 ? HELD_WARPS * middle_rows : 1) * STRIP_COLUMNS];
    /* Of the window's first and last row, where they are rows at a side. */
    real_t diagonals[2][STRIP_COLUMNS], sources[2][STRIP_COLUMNS], scales[2][STRIP_COLUMNS];
    sum_t lanes[LANE_ROWS * LANES]; /* of checks */
    rim_rows_t rim[HELD_ITEMS];
    int32 layout;
    int32 around[TILES_AROUND];                /* the groups there */
    real_t side_sources[(HELD_WARPS + 1) * R]; /* of the last column; then zeros */
    /* Here, lest they and what follows from them fill registers from step to step. */
    wide_tile_t<R> tile;
    wide_constants_t<Physics> constants;
};
