/* The shadow residual of stabilised bi-conjugate gradients.
 *
 * The shadow residual is random in [-1, 1), as Sonneveld and van Gijzen (SIAM J. Sci. Comput. 31, 2008,
 * 1035-1062) take theirs. The usual choice, the first residual, is often smooth or constant, so in a small space
 * that A^T leaves invariant: (shadow, r) then vanishes early and the iteration breaks down or diverges. It is a
 * function of the cell, its integer hash, and of the number of replacements: the same on every device, and no field. */
#ifndef PERDURE_KERNELS_SHADOW_RESIDUAL_H
#define PERDURE_KERNELS_SHADOW_RESIDUAL_H

#include "sync/dialect.h"

/* Integer hash, a bijection of 32 bits (C. Wellons, hash-prospector, 2018: lowbias32). */
FUNCTION uint32 mix_bits(uint32 x) {
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    return x ^ (x >> 16u);
}

/* Shadow residual after so many replacements, in [-1, 1). */
FUNCTION sum_t shadow_at(uint32 cell, uint32 seed) {
    return (sum_t)mix_bits(cell * 0x9e3779b1u + seed) * (sum_t)(1.0 / 2147483648.0) - (sum_t)1;
}

#endif
