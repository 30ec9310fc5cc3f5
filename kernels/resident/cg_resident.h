/* Preconditioned conjugate gradients with everything on the chip: one synchronisation an iteration (Chen and
 * Carson, SIAM J. Sci. Comput. 42, 2020, A3084-A3108: predict and recompute), M = diag(A) or the identity.
 *
 *   start      alpha = beta = 0, r = b - A x
 *   iterate    x = x + alpha p,  r = r - alpha w,  v = M^-1 r,  p = v + beta p,  w = A p
 *              gamma = (r, v),  delta = (p, w),  mu = (w, v),  nu = (w, M^-1 w),  rho = (r, r) at checks
 *              alpha = gamma / delta,  beta = 1 + (alpha nu - 2 mu) / delta
 *
 * beta predicts (r, v) of the next r over gamma, before that r is known; gamma itself is summed anew in every iteration. p lies in a tile in shared memory, r and w in registers, x beside p where there is room. What lies
 * on the rim of a box goes to the neighbours before the synchronisation of the sums: r and w, from which they
 * form the same new p in their ghosts. That costs no synchronisation of its own.
 *
 * Decisions at checks are those of kernels/true_residual.h, made by group 0. It adds its verdict to the sums of the
 * next iteration, one late, so that all groups read it at the same time.
 * Lost curvature leads to the true residual as in kernels/cg_decide.h; all groups see it in the same sums.
 *
 * Barriers per iteration: 1. */

#define MEMBER __device__ __forceinline__
#define RESIDENT_SOLVER template <uint32 DIMENSIONS, bool UNIFORM, uint32 COLUMN>

/* Ghosts that an item loads before it needs them. */
#define GHOSTS_AHEAD 4u

typedef struct {
    real_t r[GHOSTS_AHEAD], w[GHOSTS_AHEAD];
} ghosts_ahead_t;

enum { SUM_R_V = 0, SUM_P_W, SUM_W_V, SUM_W_MW, SUM_R_R, SUM_VERDICT };
enum { GO_ON = 0, TRUE_RESIDUAL_WANTED, CURVATURE_LOST };

/* What item 0 tells its group. */
typedef struct {
    real_t alpha, beta;
    uint32 then; /* GO_ON, ... */
} direction_t;

