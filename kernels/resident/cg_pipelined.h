/* Pipelined conjugate gradients on the chip: the synchronisation of an iteration is under way while A is applied (Chen and Carson,
 * SIAM J. Sci. Comput. 42, 2020, A3084-A3108: PIPE-PR-CG), M = diag(A) or the identity.
 *
 *   start      alpha = beta = 0, r = b - A x, u = s = p = 0, w = A M^-1 r
 *   iterate    x = x + alpha p,  r = r - alpha s,  v = M^-1 r,  p = v + beta p,  s = (w - alpha u) + beta s
 *              gamma = (r, v),  delta = (p, s),  mu = (s, v),  nu = (s, M^-1 s),  rho = (r, r) at checks
 *              while the sums are on their way:  w = A v,  u = A M^-1 s
 *              alpha = gamma / delta,  beta = 1 + (alpha nu - 2 mu) / delta
 *
 * s stands for A p: by what w and u say of the iteration before, while w itself is formed anew in every one. So there are two products
 * instead of one, of which neither is waited for; kernels/resident/cg_resident.h waits for one and for the sums, one after the other.
 *
 * v and M^-1 s lie in tiles in shared memory, x and p beside them, r, s, w and u in registers. w and u of cells beside other boxes go to
 * the neighbours, which advance v and M^-1 s in their ghosts as their owners do.
 *
 * Synchronisations per iteration: 1, grid barriers none. Memory per ghost and iteration: 32 bytes (float32: 16) sent and received. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_PIPELINED_H
#define PERDURE_KERNELS_RESIDENT_CG_PIPELINED_H

#include "kernels/resident/cg_resident.h"

RESIDENT_SOLVER struct pipelined_cg_t : resident_cg_t<DIMENSIONS, UNIFORM, CELLS, KEEPS_W, FULL> {
    using base = resident_cg_t<DIMENSIONS, UNIFORM, CELLS, KEEPS_W, FULL>;
    using base::AHEAD;
    using base::call;
    using base::column;
    using base::common;
    using base::FEW;
    using base::ghosts_r;
    using base::grid;
    using base::phase;
    using base::r;
    using base::ROWS;
    using base::tile;
    using base::w;
    enum { W = 0, U = 1 };                /* what passes between groups */
    static constexpr uint32 PATIENT = 0u; /* its products fill the time */
    struct ahead_t {
        typename base::ahead_t of[2];
    };

    real_t s[CELLS], u[CELLS];
    real_t *tile_s, *ghosts_s; /* M^-1 s, and s of the ghosts */
    real_t *p_chip;            /* of this item */
    sums_t sums;

    MEMBER real_t &p_here(uint32 i) const { return p_chip[i * group_size()]; }

    MEMBER void start() {
        base::start();
        for (uint32 slot = item_index(); slot < this->plan->tile; slot += group_size()) {
            tile_s[slot] = (real_t)0;
        }
        for (uint32 g = this->helper(); g < common->halo.count; g += group_size()) {
            ghosts_s[g] = (real_t)0;
        }
#pragma unroll
        for (uint32 i = 0; i < CELLS; ++i) {
            s[i] = u[i] = p_here(i) = (real_t)0;
        }
        group_barrier();
        complete_halo();
        advance((real_t)0, (real_t)0, look_ahead());
    }

    /* s and v of own cells, x and p, and the sums. */
    MEMBER void advance_cells(real_t alpha, real_t beta) {
        diagonals_t d[ROWS] = {};
        sums = no_sums();
        base::template for_each_batch<FEW>([&](auto batch) INLINED {
            real_t p[FEW], x_next[FEW];
#pragma unroll
            for (uint32 k = 0; k < FEW; ++k) {
                p[k] = p_here(batch.first + k);
                x_next[k] = this->x_here(batch.first + k);
            }
#pragma unroll
            for (uint32 k = 0; k < FEW; ++k) {
                if (k % ROWS == 0u) {
                    this->find_diagonals(batch, k, d);
                }
                const uint32 i = batch.first + k;
                const real_t inverse = d[k % ROWS].inverse;
                x_next[k] = fma(alpha, p[k], x_next[k]);
                r[i] = fma(-alpha, s[i], r[i]);
                const real_t v = inverse * r[i];
                p[k] = fma(beta, p[k], v);
                s[i] = fma(beta, s[i], fma(-alpha, u[i], w[i]));
                const real_t v_of_s = inverse * s[i];
                if (this->has(batch, k)) {
                    tile[this->slot(batch, k)] = v;
                    tile_s[this->slot(batch, k)] = v_of_s;
                    sums.of[SUM_R_V] = fma((double)r[i], (double)v, sums.of[SUM_R_V]);
                    sums.of[SUM_P_W] = fma((double)p[k], (double)s[i], sums.of[SUM_P_W]);
                    sums.of[SUM_W_V] = fma((double)s[i], (double)v, sums.of[SUM_W_V]);
                    sums.of[SUM_W_MW] = fma((double)s[i], (double)v_of_s, sums.of[SUM_W_MW]);
                }
            }
#pragma unroll
            for (uint32 k = 0; k < FEW; ++k) {
                p_here(batch.first + k) = p[k];
                this->x_here(batch.first + k) = x_next[k];
            }
        });
    }

    /* The same in the ghosts that were looked at. */
    MEMBER void advance_some(uint32 from, const ahead_t &ahead, real_t alpha, real_t beta) {
        uint32 slot[AHEAD];
        real_t received_w[AHEAD] = {}, received_u[AHEAD] = {};
        base::slots_of(from, ahead.of[W], slot);
        if (!base::take_halo(call, from, ahead.of[W], slot, received_w, phase, W) ||
            !base::take_halo(call, from, ahead.of[U], slot, received_u, phase, U)) {
            return;
        }
#pragma unroll
        for (uint32 i = 0; i < AHEAD; ++i) {
            if (slot[i] != 0u) {
                const uint32 g = this->helper() + (from + i) * group_size();
                const real_t inverse = base::inverse_of_ghost(g, ahead.of[W].ghost[i]), before = ghosts_s[g];
                const real_t ghost_r = fma(-alpha, before, ghosts_r[g]);
                const real_t ghost_s = fma(beta, before, fma(-alpha, received_u[i], received_w[i]));
                ghosts_r[g] = ghost_r;
                ghosts_s[g] = ghost_s;
                tile[slot[i]] = inverse * ghost_r;
                tile_s[slot[i]] = inverse * ghost_s;
            }
        }
    }

    MEMBER ahead_t look_at(uint32 from) const {
        return {{base::look_at_halo(call, from, W), base::look_at_halo(call, from, U)}};
    }
    MEMBER ahead_t look_ahead() const {
        return look_at(0u);
    }

    MEMBER void advance(real_t alpha, real_t beta, const ahead_t &ahead) {
        this->forget_addresses();
        advance_cells(alpha, beta);
        advance_some(0u, ahead, alpha, beta);
#pragma unroll 1
        for (uint32 from = AHEAD; this->helper() + from * group_size() < common->halo.count; from += AHEAD) {
            advance_some(from, look_at(from), alpha, beta);
        }
    }

    MEMBER sums_t multiply_and_send(uint32 check) {
        if (check) {
            base::for_each_cell([&](auto, uint32, uint32 i)
                                    INLINED { add_to_check(grid->norm, (double)r[i], &sums); });
        }
        return sums;
    }

    /* Behind a group barrier after advance, that of publish_sums: A is applied while the sums are on their way. */
    MEMBER void complete_halo() {
        real_t last_w[ROWS] = {}, last_u[ROWS] = {};
        base::for_each_pair(tile, tile_s, [&](auto batch, const auto &of_v, const auto &of_s) INLINED {
#pragma unroll
            for (uint32 k = 0; k < FEW; ++k) {
                w[batch.first + k] = of_v[k];
                u[batch.first + k] = of_s[k];
            }
            this->send(batch, column, of_v, call, last_w, W);
            this->send(batch, column, of_s, call, last_u, U);
        });
        base::send_level(column, column.ghost_last, last_w, call, W);
        base::send_level(column, column.ghost_last, last_u, call, U);
        group_barrier();
        base::send_rim(call, W);
        base::send_rim(call, U);
    }
};

#endif
