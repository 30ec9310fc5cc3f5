/* What the formula needs besides u in a row of a wide tile: at a side of x the outermost column alone has a diagonal and a
 * source, at a side of y the outermost row. */

/* Of a row at no side of y. */
template <typename Physics>
struct wide_row_terms_t {
    real_t t_x, t_last, t_y, d_last, factor, factor_last, b_last;
    FUNCTION_MEMBER real_t east(int j) const { return j + 1 == COLUMNS ? t_last : t_x; }
    FUNCTION_MEMBER real_t north(int) const { return t_y; }
};
template <typename Physics>
FUNCTION real_t advance_cell(const wide_row_terms_t<Physics> &terms, int j, real_t u, real_t balance) {
    return j + 1 == COLUMNS
               ? EXPLICIT_STEP(u, terms.factor_last, terms.b_last, STENCIL(terms.d_last, u, balance))
               : EXPLICIT_STEP(u, terms.factor, nothing_t{}, STENCIL(nothing_t{}, u, balance));
}
/* Of a row at a side of y. */
template <typename Physics>
struct side_row_terms_t {
    real_t t_y, factor;
    row_t d, b, scales;
    FUNCTION_MEMBER real_t north(int) const { return t_y; }
    FUNCTION_MEMBER real_t scale(int j) const { return Physics::scaled ? scales.at[j] : factor; }
    FUNCTION_MEMBER real_t diagonal(int j) const { return d.at[j]; }
    FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
};
