/* What barriers and reductions are made of, one at a time, to be timed. `variant` says which.
 *
 * Item 0 of each group works, in some variants all items. Each result depends on the one before where a
 * latency is wanted, and the host knows what words must hold in the end:
 *
 *   PRIMITIVE_LOAD...                  words[] is a cycle of places; results[0] = that after `rounds` steps
 *   PRIMITIVE_STORE_FENCE, ..._ADD...  words count; the host expects rounds times those who add
 *   PRIMITIVE_HAND_OVER...             two groups pass a count to and fro; what does not fit is counted in
 *                                      state->control.wrong */
#ifndef PERDURE_KERNELS_BENCH_PRIMITIVES_H
#define PERDURE_KERNELS_BENCH_PRIMITIVES_H

#include "kernels/bench/variants.h"
#include "kernels/parameters.h"
#include "sync/bounded_wait.h"

FUNCTION uint32 follow_cycle(GLOBAL uint32 *places, uint32 rounds, uint32 acquire) {
    uint32 place = 0;
    if (acquire) {
        for (uint32 n = 0; n < rounds; ++n) {
            place = load_uint32(places + place, ORDER_ACQUIRE, SCOPE_DEVICE);
        }
    } else {
        for (uint32 n = 0; n < rounds; ++n) {
            place = load_uint32(places + place, ORDER_RELAXED, SCOPE_DEVICE);
        }
    }
    return place;
}

/* Rounds use words of `last_line` + 1 cache lines by turns: how far away a word is depends on its address. */
FUNCTION uint32 word_of_round(uint32 n, uint32 last_line) {
    return (n & last_line) * WORDS_PER_LINE;
}

/* What is added is 1, known only when the value before is there: `nothing` is 0. */
FUNCTION void count_in_turn(GLOBAL uint32 *word, uint32 rounds, uint32 ordered, uint32 last_line,
                            uint32 nothing) {
    uint32 before = 0;
    if (ordered) {
        for (uint32 n = 0; n < rounds; ++n) {
            before = fetch_add_uint32(word + word_of_round(n, last_line), 1u + (before & nothing),
                                      ORDER_ACQ_REL, SCOPE_DEVICE);
        }
    } else {
        for (uint32 n = 0; n < rounds; ++n) {
            before = fetch_add_uint32(word + word_of_round(n, last_line), 1u + (before & nothing),
                                      ORDER_RELAXED, SCOPE_DEVICE);
        }
    }
}

FUNCTION void count_in_turn_64(GLOBAL uint64 *word, uint32 rounds, uint32 last_line, uint32 nothing) {
    uint64 before = 0;
    for (uint32 n = 0; n < rounds; ++n) {
        before = fetch_add_uint64(word + word_of_round(n, last_line), 1u + (before & nothing), ORDER_RELAXED,
                                  SCOPE_DEVICE);
    }
}

FUNCTION void fence_rounds(GLOBAL uint32 *word, uint32 rounds, uint32 variant, uint32 last_line) {
    if (variant == PRIMITIVE_FENCE_ACQ_REL) {
        for (uint32 n = 0; n < rounds; ++n) {
            fence(ORDER_ACQ_REL, SCOPE_DEVICE);
        }
    } else if (variant == PRIMITIVE_FENCE_ACQUIRE) {
        for (uint32 n = 0; n < rounds; ++n) {
            fence(ORDER_ACQUIRE, SCOPE_DEVICE);
        }
    } else {
        for (uint32 n = 1; n <= rounds; ++n) {
            store_uint32(word + word_of_round(n, last_line), n, ORDER_RELAXED, SCOPE_DEVICE);
            fence(ORDER_ACQ_REL, SCOPE_DEVICE);
        }
    }
}

/* Waits until the word is n; 0 when the wait was abandoned. */
FUNCTION uint32 take_over(GLOBAL grid_sync_t *sync, GLOBAL uint32 *word, uint32 n, uint32 ordered,
                          uint64 limit) {
    wait_t wait = {0, 0, 0, 0};
    for (;;) {
        const uint32 seen = ordered ? load_uint32(word, ORDER_ACQUIRE, SCOPE_DEVICE)
                                    : load_uint32(word, ORDER_RELAXED, SCOPE_DEVICE);
        if (seen == n) {
            return 1u;
        }
        if (!keep_waiting(&wait, sync, seen, n, limit)) {
            return 0u;
        }
    }
}

