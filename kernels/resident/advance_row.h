/* One step of a row of cells that a warp holds, N columns a lane. */

/* u: the row, whose southern flux and northern neighbour are known; leaves the flux between the two. The outermost
 * columns of a warp lack a neighbour and come out wrong. */
template <typename Terms, int N>
FUNCTION row_of<real_t, N> advance_row(const Terms &terms, const row_of<real_t, N> &u,
                                       const row_of<real_t, N> &north, row_of<real_t, N> *south_flux) {
    const real_t beyond = __shfl_down_sync(ALL_LANES, u.at[0], 1);
    row_of<real_t, N> flux, next;
#pragma unroll
    for (int j = 0; j < N; ++j) {
        flux.at[j] = FACE_FLUX(terms.east(j), u.at[j], j + 1 < N ? u.at[(j + 1) % N] : beyond);
    }
    real_t west = __shfl_up_sync(ALL_LANES, flux.at[N - 1], 1);
#pragma unroll
    for (int j = 0; j < N; ++j) {
        const real_t north_flux = FACE_FLUX(terms.north(j), u.at[j], north.at[j]);
        const real_t balance = FLUX_BALANCE_2D(-west, flux.at[j], -south_flux->at[j], north_flux);
        next.at[j] = EXPLICIT_STEP(u.at[j], terms.scale(j), terms.source(j),
                                   STENCIL(terms.diagonal(j), u.at[j], balance));
        west = flux.at[j];
        south_flux->at[j] = north_flux;
    }
    return next;
}
