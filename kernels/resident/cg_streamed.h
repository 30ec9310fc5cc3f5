/* Preconditioned conjugate gradients of grids beyond the chip: an iteration of kernels/resident/cg_resident.h in one sweep through
 * memory, with the same sums and scalars.
 *
 *   as layer s of p arrives, in a tile and the ghosts around it
 *     layer s - 1   w = A p, x = x + alpha p,  r' = r - alpha w,  p' = M^-1 r' + beta p
 *     layer s - 2   w' = A p', gamma = (r', v'),  delta = (p', w'),  mu = (w', v'),  nu = (w', M^-1 w')
 *
 * w is formed again rather than stored, so of p two rings of ghosts are read and of r one. r and p have two copies each: neighbours
 * read the old ones. x is advanced every second time, as in cg_resident.h. Sweeps go forwards and backwards in turn: what one wrote
 * last is still in the cache when the next begins. On the chip lie five layers of p, two of them on their way, and three of p'.
 *
 *   publishes     r' and p' of own cells, with the sums of the iteration (kernels/resident/cg_sums.h, ordered)
 *   observed by   all groups, when they have taken the sums
 *
 * Bytes per cell and iteration: reads p, r, writes p', r', and every second time reads and writes x: 5 x sizeof(real_t). Variable
 * coefficients read diagonal, inverse diagonal and one conductance per axis: (9 or 10 in 3D). Group barriers: one a layer. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_STREAMED_H
#define PERDURE_KERNELS_RESIDENT_CG_STREAMED_H

#include "kernels/convergence.h"
#include "kernels/operator.h"
#include "kernels/resident/cg_front.h"
#include "kernels/resident/cg_scalars.h"

#define STREAMED template <uint32 DIMENSIONS, bool UNIFORM, uint32 WIDTH, uint32 HEIGHT, uint32 ITEMS>
STREAMED struct march_t;

STREAMED struct streamed_cg_t {
    using front = front_t<DIMENSIONS, WIDTH, HEIGHT, ITEMS>;
    static constexpr bool SOLID = front::SOLID;
    static constexpr uint32 CELLS = front::CELLS;
    static constexpr uint32 SHARES_MEMORY = 1u, PATIENT = 0u;
    struct ahead_t {};

    cg_group_t *common;
    const run_parameters_t *grid;
    operator_t A;
    conductances_t conductances; /* of a uniform problem */
    front tiles;
    const real_t *b;
    real_t *x, *r, *p, *r_next, *p_next;
    real_t *chip;
    real_t alpha, beta, owed; /* owed: q, where x lacks the p before */
    uint32 phase, call;
    uint32 fresh, pays; /* of this sweep, 1: there is no p yet; x is advanced */

    /* The barrier of the group leader, of which the other items know nothing. */
    MEMBER uint32 synchronise() {
        group_barrier();
        ++phase;
        const uint32 passed = item_index() == 0u ? barrier_group_leader(&common->barrier, phase) : 1u;
        return group_verdict(common->run.verdict, passed);
    }
    MEMBER void forget_addresses() {}
    MEMBER ahead_t look_ahead() const { return {}; }
    MEMBER void complete_halo() {}
    MEMBER void start() {
        alpha = beta = owed = (real_t)0;
        fresh = 1u;
        pays = 0u;
    }
    MEMBER void advance(real_t new_alpha, real_t new_beta, const ahead_t &) {
        alpha = new_alpha;
        beta = new_beta;
        pays = leaves_x(owed, beta) ? 0u : 1u;
    }

    /* use(cell) for every cell of this group. */
    template <typename Use>
    MEMBER void for_each_own_cell(const Use &use) const {
        tiles.for_each_range(0u, [&](const range_t &range) {
            const front_tile_t tile = tiles.tile_of(range.tile);
#pragma unroll 1
            for (int32 at = range.first; at < range.first + range.layers; ++at) {
                const uint32 base = tiles.layer_at(at).base;
#pragma unroll 1
                for (uint32 k = 0; k < CELLS; ++k) {
                    if (front::has(tile, k)) {
                        use(base + tiles.own_seat(tile, k).cell);
                    }
                }
            }
        });
    }
    MEMBER stencil_t stencil(uint32 cell) const {
        return make_stencil(grid, cell_at(grid, cell, DIMENSIONS), DIMENSIONS, UNIFORM);
    }

    /* All of x in memory. */
    MEMBER void complete_x() {
        if (owed != (real_t)0) {
            for_each_own_cell([&](uint32 cell) {
                const stencil_t s = stencil(cell);
                const real_t v = inverse_diagonal_at(&A, grid, &s) * r[cell];
                x[cell] = fma(owed, p[cell] - v, x[cell]);
            });
            owed = (real_t)0;
        }
    }

    /* r = b - A x; (r, r) and the squares of D x. */
    MEMBER sums_t residual() {
        sums_t sums = no_sums();
        double largest = 0.0;
        for_each_own_cell([&](uint32 cell) {
            const stencil_t s = stencil(cell);
            const neighbourhood_t u = gather(x, grid, &s);
            const real_t here = b[cell] - apply_operator(&A, grid, &s, &u);
            const double scale = row_size(&A, grid, &s) * (double)u.at[CENTRE];
            r[cell] = here;
            sums.of[0] += (double)here * (double)here;
            sums.of[1] += scale * scale;
            largest = larger(fabs((double)here), largest);
            watch_cell(&common->run, cell, (double)here);
        });
        offer_slack(&common->run, largest);
        return sums;
    }

    /* A sweep. */
    MEMBER sums_t multiply_and_send(uint32 check) {
        sums_t sums = no_sums();
        const uint32 backwards = call & 1u;
        tiles.for_each_range(backwards, [&](const range_t &range) INLINED {
            march_t<DIMENSIONS, UNIFORM, WIDTH, HEIGHT, ITEMS> march(*this, range, backwards);
            march.run(check, &sums);
        });
        owed = pays || fresh ? (real_t)0 : alpha / beta;
        fresh = 0u;
        swap(r, r_next);
        swap(p, p_next);
        return sums;
    }

    MEMBER static void swap(real_t *&one, real_t *&other) {
        real_t *kept = one;
        one = other;
        other = kept;
    }
};

#endif
