/* The halo of a box in an on-chip run of conjugate gradients: p of the ghosts, without a synchronisation of its own.
 *
 *   w = A p    each cell next to another box sends its w as soon as it is formed
 *   r = r - alpha w, p = M^-1 r + beta p    in the ghosts, with the operations of their owners, as soon as alpha and beta are known
 *
 * An item receives and advances the same ghosts each time. r of a ghost lies in shared memory. M^-1 of a ghost comes from a table
 * in shared memory if the problem is uniform, otherwise from global memory that no other group touches.
 *
 *   publishes     w of a cell, as an epoch-tagged message of the call (kernels/resident/messages.h); BY_FLAGS as a plain value
 *   observed by   the neighbour, in its ghost
 *   edge          none; BY_FLAGS that of sync/step_flags.h. The message or value of call c is overwritten in call c + 2, when the
 *                 sums of all groups of call c + 1 have arrived. A group publishes those sums behind the group barrier of
 *                 publish_sums. Before that barrier its items advanced their ghosts, for which they had received all messages of
 *                 call c
 *
 * Memory per ghost and iteration: 16 bytes (float32: 8) sent and received, half as many BY_FLAGS; M^-1 is read if it varies. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_HALO_H
#define PERDURE_KERNELS_RESIDENT_CG_HALO_H

#include "kernels/operator.h"
#include "kernels/resident/cg_group.h"

#define RESIDENT_SOLVER template <uint32 DIMENSIONS, bool UNIFORM, uint32 CELLS, bool KEEPS_W, bool FULL>

/* A batch of ghosts of one item: what it has loaded of their messages, and where the ghosts lie. */
template <typename Word, uint32 COUNT>
struct ghosts_ahead_t {
    Word message[COUNT];
    ghost_t ghost[COUNT];
};

