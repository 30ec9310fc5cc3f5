/* Words that one group polls for ever, in the cache line that this group reaches soonest.
 *
 * A line lies in one slice of the L2 cache, and a load takes 411 to 515 cycles on an H100, by the slice and by the
 * multiprocessor that asks. So whoever will poll measures a pool of lines and chooses one. How far that line is from who
 * stores matters little: the store is not waited for.
 *
 *   publishes     the choice, 1 + index of the line in its pool, once: it is kept from launch to launch
 *   observed by   whoever awaits it, to store into the chosen line
 *   edge          none (relaxed): all lines of a pool are alike until one is chosen
 *   called by     choose_line: one item, before anybody stores into the pool; await_line: any item
 *   valid in      the item that called
 *   progress      await_line: the group that chooses is resident; a wait longer than `limit` is abandoned
 *
 * A line is measured by loads that wait for each other: the address of one hangs on the value of the one before. Without
 * a clock of cycles (host threads, PoCL) a pool is its first line, and nothing is chosen or awaited.
 *
 * Memory: choices[pools], 0 at first, then lines[pools][LINE_CANDIDATES], the lines of each pool alike, say 0. */
#ifndef PERDURE_SYNC_NEAREST_LINE_H
#define PERDURE_SYNC_NEAREST_LINE_H

#include "sync/bounded_wait.h"

/* Flags alone between 132 groups of 512 on an H100 with 1, 16, 32, 64 candidates, in ns: 1005, 954, 905, 869. Measuring
 * takes 2 us a candidate. */
#ifndef LINE_CANDIDATES
#define LINE_CANDIDATES 64u
#endif

HOST_FUNCTION uint32 line_choice_words(uint32 pools) {
    return row_words(pools);
}
HOST_FUNCTION uint64 line_pools_bytes(uint32 pools) {
    return sizeof(uint32) * (line_choice_words(pools) + (uint64)pools * LINE_CANDIDATES * WORDS_PER_LINE);
}

#if defined(CYCLES)

FUNCTION uint32 line_latency(GLOBAL uint32 *line) {
    const uint32 value = load_uint32(line, ORDER_RELAXED, SCOPE_DEVICE);
    const uint32 begin = cycles();
    ROLLED
    for (uint32 turn = 0, seen = value; turn < 8u; ++turn) {
        seen = load_uint32(line + (seen - value), ORDER_RELAXED, SCOPE_DEVICE);
        if (seen != value) {
            return 0xffffffffu;
        }
    }
    return cycles() - begin;
}

FUNCTION GLOBAL uint32 *pool_lines(GLOBAL uint32 *memory, uint32 pools, uint32 pool) {
    return memory + line_choice_words(pools) + pool * LINE_CANDIDATES * WORDS_PER_LINE;
}

FUNCTION void choose_line(GLOBAL uint32 *memory, uint32 pools, uint32 pool) {
    GLOBAL uint32 *lines = pool_lines(memory, pools, pool);
    uint32 nearest = 0;
    uint32 least = 0xffffffffu;
    if (load_uint32(memory + pool, ORDER_RELAXED, SCOPE_DEVICE) != 0u) {
        return;
    }
    ROLLED
    for (uint32 line = 0; line < LINE_CANDIDATES; ++line) {
        const uint32 latency = line_latency(lines + line * WORDS_PER_LINE);
        if (latency < least) {
            least = latency;
            nearest = line;
        }
    }
    store_uint32(memory + pool, 1u + nearest, ORDER_RELAXED, SCOPE_DEVICE);
}

/* Null when the wait was abandoned. */
FUNCTION GLOBAL uint32 *await_line(GLOBAL uint32 *memory, uint32 pools, uint32 pool, GLOBAL grid_sync_t *sync,
                                   uint64 limit) {
    uint32 choice = 0;
    if (!await_word(memory + pool, SCOPE_DEVICE, UNTIL_CHANGED, 0u, &choice, sync, 0u, limit)) {
        return 0;
    }
    return pool_lines(memory, pools, pool) + (choice - 1u) * WORDS_PER_LINE;
}

#else

FUNCTION void choose_line(GLOBAL uint32 *memory, uint32 pools, uint32 pool) {
    (void)memory;
    (void)pools;
    (void)pool;
}

FUNCTION GLOBAL uint32 *await_line(GLOBAL uint32 *memory, uint32 pools, uint32 pool, GLOBAL grid_sync_t *sync,
                                   uint64 limit) {
    (void)sync;
    (void)limit;
    return memory + line_choice_words(pools) + pool * WORDS_PER_LINE;
}

#endif

#endif
