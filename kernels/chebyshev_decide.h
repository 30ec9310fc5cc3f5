/* The bounds of kernels/chebyshev.h, adapted at checks by item 0 of the last group.
 *
 * The spectrum of G = 1 - D^-1 A lies in [1 - spectrum_top, 1), spectrum_top by Gershgorin. Its upper end M
 * is estimated from below (Hageman and Young, Applied Iterative Methods, 1981, chapter 6): a polynomial of
 * degree p for the estimate M reduces everything up to M by Q = 1 / T_p(w(1)). Where the pseudo-residual D^-1
 * r has fallen by B > Q^0.75 only, an eigenvalue M' > M is left, and T_p(w(M')) = B / Q gives it. Then a new
 * polynomial begins. Roots and powers are made of + - * / and sqrt, so that every back end finds the same
 * bits. */
#ifndef PERDURE_KERNELS_CHEBYSHEV_DECIDE_H
#define PERDURE_KERNELS_CHEBYSHEV_DECIDE_H

#include "kernels/relaxation_decide.h"

#define BISECTIONS 50u

FUNCTION double power(double x, uint32 n) {
    double result = 1.0;
    for (; n > 0u; n >>= 1) {
        result = (n & 1u) != 0u ? result * x : result;
        x = x * x;
    }
    return result;
}

/* The polynomial for the bound M, from iteration `first` on. */
FUNCTION void chebyshev_begin(const run_t *run, double upper, uint32 first) {
    GLOBAL chebyshev_state_t *state = &run->state->solve.chebyshev;
    const double lower = 1.0 - run->parameters->spectrum_top;
    const double ratio = (upper - lower) / (2.0 - upper - lower);
    state->upper = upper;
    state->gamma = 2.0 / (2.0 - upper - lower);
    state->sigma_squared = ratio * ratio;
    state->rho[first & 1u] = 1.0;
    state->first = first;
}

/* z of w = (z + 1/z) / 2, the larger one; T_p(w) = (z^p + z^-p) / 2. */
FUNCTION double chebyshev_base(double w) {
    return w + sqrt(w * w - 1.0);
}

/* M' after degree p with reduction B; M itself where that is as good as it should be. */
FUNCTION double chebyshev_bound(const run_t *run, double upper, uint32 degree, double reduction) {
    const double lower = 1.0 - run->parameters->spectrum_top;
    const double base = chebyshev_base((2.0 - upper - lower) / (upper - lower));
    const double whole = power(base, degree);
    const double expected = 2.0 / (whole + 1.0 / whole);
    if (!(reduction > sqrt(expected) * sqrt(sqrt(expected))) || !(reduction > expected)) {
        return upper;
    }
    const double remaining = expected > 0.0 ? chebyshev_base(reduction / expected) : reduction * whole;
    double below = 1.0, above = base;
    for (uint32 step = 0; step < BISECTIONS; ++step) {
        const double middle = 0.5 * (below + above);
        if (power(middle, degree) < remaining) {
            below = middle;
        } else {
            above = middle;
        }
    }
    return 0.5 * (upper + lower + 0.5 * (below + 1.0 / below) * (upper - lower));
}

/* Another polynomial from iteration n + 1 on, where the pseudo-residual of `size` says that M is too small. */
FUNCTION void chebyshev_adapt(const run_t *run, uint32 n, double size) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    GLOBAL chebyshev_state_t *state = &solve->chebyshev;
    if (n == state->first) {
        state->first_size = size;
        return;
    }
    if (solve->residual <= ROUNDING_MARGIN * solve->accuracy_floor) {
        return; /* what is left is rounding, not an eigenvalue */
    }
    const double upper = chebyshev_bound(run, state->upper, n - state->first, size / state->first_size);
    if (upper > state->upper) {
        chebyshev_begin(run, upper, n + 1u);
    }
}

/* Sums 0 and 1 as relaxation_decide, 2: (r, D^-1 r). */
FUNCTION void chebyshev_decide(const run_t *run, uint32 n) {
    const double size = sqrt(total(run, 2u));
    uint32 outcome = relaxation_decide(run, n);
    if (outcome == STOP_NONE && no_progress(run, n, run->state->solve.residual)) {
        outcome = STOP_STAGNATED;
    }
    chebyshev_adapt(run, n, size);
    end_solve(run, n, outcome);
}

#endif
