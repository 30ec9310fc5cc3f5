/* The run of a held field: kernels/heat.h and kernels/jacobi.h with u in registers. */

template <int C, int R>
FUNCTION void load_tile(const held_tile_t<C, R> &tile, const real_t *from, row_of<real_t, C> *u) {
#pragma unroll
    for (int r = 0; r < R; ++r) {
#pragma unroll
        for (int j = 0; j < C; ++j) {
            u[r].at[j] = tile.inside(r, j) ? from[tile.cell(r, j)] : (real_t)0;
        }
    }
}
template <int C, int R>
FUNCTION void store_tile(const held_tile_t<C, R> &tile, real_t *to, const row_of<real_t, C> *u) {
#pragma unroll
    for (int r = 0; r < R; ++r) {
#pragma unroll
        for (int j = 0; j < C; ++j) {
            if ((tile.own & tile.bit(r, j)) != 0u) {
                to[tile.cell(r, j)] = u[r].at[j];
            }
        }
    }
}
template <int C, int R>
FUNCTION watched_t watch_held(const held_tile_t<C, R> &tile, const row_of<real_t, C> *u) {
    watched_t watched = {0.0, NO_CELL};
#pragma unroll
    for (int r = 0; r < R; ++r) {
#pragma unroll
        for (int j = 0; j < C; ++j) {
            if ((tile.own & tile.bit(r, j)) != 0u) {
                watch(&watched, tile.cell(r, j), (double)u[r].at[j]);
            }
        }
    }
    return watched;
}

/* Steps n .. until - 1; `fresh`: how many more the ring allows. 0 when a wait was abandoned. */
template <typename Physics, typename Terms, int C, int R>
FUNCTION uint32 hold_on(const Physics &physics, const Terms &terms, const held_tile_t<C, R> &tile,
                        row_of<real_t, C> *u, held_edges_t<C> *edges, word_t *words, const run_t *run,
                        uint32 *n, uint32 until, uint32 *fresh, uint32 *exchanges) {
    while (*n < until) {
        if (*fresh == 0u) {
            word_t *of_exchange = words + (*exchanges & 1u) * run->parameters->cells;
            if (!exchange_ring(tile, u, of_exchange, *n, run)) {
                return 0u;
            }
            *fresh = held_shape<C, R>::ring;
            ++*exchanges;
        }
        advance_tile<Terms, C, R>(terms, physics.factor(*n), u, edges, *n);
        ++*n;
        --*fresh;
    }
    return 1u;
}

template <int C, int R, bool VARIABLE>
static __device__ __noinline__ void hold_heat(const heat_t *self, word_t *words, held_edges_t<C> *edges) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const heat_physics_t physics = physics_of(self);
    const held_tile_t<C, R> tile = make_held_tile<C, R>(grid);
    row_of<real_t, C> u[R];
    held_terms_t<heat_physics_t, C, R, VARIABLE> terms;
    stepping_t at = begin_stepping(run);
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    uint32 fresh = held_shape<C, R>::ring;
    load_tile(tile, self->u[at.current], u);
    terms.fetch(tile, self->A, physics, grid, at.n);
    clear_words(tile, words, grid->cells);
    uint32 passed = meet(&barrier, &at);
    while (passed && at.n < at.end && run->state->stop == STOP_NONE) {
        uint32 until = least(least(next_check(grid, at.n + 1u), at.end), grid->last_step + 1u);
        if (physics.sourced()) {
            terms.fetch(tile, self->A, physics, grid, at.n);
            until = at.n + 1u;
        }
        passed = hold_on(physics, terms, tile, u, edges, words, run, &at.n, until, &fresh, &at.exchanges);
        if (passed && (is_check(grid, at.n) || at.n == grid->last_step + 1u)) {
            contribute_watched(run, watch_held(tile, u));
            if (finish_reduction(run, 0u)) {
                DECIDE(heat_decide(self, at.n));
            }
            passed = meet(&barrier, &at);
        }
    }
    store_tile(tile, self->u[at.current], u);
    group_barrier();
    end_stepping(run, &at);
}

