/* Preconditioned conjugate gradients with all vectors on the chip and one synchronisation an iteration (Chen and Carson, SIAM J.
 * Sci. Comput. 42, 2020, A3084-A3108: predict and recompute). M = diag(A) or the identity.
 *
 *   start      alpha = beta = 0, r = b - A x
 *   iterate    x = x + alpha p,  r = r - alpha w,  v = M^-1 r,  p = v + beta p,  w = A p
 *              gamma = (r, v),  delta = (p, w),  mu = (w, v),  nu = (w, M^-1 w),  rho = (r, r) at checks
 *              alpha = gamma / delta,  beta = 1 + (alpha nu - 2 mu) / delta
 *
 * beta uses a prediction of (r, v) of the next r; gamma is summed anew in every iteration. p lies in a tile in shared memory, r
 * in registers. w stays in registers if there are enough of them; otherwise it is formed twice. x lies in shared memory if there
 * is room, otherwise in global memory, where every second update is deferred and made with the next one:
 *
 *   x = x + (alpha + q) p - q v,  q = alpha / beta of the previous iteration, whose p was (p - v) / beta
 *
 * w of cells next to other boxes goes to the neighbours (cg_halo.h), sums go to all groups (cg_sums.h); neither waits for the
 * other. Group 0 decides at checks as kernels/true_residual.h does, while the sums of the next iteration are in flight. Other
 * groups learn its decision from the sums after these (cg_run.h). If curvature is lost, all groups see it in the same sums and
 * restart from the true residual, as in kernels/cg_decide.h. Synchronisations per iteration: 1; no grid barrier. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_ON_CHIP_H
#define PERDURE_KERNELS_RESIDENT_CG_ON_CHIP_H

#include "kernels/convergence.h"
#include "kernels/resident/cg_column.h"

RESIDENT_SOLVER struct on_chip_cg_t : resident_column_t<DIMENSIONS, UNIFORM, CELLS, KEEPS_W, FULL> {
    using base = resident_column_t<DIMENSIONS, UNIFORM, CELLS, KEEPS_W, FULL>;
    using base::cell;
    using base::column;
    using base::common;
    using base::FEW;
    using base::forget_addresses;
    using base::grid;
    using base::has;
    using base::MANY;
    using base::r;
    using base::slot;
    using base::tile;
    using base::w;
    static constexpr bool X_ON_CHIP = KEEPS_W;
    /* Other groups read an iteration's data as messages or behind flags. */
    static constexpr uint32 SHARES_MEMORY = 0u;
    static constexpr uint32 BACKS_OFF = CELLS <= 16u ? 1u : 0u;

    const real_t *b;
    real_t *x, *x_chip; /* in global memory; of this item in shared memory */
    real_t deferred;    /* q; 0 unless the previous update of x was deferred */
    uint32 phase, call;

    MEMBER real_t &x_here(uint32 i) const { return x_chip[i * group_size()]; }

    /* Calls use(batch, k, number) for each existing cell. Not for time-critical code. */
    template <typename Use>
    MEMBER void for_each_cell(const Use &use) {
        base::template for_each_batch<FEW>([&](auto batch) INLINED {
#pragma unroll
            for (uint32 k = 0; k < FEW; ++k) {
                if (this->has(batch, k)) {
                    use(batch, k, batch.first + k);
                }
            }
        });
    }

    /* Computes r = b - A x from x in memory; returns (r, r) and the squares of D x. */
    MEMBER sums_t residual() {
        sums_t sums = no_sums();
        double largest = 0.0;
        for_each_cell([&](auto batch, uint32 k, uint32)
                          INLINED { tile[this->slot(batch, k)] = x[this->cell(batch, k)]; });
        base::take_halo_from(x, b);
        group_barrier();
        base::for_each_product(
            tile, no_prologue_t(),
            [&](auto batch, int, const auto &u, const auto &product, const auto &t, const auto &d) INLINED {
#pragma unroll
                for (uint32 k = 0; k < FEW; ++k) {
                    if (!this->has(batch, k)) {
                        continue;
                    }
                    double size = fabs((double)d[k].diagonal);
                    for (uint32 face = WEST; face < STENCIL_POINTS; ++face) {
                        size += fabs((double)t[k].face[face]);
                    }
                    const real_t here = b[this->cell(batch, k)] - product[k];
                    r[batch.first + k] = here;
                    sums.of[0] += (double)here * (double)here;
                    sums.of[1] += size * (double)u[k] * (size * (double)u[k]);
                    largest = larger(fabs((double)here), largest);
                    watch_cell(&common->run, this->cell(batch, k), (double)here);
                }
            });
        offer_slack(&common->run, largest);
        return sums;
    }

    /* Sets the first direction, p = M^-1 r. */
    MEMBER void start() {
        group_barrier();
        for_each_direction([&](uint32 i, bool, real_t, real_t inverse) INLINED { return inverse * r[i]; });
        base::start_halo();
    }

    /* Loads x to shared memory, if it lies there. */
    MEMBER void begin_x() {
        if constexpr (X_ON_CHIP) {
            for_each_cell([&](auto batch, uint32 k, uint32 i)
                              INLINED { this->x_here(i) = x[this->cell(batch, k)]; });
        }
    }

    /* Stores all of x to memory. */
    MEMBER void complete_x() {
        diagonals_t d[base::ROWS] = {};
        base::template for_each_batch<FEW>([&](auto batch) INLINED {
#pragma unroll
            for (uint32 k = 0; k < FEW; ++k) {
                const uint32 row = k % base::ROWS;
                if (row == 0u) {
                    this->find_diagonals(batch, k, d);
                }
                if (!this->has(batch, k)) {
                    continue;
                }
                if (X_ON_CHIP) {
                    x[this->cell(batch, k)] = this->x_here(batch.first + k);
                } else if (deferred != (real_t)0) {
                    const real_t p = tile[this->slot(batch, k)], v = d[row].inverse * r[batch.first + k];
                    x[this->cell(batch, k)] = fma(deferred, p - v, x[this->cell(batch, k)]);
                }
            }
        });
        deferred = (real_t)0;
    }

    /* Sets p = next(i, there, p, M^-1) in each cell i of the item, and stores it batch by batch. */
    template <typename Next>
    MEMBER void for_each_direction(const Next &next) {
        diagonals_t d[base::ROWS] = {};
        base::template for_each_batch<MANY>([&](auto batch) INLINED {
            real_t p[MANY];
#pragma unroll
            for (uint32 k = 0; k < MANY; ++k) {
                p[k] = this->has(batch, k) ? tile[this->slot(batch, k)]
                                           : (real_t)0; /* others may be advancing ghosts */
            }
#pragma unroll
            for (uint32 k = 0; k < MANY; ++k) {
                if (k % base::ROWS == 0u) {
                    this->find_diagonals(batch, k, d);
                }
                p[k] = next(batch.first + k, this->has(batch, k), p[k], d[k % base::ROWS].inverse);
            }
#pragma unroll
            for (uint32 k = 0; k < MANY; ++k) {
                if (this->has(batch, k)) {
                    tile[this->slot(batch, k)] = p[k];
                }
            }
        });
    }
    /* Advances r, p and x, which lies in shared memory. */
    MEMBER void advance_kept(real_t alpha, real_t beta) {
        for_each_direction([&](uint32 i, bool there, real_t p, real_t inverse) INLINED {
            r[i] = fma(-alpha, w[i], r[i]);
            if (there) {
                x_here(i) = fma(alpha, p, x_here(i));
            }
            return fma(beta, p, inverse * r[i]);
        });
    }
    MEMBER void advance_p(real_t beta) {
        for_each_direction([&](uint32 i, bool, real_t p, real_t inverse)
                               INLINED { return fma(beta, p, inverse * r[i]); });
    }

    /* Advances r with w formed again, and if ADVANCES_X also x, which is loaded meanwhile. Returns a neighbour's flag, loaded a
     * few cells before the end. */
    template <bool ADVANCES_X>
    MEMBER uint32 advance_anew(real_t alpha) {
        uint32 flag = call - 1u;
        struct values_t {
            real_t of[FEW];
        };
        base::for_each_product(
            tile,
            [&](auto batch) INLINED {
                values_t old;
                if (batch.first + 2u * FEW == CELLS) {
                    flag = base::poll_flag();
                }
#pragma unroll
                for (uint32 k = 0; k < FEW; ++k) {
                    old.of[k] = ADVANCES_X ? x[this->cell(batch, k)] : (real_t)0;
                }
                if (batch.first == 0u) {
                    this->raise_flag(call); /* the stores have arrived by now, so the fence is short */
                }
                return old;
            },
            [&](auto batch, const values_t &old, const auto &p, const auto &product, const auto &,
                const auto &d) INLINED {
#pragma unroll
                for (uint32 k = 0; k < FEW; ++k) {
                    const uint32 i = batch.first + k;
                    const real_t v = d[k].inverse * r[i];
                    r[i] = fma(-alpha, product[k], r[i]);
                    if (ADVANCES_X && this->has(batch, k)) {
                        x[this->cell(batch, k)] = fma(alpha, p[k], fma(deferred, p[k] - v, old.of[k]));
                    }
                }
            });
        deferred = ADVANCES_X ? (real_t)0 : deferred;
        return flag;
    }

    /* Loads messages of ghosts. They were sent with the sums and arrive while the scalars are found and own cells are advanced. */
    MEMBER typename base::ahead_t load_halo_ahead() const {
        if constexpr (!base::BY_FLAGS) {
            return base::load_halo(call, 0u);
        } else {
            return {};
        }
    }

    /* Advances r, p and x of the cells and r and p of the ghosts. ahead: the first messages, if ghosts pass as messages. */
    MEMBER void advance(real_t alpha, real_t beta, const typename base::ahead_t &ahead) {
        forget_addresses();
        if constexpr (KEEPS_W && !base::BY_FLAGS) {
            advance_kept(alpha, beta);
            base::advance_halo(call, ahead, alpha, beta, phase);
        } else if constexpr (KEEPS_W) {
            this->raise_flag(call);
            advance_kept(alpha, beta);
            base::await_flags(call, call - 1u);
            base::advance_halo(call, base::load_halo(call, 0u), alpha, beta, phase);
        } else {
            uint32 flag;
            if (defers_x(deferred, beta)) {
                flag = advance_anew<false>(alpha);
                deferred = alpha / beta;
            } else {
                flag = advance_anew<true>(alpha);
            }
            base::await_flags(call, flag);
            const typename base::ahead_t first = base::load_halo(call, 0u);
            group_barrier(); /* no item needs the previous p any more */
            base::advance_halo(call, first, alpha, beta, phase);
            forget_addresses();
            advance_p(beta);
        }
    }

    /* Computes w = A p and the sums of the iteration. */
    MEMBER sums_t multiply(uint32 check) {
        sums_t sums = no_sums();
        real_t last[base::ROWS] = {};
        base::for_each_product(
            tile, no_prologue_t(),
            [&](auto batch, int, const auto &p, const auto &product, const auto &, const auto &d) INLINED {
#pragma unroll
                for (uint32 k = 0; k < FEW; ++k) {
                    const uint32 i = batch.first + k;
                    if constexpr (KEEPS_W) {
                        w[i] = product[k];
                    }
                    const real_t v = d[k].inverse * r[i];
                    if (this->has(batch, k)) {
                        sums.of[SUM_R_V] = fma((double)r[i], (double)v, sums.of[SUM_R_V]);
                        sums.of[SUM_P_W] = fma((double)p[k], (double)product[k], sums.of[SUM_P_W]);
                        sums.of[SUM_W_V] = fma((double)product[k], (double)v, sums.of[SUM_W_V]);
                        sums.of[SUM_W_MW] =
                            fma((double)product[k], (double)(d[k].inverse * product[k]), sums.of[SUM_W_MW]);
                    }
                }
                this->send(batch, column, product, call, last);
            });
        base::send_level(column, column.ghost_last, last, call);
        if (check) {
            for_each_cell([&](auto, uint32, uint32 i)
                              INLINED { add_to_check(grid->norm, (double)r[i], &sums); });
        }
        return sums;
    }
    MEMBER sums_t multiply_and_send(uint32 check) {
        group_barrier();
        forget_addresses();
        return multiply(check);
    }

    /* Sends the rest of the halo, behind the group barrier of publish_sums. */
    MEMBER void complete_halo() {
        base::send_rim(call);
    }

    MEMBER uint32 synchronise() {
        return grid_barrier(&common->barrier, ++phase);
    }
};

#endif