FUNCTION void hand_over(GLOBAL uint32 *word, uint32 n, uint32 ordered) {
    if (ordered) {
        word[1] = n;
        store_uint32(word, n, ORDER_RELEASE, SCOPE_DEVICE);
    } else {
        store_uint32(word, n, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

/* Groups 0 and 1; rounds hand-overs each way. The words of the groups are a few cache lines apart. */
FUNCTION void hand_to_and_fro(GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state, GLOBAL uint32 *words,
                              uint32 rounds, uint32 ordered, uint64 limit) {
    GLOBAL uint32 *own = words + group_index() * 4u * WORDS_PER_LINE;
    GLOBAL uint32 *other = words + (1u - group_index()) * 4u * WORDS_PER_LINE;
    for (uint32 n = 1; n <= rounds; ++n) {
        if (group_index() == 0u) {
            hand_over(own, n, ordered);
        }
        if (!take_over(sync, other, n, ordered, limit)) {
            return;
        }
        if (ordered && other[1] != n) {
            add_uint32(&state->control.wrong, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        }
        if (group_index() == 1u) {
            hand_over(own, n, ordered);
        }
    }
}

FUNCTION void add_rounds(GLOBAL uint32 *words, GLOBAL uint64 *wide_words, uint32 rounds, uint32 variant) {
    if (variant == PRIMITIVE_ADD_64) {
        for (uint32 n = 0; n < rounds; ++n) {
            add_uint64(wide_words, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        }
    } else {
        for (uint32 n = 0; n < rounds; ++n) {
            add_uint32(words, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        }
    }
}

/* What item 0 of a group does. */
FUNCTION void lone_rounds(GLOBAL uint32 *words, GLOBAL uint64 *wide_words, uint32 rounds, uint32 variant,
                          uint32 last_line, uint32 nothing) {
    switch (variant) {
        case PRIMITIVE_FETCH_ADD_32:
            count_in_turn(words, rounds, 0u, last_line, nothing);
            break;
        case PRIMITIVE_FETCH_ADD_32_ACQ_REL:
            count_in_turn(words, rounds, 1u, last_line, nothing);
            break;
        case PRIMITIVE_FETCH_ADD_64:
            count_in_turn_64(wide_words, rounds, last_line, nothing);
            break;
        case PRIMITIVE_ADD_32:
        case PRIMITIVE_ADD_64:
            add_rounds(words, wide_words, rounds, variant);
            break;
        default:
            fence_rounds(words, rounds, variant, last_line);
            break;
    }
}

WIDE_KERNEL void bench_primitives(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                                  GLOBAL run_state_t *state, GLOBAL uint32 *words, GLOBAL uint64 *wide_words,
                                  GLOBAL uint32 *results) {
    const uint32 rounds = parameters.rounds;
    const uint32 variant = parameters.variant;
    const uint32 last_line = parameters.nx;
    const uint32 nothing = parameters.elements;
    (void)control;
    if (variant == PRIMITIVE_GROUP_BARRIER) {
        for (uint32 n = 0; n < rounds; ++n) {
            group_barrier();
        }
    } else if (variant == PRIMITIVE_ADD_32_ALL_ITEMS) {
        add_rounds(words, wide_words, rounds, variant);
    } else if (variant == PRIMITIVE_FETCH_ADD_32_ALL_ITEMS) {
        count_in_turn(words, rounds, 0u, last_line, nothing);
    } else if (item_index() == 0u) {
        if (variant == PRIMITIVE_LOAD || variant == PRIMITIVE_LOAD_ACQUIRE) {
            results[group_index()] = follow_cycle(words, rounds, variant == PRIMITIVE_LOAD_ACQUIRE ? 1u : 0u);
        } else if (variant == PRIMITIVE_HAND_OVER || variant == PRIMITIVE_HAND_OVER_ORDERED) {
            hand_to_and_fro(sync, state, words, rounds, variant == PRIMITIVE_HAND_OVER_ORDERED ? 1u : 0u,
                            parameters.wait_limit);
        } else {
            lone_rounds(words, wide_words, rounds, variant, last_line, nothing);
        }
    }
}

#endif