template <int C, int R, bool VARIABLE>
static __device__ __noinline__ void hold_jacobi(const jacobi_t *self, word_t *words, held_edges_t<C> *edges) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const jacobi_physics_t physics = physics_of(self);
    const held_tile_t<C, R> tile = make_held_tile<C, R>(grid);
    row_of<real_t, C> u[R];
    held_terms_t<jacobi_physics_t, C, R, VARIABLE> terms;
    stepping_t at = begin_stepping(run);
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    uint32 fresh = held_shape<C, R>::ring;
    load_tile(tile, self->u[at.current], u);
    terms.fetch(tile, self->A, physics, grid, at.n);
    clear_words(tile, words, grid->cells);
    uint32 passed = meet(&barrier, &at);
    while (passed && at.n < at.end && run->state->stop == STOP_NONE) {
        if (is_check(grid, at.n)) {
            store_tile(tile, self->u[at.current], u);
            passed = meet(&barrier, &at);
            if (!passed) {
                break;
            }
            jacobi_check(self, &at);
            passed = meet(&barrier, &at);
            if (!passed || run->state->stop != STOP_NONE) {
                break; /* the answer is u(n) */
            }
            ++at.n;
            at.current = 1u - at.current;
            load_tile(tile, self->u[at.current], u);
            fresh = held_shape<C, R>::ring;
            passed = meet(&barrier, &at); /* all have loaded what the next check stores over */
        } else {
            const uint32 until = least(next_check(grid, at.n), at.end);
            passed = hold_on(physics, terms, tile, u, edges, words, run, &at.n, until, &fresh, &at.exchanges);
        }
    }
    if (run->state->stop == STOP_NONE) {
        store_tile(tile, self->u[at.current], u);
    }
    group_barrier();
    end_stepping(run, &at);
}

#define HELD_KERNEL __global__ __launch_bounds__(HELD_ITEMS, 1)

#define HEAT_HELD_2D(name, C, R)                                                                            \
    HELD_KERNEL void name(PARAMETERS parameters, control_t *control, grid_sync_t *sync, run_state_t *state, \
                          sum_t *partials, double *history, const real_t *diagonal,                         \
                          const real_t *inverse_diagonal, const real_t *face_x, const real_t *face_y,       \
                          const real_t *face_z, const real_t *b, real_t *u_even, real_t *u_odd,             \
                          const real_t *factor_table, word_t *words) {                                      \
        LOCAL sum_t lanes[LANE_ROWS * LANES];                                                               \
        LOCAL uint32 verdict;                                                                               \
        LOCAL held_edges_t<C> edges;                                                                        \
        const heat_t self = {{&parameters, control, sync, state, partials, history, lanes, &verdict},       \
                             {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z},  \
                             {u_even, u_odd},                                                               \
                             b,                                                                             \
                             factor_table};                                                                 \
        if (parameters.uniform) {                                                                           \
            hold_heat<C, R, false>(&self, words, &edges);                                                   \
        } else {                                                                                            \
            hold_heat<C, R, true>(&self, words, &edges);                                                    \
        }                                                                                                   \
    }

#define JACOBI_HELD_2D(name, C, R)                                                                           \
    HELD_KERNEL void name(PARAMETERS parameters, control_t *control, grid_sync_t *sync, run_state_t *state,  \
                          sum_t *partials, double *history, const real_t *diagonal,                          \
                          const real_t *inverse_diagonal, const real_t *face_x, const real_t *face_y,        \
                          const real_t *face_z, const real_t *b, real_t *u_even, real_t *u_odd,              \
                          const real_t *, const real_t *, const real_t *, word_t *words) {                   \
        LOCAL sum_t lanes[LANE_ROWS * LANES];                                                                \
        LOCAL uint32 verdict;                                                                                \
        LOCAL held_edges_t<C> edges;                                                                         \
        const jacobi_t self = {{&parameters, control, sync, state, partials, history, lanes, &verdict},      \
                               {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z}, \
                               {u_even, u_odd},                                                              \
                               b};                                                                           \
        if (parameters.uniform) {                                                                            \
            hold_jacobi<C, R, false>(&self, words, &edges);                                                  \
        } else {                                                                                             \
            hold_jacobi<C, R, true>(&self, words, &edges);                                                   \
        }                                                                                                    \
    }

HEAT_HELD_2D(heat_held_2d_small, 1, SMALL_ROWS)
HEAT_HELD_2D(heat_held_2d_large, 2, 8)
JACOBI_HELD_2D(jacobi_held_2d_small, 1, SMALL_ROWS)
JACOBI_HELD_2D(jacobi_held_2d_large, 2, 8)
