/* The stencil formula, term by term; what the phases and the resident kernels evaluate, in this order.
 *
 * Macros, since resident kernels put in terms of a type that stands for nothing (kernels/resident/nothing.h)
 * where a problem has no such term. A face's flux as the cell beyond it sees it is exactly its negative. */
#ifndef PERDURE_KERNELS_STENCIL_FORMULA_H
#define PERDURE_KERNELS_STENCIL_FORMULA_H

#define FACE_FLUX(conductance, here, there) ((conductance) * ((here) - (there)))

#define FLUX_BALANCE_BUT_NORTH(west, east, south) (((west) + (east)) + (south))
#define FLUX_BALANCE_WITH_NORTH(but_north, north) ((but_north) + (north))
#define FLUX_BALANCE_2D(west, east, south, north) \
    FLUX_BALANCE_WITH_NORTH(FLUX_BALANCE_BUT_NORTH(west, east, south), north)
#define FLUX_BALANCE_BUT_ABOVE(west, east, south, north, below) \
    (FLUX_BALANCE_2D(west, east, south, north) + (below))
#define FLUX_BALANCE_WITH_ABOVE(but_above, above) ((but_above) + (above))
#define FLUX_BALANCE_3D(west, east, south, north, below, above) \
    FLUX_BALANCE_WITH_ABOVE(FLUX_BALANCE_BUT_ABOVE(west, east, south, north, below), above)

/* A u of a cell */
#define STENCIL(diagonal, u, flux_balance) ((diagonal) * (u) + (flux_balance))

/* b - A u */
#define RESIDUAL(b, stencil) ((b) - (stencil))

/* u + factor r, r = b - A u: an Euler step with factor dt, a Jacobi iteration with factor weight / D */
#define EXPLICIT_STEP(u, factor, r) ((u) + (factor) * (r))

#endif
