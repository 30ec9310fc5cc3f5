/* The halo of a box in a resident run of conjugate gradients: p of the ghosts, without a synchronisation of its own.
 *
 *   w = A p         in the cells beside ghosts, before all others, goes to the neighbours
 *   r = r - alpha w, p = M^-1 r + beta p    in the ghosts, with their owners' operations, when alpha and beta are known
 *
 * An item sends, receives and advances the same ghosts each time. r and M^-1 of a ghost lie in memory, which
 * nobody else touches.
 *
 *   publishes     w of the cell beside a ghost, as a word of the call (kernels/resident/words.h)
 *   observed by   the neighbour, into its ghost
 *   edge          none. A word of call c is stored again for call c + 2, when the sums of all groups of call c + 1 are
 *                 there, which depend on what they received in call c
 *
 * Memory per ghost and iteration: 16 bytes (float32: 8) sent and received, r read and written, M^-1 read. */

#define RESIDENT_BOX template <uint32 DIMENSIONS, bool UNIFORM>

typedef word_of<real_t>::type word_t;

template <uint32 COUNT>
struct ghosts_ahead_t {
    word_t word[COUNT];
    real_t inverse[COUNT], r[COUNT];
};

/* Memory of the ghosts of one group: owners' words, 1 / diagonal, r, cells beside. */
typedef struct {
    word_t *words; /* of all groups, for even calls, then for odd ones */
    real_t *inverse, *r;
    uint32 *beside;
    uint32 mine, all; /* this group's first ghost among all, and how many there are */
    uint32 count;     /* of this group's */
} halo_t;

struct common_t : cg_group_t {
    box_t box;
    halo_t halo;
    door_t doors[SIDES];
};

