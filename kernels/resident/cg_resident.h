/* Preconditioned conjugate gradients with everything on the chip: one synchronisation an iteration (Chen and
 * Carson, SIAM J. Sci. Comput. 42, 2020, A3084-A3108: predict and recompute), M = diag(A) or the identity.
 *
 *   start      alpha = beta = 0, r = b - A x
 *   iterate    x = x + alpha p,  r = r - alpha w,  v = M^-1 r,  p = v + beta p,  w = A p
 *              gamma = (r, v),  delta = (p, w),  mu = (w, v),  nu = (w, M^-1 w),  rho = (r, r) at checks
 *              alpha = gamma / delta,  beta = 1 + (alpha nu - 2 mu) / delta
 *
 * beta predicts (r, v) of the next r over gamma, before that r is known; gamma itself is summed anew in every iteration.
 * p lies in a tile in shared memory, r in registers. w lies there too where columns leave room for it, and is formed a
 * second time where they do not. x lies beside p where there is room, otherwise in memory, where it is advanced every
 * second time:
 *
 *   x = x + (alpha + q) p - q v,  q = alpha / beta of the iteration before, whose p was (p - v) / beta
 *
 * w of cells beside other boxes goes to the neighbours (kernels/resident/cg_halo.h), sums to all groups (cg_sums.h);
 * neither waits for the other.
 *
 * Decisions at checks are those of kernels/true_residual.h, made by group 0. It adds its verdict to the sums of the
 * next iteration, one late, so that all groups read it at the same time.
 * Lost curvature leads to the true residual as in kernels/cg_decide.h; all groups see it in the same sums.
 *
 * Synchronisations per iteration: 1, grid barriers none. */

