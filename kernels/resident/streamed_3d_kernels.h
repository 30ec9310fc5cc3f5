/* Explicit stepping in 3D through memory: what kernels/heat.h and kernels/jacobi.h do, in passes of several steps
 * between two grid barriers. Where fewer are left before a check, and where sources change with every step, the phases
 * of those files make them, one by one. */

/* What a pass is about. */
typedef struct {
    const run_parameters_t *grid;
    operator_t A;
    const real_t *b, *from;
    real_t *to;
    const real_t *scaled_by; /* Jacobi's inverse diagonal, else null */
    real_t usual, last;      /* factors of the steps, and of the last one */
    uint32 plain;            /* 1: inner tiles have neither sources nor sigma */
} pass_3d_t;

extern __shared__ __align__(16) unsigned char chip_3d[];

FUNCTION real_t scaled(const pass_3d_t *pass, real_t factor, uint32 place) {
    return pass->scaled_by == 0 ? factor : factor * pass->scaled_by[place];
}

/* All ranges of this group; a function of its own has registers of its own. */
template <int T, bool WATCHED>
static __device__ __noinline__ void march_uniform(const pass_3d_t *pass, const deal_t *deal,
                                                  residual_t *residual) {
    auto *chip = reinterpret_cast<uniform_chip_t<T> *>(chip_3d);
    const run_parameters_t *grid = pass->grid;
    for (uint32 place = item_index(); place < 64u; place += group_size()) {
        chip->entries.usual[place] = {pass->A.diagonal[place], scaled(pass, pass->usual, place)};
        chip->entries.last[place] = {pass->A.diagonal[place], scaled(pass, pass->last, place)};
    }
    group_barrier();
    const inner_3d_t inner = {pinned(pass->A.face_x[0]), pinned(pass->A.face_y[0]), pinned(pass->A.face_z[0]),
                              pinned(chip->entries.usual[0].scale), pinned(chip->entries.last[0].scale)};
    dealt_t at = deal->begin;
    int32 left = deal->budget;
    range_t range;
    while (deal->next(&at, &left, &range)) {
        const stand_t stand = make_stand(*deal, range.tile);
        const uniform_3d_t<T> terms =
            make_uniform_terms(*deal, range, inner, pass->b, grid, pass->plain != 0u, chip);
        residual_t found;
        if constexpr (WATCHED) {
            found = *residual;
        }
        march_planes<T, WATCHED>(terms, &found, stand, range, grid, &chip->march, pass->from, pass->to);
        if constexpr (WATCHED) {
            *residual = found;
        }
    }
}

/* look(value, cell, z, tile) for all cells of a field in the tiles of this group: their own ones, or those around too. */
template <typename Look>
FUNCTION void look_at_tiles(const real_t *field, const run_parameters_t *grid, const deal_t &deal, bool own,
                            Look look) {
    const int32 around = own ? 0 : deal.steps;
    dealt_t at = deal.begin;
    int32 left = deal.budget;
    range_t range;
    while (deal.next(&at, &left, &range)) {
        const stand_t stand = make_stand(deal, range.tile);
        const uint32 mask = own ? stand.own : stand.inside;
#pragma unroll 1
        for (int32 z = range.first - around; z < range.end + around; ++z) {
            const int32 in_grid = wrapped(z, grid->nz, grid->periodic_z);
            const uint32 there = in_grid < 0 ? 0u : mask;
            const uint32 plane = static_cast<uint32>(in_grid) * grid->layer.divisor;
            real_t values[PAIR * ROWS_3D];
#pragma unroll
            for (int i = 0; i < PAIR * ROWS_3D; ++i) { /* all at once */
                values[i] = field[(there >> i & 1u) != 0u ? plane + stand.cell(i / PAIR, i % PAIR) : 0u];
            }
#pragma unroll
            for (int i = 0; i < PAIR * ROWS_3D; ++i) {
                if ((there >> i & 1u) != 0u) {
                    look(values[i], plane + stand.cell(i / PAIR, i % PAIR), static_cast<uint32>(in_grid),
                         range.tile);
                }
            }
        }
    }
}

