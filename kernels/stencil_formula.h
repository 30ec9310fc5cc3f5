/* The stencil formula, term by term; what the phases and the resident kernels evaluate, in this order.
 *
 *   balance = T_w (u - u_w) + T_e (u - u_e) + T_s (u - u_s) + T_n (u - u_n) [+ T_b (u - u_b) + T_a (u - u_a)]
 *   A u     = d u + balance
 *   u'      = u + factor (b - A u)
 *
 * Fluxes across x are products, each formed once for the two cells that it lies between, since as the cell beyond sees it it is
 * exactly its negative. All other products are fused with the sum that they go into, rounded once with it; across y and z the two
 * cells share the difference. In a cell without d and b that is 7 operations in 2D, 10 in 3D (unfused 9 and 13).
 *
 * Macros, since resident kernels put in terms of a type that stands for nothing (kernels/resident/zero_term.h) where a problem has no
 * such term. */
#ifndef PERDURE_KERNELS_STENCIL_FORMULA_H
#define PERDURE_KERNELS_STENCIL_FORMULA_H

#include "kernels/grid.h"

/* As `here` sees it. */
#define FACE_DIFFERENCE(here, there) ((here) - (there))
#define FACE_FLUX(conductance, here, there) ((conductance)*FACE_DIFFERENCE(here, there))

#define WITH_FLUX(balance, conductance, difference) FUSED(conductance, difference, balance)

/* west, east: fluxes; conductances t_ and differences from_ of other faces. */
#define FLUX_BALANCE_BUT_NORTH(west, east, t_south, from_south) \
    WITH_FLUX((west) + (east), t_south, from_south)
#define FLUX_BALANCE_2D(west, east, t_south, from_south, t_north, from_north) \
    WITH_FLUX(FLUX_BALANCE_BUT_NORTH(west, east, t_south, from_south), t_north, from_north)
#define FLUX_BALANCE_BUT_ABOVE(west, east, t_south, from_south, t_north, from_north, t_below, from_below) \
    WITH_FLUX(FLUX_BALANCE_2D(west, east, t_south, from_south, t_north, from_north), t_below, from_below)
/* The same of conductances and values by face, t[WEST] .., u[WEST] ..; in 3D with those along z. */
#define FLUX_BALANCE_2D_OF(t, here, u)                                                            \
    FLUX_BALANCE_2D(FACE_FLUX((t)[WEST], here, (u)[WEST]), FACE_FLUX((t)[EAST], here, (u)[EAST]), \
                    (t)[SOUTH], FACE_DIFFERENCE(here, (u)[SOUTH]), (t)[NORTH],                    \
                    FACE_DIFFERENCE(here, (u)[NORTH]))
#define WITH_FLUXES_ALONG_Z(balance, t, here, u)                                             \
    WITH_FLUX(WITH_FLUX(balance, (t)[BELOW], FACE_DIFFERENCE(here, (u)[BELOW])), (t)[ABOVE], \
              FACE_DIFFERENCE(here, (u)[ABOVE]))

/* A u of a cell */
#define STENCIL(diagonal, u, flux_balance) FUSED(diagonal, u, flux_balance)

/* b - A u */
#define RESIDUAL(b, stencil) ((b) - (stencil))

/* u + factor r, r = b - A u: an Euler step with factor dt, a Jacobi iteration with factor weight / D */
#define EXPLICIT_STEP(u, factor, r) FUSED(factor, r, u)

#endif
