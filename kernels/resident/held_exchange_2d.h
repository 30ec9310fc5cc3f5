/* How the rings of held tiles are filled: see kernels/resident/held_2d.h. */
#ifndef PERDURE_KERNELS_RESIDENT_HELD_EXCHANGE_2D_H
#define PERDURE_KERNELS_RESIDENT_HELD_EXCHANGE_2D_H

#include "kernels/resident/held_2d.h"

/* Before the first exchange of a launch: no word is of any step. */
template <int C, int R>
FUNCTION void clear_ring(const held_tile_t<C, R> &tile, word_t *words, uint32 cells) {
#pragma unroll
    for (int r = 0; r < R; ++r) {
#pragma unroll
        for (int j = 0; j < C; ++j) {
            if ((tile.sent & tile.bit(r, j)) != 0u) {
                send_word(words, tile.cell(r, j), (real_t)0, 0u);
                send_word(words + cells, tile.cell(r, j), (real_t)0, 0u);
            }
        }
    }
}

/* Looks at this item's cells first .. first + COUNT - 1 of the tile at once; returns those that are still missing. No value is taken before
 * all words have been looked at: otherwise the compiler may give two words one register, and the second waits for the first. */
template <int COUNT, int C, int R>
FUNCTION uint32 look_for(const held_tile_t<C, R> &tile, row_of<real_t, C> *u, word_t *words, uint32 epoch,
                         int first, uint32 missing) {
    word_t seen[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const int r = (first + i) / C, j = (first + i) % C;
        seen[i] = look_at_word(words, (missing & tile.bit(r, j)) != 0u ? tile.cell(r, j) : 0u);
    }
    real_t values[COUNT];
    uint32 taken = 0u;
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const uint32 bit = tile.bit((first + i) / C, (first + i) % C);
        taken |= take_late_word(seen[i], &values[i], epoch) ? bit : 0u;
    }
    taken &= missing;
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const int r = (first + i) / C, j = (first + i) % C;
        u[r].at[j] = (taken & tile.bit(r, j)) != 0u ? values[i] : u[r].at[j];
    }
    return missing & ~taken;
}

/* This item's cells of the ring: 1 when all are there, 0 when the wait was abandoned. */
template <int C, int R>
FUNCTION uint32 receive_ring(const held_tile_t<C, R> &tile, row_of<real_t, C> *u, word_t *words, uint32 epoch,
                             const run_t *run) {
    constexpr int at_once = C * R * sizeof(real_t) <= 64u ? C * R : 64 / static_cast<int>(sizeof(real_t));
    wait_t wait = {0, 0, 0, 0};
    uint32 missing = tile.received;
    while (missing != 0u) {
#pragma unroll
        for (int first = 0; first < C * R; first += at_once) {
            constexpr uint32 batch = (1u << at_once) - 1u;
            if ((missing >> first & batch) != 0u) {
                missing = look_for<at_once, C, R>(tile, u, words, epoch, first, missing);
            }
        }
        if (missing != 0u && !keep_waiting(&wait, run->sync, 0u, epoch, run->parameters->wait_limit)) {
            return 0u;
        }
    }
    return 1u;
}

/* Every item: 1 to all when the ring is there. */
template <int C, int R>
FUNCTION uint32 exchange_ring(const held_tile_t<C, R> &tile, row_of<real_t, C> *u, word_t *words,
                              uint32 epoch, const run_t *run) {
#pragma unroll
    for (int r = 0; r < R; ++r) {
#pragma unroll
        for (int j = 0; j < C; ++j) {
            if ((tile.sent & tile.bit(r, j)) != 0u) {
                send_word(words, tile.cell(r, j), u[r].at[j], epoch);
            }
        }
    }
    return group_all(run->verdict, receive_ring(tile, u, words, epoch, run));
}

#endif
