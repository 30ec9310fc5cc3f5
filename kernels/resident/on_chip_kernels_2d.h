/* Drives a launch of an on-chip field: kernels/heat.h and kernels/jacobi.h with u on the chip. A field provides
 *
 *   ring                       steps from one exchange to the next
 *   chip_t                     its structure in shared memory
 *   begin, load                find the tile and the terms of step n; load u from memory
 *   always_fits                1: it has room for every term
 *   fits                       0: the problem has terms that it has no room for
 *   for_each_own(of)           calls of(cell, value) for its own cells
 *   advance(n, steps, messages, odd)
 *                              makes steps n .. n + steps - 1; odd: which buffer the next exchange uses. The last step may send what
 *                              it makes, unless odd is NOT_SENT
 *   watch_residual             adds b - A u of its own cells, for a check of Jacobi
 *   messages_of_exchange       size of the buffer of one exchange of all groups, in messages
 *   clear_messages, exchange   clear the buffers, so that nothing in them is of a step after the launch's first; exchange the ring, as
 *                              messages or as plain values with flags. exchange returns 1 to all items when the ring has arrived,
 *                              0 if the wait was abandoned */
#ifndef PERDURE_KERNELS_RESIDENT_ON_CHIP_KERNELS_2D_H
#define PERDURE_KERNELS_RESIDENT_ON_CHIP_KERNELS_2D_H

#include "kernels/resident/on_chip_exchange_2d.h"
#include "kernels/resident/resident_fields.h"
#include "kernels/resident/stepping.h"

template <typename Field>
FUNCTION void store_own(const Field &field, real_t *to) {
    field.for_each_own([&](uint32 cell, real_t value) { to[cell] = value; });
}
template <typename Field>
FUNCTION checked_t watch_own(const Field &field) {
    checked_t watched = {0.0, NO_CELL};
    field.for_each_own([&](uint32 cell, real_t value) { watch(&watched, cell, (double)value); });
    return watched;
}

/* Receives the ring of the next step, unless it is still valid. Returns 0 if the wait was abandoned. */
template <typename Field>
FUNCTION uint32 refresh(Field *field, message_t *messages, const run_t *run, stepping_t *at, uint32 *fresh) {
    if (*fresh > 0u) {
        return 1u;
    }
    *fresh = Field::ring;
    return field->exchange(messages, at->exchanges++ & 1u, at->n, run);
}

/* No exchange follows these steps. */
#define NOT_SENT 2u

/* Makes steps n .. until - 1; `fresh` counts the steps that the ring still allows. Returns 0 if a wait was abandoned. */
template <typename Field>
FUNCTION uint32 advance_on_chip(Field *field, message_t *messages, const run_t *run, stepping_t *at,
                                uint32 until, uint32 *fresh) {
    while (at->n < until) {
        if (!refresh(field, messages, run, at, fresh)) {
            return 0u;
        }
        const uint32 steps = least(*fresh, until - at->n);
        field->advance(at->n, steps, messages, steps == *fresh ? at->exchanges & 1u : NOT_SENT);
        at->n += steps;
        *fresh -= steps;
    }
    return 1u;
}

/* send_fit and all_fit find out whether the fields of all groups fit: all_fit returns 1 to all items if so. Every item calls
 * both, between two grid barriers at the beginning of a launch. If unexpected terms are present, all groups detect it before the
 * first step and fall back. */
FUNCTION void send_fit(uint32 fits, message_t *messages) {
    if (item_index() == 0u) {
        send_message(messages, group_index(), (real_t)fits, 1u);
    }
}
FUNCTION uint32 all_fit(message_t *messages, const run_t *run) {
    uint32 fit = 1u;
    for (uint32 group = item_index(); group < group_count(); group += group_size()) {
        real_t fits;
        fit &= receive_message(load_message(messages, group), &fits, 1u) && fits != (real_t)0 ? 1u : 0u;
    }
    return group_all(run->verdict, fit);
}

/* Makes the steps of a launch. Returns 0 if the field does not fit; nothing has been done then. */
template <typename Field, typename Self>
static __device__ __noinline__ uint32 run_on_chip(const Self *self, message_t *messages,
                                                  typename Field::chip_t *chip) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    stepping_t at = begin_stepping(run, Field::physics_t::begin(run->state));
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    uint32 fresh = Field::ring;
    const auto physics = Field::physics_t::of(self);
    Field field;
    field.begin(run, self->A, physics, at.n, messages, chip);
    field.load(self->u[at.current]);
    const uint32 buffer_size = Field::messages_of_exchange(grid);
    field.clear_messages(messages, buffer_size, at.n);
    if constexpr (!Field::always_fits) {
        send_fit(field.fits, messages + 2u * buffer_size);
    }
    uint32 passed = synchronise_grid(&barrier, &at);
    if (!Field::always_fits && passed && !all_fit(messages + 2u * buffer_size, run)) {
        return 0u;
    }
    while (passed && at.n < at.end && run->state->control.stop == STOP_NONE) {
        if constexpr (physics.checks_residual != 0) {
            if (is_check(grid, at.n)) {
                residual_t residual;
                passed = refresh(&field, messages, run, &at, &fresh);
                if (passed) {
                    field.watch_residual(at.n, grid, &residual);
                    decide_on_residual(run, &residual, at.n);
                    passed = synchronise_grid(&barrier, &at);
                }
                if (!passed || run->state->control.stop != STOP_NONE) {
                    break; /* u(n) is the answer */
                }
            }
            passed = advance_on_chip(&field, messages, run, &at, least(next_check(grid, at.n + 1u), at.end),
                                     &fresh);
        } else {
            uint32 until = least(least(next_check(grid, at.n + 1u), at.end), grid->last_step + 1u);
            if (physics.sourced()) {
                field.renew_sources(self->A, grid, at.n);
                until = at.n + 1u;
            }
            passed = advance_on_chip(&field, messages, run, &at, until, &fresh);
            if (passed && (is_check(grid, at.n) || at.n == grid->last_step + 1u)) {
                contribute_watched(run, watch_own(field));
                if (finish_reduction(run, 0u)) {
                    DECIDE(decide_step(run, at.n));
                }
                passed = synchronise_grid(&barrier, &at);
            }
        }
    }
    store_own(field, self->u[at.current]);
    group_barrier();
    end_stepping(run, &at);
    return 1u;
}

/* The kernel of a field in registers: in each group a tile of C columns a lane and R rows a warp. */
template <typename Physics, int C, int R>
__global__ __launch_bounds__(ON_CHIP_ITEMS, 1) void on_chip_2d(KERNEL_ARGUMENTS(ON_CHIP_STEPS_FIELDS)) {
    __shared__ sum_t lanes[LANE_ROWS * LANES];
    __shared__ uint32 verdict;
    __shared__ on_chip_edges_t<C> edges;
    typedef small_field_t<Physics, C, R, false> uniform_t;
    typedef small_field_t<Physics, C, R, true> varied_t;
    WITH_SELF(
        Physics, lanes, if (parameters.uniform) { run_on_chip<uniform_t>(&self, messages, &edges); } else {
            run_on_chip<varied_t>(&self, messages, &edges);
        })
}

#endif
