/* The discrete operator of  -div(a grad u) + v . grad u + sigma u  by cell-centred finite volumes (Patankar
 * 1980, ch. 4 and 5):
 *
 *   (A u)_i = d_i u_i + sum over faces f of  t_f m_if (u_i - u_f)
 *   t_f     = harmonic(a_i, a_f) / h^2
 *   d_i     = sigma_i + conductances to value and exchange sides, each times its m_if
 *   m_if    = 1 without a velocity. The gradient at a face is the diffusive flux through it over the
 *             cell's own a, so v . grad u weights the fluxes; with P = h v_n / a_i, n inward through f:
 *             central 1 + P/2 (mean of both faces), upwind 1 + max(P, 0) (the face that the flow comes from)
 *
 * face_x[i] is t m of the face between cell i and its western neighbour as cell i sees it, face_y southern,
 * face_z the one below; across_x[i] is that of the same face as the neighbour sees it: the same array where A
 * is symmetric. d is `diagonal`, 1 / (d_i + sum t m) is `inverse_diagonal` (of magnitudes, should a term be
 * negative), 0 in excluded cells. A uniform problem has one conductance per direction and the diagonal of inner
 * cells among its parameters, and tables of diagonals by boundary position (64 entries) instead of fields.
 *
 * Shape of a field: cells. Units of A u: those of f. */
#ifndef PERDURE_KERNELS_OPERATOR_H
#define PERDURE_KERNELS_OPERATOR_H

#include "kernels/chunks.h"
#include "kernels/labels.h"
#include "kernels/real_type.h"
#include "kernels/stencil_formula.h"

/* Conductances of the six faces of a cell, entry CENTRE unused. */
typedef struct {
    real_t face[STENCIL_POINTS];
} conductances_t;

#if defined(BY_LABELS)
typedef struct {
    labels_t labels;
    GLOBAL const real_t *coefficients;
    GLOBAL const real_t *inverse_diagonal;
} operator_t;

CELL_FUNCTION conductances_t conductances_at(const operator_t *A, const run_parameters_t *grid,
                                             const stencil_t *s) {
    const pairs_t pairs = pairs_around(&A->labels, s, DIMENSIONS(grid));
    conductances_t t;
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        t.face[k] = A->coefficients[pairs.at[k]];
    }
    return t;
}

/* As arrays hold them: beyond a side 0 below a cell, and above it what is below. */
FUNCTION conductances_t conductances_in_rows(const operator_t *A, const run_parameters_t *grid,
                                             const stencil_t *s) {
    conductances_t t = conductances_at(A, grid, s);
    for (uint32 below = WEST; below < STENCIL_POINTS; below += 2u) {
        t.face[below] = s->cell[below] == s->cell[CENTRE] ? (real_t)0 : t.face[below];
        t.face[below + 1u] = s->cell[below + 1u] == s->cell[CENTRE] ? t.face[below] : t.face[below + 1u];
    }
    return t;
}

CELL_FUNCTION real_t diagonal_at(const operator_t *A, const run_parameters_t *grid, const stencil_t *s) {
    return s->inner ? (real_t)0
                    : A->coefficients[place_of_diagonal(&A->labels, grid, s->cell[CENTRE], DIMENSIONS(grid))];
}
#else
typedef struct {
    GLOBAL const real_t *diagonal;
    GLOBAL const real_t *inverse_diagonal;
    GLOBAL const real_t *face_x;
    GLOBAL const real_t *face_y;
    GLOBAL const real_t *face_z;
    GLOBAL const real_t *across_x;
    GLOBAL const real_t *across_y;
    GLOBAL const real_t *across_z;
} operator_t;

CELL_FUNCTION conductances_t conductances_at(const operator_t *A, const run_parameters_t *grid,
                                             const stencil_t *s) {
    conductances_t t;
    if (UNIFORM(grid)) {
        for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
            t.face[k] = (real_t)grid->inner_conductance[k];
        }
        return t;
    }
    t.face[CENTRE] = (real_t)0;
    t.face[WEST] = A->face_x[s->cell[CENTRE]];
    t.face[EAST] = A->across_x[s->cell[EAST]];
    t.face[SOUTH] = A->face_y[s->cell[CENTRE]];
    t.face[NORTH] = A->across_y[s->cell[NORTH]];
    if (DIMENSIONS(grid) == 3u) {
        t.face[BELOW] = A->face_z[s->cell[CENTRE]];
        t.face[ABOVE] = A->across_z[s->cell[ABOVE]];
    } else {
        t.face[BELOW] = (real_t)0;
        t.face[ABOVE] = (real_t)0;
    }
    return t;
}

FUNCTION conductances_t conductances_in_rows(const operator_t *A, const run_parameters_t *grid,
                                             const stencil_t *s) {
    return conductances_at(A, grid, s);
}

FUNCTION real_t diagonal_at(const operator_t *A, const run_parameters_t *grid, const stencil_t *s) {
    return UNIFORM(grid) && s->inner ? (real_t)grid->inner_diagonal : A->diagonal[s->place[CENTRE]];
}
#endif