RESIDENT_SOLVER struct resident_cg_t : resident_column_t<DIMENSIONS, UNIFORM, COLUMN> {
    using base = resident_column_t<DIMENSIONS, UNIFORM, COLUMN>;
    using base::cell;
    using base::column;
    using base::common;
    using base::forget_addresses;
    using base::grid;
    using base::has;
    using base::inverse;
    using base::KEEPS_W;
    using base::r;
    using base::slot;
    using base::tile;
    using base::w;
    /* Longer columns leave no shared memory for x. */
    static constexpr bool X_ON_CHIP = COLUMN <= 16u;
    /* What others read of an iteration comes as words. */
    static constexpr uint32 SHARES_MEMORY = 0u;

    const real_t *b;
    real_t *x, *x_chip; /* in memory; of this item in shared memory */
    real_t owed;        /* q, where x lacks the p before */
    uint32 phase, call;

    MEMBER real_t &x_here(uint32 k) const { return x_chip[k * group_size()]; }

    /* r = b - A x from x in memory; (r, r) and the squares of D x. */
    MEMBER sums_t residual() {
        sums_t sums = no_sums();
        double largest = 0.0;
        for (uint32 k = 0; k < column.count; ++k) {
            tile[slot(k)] = x[cell(k)];
        }
        base::take_halo_from(x, b);
        group_barrier();
        base::template for_each_product<false>([&](uint32 k, bool there, real_t u, real_t product,
                                                   const conductances_t &t, diagonals_t d) INLINED {
            if (!there) {
                return;
            }
            double size = fabs((double)d.diagonal);
            for (uint32 face = WEST; face < STENCIL_POINTS; ++face) {
                size += fabs((double)t.face[face]);
            }
            r[k] = b[cell(k)] - product;
            sums.of[0] += (double)r[k] * (double)r[k];
            sums.of[1] += size * (double)u * (size * (double)u);
            largest = larger(fabs((double)r[k]), largest);
            watch_cell(&common->run, cell(k), (double)r[k]);
        });
        offer_slack(&common->run, largest);
        return sums;
    }

    /* p = M^-1 r: the first direction. */
    MEMBER void start() {
        group_barrier();
        base::template for_each_cell<false>([&](uint32 k, bool there) INLINED {
            if (there) {
                tile[slot(k)] = inverse(k) * r[k];
            }
        });
        base::start_halo();
    }

    /* x in memory: every second time. */
    MEMBER void advance_x(real_t alpha, real_t beta) {
        if (leaves_x(owed, beta)) {
            owed = alpha / beta;
            return;
        }
        pay_x(alpha);
    }

    template <uint32 FROM>
    MEMBER void pay_from(real_t alpha) {
        constexpr uint32 together = base::TOGETHER;
        if constexpr (FROM < COLUMN) {
            if (!has(FROM)) {
                return;
            }
            real_t old[together];
#pragma unroll
            for (uint32 i = 0; i < together; ++i) {
                old[i] = x[cell(FROM + i)];
            }
#pragma unroll
            for (uint32 i = 0; i < together; ++i) {
                const uint32 k = FROM + i;
                if (has(k)) {
                    const real_t p = tile[slot(k)], v = inverse(k) * r[k];
                    x[cell(k)] = fma(alpha, p, fma(owed, p - v, old[i]));
                }
            }
            pay_from<FROM + together>(alpha);
        }
    }
    /* x = x + (alpha + owed) p - owed v; several loads under way at once. */
    MEMBER void pay_x(real_t alpha) {
        if (column.count == COLUMN) {
            column.count = COLUMN;
            pay_from<0u>(alpha);
        } else {
            pay_from<0u>(alpha);
        }
        owed = (real_t)0;
    }

    /* All of x in memory. */
    MEMBER void complete_x() {
        if (!X_ON_CHIP && owed != (real_t)0) {
            pay_x((real_t)0);
        }
        for (uint32 k = 0; X_ON_CHIP && k < column.count; ++k) {
            x[cell(k)] = x_here(k);
        }
    }

    /* x (on the chip) and r of the column's cells, and p where w need not be formed from the old one. */
    MEMBER void advance_column(real_t alpha, real_t beta) {
        if (KEEPS_W) {
            base::for_each_cell([&](uint32 k, bool there) INLINED {
                const real_t p = tile[slot(k)];
                r[k] = fma(-alpha, w[k], r[k]);
                if (there) {
                    x_here(k) = fma(alpha, p, x_here(k));
                    tile[slot(k)] = fma(beta, p, inverse(k) * r[k]);
                }
            });
            return;
        }
        base::for_each_product([&](uint32 k, bool, real_t, real_t product, const conductances_t &,
                                   diagonals_t) INLINED { r[k] = fma(-alpha, product, r[k]); });
    }
    MEMBER void advance_p(real_t beta) {
        base::for_each_cell([&](uint32 k, bool there) INLINED {
            if (there) {
                tile[slot(k)] = fma(beta, tile[slot(k)], inverse(k) * r[k]);
            }
        });
    }

    /* Words of ghosts that may be there before the sums are. */
    MEMBER void look_ahead(typename base::ahead_t *ahead) const {
        if (KEEPS_W) {
            base::look_at_halo(call, 0u, ahead);
        }
    }

    /* ahead: ghosts looked at, where w is kept. */
    MEMBER void advance(real_t alpha, real_t beta, typename base::ahead_t &ahead) {
        if (KEEPS_W) {
            base::advance_halo(call, ahead, alpha, beta, phase);
        }
        forget_addresses();
        if (!X_ON_CHIP) {
            advance_x(alpha, beta);
            forget_addresses();
        }
        advance_column(alpha, beta);
        if (!KEEPS_W) {
            base::look_at_halo(call, 0u, &ahead);
            group_barrier();
            base::advance_halo(call, ahead, alpha, beta, phase);
            forget_addresses();
            advance_p(beta);
        }
    }

    /* w = A p and the sums of the iteration. */
    MEMBER sums_t multiply(uint32 check) {
        sums_t sums = no_sums();
        base::for_each_product([&](uint32 k, bool there, real_t p, real_t product, const conductances_t &,
                                   diagonals_t d) INLINED {
            const real_t v = d.inverse * r[k];
            if (KEEPS_W) {
                w[k] = product;
            }
            if (!there) {
                return;
            }
            sums.of[SUM_R_V] = fma((double)r[k], (double)v, sums.of[SUM_R_V]);
            sums.of[SUM_P_W] = fma((double)p, (double)product, sums.of[SUM_P_W]);
            sums.of[SUM_W_V] = fma((double)product, (double)v, sums.of[SUM_W_V]);
            sums.of[SUM_W_MW] = fma((double)product, (double)(d.inverse * product), sums.of[SUM_W_MW]);
        });
        if (check) {
            double largest = 0.0;
            base::template for_each_cell<false>([&](uint32 k, bool there) INLINED {
                const double here = there ? (double)r[k] : 0.0;
                sums.of[SUM_R_R] = fma(here, here, sums.of[SUM_R_R]);
                largest = larger(fabs(here), largest);
            });
            offer_slack(&common->run, largest);
        }
        return sums;
    }
    MEMBER sums_t multiply_and_send(uint32 check) {
        group_barrier();
        forget_addresses();
        base::send_halo(call);
        return multiply(check);
    }

    MEMBER uint32 synchronise() {
        return grid_barrier(&common->barrier, ++phase);
    }
};
