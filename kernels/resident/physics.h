/* What tells one explicit iteration from another: u(n+1) = u(n) + scale (b - A u(n)). By value: small enough for
 * registers.
 *
 *   scaled                true: scale differs from cell to cell, not from step to step
 *   factor(n)             of step n, the same in all cells
 *   scale(factor, place)  of a cell; place as in stencil_t
 *   source(n, cell)       b of step n
 *   sourced()             1: b changes from step to step */
#ifndef PERDURE_KERNELS_RESIDENT_PHYSICS_H
#define PERDURE_KERNELS_RESIDENT_PHYSICS_H

#include "kernels/heat.h"
#include "kernels/jacobi.h"
#include "kernels/resident/row.h"

typedef row_of<real_t> row_t;

/* Apart, since it is long and rare. */
static __device__ __noinline__ real_t changing_source(const heat_t *self, uint32 n, uint32 cell) {
    return heat_source(self, n, cell);
}

struct heat_physics_t {
    enum { scaled = 0 };
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
};

FUNCTION heat_physics_t physics_of(const heat_t *self) {
    const run_parameters_t *parameters = self->run.parameters;
    return {self->b,
            (real_t)parameters->time_step,
            (real_t)parameters->last_time_step,
            parameters->last_step,
            parameters->factors,
            self};
}

struct jacobi_physics_t {
    enum { scaled = 1 };
    const real_t *b;
    const real_t *inverse_diagonal;
    real_t weight;

    FUNCTION_MEMBER real_t factor(uint32) const { return weight; }
    FUNCTION_MEMBER real_t scale(real_t factor, uint32 place) const {
        return factor * inverse_diagonal[place];
    }
    FUNCTION_MEMBER real_t source(uint32, uint32 cell) const { return b[cell]; }
    FUNCTION_MEMBER uint32 sourced() const { return 0u; }
};

FUNCTION jacobi_physics_t physics_of(const jacobi_t *self) {
    return {self->b, self->A.inverse_diagonal, (real_t)self->run.parameters->weight};
}

/* Of a cell of a uniform problem, by table_place: what the formula needs besides u. */
struct alignas(2 * sizeof(real_t)) entry_t {
    real_t diagonal, scale;
};

/* In 2D every cell lies at both sides of the third axis. */
#define PLACE_Z 3u

#endif
