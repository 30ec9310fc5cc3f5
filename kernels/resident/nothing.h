/* A term that a problem does not have: it takes part in the formulas of kernels/stencil_formula.h and costs
 * nothing. Against a zero of real_t only the sign of a zero can differ, which is lost in the next sum unless
 * all its terms are -0; resident kernels start from fields without -0 (first_look). */
#ifndef PERDURE_KERNELS_RESIDENT_NOTHING_H
#define PERDURE_KERNELS_RESIDENT_NOTHING_H

#include "kernels/real_type.h"
#include "sync/dialect.h"

struct nothing_t {};

using ::fused;
FUNCTION real_t fused(nothing_t, real_t, real_t value) {
    return value;
}
FUNCTION real_t operator-(nothing_t, real_t value) {
    return -value;
}

/* A term that a lane has in some of its columns; in which, is known when compiled. */
struct sometimes_t {
    real_t value;
    bool there;
};

FUNCTION real_t fused(sometimes_t factor, real_t u, real_t value) {
    return factor.there ? fused(factor.value, u, value) : value;
}
FUNCTION real_t operator-(sometimes_t term, real_t value) {
    return term.there ? term.value - value : -value;
}

#endif
