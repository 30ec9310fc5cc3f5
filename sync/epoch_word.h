/* A double and the epoch it belongs to in one word of 16 bytes, stored and loaded without orders.
 *
 *   publishes     the value alone, never memory beside it
 *   observed by   whoever loads the word and finds the epoch that it expects
 *   edge          none (relaxed, device scope): the value cannot be older or newer than the epoch beside it
 *   called by     one item stores a word; any item loads it
 *   valid in      the item that loaded it
 *   progress      await_...: the group that stores must run; a wait longer than `limit` is abandoned
 *
 * CUDA stores and loads the 16 bytes at once. Elsewhere they are two words, each of half of the value and the
 * epoch: a reader that finds the epoch in both has two halves of one store. A float fits into one 64-bit word
 * everywhere.
 *
 * Epochs count up by one and wrap around; the word is never reset. All zero is epoch 0, so the first one
 * stored is 1. Words used in turn (odd and even epochs) keep what is being read apart from what is being
 * stored. */
#ifndef PERDURE_SYNC_EPOCH_WORD_H
#define PERDURE_SYNC_EPOCH_WORD_H

#include "sync/bounded_wait.h"

typedef struct {
    uint64 first;
    uint64 second;
} __attribute__((aligned(16))) epoch_word_t;

#if defined(__CUDACC__)

FUNCTION void store_epoch_word(epoch_word_t *word, double value, uint32 epoch) {
    asm volatile(
        "{\n\t"
        ".reg .b128 both;\n\t"
        "mov.b128 both, {%1, %2};\n\t"
        "st.relaxed" LAUNCH_SCOPE
        ".global.b128 [%0], both;\n\t"
        "}"
        :
        : "l"(__cvta_generic_to_global(word)), "l"(double_bits(value)), "l"(static_cast<uint64>(epoch))
        : "memory");
}
FUNCTION epoch_word_t load_epoch_word(epoch_word_t *word) {
    epoch_word_t seen;
    asm volatile(
        "{\n\t"
        ".reg .b128 both;\n\t"
        "ld.relaxed" LAUNCH_SCOPE
        ".global.b128 both, [%2];\n\t"
        "mov.b128 {%0, %1}, both;\n\t"
        "}"
        : "=l"(seen.first), "=l"(seen.second)
        : "l"(__cvta_generic_to_global(word))
        : "memory");
    return seen;
}
FUNCTION uint32 is_of_epoch(epoch_word_t seen, uint32 epoch) {
    return static_cast<uint32>(seen.second) == epoch ? 1u : 0u;
}
/* The same, looking at all 16 bytes: until then none of the registers of a word is another's, whose first value would have to wait for the
 * word. */
FUNCTION uint32 is_wholly_of_epoch(epoch_word_t seen, uint32 epoch) {
    return seen.second == epoch ? 1u : 0u;
}
FUNCTION double epoch_word_value(epoch_word_t seen) {
    return bits_double(static_cast<int64>(seen.first));
}

#else

FUNCTION void store_epoch_word(GLOBAL epoch_word_t *word, double value, uint32 epoch) {
    const uint64 bits = (uint64)double_bits(value);
    const uint64 stamp = (uint64)epoch << 32;
    store_uint64(&word->first, stamp | (bits & 0xffffffffu), ORDER_RELAXED, SCOPE_DEVICE);
    store_uint64(&word->second, stamp | (bits >> 32), ORDER_RELAXED, SCOPE_DEVICE);
}
FUNCTION epoch_word_t load_epoch_word(GLOBAL epoch_word_t *word) {
    epoch_word_t seen;
    seen.first = load_uint64(&word->first, ORDER_RELAXED, SCOPE_DEVICE);
    seen.second = load_uint64(&word->second, ORDER_RELAXED, SCOPE_DEVICE);
    return seen;
}
FUNCTION uint32 is_of_epoch(epoch_word_t seen, uint32 epoch) {
    return (uint32)(seen.first >> 32) == epoch && (uint32)(seen.second >> 32) == epoch ? 1u : 0u;
}
FUNCTION uint32 is_wholly_of_epoch(epoch_word_t seen, uint32 epoch) {
    return is_of_epoch(seen, epoch);
}
FUNCTION double epoch_word_value(epoch_word_t seen) {
    return bits_double((int64)(seen.second << 32 | (seen.first & 0xffffffffu)));
}

#endif

/* 1 when the word of `epoch` is there, 0 when the wait was abandoned. */
FUNCTION uint32 await_epoch_word(GLOBAL epoch_word_t *word, double *value, GLOBAL grid_sync_t *sync,
                                 uint32 epoch, uint32 phase, uint64 limit) {
    wait_t wait = {0, 0, 0, 0};
    for (;;) {
        ROLLED
        for (uint32 poll = 1; poll <= POLLS_PER_LOOK; ++poll) {
            const epoch_word_t seen = load_epoch_word(word);
            if (is_of_epoch(seen, epoch)) {
                *value = epoch_word_value(seen);
                return 1u;
            }
            wait_pause(wait.polls + poll);
        }
        wait.polls += POLLS_PER_LOOK;
        if (!look_up(&wait, sync, 0u, phase, limit)) {
            return 0u;
        }
    }
}

FUNCTION void store_epoch_float(GLOBAL uint64 *word, float value, uint32 epoch) {
    store_uint64(word, (uint64)epoch << 32 | (uint32)float_bits(value), ORDER_RELAXED, SCOPE_DEVICE);
}

FUNCTION uint32 await_epoch_float(GLOBAL uint64 *word, float *value, GLOBAL grid_sync_t *sync, uint32 epoch,
                                  uint32 phase, uint64 limit) {
    wait_t wait = {0, 0, 0, 0};
    uint64 seen = load_uint64(word, ORDER_RELAXED, SCOPE_DEVICE);
    while ((uint32)(seen >> 32) != epoch) {
        if (!keep_waiting(&wait, sync, 0u, phase, limit)) {
            return 0u;
        }
        seen = load_uint64(word, ORDER_RELAXED, SCOPE_DEVICE);
    }
    *value = bits_float((int32)(uint32)(seen & 0xffffffffu));
    return 1u;
}

#endif