/* Once a launch: -0 becomes 0; 1 where no cell of an inner tile of this group has a source or sigma, but at sides. */
FUNCTION uint32 first_look_3d(const run_t *run, const pass_3d_t &pass, real_t *u, const deal_t &deal) {
    const run_parameters_t *grid = run->parameters;
    bool nothing = pass.A.diagonal[table_place(0u, 0u, 0u)] == (real_t)0;
    look_at_tiles(u, grid, deal, true, [&](real_t value, uint32 cell, uint32, int32) {
        if (value == (real_t)0) {
            u[cell] = (real_t)0;
        }
    });
    look_at_tiles(pass.b, grid, deal, false, [&](real_t value, uint32, uint32 z, int32 tile) {
        const bool at_no_side = deal.is_inner(tile) && (grid->periodic_z || at_side(z, grid->nz) == 0u);
        nothing = nothing && (value == (real_t)0 || !at_no_side);
    });
    return group_verdict(run->verdict, nothing ? 1u : 0u);
}

/* Steps of a march; 0: phases make them all, for want of room or of one conductance a direction. */
FUNCTION uint32 steps_of_march(const run_parameters_t *grid) {
    const bool wraps_twice = grid->periodic_y && grid->ny < ROWS_3D; /* within the rows of a warp */
    const bool room = chip_bytes() >= sizeof(uniform_chip_t<STEPS_3D>) && group_size() == ITEMS_3D;
    return room && grid->uniform && !wraps_twice ? STEPS_3D : 0u;
}

typedef struct {
    pass_3d_t pass;
    deal_t deal;
    uint32 steps;
} streamed_3d_t;

template <typename Physics>
FUNCTION streamed_3d_t begin_streamed_3d(const run_t *run, const operator_t *A, const Physics &physics,
                                         const real_t *scaled_by, real_t *u) {
    const run_parameters_t *grid = run->parameters;
    streamed_3d_t streamed = {};
    streamed.steps = steps_of_march(grid);
    streamed.pass = {grid, *A, physics.b, 0, 0, scaled_by, (real_t)0, (real_t)0, 0u};
    if (streamed.steps > 0u) {
        streamed.deal = make_deal(grid, STEPS_3D);
        streamed.pass.plain = first_look_3d(run, streamed.pass, u, streamed.deal);
    }
    return streamed;
}

/* Steps of the next pass, of those that there are marches for. */
FUNCTION uint32 steps_of_pass_3d(const streamed_3d_t *streamed, uint32 left) {
    return left >= streamed->steps ? streamed->steps : 1u;
}

/* `steps` from step at->n on, from the current copy of u to the other; residual: of u, where one step begins at a check
 * of Jacobi, else null. */
template <typename Physics>
FUNCTION void march_pass(streamed_3d_t *streamed, const Physics &physics, real_t *const *u,
                         const stepping_t *at, uint32 steps, residual_t *residual) {
    pass_3d_t *pass = &streamed->pass;
    pass->usual = physics.factor(at->n);
    pass->last = physics.factor(at->n + steps - 1u);
    pass->from = u[at->current];
    pass->to = u[1u - at->current];
    if (Physics::scaled && residual != 0) {
        march_uniform<1, Physics::scaled>(pass, &streamed->deal, residual);
    } else if (steps == 1u) {
        march_uniform<1, false>(pass, &streamed->deal, 0);
    } else {
        march_uniform<STEPS_3D, false>(pass, &streamed->deal, 0);
    }
}

