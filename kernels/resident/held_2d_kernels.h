/* The run of a held field: kernels/heat.h and kernels/jacobi.h with u on the chip. A field has
 *
 *   ring                       steps from one exchange to the next
 *   chip_t                     its memory on the chip
 *   begin, load                finds its tile and the terms of the formula, of step n; u of it, from memory
 *   always_fits                it has room for every term
 *   fits                       0: the formula has terms that the field has no room for
 *   for_each_own(of)           of(cell, value) for its own cells
 *   advance(n, steps, words, odd)
 *                              steps n .. n + steps - 1; odd: of the exchange that follows the last one, which may send what it makes,
 *                              or NOT_SENT
 *   watch_residual             b - A u of its own cells, for a check of Jacobi
 *   words_of_turn              of an exchange, in all groups
 *   clear_words, exchange      its ring, in words or as cells with flags, none of which is of a step behind the launch's first;
 *                              exchange: 1 to all when all are there, 0 when a wait was abandoned */
#ifndef PERDURE_KERNELS_RESIDENT_HELD_2D_KERNELS_H
#define PERDURE_KERNELS_RESIDENT_HELD_2D_KERNELS_H

#include "kernels/resident/held_exchange_2d.h"
#include "kernels/resident/resident_fields.h"
#include "kernels/resident/stepping.h"

template <typename Field>
FUNCTION void store_own(const Field &field, real_t *to) {
    field.for_each_own([&](uint32 cell, real_t value) { to[cell] = value; });
}
template <typename Field>
FUNCTION watched_t watch_own(const Field &field) {
    watched_t watched = {0.0, NO_CELL};
    field.for_each_own([&](uint32 cell, real_t value) { watch(&watched, cell, (double)value); });
    return watched;
}

/* The ring is that of the next step: 0 when a wait was abandoned. */
template <typename Field>
FUNCTION uint32 refresh(Field *field, word_t *words, const run_t *run, stepping_t *at, uint32 *fresh) {
    if (*fresh > 0u) {
        return 1u;
    }
    *fresh = Field::ring;
    return field->exchange(words, at->exchanges++ & 1u, at->n, run);
}

/* No exchange follows these steps. */
#define NOT_SENT 2u

/* Steps n .. until - 1; `fresh`: how many more the ring allows. 0 when a wait was abandoned. */
template <typename Field>
FUNCTION uint32 hold_on(Field *field, word_t *words, const run_t *run, stepping_t *at, uint32 until,
                        uint32 *fresh) {
    while (at->n < until) {
        if (!refresh(field, words, run, at, fresh)) {
            return 0u;
        }
        const uint32 steps = least(*fresh, until - at->n);
        field->advance(at->n, steps, words, steps == *fresh ? at->exchanges & 1u : NOT_SENT);
        at->n += steps;
        *fresh -= steps;
    }
    return 1u;
}

/* Every item, between two grid barriers at the beginning of a launch: 1 to all where all groups' fields fit. */
FUNCTION void send_fit(uint32 fits, word_t *words) {
    if (item_index() == 0u) {
        send_word(words, group_index(), (real_t)fits, 1u);
    }
}
FUNCTION uint32 all_fit(word_t *words, const run_t *run) {
    uint32 fit = 1u;
    for (uint32 group = item_index(); group < group_count(); group += group_size()) {
        real_t fits;
        fit &= take_word(look_at_word(words, group), &fits, 1u) && fits != (real_t)0 ? 1u : 0u;
    }
    return group_all(run->verdict, fit);
}

/* The steps of a launch; 0: the field does not fit, nothing has been done. */
template <typename Field, typename Self>
static __device__ __noinline__ uint32 hold_field(const Self *self, word_t *words,
                                                 typename Field::chip_t *chip) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    stepping_t at = begin_stepping(run, Field::physics_t::begin(run->state));
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    uint32 fresh = Field::ring;
    const auto physics = Field::physics_t::of(self);
    Field field;
    field.begin(run, self->A, physics, at.n, words, chip);
    field.load(self->u[at.current]);
    const uint32 turn = Field::words_of_turn(grid);
    field.clear_words(words, turn, at.n);
    if constexpr (!Field::always_fits) {
        send_fit(field.fits, words + 2u * turn);
    }
    uint32 passed = meet(&barrier, &at);
    if (!Field::always_fits && passed && !all_fit(words + 2u * turn, run)) {
        return 0u;
    }
    while (passed && at.n < at.end && run->state->control.stop == STOP_NONE) {
        if constexpr (physics.checks_residual != 0) {
            if (is_check(grid, at.n)) {
                residual_t residual;
                passed = refresh(&field, words, run, &at, &fresh);
                if (passed) {
                    field.watch_residual(at.n, grid, &residual);
                    decide_on_residual(run, &residual, at.n);
                    passed = meet(&barrier, &at);
                }
                if (!passed || run->state->control.stop != STOP_NONE) {
                    break; /* the answer is u(n) */
                }
            }
            passed = hold_on(&field, words, run, &at, least(next_check(grid, at.n + 1u), at.end), &fresh);
        } else {
            uint32 until = least(least(next_check(grid, at.n + 1u), at.end), grid->last_step + 1u);
            if (physics.sourced()) {
                field.renew_sources(self->A, grid, at.n);
                until = at.n + 1u;
            }
            passed = hold_on(&field, words, run, &at, until, &fresh);
            if (passed && (is_check(grid, at.n) || at.n == grid->last_step + 1u)) {
                contribute_watched(run, watch_own(field));
                if (finish_reduction(run, 0u)) {
                    DECIDE(heat_decide(self, at.n));
                }
                passed = meet(&barrier, &at);
            }
        }
    }
    store_own(field, self->u[at.current]);
    group_barrier();
    end_stepping(run, &at);
    return 1u;
}

/* A tile of C columns a lane and R rows a warp in each group. */
template <typename Physics, int C, int R>
__global__ __launch_bounds__(HELD_ITEMS, 1) void held_2d(KERNEL_ARGUMENTS(HELD_STEPS_FIELDS)) {
    __shared__ sum_t lanes[LANE_ROWS * LANES];
    __shared__ uint32 verdict;
    __shared__ held_edges_t<C> edges;
    typedef small_field_t<Physics, C, R, false> uniform_t;
    typedef small_field_t<Physics, C, R, true> varied_t;
    WITH_SELF(
        Physics, lanes, if (parameters.uniform) { hold_field<uniform_t>(&self, words, &edges); } else {
            hold_field<varied_t>(&self, words, &edges);
        })
}

#endif
