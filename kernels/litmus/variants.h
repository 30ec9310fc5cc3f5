/* The forms of each experiment: run_parameters_t::variant. What they are stands with the kernel. */
#ifndef PERDURE_KERNELS_LITMUS_VARIANTS_H
#define PERDURE_KERNELS_LITMUS_VARIANTS_H

#include "sync/grid_sync.h"

/* litmus_add_to_one_word */
enum { ADD_PLAIN = 0, ADD_LOAD_STORE = 1, ADD_ATOMIC = 2, ADD_LOCKED = 3 };

/* litmus_message_passing */
enum {
    MESSAGE_FENCED = 0,
    MESSAGE_NO_FENCE = 1,
    MESSAGE_GROUP = 2,
    MESSAGE_NO_ACQUIRE = 3,
    MESSAGE_NO_RELEASE = 4
};

/* words of a pair: flag and acknowledgement, a cache line each, then `elements` words a round */
FUNCTION uint32 message_pair_words(uint32 rounds, uint32 elements) {
    return 2u * WORDS_PER_LINE + rounds * elements;
}

/* litmus_torn_store */
enum { TORN_HALVES = 0, TORN_PLAIN = 1, TORN_ATOMIC = 2 };

/* litmus_warp_exchange */
enum { EXCHANGE_SYNCHRONISED = 0, EXCHANGE_ASSUMED = 1 };

/* litmus_last_group_sum */
enum { SUM_ACQ_REL = 0, SUM_FENCES = 1, SUM_NO_FENCE = 2, SUM_NO_TICKET = 3 };

/* litmus_spin_on_a_word */
enum { SPIN_ATOMIC = 0, SPIN_VOLATILE = 1, SPIN_PLAIN = 2 };

/* litmus_spin_lock_forms */
enum { LOCK_SAFE = 0, LOCK_NAIVE = 1 };

#endif
