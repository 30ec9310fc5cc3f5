/* Preconditioned conjugate gradients of grids that do not fit on the chip: streamed, which means that vectors pass through memory
 * once an iteration. Each iteration of cg_on_chip.h is one pass through memory, with the same sums and scalars.
 *
 *   when layer s of p has arrived, in a tile and the ghosts around it
 *     layer s - 1   w = A p, x = x + alpha p,  r' = r - alpha w,  p' = M^-1 r' + beta p
 *     layer s - 2   w' = A p', gamma = (r', v'),  delta = (p', w'),  mu = (w', v'),  nu = (w', M^-1 w')
 *
 * w is formed twice rather than stored, so that a tile reads two rings of ghosts of p and one of r. r and p have two copies each,
 * because neighbours read the old ones. Every second update of x is deferred, as in cg_on_chip.h. Passes alternate their
 * direction: what one wrote last is still in the cache when the next begins. Five layers of p, two of them in flight, and three
 * of p' lie in shared memory.
 *
 *   publishes     r' and p' of own cells, with the sums of the iteration (kernels/resident/cg_sums.h, ordered)
 *   observed by   all groups, when they have taken the sums
 *
 * Memory traffic per cell and iteration: reads p and r, writes p' and r', reads and writes x in every second iteration: 5 values.
 * Variable coefficients add the diagonal, its inverse and one conductance per axis: 9 values in 2D, 10 in 3D. Group barriers: one
 * a layer. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_STREAMED_H
#define PERDURE_KERNELS_RESIDENT_CG_STREAMED_H

#include "kernels/convergence.h"
#include "kernels/operator.h"
#include "kernels/resident/cg_scalars.h"
#include "kernels/resident/cg_sweep_tile.h"

#define STREAMED template <uint32 DIMENSIONS, bool UNIFORM, uint32 WIDTH, uint32 HEIGHT, uint32 ITEMS>
STREAMED struct plane_sweep_t;

STREAMED struct streamed_cg_t {
    using tiling = sweep_tiling_t<DIMENSIONS, WIDTH, HEIGHT, ITEMS>;
    static constexpr bool SOLID = tiling::SOLID;
    static constexpr uint32 CELLS = tiling::CELLS;
    static constexpr uint32 SHARES_MEMORY = 1u, BACKS_OFF = 0u;
    struct ahead_t {};

    cg_group_t *common;
    const run_parameters_t *grid;
    operator_t A;
    conductances_t conductances; /* of a uniform problem */
    tiling tiles;
    const real_t *b;
    real_t *x, *r, *p, *r_next, *p_next;
    real_t *chip;
    real_t alpha, beta, deferred; /* deferred: q; 0 unless the previous update of x was deferred */
    uint32 phase, call;
    uint32 fresh, advances_x; /* in this pass: 1: there is no p yet; 1: x is advanced */

    /* Waits at the barrier of the group leader; only the leader sees the barrier itself. */
    MEMBER uint32 synchronise() {
        group_barrier();
        ++phase;
        const uint32 passed = item_index() == 0u ? barrier_group_leader(&common->barrier, phase) : 1u;
        return group_verdict(common->run.verdict, passed);
    }
    MEMBER void forget_addresses() {}
    MEMBER ahead_t load_halo_ahead() const { return {}; }
    MEMBER void complete_halo() {}
    MEMBER void start() {
        alpha = beta = deferred = (real_t)0;
        fresh = 1u;
        advances_x = 0u;
    }
    MEMBER void advance(real_t new_alpha, real_t new_beta, const ahead_t &) {
        alpha = new_alpha;
        beta = new_beta;
        advances_x = defers_x(deferred, beta) ? 0u : 1u;
    }

    /* Calls use(cell) for every cell of this group. */
    template <typename Use>
    MEMBER void for_each_own_cell(const Use &use) const {
        tiles.for_each_range(0u, [&](const range_t &range) {
            const sweep_tile_t tile = tiles.tile_of(range.tile);
#pragma unroll 1
            for (int32 at = range.first; at < range.first + range.layers; ++at) {
                const uint32 base = tiles.layer_at(at).base;
#pragma unroll 1
                for (uint32 k = 0; k < CELLS; ++k) {
                    if (tiling::has(tile, k)) {
                        use(base + tiles.own_map(tile, k).cell);
                    }
                }
            }
        });
    }
    MEMBER stencil_t stencil(uint32 cell) const {
        return make_stencil(grid, cell_at(grid, cell, DIMENSIONS), DIMENSIONS, UNIFORM);
    }

    /* Completes x in memory: makes the deferred update. */
    MEMBER void complete_x() {
        if (deferred != (real_t)0) {
            for_each_own_cell([&](uint32 cell) {
                const stencil_t s = stencil(cell);
                const real_t v = inverse_diagonal_at(&A, grid, &s) * r[cell];
                x[cell] = fma(deferred, p[cell] - v, x[cell]);
            });
            deferred = (real_t)0;
        }
    }

    /* Computes r = b - A x; returns (r, r) and the squares of D x. */
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

    /* Makes one pass. */
    MEMBER sums_t multiply_and_send(uint32 check) {
        sums_t sums = no_sums();
        const uint32 backwards = call & 1u;
        tiles.for_each_range(backwards, [&](const range_t &range) INLINED {
            plane_sweep_t<DIMENSIONS, UNIFORM, WIDTH, HEIGHT, ITEMS> sweep(*this, range, backwards);
            sweep.run(check, &sums);
        });
        deferred = advances_x || fresh ? (real_t)0 : alpha / beta;
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