RESIDENT_SOLVER struct resident_box_t {
    static constexpr uint32 ROWS = RESIDENT_COLUMNS(DIMENSIONS, CELLS), LEVELS = CELLS / ROWS;
    typedef column_t<ROWS, FULL ? LEVELS : 0u> cells_t; /* cells of an item */
    /* Ghosts that an item handles in one batch. In 2D an item seldom has more than one, in 3D the batch is as large as registers
     * allow. */
    static constexpr uint32 AHEAD = DIMENSIONS == 2u       ? 1u
                                    : CELLS <= 16u         ? 2u
                                    : sizeof(real_t) == 8u ? 6u
                                                           : 8u;
    /* Whether ghosts pass as plain values with one flag per group. They take half as much memory as messages but need a fence.
     * Its latency is hidden if many cells are advanced meanwhile, if w is formed again, or if there are many ghosts. */
    static constexpr bool BY_FLAGS = CELLS > 16u && (DIMENSIONS == 3u || !KEEPS_W);
    typedef typename choice<BY_FLAGS, real_t, message_t>::type passed_t;
    using ahead_t = ghosts_ahead_t<passed_t, AHEAD>;

    common_t *common;
    operator_t A;
    const cg_plan_t *plan;
    const run_parameters_t *grid;
    real_t *tile;
    real_t *ghosts_r;
    conductances_t conductances; /* of a uniform problem */
    real_t *rim; /* w of the lateral sides; sent once complete, after the sums, for which other groups wait */

    MEMBER passed_t *messages_of(uint32 call) const {
        return static_cast<passed_t *>(common->halo.messages) + (call & 1u) * common->halo.all;
    }
    static constexpr uint32 LATERAL = 2u * (DIMENSIONS - 1u); /* sides parallel to the columns */

    MEMBER real_t inverse_of_ghost(uint32 g, ghost_t ghost) const {
        return UNIFORM ? common->diagonals[ghost.place].inverse : common->halo.inverse[g];
    }

    /* Publishes w of a batch of cells at the sides of the box: stores it in the rim, and sends w of the first level to the group
     * below. `last` collects w of the last level. */
    template <typename Batch, uint32 COUNT>
    MEMBER void send(Batch, const cells_t &column, const real_t (&w)[COUNT], uint32 call,
                     real_t (&last)[ROWS]) const {
        const auto for_each = [&](const auto &use) INLINED {
#pragma unroll
            for (uint32 k = 0; k < COUNT; ++k) {
                const uint32 level = (Batch::first + k) / ROWS, row = k % ROWS;
                if (level < column.levels(row)) {
                    use(level, row, w[k]);
                }
            }
        };
        if (column.rim_x != NO_GHOST) {
            for_each([&](uint32 level, uint32 row, real_t value)
                         INLINED { rim[column.rim_x + level * RIM_ROW_X(DIMENSIONS) + row] = value; });
        }
#pragma unroll
        for (uint32 side = 0; DIMENSIONS == 3u && side < ROWS; ++side) {
            if (column.rim_y[side] != NO_GHOST) {
                for_each([&](uint32 level, uint32 row, real_t value) INLINED {
                    if (row == side) {
                        rim[column.rim_y[side] + level * RIM_ROW_Y] = value;
                    }
                });
            }
        }
        for_each([&](uint32 level, uint32 row, real_t value)
                     INLINED { last[row] = level + 1u == column.levels(row) ? value : last[row]; });
        if (Batch::first == 0u) {
            real_t first[ROWS];
#pragma unroll
            for (uint32 row = 0; row < ROWS; ++row) {
                first[row] = w[row];
            }
            send_level(column, column.ghost_first, first, call);
        }
    }
    MEMBER void send_level(const cells_t &column, uint32 ghost, const real_t (&w)[ROWS], uint32 call) const {
#pragma unroll
        for (uint32 row = 0; row < ROWS; ++row) {
            if (ghost != NO_GHOST && column.levels(row) != 0u) {
                send_message(messages_of(call), ghost + row * common->halo.row_z, w[row], call);
            }
        }
    }

    /* Returns the index of this item in the order in which items handle ghosts. It counts backwards, because the first items are
     * busy with sums. */
    MEMBER static uint32 helper() {
        return group_size() - 1u - item_index();
    }

    /* Sends the rim. Call it behind a group barrier after the last send. */
    MEMBER void send_rim(uint32 call) const {
        const halo_t &halo = common->halo;
        passed_t *const messages = messages_of(call);
#pragma unroll 4
        for (uint32 i = helper(); i < halo.rim[LATERAL - 1u]; i += group_size()) {
            uint32 side = 0u;
#pragma unroll
            for (uint32 before = 0; before + 1u < LATERAL; ++before) {
                side += i >= halo.rim[before] ? 1u : 0u;
            }
            send_message(messages, halo.to[side] + i, rim[halo.from[side] + i], call);
        }
    }

    /* Tells the neighbours that all values of this group are stored. Call it behind a group barrier after send_rim. */
    MEMBER void raise_flag(uint32 call) const {
        if (item_index() == 0u) {
            DELAY_HERE();
            raise_step_flag(common->halo.flags, call);
        }
    }
    /* Loads the flag that this lane polls, without waiting. The result is undefined in lanes without a flag. */
    MEMBER uint32 poll_flag() const {
        const uint32 lane = item_index() % 32u;
        DELAY_HERE();
        return lane < 2u * DIMENSIONS
                   ? look_at_step_flag(common->halo.flags, (int32)common->halo.around[lane])
                   : 0u;
    }
    /* Waits for the flags of all neighbours. A whole warp calls it and then sees the ghosts without waiting for other warps.
     * seen: an earlier result of poll_flag. An abandoned wait needs no report here, because the sums do not arrive either. */
    MEMBER void await_flags(uint32 call, uint32 seen) const {
        const uint32 lane = item_index() % 32u;
        if (lane < 2u * DIMENSIONS) {
            await_seen_step_flag(common->halo.flags, (int32)common->halo.around[lane], call, seen,
                                 common->run.sync, grid->wait_limit);
        }
        __syncwarp();
    }

    /* Loads the messages of this item's ghosts from the `from`-th on, without waiting. */
    MEMBER ahead_t load_halo(uint32 call, uint32 from) const {
        passed_t *const messages = messages_of(call) + common->halo.mine;
        ahead_t ahead;
#pragma unroll
        for (uint32 i = 0; i < AHEAD; ++i) {
            const uint32 g = helper() + (from + i) * group_size();
            ahead.message[i] = load_message(messages, g < common->halo.count ? g : 0u);
            ahead.ghost[i] = common->halo.ghosts[g < common->halo.count ? g : 0u];
        }
        return ahead;
    }

    /* slots_of returns the slots of the ghosts of a batch, 0 for those that do not exist. take_halo waits for their values; it
     * returns false if the wait was abandoned, which needs no report here, because the sums do not arrive either. */
    MEMBER void slots_of(uint32 from, const ahead_t &ahead, uint32 (&slot)[AHEAD]) const {
#pragma unroll
        for (uint32 i = 0; i < AHEAD; ++i) {
            slot[i] = helper() + (from + i) * group_size() < common->halo.count ? ahead.ghost[i].slot : 0u;
        }
    }
    MEMBER bool take_halo(uint32 call, uint32 from, const ahead_t &ahead, const uint32 (&slot)[AHEAD],
                          real_t (&value)[AHEAD], uint32 phase) const {
        passed_t *const messages = messages_of(call) + common->halo.mine;
        bool there = true;
#pragma unroll
        for (uint32 i = 0; i < AHEAD; ++i) {
            passed_t seen = ahead.message[i];
            wait_t wait = {0, 0, 0, 0};
            while (slot[i] != 0u && !receive_late_message(seen, &value[i], call)) {
                if (!keep_waiting(&wait, common->run.sync, 0u, phase, grid->wait_limit)) {
                    there = false;
                    break;
                }
                seen = load_message(messages, helper() + (from + i) * group_size());
            }
        }
        return there;
    }

    /* Advances r and p of one batch of ghosts. */
    MEMBER void advance_some(uint32 call, uint32 from, const ahead_t &ahead, real_t alpha, real_t beta,
                             uint32 phase) {
        real_t w[AHEAD], r[AHEAD], p[AHEAD], inverse[AHEAD];
        uint32 slot[AHEAD];
        slots_of(from, ahead, slot);
#pragma unroll
        for (uint32 i = 0; i < AHEAD; ++i) {
            const uint32 g = helper() + (from + i) * group_size(), any = g < common->halo.count ? g : 0u;
            r[i] = slot[i] != 0u ? ghosts_r[any] : (real_t)0;
            p[i] = slot[i] != 0u ? tile[slot[i]] : (real_t)0;
            inverse[i] = inverse_of_ghost(any, ahead.ghost[i]);
        }
        if (!take_halo(call, from, ahead, slot, w, phase)) {
            return;
        }
#pragma unroll
        for (uint32 i = 0; i < AHEAD; ++i) {
            r[i] = fma(-alpha, w[i], r[i]);
            p[i] = fma(beta, p[i], inverse[i] * r[i]);
        }
#pragma unroll
        for (uint32 i = 0; i < AHEAD; ++i) {
            if (slot[i] != 0u) {
                ghosts_r[helper() + (from + i) * group_size()] = r[i];
                tile[slot[i]] = p[i];
            }
        }
    }

    /* Advances r and p of all ghosts of this item. ahead: the messages of the first batch, already loaded. */
    MEMBER void advance_halo(uint32 call, const ahead_t &ahead, real_t alpha, real_t beta, uint32 phase) {
        const auto begins = [&](uint32 from)
                                INLINED { return helper() + from * group_size() < common->halo.count; };
        ahead_t next = ahead;
#pragma unroll 1
        for (uint32 from = 0u; begins(from); from += AHEAD) {
            advance_some(call, from, next, alpha, beta, phase);
            if (begins(from + AHEAD)) {
                next = load_halo(call, from + AHEAD);
            }
        }
    }

    /* Calls use(ghost, its position, its cell) for each ghost of this item. */
    template <typename Use>
    MEMBER void for_each_ghost(const Use &use) const {
#pragma unroll 1
        for (uint32 g = helper(); g < common->halo.count; g += group_size()) {
            const ghost_position_t at = position_of_ghost<DIMENSIONS>(plan, grid, common->box, g);
            use(g, at, at.x + (at.y + at.z * grid->ny) * grid->nx);
        }
    }

    /* Prepares the ghosts. Call it before the first call, with a grid barrier after it. */
    MEMBER void begin_halo() {
        for_each_ghost([&](uint32 g, const ghost_position_t &at, uint32 cell) {
            common->halo.ghosts[g] = ghost_at(grid, at);
            if (!UNIFORM && at.there) {
                common->halo.inverse[g] = A.inverse_diagonal[cell];
            }
            send_message(messages_of(0u), common->halo.mine + g, (real_t)0, 0u);
            send_message(messages_of(1u), common->halo.mine + g, (real_t)0, 0u);
        });
        if (BY_FLAGS) {
            raise_flag(0u);
        }
    }

    /* Sets p = x and r = b - A x in the ghosts, from x in memory. */
    MEMBER void take_halo_from(const real_t *x, const real_t *b) {
        for_each_ghost([&](uint32 g, const ghost_position_t &at, uint32 cell) {
            if (at.there) {
                const stencil_t s = make_stencil(grid, cell_at(grid, cell, DIMENSIONS), DIMENSIONS, UNIFORM);
                tile[at.slot] = x[cell];
                ghosts_r[g] = b[cell] - apply_to_field(&A, grid, &s, x);
            }
        });
    }

    /* Sets p = M^-1 r in the ghosts. */
    MEMBER void start_halo() {
        for (uint32 g = helper(); g < common->halo.count; g += group_size()) {
            const ghost_t ghost = common->halo.ghosts[g];
            if (ghost.slot != 0u) {
                tile[ghost.slot] = inverse_of_ghost(g, ghost) * ghosts_r[g];
            }
        }
    }
};

#endif