RESIDENT_SOLVER struct resident_cg_t {
    /* Longer columns leave no registers for w, which is formed a second time. */
    static constexpr bool KEEPS_W = COLUMN <= 16u;

    run_t run;
    operator_t A;
    box_t box;
    column_t column;
    const real_t *b;
    real_t *x, *x_column, *tile;
    real_t *sent_r[2], *sent_w[2];
    const ghost_t *ghosts;
    direction_t *direction;
    double *rows, *warp_sums;
    grid_barrier_t barrier;
    uint32 x_on_chip;
    conductances_t conductances;
    real_t middle, inverse_middle; /* diagonals of a uniform problem away from its sides */
    uint32 ghost_count, x_step, phase, call;
    real_t r[COLUMN], w[KEEPS_W ? COLUMN : 1u];

    MEMBER bool has(uint32 k) const { return k < column.count; }
    MEMBER uint32 cell(uint32 k) const { return column.cell + k * column.step; }
    MEMBER uint32 slot(uint32 k) const { return column.slot + k * column.slot_step; }
    MEMBER bool on_rim(uint32 k) const { return (column.rim >> k & 1u) != 0u; }

    /* Ends of the grid lie at ends of columns alone. */
    MEMBER real_t diagonal(const real_t *of, real_t middle_of, uint32 k) const {
        if (!UNIFORM) {
            return of[cell(k)];
        }
        if (k == 0u) {
            return of[column.first_place];
        }
        return k + 1u == column.count ? of[column.last_place] : middle_of;
    }
    MEMBER real_t inverse(uint32 k) const { return diagonal(A.inverse_diagonal, inverse_middle, k); }

    MEMBER conductances_t conductances_of(uint32 k) const {
        if (UNIFORM) {
            return conductances;
        }
        const run_parameters_t *grid = run.parameters;
        const uint32 at = column.last + k;
        const uint32 behind =
            DIMENSIONS == 3u ? upper(at, grid->nz, grid->periodic_z) : upper(at, grid->ny, grid->periodic_y);
        const uint32 next = cell(k) + (behind - at) * column.step;
        stencil_t s;
        s.cell[CENTRE] = cell(k);
        s.cell[EAST] = cell(k) + column.east;
        s.cell[NORTH] = DIMENSIONS == 3u ? cell(k) + column.north : next;
        s.cell[ABOVE] = next;
        return conductances_at(&A, grid, &s);
    }

    /* use(k, u, A u, conductances, diagonal) for every cell of the column, u the field in the tile. */
    template <typename Use>
    MEMBER void for_each_product(Use use) {
        real_t before = tile[column.slot - column.slot_step], centre = tile[column.slot];
#pragma unroll
        for (uint32 k = 0; k < COLUMN; ++k) {
            if (!has(k)) {
                break;
            }
            const uint32 at = slot(k);
            const real_t after = tile[at + column.slot_step];
            neighbourhood_t u;
            u.at[CENTRE] = centre;
            u.at[WEST] = tile[at - 1u];
            u.at[EAST] = tile[at + 1u];
            u.at[SOUTH] = DIMENSIONS == 3u ? tile[at - box.row] : before;
            u.at[NORTH] = DIMENSIONS == 3u ? tile[at + box.row] : after;
            u.at[BELOW] = DIMENSIONS == 3u ? before : (real_t)0;
            u.at[ABOVE] = DIMENSIONS == 3u ? after : (real_t)0;
            const conductances_t t = conductances_of(k);
            const real_t d = diagonal(A.diagonal, middle, k);
            use(k, centre, apply_stencil(d, &t, &u, DIMENSIONS), t, d);
            before = centre;
            centre = after;
        }
    }

    MEMBER void send(uint32 k, real_t residual, real_t product) {
        if (on_rim(k)) {
            copy_of(sent_r, call)[cell(k)] = residual;
            copy_of(sent_w, call)[cell(k)] = product;
        }
    }

    /* r = b - A x from x in global memory; (r, r) and the squares of D x. */
    MEMBER sums_t residual() {
        sums_t sums = no_sums();
        double largest = 0.0;
        for (uint32 k = 0; k < column.count; ++k) {
            tile[slot(k)] = x[cell(k)];
        }
        for (uint32 g = item_index(); g < ghost_count; g += group_size()) {
            tile[ghosts[g].slot] = x[ghosts[g].cell];
        }
        group_barrier();
        for_each_product([&](uint32 k, real_t u, real_t product, const conductances_t &t, real_t d) {
            double size = fabs((double)d);
            for (uint32 face = WEST; face < STENCIL_POINTS; ++face) {
                size += fabs((double)t.face[face]);
            }
            r[k] = b[cell(k)] - product;
            if (KEEPS_W) {
                w[k] = (real_t)0;
            }
            send(k, r[k], (real_t)0);
            sums.of[0] += (double)r[k] * (double)r[k];
            sums.of[1] += size * (double)u * (size * (double)u);
            largest = larger(fabs((double)r[k]), largest);
            watch_cell(&run, cell(k), (double)r[k]);
        });
        offer_slack(largest);
        return sums;
    }

    /* This item's largest |r|, where the maximum norm needs it. */
    MEMBER void offer_slack(double largest) {
        if (run.parameters->norm == NORM_MAX) {
            min_double(&run.state->slack, run.state->tolerance - largest, ORDER_RELAXED, SCOPE_DEVICE);
        }
    }

    /* The next iteration finds where its cells are anew: otherwise the compiler keeps the address of every cell of
     * the column from one to the next, more than there are registers. */
    MEMBER void forget_addresses() {
        asm volatile(""
                     : "+r"(column.cell), "+r"(column.step), "+r"(column.slot), "+r"(column.slot_step),
                       "+r"(column.rim), "+r"(x_step));
    }

    /* x = x + alpha p; several loads under way at once. */
    MEMBER void advance_x(real_t alpha) {
        constexpr uint32 together = COLUMN < 8u || !KEEPS_W ? 4u : 8u;
#pragma unroll
        for (uint32 first = 0; first < COLUMN; first += together) {
            real_t old[together];
#pragma unroll
            for (uint32 k = 0; k < together; ++k) {
                old[k] = has(first + k) ? x_column[(first + k) * x_step] : (real_t)0;
            }
#pragma unroll
            for (uint32 k = 0; k < together; ++k) {
                if (has(first + k)) {
                    x_column[(first + k) * x_step] = fma(alpha, tile[slot(first + k)], old[k]);
                }
            }
        }
    }

    /* r = r - alpha w, p = M^-1 r + beta p in the cells of the column. */
    MEMBER void advance_column(real_t alpha, real_t beta) {
        if (!KEEPS_W) {
            for_each_product([&](uint32 k, real_t, real_t product, const conductances_t &, real_t) {
                r[k] = fma(-alpha, product, r[k]);
            });
            group_barrier();
        }
#pragma unroll
        for (uint32 k = 0; k < COLUMN; ++k) {
            if (!has(k)) {
                break;
            }
            const real_t p = tile[slot(k)];
            if (KEEPS_W) {
                r[k] = fma(-alpha, w[k], r[k]);
            }
            tile[slot(k)] = fma(beta, p, inverse(k) * r[k]);
        }
    }

    /* r and w of this item's ghosts from the `from`-th on, as their owners sent them. */
    MEMBER ghosts_ahead_t load_ghosts(uint32 from) const {
        const real_t *all_r = copy_of(sent_r, call), *all_w = copy_of(sent_w, call);
        ghosts_ahead_t ahead;
#pragma unroll
        for (uint32 i = 0; i < GHOSTS_AHEAD; ++i) {
            const uint32 g = item_index() + (from + i) * group_size();
            ahead.r[i] = ahead.w[i] = (real_t)0;
            if (g < ghost_count) {
                ahead.r[i] = all_r[ghosts[g].cell];
                ahead.w[i] = all_w[ghosts[g].cell];
            }
        }
        return ahead;
    }

    /* The same new p as the owners find: r and p of a ghost, with their operations. */
    MEMBER void advance_ghosts(ghosts_ahead_t ahead, real_t alpha, real_t beta) {
        for (uint32 from = 0; item_index() + from * group_size() < ghost_count; from += GHOSTS_AHEAD) {
            if (from > 0u) {
                ahead = load_ghosts(from);
            }
#pragma unroll
            for (uint32 i = 0; i < GHOSTS_AHEAD; ++i) {
                const uint32 g = item_index() + (from + i) * group_size();
                if (g < ghost_count) {
                    const ghost_t ghost = ghosts[g];
                    const real_t inverse = A.inverse_diagonal[UNIFORM ? ghost.place : ghost.cell];
                    tile[ghost.slot] =
                        fma(beta, tile[ghost.slot], inverse * fma(-alpha, ahead.w[i], ahead.r[i]));
                }
            }
        }
    }

    /* w = A p and the sums of the iteration; verdict: of the check before, in item 0 of group 0. */
    MEMBER sums_t multiply(uint32 check, uint32 verdict) {
        sums_t sums = no_sums();
        sums.of[SUM_VERDICT] = (double)verdict;
        for_each_product([&](uint32 k, real_t p, real_t product, const conductances_t &, real_t) {
            const real_t v = inverse(k) * r[k];
            if (KEEPS_W) {
                w[k] = product;
            }
            send(k, r[k], product);
            sums.of[SUM_R_V] = fma((double)r[k], (double)v, sums.of[SUM_R_V]);
            sums.of[SUM_P_W] = fma((double)p, (double)product, sums.of[SUM_P_W]);
            sums.of[SUM_W_V] = fma((double)product, (double)v, sums.of[SUM_W_V]);
            sums.of[SUM_W_MW] = fma((double)product, (double)(inverse(k) * product), sums.of[SUM_W_MW]);
        });
        if (check) {
            double largest = 0.0;
#pragma unroll
            for (uint32 k = 0; k < COLUMN; ++k) {
                if (has(k)) {
                    sums.of[SUM_R_R] = fma((double)r[k], (double)r[k], sums.of[SUM_R_R]);
                    largest = larger(fabs((double)r[k]), largest);
                }
            }
            offer_slack(largest);
        }
        return sums;
    }

    MEMBER uint32 synchronise() {
        return grid_barrier(&barrier, ++phase);
    }
    MEMBER uint32 synchronise(sums_t sums) {
        return arrive_with_sums(sums, &barrier, rows, warp_sums, call, ++phase);
    }

    /* Item 0: the scalars of the next iteration. */
    MEMBER void find_direction(const sums_t &sums) {
        const double gamma = sums.of[SUM_R_V], inverse_delta = 1.0 / sums.of[SUM_P_W];
        const double alpha = gamma * inverse_delta;
        const double beta = 1.0 + inverse_delta * (alpha * sums.of[SUM_W_MW] - 2.0 * sums.of[SUM_W_V]);
        direction->alpha = (real_t)alpha;
        direction->beta = (real_t)(beta > 0.0 ? beta : 0.0); /* rounding, where r all but vanishes */
        const uint32 bounded = alpha - alpha == 0.0 && beta - beta == 0.0; /* 1 / (p, A p) may overflow */
        const uint32 positive = gamma > 0.0 && sums.of[SUM_P_W] > 0.0 ? 1u : 0u;
        direction->then = !positive || !bounded         ? CURVATURE_LOST
                          : sums.of[SUM_VERDICT] != 0.0 ? TRUE_RESIDUAL_WANTED
                                                        : GO_ON;
    }
};
