/* Advances rows of cells by one step. A warp holds each row in registers, N neighbouring columns a lane. */
#ifndef PERDURE_KERNELS_RESIDENT_ADVANCE_ROW_H
#define PERDURE_KERNELS_RESIDENT_ADVANCE_ROW_H

#include "kernels/real_type.h"
#include "kernels/resident/row.h"
#include "kernels/stencil_formula.h"

/* Fluxes along x in a row: through the eastern face of each of this lane's columns, and out of the lane to the west. */
template <int N>
struct across_t {
    row_of<real_t, N> east;
    real_t west;
};

/* Computes the fluxes along x of COUNT rows at once, so that the latencies of their shuffles overlap. terms_of(i) returns the
 * terms of row i. The outermost columns of a warp have no neighbour, so their fluxes are wrong. */
template <int COUNT, int N, typename TermsOf>
FUNCTION void fluxes_across(TermsOf terms_of, const row_of<real_t, N> *u, across_t<N> *across) {
    real_t beyond[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        beyond[i] = __shfl_down_sync(ALL_LANES, u[i].at[0], 1);
    }
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const auto terms = terms_of(i);
#pragma unroll
        for (int j = 0; j < N; ++j) {
            across[i].east.at[j] =
                FACE_FLUX(terms.east(j), u[i].at[j], j + 1 < N ? u[i].at[(j + 1) % N] : beyond[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        across[i].west = __shfl_up_sync(ALL_LANES, across[i].east.at[N - 1], 1);
    }
}

/* Returns b - A u of a cell, given the sum of its fluxes. */
template <typename Terms>
FUNCTION real_t residual_at(const Terms &terms, int j, real_t u, real_t balance) {
    return RESIDUAL(terms.source(j), STENCIL(terms.diagonal(j), u, balance));
}

/* Returns the next value of a cell or, if its terms are wrapped in residual_of_t, its b - A u. */
template <typename Terms>
FUNCTION real_t advance_cell(const Terms &terms, int j, real_t u, real_t balance) {
    return EXPLICIT_STEP(u, terms.scale(j), residual_at(terms, j, u, balance));
}
template <typename Terms>
struct residual_of_t {
    const Terms &of;
    FUNCTION_MEMBER real_t south(int j) const { return of.south(j); }
    FUNCTION_MEMBER real_t north(int j) const { return of.north(j); }
    FUNCTION_MEMBER real_t below(int j) const { return of.below(j); }
    FUNCTION_MEMBER real_t above(int j) const { return of.above(j); }
};
template <typename Terms>
FUNCTION residual_of_t<Terms> residual_of(const Terms &terms) {
    return {terms};
}
template <typename Terms>
FUNCTION real_t advance_cell(const residual_of_t<Terms> &terms, int j, real_t u, real_t balance) {
    return residual_at(terms.of, j, u, balance);
}

/* Advances the row u, whose northern neighbour is `north`. On entry from_south holds the southern neighbour minus u; on return it
 * holds u minus `north`, which is what the next row needs. */
template <typename Terms, int N>
FUNCTION row_of<real_t, N> advance_row(const Terms &terms, const row_of<real_t, N> &u,
                                       const row_of<real_t, N> &north, const across_t<N> &across,
                                       row_of<real_t, N> *from_south) {
    row_of<real_t, N> next;
#pragma unroll
    for (int j = 0; j < N; ++j) {
        const real_t west = j == 0 ? across.west : across.east.at[(j + N - 1) % N];
        const real_t from_north = FACE_DIFFERENCE(u.at[j], north.at[j]);
        const real_t balance = FLUX_BALANCE_2D(-west, across.east.at[j], terms.south(j), -from_south->at[j],
                                               terms.north(j), from_north);
        next.at[j] = advance_cell(terms, j, u.at[j], balance);
        from_south->at[j] = from_north;
    }
    return next;
}

#endif
