/* Pairs of groups: one item of the odd group says that it is ready and spins on a word; one of the even group
 * then sets it. The spin ends after `elements` looks.
 *
 *   trial   one wait        seen   a wait that never saw the word, though it was set
 *
 *   SPIN_ATOMIC     every look is an atomic load
 *   SPIN_VOLATILE   every look is a volatile load: an old habit; compilers honour it, C++ does not promise it
 *   SPIN_PLAIN      a plain load, which the compiler may take out of the loop
 *
 * The word may be set when all looks are over. It is known to be set once an atomic load has seen it; atomic
 * and volatile looks then get one more, which must see it too. A plain one would be a new load and say nothing
 * about the loop, so a plain wait that ended too early counts: nothing is promised there anyway. */
#ifndef PERDURE_KERNELS_LITMUS_SPIN_ON_A_WORD_H
#define PERDURE_KERNELS_LITMUS_SPIN_ON_A_WORD_H

#include "kernels/litmus/counts.h"

FUNCTION uint32 spin_atomic(GLOBAL uint32 *word, uint32 looks, uint32 *number) {
    for (uint32 look = 0; look < looks; ++look) {
        if (load_uint32(word, ORDER_RELAXED, SCOPE_DEVICE) != 0u) {
            return 1u;
        }
        *number = next_number(*number);
    }
    return 0u;
}

FUNCTION uint32 spin_volatile(volatile GLOBAL uint32 *word, uint32 looks, uint32 *number) {
    for (uint32 look = 0; look < looks; ++look) {
        if (*word != 0u) {
            return 1u;
        }
        *number = next_number(*number);
    }
    return 0u;
}

FUNCTION uint32 spin_plain(GLOBAL uint32 *word, uint32 looks, uint32 *number) {
    for (uint32 look = 0; look < looks; ++look) {
        if (*word != 0u) {
            return 1u;
        }
        *number = next_number(*number);
    }
    return 0u;
}

/* words of a pair: a cache line that says who is ready, then one per round */
WIDE_KERNEL void litmus_spin_on_a_word(PARAMETERS parameters, GLOBAL control_t *control,
                                       GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                       GLOBAL litmus_counts_t *counts, GLOBAL uint32 *words) {
    GLOBAL uint32 *ready = words + (group_index() / 2u) * (parameters.rounds + 1u) * WORDS_PER_LINE;
    uint32 number = 1;
    uint32 trials = 0;
    uint32 seen = 0;
    (void)control;
    (void)state;
    if (item_index() != 0u || (group_index() % 2u == 0u && group_index() + 1u == group_count())) {
        return;
    }
    for (uint32 round = 1; round <= parameters.rounds; ++round) {
        GLOBAL uint32 *word = ready + round * WORDS_PER_LINE;
        if (group_index() % 2u == 0u) {
            if (!poll_for(sync, ready, round, parameters.wait_limit)) {
                break;
            }
            store_uint32(word, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        } else {
            uint32 saw;
            store_uint32(ready, round, ORDER_RELAXED, SCOPE_DEVICE);
            saw = parameters.variant == SPIN_ATOMIC     ? spin_atomic(word, parameters.elements, &number)
                  : parameters.variant == SPIN_VOLATILE ? spin_volatile(word, parameters.elements, &number)
                                                        : spin_plain(word, parameters.elements, &number);
            if (!saw && load_uint32(word, ORDER_RELAXED, SCOPE_DEVICE) != 0u) {
                seen += parameters.variant == SPIN_ATOMIC     ? !spin_atomic(word, 1u, &number)
                        : parameters.variant == SPIN_VOLATILE ? !spin_volatile(word, 1u, &number)
                                                              : 1u;
            }
            trials += 1u;
            if (!poll_for(sync, word, 1u, parameters.wait_limit)) {
                break;
            }
        }
    }
    force_computation(counts, number);
    if (trials != 0u) {
        count_trials(counts, trials, seen);
    }
}

#endif