FUNCTION real_t inverse_diagonal_at(const operator_t *A, const run_parameters_t *grid, const stencil_t *s) {
    return UNIFORM(grid) && s->inner ? (real_t)grid->inner_inverse_diagonal
                                     : A->inverse_diagonal[s->place[CENTRE]];
}

/* The even or odd copy of a field that has two. */
FUNCTION GLOBAL real_t *copy_of(GLOBAL real_t *const *copies, uint32 which) {
    return (which & 1u) != 0u ? copies[1] : copies[0];
}

/* Values of a field in a cell and its neighbours. */
typedef struct {
    real_t at[STENCIL_POINTS];
} neighbourhood_t;

CELL_FUNCTION neighbourhood_t gather(GLOBAL const real_t *field, const run_parameters_t *grid,
                                     const stencil_t *s) {
    neighbourhood_t u;
    const uint32 points = DIMENSIONS(grid) == 3u ? STENCIL_POINTS : BELOW;
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        u.at[k] = k < points ? field[s->cell[k]] : (real_t)0;
    }
    return u;
}

/* Asks for what a phase that prefetches so many fields will want of this one in the next row: where fields do not stay in a
 * cache, and the pages of these all are at hand (solver/run/plan_launch.cpp). Else in 3D for this cell's own value, wanted
 * anyway: a branch costs cg up to a seventh of its time there, and nothing in 2D. */
FUNCTION void prefetch_row(GLOBAL const real_t *field, uint32 fields, const run_parameters_t *grid,
                           cell_t cell) {
    const uint32 wanted = fields <= grid->prefetch;
    if (DIMENSIONS(grid) == 3u || wanted) {
        const index_t at = wanted ? cell_ahead(grid, cell, DIMENSIONS(grid)) : cell.index;
        if (may_be_prefetched((uint32)at)) {
            PREFETCH(field + at);
        }
    }
}

/* The stencil formula of kernels/stencil_formula.h on gathered values. */
CELL_FUNCTION real_t apply_stencil(real_t diagonal, const conductances_t *t, const neighbourhood_t *u,
                                   uint32 dimensions) {
    const real_t here = u->at[CENTRE];
    real_t balance = FLUX_BALANCE_2D_OF(t->face, here, u->at);
    if (dimensions == 3u) {
        balance = WITH_FLUXES_ALONG_Z(balance, t->face, here, u->at);
    }
    return STENCIL(diagonal, here, balance);
}

CELL_FUNCTION real_t apply_operator(const operator_t *A, const run_parameters_t *grid, const stencil_t *s,
                                    const neighbourhood_t *u) {
    const conductances_t t = conductances_at(A, grid, s);
    return apply_stencil(diagonal_at(A, grid, s), &t, u, DIMENSIONS(grid));
}

CELL_FUNCTION real_t apply_to_field(const operator_t *A, const run_parameters_t *grid, const stencil_t *s,
                                    GLOBAL const real_t *field) {
    const neighbourhood_t u = gather(field, grid, s);
    return apply_operator(A, grid, s, &u);
}

/* M^-1 r with the diagonal that the run preconditions with. */
CELL_FUNCTION neighbourhood_t precondition(const operator_t *A, const run_parameters_t *grid,
                                           const stencil_t *s, const neighbourhood_t *r) {
    neighbourhood_t z;
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        z.at[k] = (real_t)grid->inner_inverse_diagonal;
    }
    if (!UNIFORM(grid) || !s->inner) {
        for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
            z.at[k] = A->inverse_diagonal[s->place[k]];
        }
    }
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        z.at[k] *= r->at[k];
    }
    return z;
}

/* D of a row: the sum of the magnitudes that its diagonal entry is made of. */
FUNCTION sum_t row_size(const operator_t *A, const run_parameters_t *grid, const stencil_t *s) {
    const conductances_t t = conductances_in_rows(A, grid, s);
    sum_t size = (sum_t)fabs((double)diagonal_at(A, grid, s));
    for (uint32 k = WEST; k < STENCIL_POINTS; ++k) {
        size += (sum_t)fabs((double)t.face[k]);
    }
    return size;
}

/* D u of a row from its inverse diagonal; 0 in excluded cells. */
FUNCTION sum_t times_diagonal(real_t inverse, real_t u) {
    return inverse != (real_t)0 ? (sum_t)u / (sum_t)inverse : (sum_t)0;
}

/* The operator of a kernel with OPERATOR_FIELDS (kernels/fields.h), and with ACROSS_FIELDS: without a velocity nothing is
 * in across_*. */
#undef SYMMETRIC_OPERATOR
#if defined(BY_LABELS)
#define SYMMETRIC_OPERATOR \
    { {labels, *label_count}, coefficients, inverse_diagonal }
#else
#define SYMMETRIC_OPERATOR \
    { diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z }
#endif
#define OPERATOR(parameters)                                                                             \
    {                                                                                                    \
        diagonal, inverse_diagonal, face_x, face_y, face_z, (parameters).convective ? across_x : face_x, \
            (parameters).convective ? across_y : face_y, (parameters).convective ? across_z : face_z     \
    }

#endif