FUNCTION void heat_streamed_in_3d(const heat_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const heat_physics_t physics = physics_of(self);
    stepping_t at = begin_stepping(run);
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    streamed_3d_t streamed = begin_streamed_3d(run, &self->A, physics, 0, self->u[at.current]);
    uint32 passed = meet(&barrier, &at);
    while (passed && at.n < at.end && run->state->stop == STOP_NONE) {
        const uint32 until = least(least(next_check(grid, at.n + 1u), at.end), grid->last_step + 1u);
        if (physics.sourced() || streamed.steps == 0u) {
            heat_t phase = *self;
            phase.u[at.n & 1u] = self->u[at.current];
            phase.u[(at.n + 1u) & 1u] = self->u[1u - at.current];
            heat_phase(&phase, at.n);
            ++at.n;
        } else {
            const uint32 steps = steps_of_pass_3d(&streamed, until - at.n);
            march_pass(&streamed, physics, self->u, &at, steps, 0);
            at.n += steps;
            if (is_check(grid, at.n) || at.n == grid->last_step + 1u) {
                watched_t watched = {0.0, NO_CELL};
                group_barrier();
                look_at_tiles(
                    self->u[1u - at.current], grid, streamed.deal, true,
                    [&](real_t value, uint32 cell, uint32, int32) { watch(&watched, cell, (double)value); });
                contribute_watched(run, watched);
                if (finish_reduction(run, 0u)) {
                    DECIDE(heat_decide(self, at.n));
                }
            }
        }
        at.current = 1u - at.current;
        passed = meet(&barrier, &at);
    }
    end_stepping(run, &at);
}

FUNCTION void jacobi_streamed_in_3d(const jacobi_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const jacobi_physics_t physics = physics_of(self);
    stepping_t at = begin_stepping(run);
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    streamed_3d_t streamed =
        begin_streamed_3d(run, &self->A, physics, self->A.inverse_diagonal, self->u[at.current]);
    uint32 passed = meet(&barrier, &at);
    while (passed && at.n < at.end && run->state->stop == STOP_NONE) {
        const uint32 check = is_check(grid, at.n);
        uint32 steps = 1u;
        if (streamed.steps == 0u) {
            jacobi_phase_at(self, &at);
        } else {
            residual_t residual;
            residual.begin(grid, physics.scale(physics.weight, table_place(0u, 0u, 0u)));
            steps = check ? 1u : steps_of_pass_3d(&streamed, least(next_check(grid, at.n), at.end) - at.n);
            march_pass(&streamed, physics, self->u, &at, steps, check ? &residual : 0);
            if (check) {
                decide_on_residual(run, &residual, at.n);
            }
        }
        passed = meet(&barrier, &at);
        if (run->state->stop == STOP_NONE) { /* otherwise the answer is u(n) */
            at.n += steps;
            at.current = 1u - at.current;
        }
    }
    end_stepping(run, &at);
}

#define KERNEL_3D __global__ __launch_bounds__(ITEMS_3D, 1)

KERNEL_3D void heat_streamed_3d(PARAMETERS parameters, control_t *control, grid_sync_t *sync,
                                run_state_t *state, sum_t *partials, double *history, const real_t *diagonal,
                                const real_t *inverse_diagonal, const real_t *face_x, const real_t *face_y,
                                const real_t *face_z, const real_t *b, real_t *u_even, real_t *u_odd,
                                const real_t *factor_table) {
    LOCAL sum_t lanes[LANE_ROWS * LANES];
    LOCAL uint32 verdict;
    const heat_t self = {{&parameters, control, sync, state, partials, history, lanes, &verdict},
                         {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z},
                         {u_even, u_odd},
                         b,
                         factor_table};
    heat_streamed_in_3d(&self);
}

KERNEL_3D void jacobi_streamed_3d(PARAMETERS parameters, control_t *control, grid_sync_t *sync,
                                  run_state_t *state, sum_t *partials, double *history,
                                  const real_t *diagonal, const real_t *inverse_diagonal,
                                  const real_t *face_x, const real_t *face_y, const real_t *face_z,
                                  const real_t *b, real_t *u_even, real_t *u_odd, const real_t *,
                                  const real_t *, const real_t *) {
    LOCAL sum_t lanes[LANE_ROWS * LANES];
    LOCAL uint32 verdict;
    const jacobi_t self = {{&parameters, control, sync, state, partials, history, lanes, &verdict},
                           {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z},
                           {u_even, u_odd},
                           b};
    jacobi_streamed_in_3d(&self);
}