RESIDENT_BOX struct resident_box_t {
    /* Ghosts that an item looks at together: in two dimensions it seldom has more than one. */
    static constexpr uint32 AHEAD = DIMENSIONS == 3u ? 2u : 1u;
    using ahead_t = ghosts_ahead_t<AHEAD>;

    common_t *common;
    operator_t A;
    const cg_plan_t *plan;
    const run_parameters_t *grid;
    real_t *tile;
    ghost_t *ghosts;
    conductances_t conductances; /* of a uniform problem */

    /* A u of the cell beside ghost g, u the field in the tile. */
    MEMBER real_t product_beside(uint32 g, ghost_t ghost) const {
        const real_t *at = tile + (ghost.slot + common->doors[ghost.side].inward);
        neighbourhood_t u;
        u.at[CENTRE] = at[0];
        u.at[WEST] = at[-1];
        u.at[EAST] = at[1];
        u.at[SOUTH] = *(at - common->box.row);
        u.at[NORTH] = *(at + common->box.row);
        u.at[BELOW] = DIMENSIONS == 3u ? *(at - common->box.layer) : (real_t)0;
        u.at[ABOVE] = DIMENSIONS == 3u ? *(at + common->box.layer) : (real_t)0;
        if (UNIFORM) {
            return apply_stencil(common->diagonals[ghost.place].diagonal, &conductances, &u, DIMENSIONS);
        }
        const uint32 cell = common->halo.beside[g];
        const stencil_t s = make_stencil(grid, cell_at(grid, cell, DIMENSIONS), DIMENSIONS, 0u);
        const conductances_t t = conductances_at(&A, grid, &s);
        return apply_stencil(A.diagonal[cell], &t, &u, DIMENSIONS);
    }

    /* w to the neighbours. */
    MEMBER void send_halo(uint32 call) {
        word_t *words = common->halo.words + (call & 1u) * common->halo.all;
#pragma unroll 1
        for (uint32 g = item_index(); g < common->halo.count; g += group_size()) {
            const ghost_t ghost = ghosts[g];
            if (ghost.side != NO_SIDE) {
                send_word(words, common->doors[ghost.side].to + g, product_beside(g, ghost), call);
            }
        }
    }

    /* Looks at this item's ghosts from the `from`-th on. */
    MEMBER void look_at_halo(uint32 call, uint32 from, ahead_t *ahead) const {
        word_t *words = common->halo.words + (call & 1u) * common->halo.all + common->halo.mine;
#pragma unroll
        for (uint32 i = 0; i < AHEAD; ++i) {
            const uint32 g = item_index() + (from + i) * group_size();
            if (g < common->halo.count) {
                ahead->word[i] = look_at_word(words, g);
                ahead->inverse[i] = common->halo.inverse[g];
                ahead->r[i] = common->halo.r[g];
            }
        }
    }

    /* r and p of the ghosts that were looked at. After an abandoned wait nothing matters: the sums do not come either. */
    MEMBER void advance_some(uint32 call, uint32 from, const ahead_t &ahead, real_t alpha, real_t beta,
                             uint32 phase) {
        word_t *words = common->halo.words + (call & 1u) * common->halo.all + common->halo.mine;
#pragma unroll
        for (uint32 i = 0; i < AHEAD; ++i) {
            const uint32 g = item_index() + (from + i) * group_size();
            if (g >= common->halo.count || ghosts[g].side == NO_SIDE) {
                continue;
            }
            real_t w;
            word_t word = ahead.word[i];
            wait_t wait = {0, 0, 0, 0};
            while (!take_word(word, &w, call)) {
                if (!keep_waiting(&wait, common->run.sync, 0u, phase, grid->wait_limit)) {
                    return;
                }
                word = look_at_word(words, g);
            }
            const real_t r = fma(-alpha, w, ahead.r[i]);
            real_t *p = tile + ghosts[g].slot;
            common->halo.r[g] = r;
            *p = fma(beta, *p, ahead.inverse[i] * r);
        }
    }

    /* ahead: of the first ghosts */
    MEMBER void advance_halo(uint32 call, ahead_t ahead, real_t alpha, real_t beta, uint32 phase) {
#pragma unroll 1
        for (uint32 from = 0; item_index() + from * group_size() < common->halo.count; from += AHEAD) {
            const ahead_t now = ahead;
            look_at_halo(call, from + AHEAD, &ahead);
            advance_some(call, from, now, alpha, beta, phase);
        }
    }

    /* Before the first call, and a grid barrier after it. */
    MEMBER void begin_halo() {
        for (uint32 g = item_index(); g < common->halo.count; g += group_size()) {
            if (ghosts[g].side != NO_SIDE) {
                const uint32 cell = cell_of_ghost<DIMENSIONS>(plan, grid, common->box, g, false);
                const stencil_t s = make_stencil(grid, cell_at(grid, cell, DIMENSIONS), DIMENSIONS, UNIFORM);
                common->halo.inverse[g] = A.inverse_diagonal[s.place[CENTRE]];
                common->halo.beside[g] = cell_of_ghost<DIMENSIONS>(plan, grid, common->box, g, true);
            }
            send_word(common->halo.words, common->halo.mine + g, (real_t)0, 0u);
            send_word(common->halo.words, common->halo.all + common->halo.mine + g, (real_t)0, 0u);
        }
    }

    /* p = x in the ghosts, and r = b - A x, from x in memory. */
    MEMBER void take_halo_from(const real_t *x, const real_t *b) {
        for (uint32 g = item_index(); g < common->halo.count; g += group_size()) {
            if (ghosts[g].side != NO_SIDE) {
                const uint32 cell = cell_of_ghost<DIMENSIONS>(plan, grid, common->box, g, false);
                const stencil_t s = make_stencil(grid, cell_at(grid, cell, DIMENSIONS), DIMENSIONS, UNIFORM);
                tile[ghosts[g].slot] = x[cell];
                common->halo.r[g] = b[cell] - apply_to_field(&A, grid, &s, x);
            }
        }
    }

    /* p = M^-1 r in the ghosts. */
    MEMBER void start_halo() {
        for (uint32 g = item_index(); g < common->halo.count; g += group_size()) {
            if (ghosts[g].side != NO_SIDE) {
                tile[ghosts[g].slot] = common->halo.inverse[g] * common->halo.r[g];
            }
        }
    }
};
