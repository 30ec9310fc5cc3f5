/* Fills the rings of register tiles: see kernels/resident/on_chip_2d.h. */
#ifndef PERDURE_KERNELS_RESIDENT_ON_CHIP_EXCHANGE_2D_H
#define PERDURE_KERNELS_RESIDENT_ON_CHIP_EXCHANGE_2D_H

#include "kernels/resident/on_chip_2d.h"

/* Clears the messages: none carries the number of any step. Call it before the first exchange of a launch. */
template <int C, int R>
FUNCTION void clear_ring(const on_chip_tile_t<C, R> &tile, message_t *messages, uint32 cells) {
#pragma unroll
    for (int r = 0; r < R; ++r) {
#pragma unroll
        for (int j = 0; j < C; ++j) {
            if ((tile.sent & tile.bit(r, j)) != 0u) {
                send_message(messages, tile.cell(r, j), (real_t)0, 0u);
                send_message(messages + cells, tile.cell(r, j), (real_t)0, 0u);
            }
        }
    }
}

/* Polls this item's cells first .. first + COUNT - 1 at once; returns those that are still missing. All loads come before the
 * first use: otherwise the compiler may give two messages one register, and the second load waits for the first. */
template <int COUNT, int C, int R>
FUNCTION uint32 poll_ring(const on_chip_tile_t<C, R> &tile, row_of<real_t, C> *u, message_t *messages,
                          uint32 epoch, int first, uint32 missing) {
    message_t seen[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const int r = (first + i) / C, j = (first + i) % C;
        seen[i] = load_message(messages, (missing & tile.bit(r, j)) != 0u ? tile.cell(r, j) : 0u);
    }
    real_t values[COUNT];
    uint32 taken = 0u;
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const uint32 bit = tile.bit((first + i) / C, (first + i) % C);
        taken |= receive_late_message(seen[i], &values[i], epoch) ? bit : 0u;
    }
    taken &= missing;
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const int r = (first + i) / C, j = (first + i) % C;
        u[r].at[j] = (taken & tile.bit(r, j)) != 0u ? values[i] : u[r].at[j];
    }
    return missing & ~taken;
}

/* Receives this item's cells of the ring. Returns 1 when all have arrived, 0 if the wait was abandoned. */
template <int C, int R>
FUNCTION uint32 receive_ring(const on_chip_tile_t<C, R> &tile, row_of<real_t, C> *u, message_t *messages,
                             uint32 epoch, const run_t *run) {
    constexpr int at_once = C * R * sizeof(real_t) <= 64u ? C * R : 64 / static_cast<int>(sizeof(real_t));
    wait_t wait = {0, 0, 0, 0};
    uint32 missing = tile.received;
    while (missing != 0u) {
#pragma unroll
        for (int first = 0; first < C * R; first += at_once) {
            constexpr uint32 batch = (1u << at_once) - 1u;
            if ((missing >> first & batch) != 0u) {
                missing = poll_ring<at_once, C, R>(tile, u, messages, epoch, first, missing);
            }
        }
        if (missing != 0u && !keep_waiting(&wait, run->sync, 0u, epoch, run->parameters->wait_limit)) {
            return 0u;
        }
    }
    return 1u;
}

/* Exchanges the ring. Every item calls it; it returns 1 to all items when the ring has arrived, 0 if the wait was abandoned. */
template <int C, int R>
FUNCTION uint32 exchange_ring(const on_chip_tile_t<C, R> &tile, row_of<real_t, C> *u, message_t *messages,
                              uint32 epoch, const run_t *run) {
#pragma unroll
    for (int r = 0; r < R; ++r) {
#pragma unroll
        for (int j = 0; j < C; ++j) {
            if ((tile.sent & tile.bit(r, j)) != 0u) {
                send_message(messages, tile.cell(r, j), u[r].at[j], epoch);
            }
        }
    }
    return group_all(run->verdict, receive_ring(tile, u, messages, epoch, run));
}

#endif
