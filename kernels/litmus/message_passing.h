/* Pairs of groups: the even one writes a message of `elements` plain words, then raises a flag; the odd one
 * has looked at the words before, waits for the flag and reads them.
 *
 *   trial   one message        seen   a message with an old word in it, though its flag was seen
 *
 *   MESSAGE_FENCED      release fence before the flag is raised, acquire fence after it was seen, at device
 *                       scope
 *   MESSAGE_NO_FENCE    neither
 *   MESSAGE_GROUP       both, at group scope: enough within a group, not between two
 *   MESSAGE_NO_ACQUIRE  only the writer's: the reader may still hold old words in its cache
 *   MESSAGE_NO_RELEASE  only the reader's: the words may still be on their way
 *
 * The flag itself is atomic in every form. Each round has words of its own, all zero at first. */
#ifndef PERDURE_KERNELS_LITMUS_MESSAGE_PASSING_H
#define PERDURE_KERNELS_LITMUS_MESSAGE_PASSING_H

#include "kernels/litmus/counts.h"

FUNCTION void fence_before_flag(uint32 variant) {
    if (variant == MESSAGE_FENCED || variant == MESSAGE_NO_ACQUIRE) {
        fence(ORDER_RELEASE, SCOPE_DEVICE);
    } else if (variant == MESSAGE_GROUP) {
        fence(ORDER_RELEASE, SCOPE_GROUP);
    }
}

FUNCTION void fence_after_flag(uint32 variant) {
    if (variant == MESSAGE_FENCED || variant == MESSAGE_NO_RELEASE) {
        fence(ORDER_ACQUIRE, SCOPE_DEVICE);
    } else if (variant == MESSAGE_GROUP) {
        fence(ORDER_ACQUIRE, SCOPE_GROUP);
    }
}

WIDE_KERNEL void litmus_message_passing(PARAMETERS parameters, GLOBAL control_t *control,
                                        GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                        GLOBAL litmus_counts_t *counts, GLOBAL uint32 *words) {
    LOCAL_MEMORY uint32 arrived;
    LOCAL_MEMORY uint32 old;
    const uint32 elements = parameters.elements;
    const uint32 writes = group_index() % 2u == 0u;
    GLOBAL uint32 *flag = words + (group_index() / 2u) * message_pair_words(parameters.rounds, elements);
    GLOBAL uint32 *acknowledged = flag + WORDS_PER_LINE;
    uint32 looked = 0;
    uint32 trials = 0;
    uint32 seen = 0;
    (void)control;
    (void)state;
    const uint32 alone = writes && group_index() + 1u == group_count() ? 1u : 0u;
    const uint32 rounds = alone ? 0u : parameters.rounds;
    for (uint32 round = 1; round <= rounds; ++round) {
        GLOBAL uint32 *message = acknowledged + WORDS_PER_LINE + (round - 1u) * elements;
        for (uint32 i = item_index(); i < elements; i += group_size()) { /* one loop: PoCL 5 takes no two */
            if (writes) {
                message[i] = round;
            } else {
                looked += message[i];
            }
        }
        group_barrier();
        if (item_index() == 0u) {
            old = 0u;
            arrived = 1u;
            if (writes) {
                fence_before_flag(parameters.variant);
                store_uint32(flag, round, ORDER_RELAXED, SCOPE_DEVICE);
                arrived = poll_for(sync, acknowledged, round, parameters.wait_limit);
            } else {
                arrived = poll_for(sync, flag, round, parameters.wait_limit);
                fence_after_flag(parameters.variant);
            }
        }
        group_barrier();
        if (!writes && arrived) {
            for (uint32 i = item_index(); i < elements; i += group_size()) {
                if (message[i] != round) {
                    old = 1u; /* the same by whoever writes it */
                }
            }
        }
        group_barrier();
        if (item_index() == 0u && !writes && arrived) {
            trials += 1u;
            seen += old;
            store_uint32(acknowledged, round, ORDER_RELAXED, SCOPE_DEVICE);
        }
        group_barrier();
        round = arrived ? round : rounds; /* no break: PoCL takes no loop that ends between barriers */
    }
    force_computation(counts, looked);
    if (trials != 0u) {
        count_trials(counts, trials, seen);
    }
}

#endif
