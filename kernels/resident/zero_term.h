/* A term that the problem does not have: it can stand in the formulas of kernels/stencil_formula.h and costs nothing. Compared
 * with a zero of type real_t only the sign of a zero can differ. The next sum removes this difference unless all its terms are
 * -0; resident kernels start from fields without -0 (first_look). */
#ifndef PERDURE_KERNELS_RESIDENT_ZERO_TERM_H
#define PERDURE_KERNELS_RESIDENT_ZERO_TERM_H

#include "kernels/real_type.h"
#include "sync/dialect.h"

struct zero_term_t {};

using ::fused;
FUNCTION real_t fused(zero_term_t, real_t, real_t value) {
    return value;
}
FUNCTION real_t operator-(zero_term_t, real_t value) {
    return -value;
}

/* A term that exists only in some columns of a lane; the compiler knows which. */
struct masked_term_t {
    real_t value;
    bool there;
};

FUNCTION real_t fused(masked_term_t factor, real_t u, real_t value) {
    return factor.there ? fused(factor.value, u, value) : value;
}
FUNCTION real_t operator-(masked_term_t term, real_t value) {
    return term.there ? term.value - value : -value;
}

#endif
