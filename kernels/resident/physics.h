/* What distinguishes the explicit methods: u(n+1) = u(n) + scale (b - A u(n)). Passed by value, since it is small enough for
 * registers.
 *
 *   scaled                true: the scale differs from cell to cell, not from step to step
 *   factor(n)             factor of step n, the same in all cells
 *   scale(factor, place)  scale of a cell; place as in stencil_t
 *   source(n, cell)       b of step n
 *   sourced()             1: b changes from step to step
 *   of(self)              makes it from a kernel's self (WITH_SELF)
 *   phase(self, n)        advances step n as a phase
 *   begin(state)          the phase of step 0
 *   checks_residual       0: a check examines the values that a step has made; 1: it examines the residual of the values that a
 *                         step begins with, which are the answer if the check stops the run (kernels/resident/jacobi_check.h) */
#ifndef PERDURE_KERNELS_RESIDENT_PHYSICS_H
#define PERDURE_KERNELS_RESIDENT_PHYSICS_H

#include "kernels/heat.h"
#include "kernels/jacobi.h"
#include "kernels/resident/row.h"

typedef row_of<real_t> row_t;

/* A separate function, since it is long and rarely called. */
static __device__ __noinline__ real_t changing_source(const heat_t *self, uint32 n, uint32 cell) {
    return heat_source(self, n, cell, self->run.parameters->factors);
}

struct heat_physics_t {
    enum { scaled = 0, checks_residual = 0 };
    const real_t *b;
    real_t usual, last;
    uint32 last_step;
    uint32 factors;
    const heat_t *self;

    FUNCTION_MEMBER real_t factor(uint32 n) const { return n == last_step ? last : usual; }
    FUNCTION_MEMBER real_t scale(real_t factor, uint32) const { return factor; }
    FUNCTION_MEMBER real_t source(uint32 n, uint32 cell) const {
        return factors == 0u ? b[cell] : changing_source(self, n, cell);
    }
    FUNCTION_MEMBER uint32 sourced() const { return factors; }
    FUNCTION_MEMBER static heat_physics_t of(const heat_t *self) {
        const run_parameters_t *parameters = self->run.parameters;
        return {self->b,
                (real_t)parameters->time_step,
                (real_t)parameters->last_time_step,
                parameters->last_step,
                parameters->factors,
                self};
    }
    FUNCTION_MEMBER static uint32 begin(const run_state_t *state) { return state->time.begin; }
    FUNCTION_MEMBER static void phase(const heat_t *self, uint32 n) {
        const segment_t segment = segment_of_launch(self->run.parameters);
        heat_phase(self, &segment, n);
    }
};

struct jacobi_physics_t {
    enum { scaled = 1, checks_residual = 1 };
    const real_t *b;
    const real_t *inverse_diagonal;
    real_t weight;

    FUNCTION_MEMBER real_t factor(uint32) const { return weight; }
    FUNCTION_MEMBER real_t scale(real_t factor, uint32 place) const {
        return factor * inverse_diagonal[place];
    }
    FUNCTION_MEMBER real_t source(uint32, uint32 cell) const { return b[cell]; }
    FUNCTION_MEMBER uint32 sourced() const { return 0u; }
    FUNCTION_MEMBER static jacobi_physics_t of(const jacobi_t *self) {
        return {self->b, self->A.inverse_diagonal, (real_t)self->run.parameters->weight};
    }
    FUNCTION_MEMBER static uint32 begin(const run_state_t *state) { return state->control.begin; }
    FUNCTION_MEMBER static void phase(const jacobi_t *self, uint32 n) { jacobi_phase(self, n); }
};

/* Defines `self` in a kernel of ON_CHIP_STEPS_FIELDS or BLOCKED_STEPS_FIELDS and executes the given statements with it. A macro,
 * since the result of a function would take registers from the steps. */
#define WITH_SELF(Physics, lanes, ...)                                                                 \
    if constexpr (Physics::checks_residual != 0) {                                                     \
        const jacobi_t self = {RUN_VALUES(lanes), SYMMETRIC_OPERATOR, JACOBI_OWN_FIELDS(FIELD_VALUE)}; \
        __VA_ARGS__                                                                                    \
    } else {                                                                                           \
        const heat_t self = {RUN_VALUES(lanes), SYMMETRIC_OPERATOR, HEAT_OWN_FIELDS(FIELD_VALUE)};     \
        __VA_ARGS__                                                                                    \
    }

typedef entry_of<real_t> entry_t;

/* Table index along z in 2D: every cell lies at both sides of the third axis. */
#define PLACE_Z 3u

#endif
