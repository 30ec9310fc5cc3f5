/* Rounds of a halo exchange by words, to be timed (sync/halo_exchange.h on kernels/bench/torus.h).
 *
 *   for n = 1 ... rounds:
 *       store {value, epoch} in the inbox of the neighbour, every used slot
 *       await the words in the own inbox and compare them with what that neighbour sends in round n
 *       group barrier, as at the end of a solver's step
 *
 * What is wrong is counted in state->iteration. Epochs are first_phase + n; it differs from launch to launch by
 * more than the rounds. */
#ifndef PERDURE_KERNELS_BENCH_HALO_WORDS_H
#define PERDURE_KERNELS_BENCH_HALO_WORDS_H

#include "kernels/bench/torus.h"
#include "kernels/parameters.h"
#include "sync/halo_exchange.h"

typedef struct {
    const run_parameters_t *parameters;
    GLOBAL grid_sync_t *sync;
    GLOBAL epoch_word_t *inboxes; /* [groups][2][TORUS_EDGES * edge_words] */
    const LOCAL uint32 *neighbours;
    uint32 words; /* of an inbox, one of its two copies */
    uint32 slots;
} halo_words_t;

/* A word of the coming round. The pointers move to the other copy and back: nothing is left to compute between a barrier
 * and the store behind it. */
typedef struct {
    GLOBAL epoch_word_t *to;
    GLOBAL epoch_word_t *from;
    int64 other_copy;
    double sent;
    double expected;
    uint32 used;
} coming_word_t;

FUNCTION coming_word_t coming_word(const halo_words_t *self, uint32 slot, uint32 n) {
    const passed_word_t word = passed_word(self->neighbours, self->parameters->elements, slot);
    const uint32 odd = (self->parameters->first_phase + n) & 1u;
    coming_word_t coming;
    coming.used = word.used;
    coming.to = self->inboxes + (word.neighbour * 2u + odd) * self->words + word.sent;
    coming.from = self->inboxes + (group_index() * 2u + odd) * self->words + word.received;
    coming.other_copy = odd ? -(int64)self->words : (int64)self->words;
    coming.sent = word.value_sent + (double)n;
    coming.expected = word.value_received + (double)n;
    return coming;
}

FUNCTION void step_on(coming_word_t *word) {
    word->to += word->other_copy;
    word->from += word->other_copy;
    word->other_copy = -word->other_copy;
    word->sent += (double)1;
    word->expected += (double)1;
}

FUNCTION void send_word(const coming_word_t *word, uint32 epoch) {
    if (word->used) {
        store_epoch_word(word->to, word->sent, epoch);
    }
}

/* 0 when the wait was abandoned. Counts what is wrong. */
FUNCTION uint32 receive_word(const halo_words_t *self, const coming_word_t *word, uint32 epoch, uint32 n,
                             uint32 *wrong) {
    double value = word->expected;
    if (word->used &&
        !await_epoch_word(word->from, &value, self->sync, epoch, n, self->parameters->wait_limit)) {
        return 0u;
    }
    *wrong += value != word->expected ? 1u : 0u;
    return 1u;
}

/* 1 when all words came. `one_each`: no item has more than its first slot. */
FUNCTION uint32 pass_words(const halo_words_t *self, coming_word_t *first, uint32 one_each, uint32 n,
                           uint32 *wrong) {
    const uint32 epoch = self->parameters->first_phase + n;
    const uint32 second = one_each ? self->slots : item_index() + group_size();
    uint32 passed = 1u;
    send_word(first, epoch);
    for (uint32 slot = second; slot < self->slots; slot += group_size()) {
        const coming_word_t word = coming_word(self, slot, n);
        send_word(&word, epoch);
    }
    passed = receive_word(self, first, epoch, n, wrong);
    for (uint32 slot = second; slot < self->slots && passed; slot += group_size()) {
        const coming_word_t word = coming_word(self, slot, n);
        passed = receive_word(self, &word, epoch, n, wrong);
    }
    step_on(first);
    return passed;
}

FUNCTION void halo_words_rounds(const run_parameters_t *parameters, uint32 one_each, GLOBAL grid_sync_t *sync,
                                GLOBAL run_state_t *state, GLOBAL epoch_word_t *inboxes,
                                LOCAL uint32 *neighbours, LOCAL uint32 *verdicts) {
    const halo_words_t self = {parameters,
                               sync,
                               inboxes,
                               neighbours,
                               TORUS_EDGES * edge_words(parameters->elements),
                               slots_of(parameters->elements)};
    find_neighbours(parameters->nx, parameters->ny, neighbours);
    if (item_index() == 0u) {
        verdicts[0] = 1u;
        verdicts[1] = 1u;
    }
    group_barrier();
    coming_word_t first = coming_word(&self, item_index(), 1u);
    uint32 wrong = 0;
    for (uint32 n = 1; n <= parameters->rounds; ++n) {
        const uint32 passed = item_index() < self.slots ? pass_words(&self, &first, one_each, n, &wrong) : 1u;
        if (!group_all(verdicts + (n & 1u), passed)) {
            return;
        }
    }
    if (wrong != 0u) {
        add_uint32(&state->iteration, wrong, ORDER_RELAXED, SCOPE_DEVICE);
    }
    if (group_index() == 0u && item_index() == 0u) {
        state->stop = STOP_COMPLETE;
    }
}

/* bench_halo_words: at most one slot an item, as fast as it goes; bench_halo_words_in_turn: any number. The verdicts
 * serve by turns: an item may still read one when another writes the next. */
#define BENCH_HALO_WORDS(name, one_each)                                                              \
    WIDE_KERNEL void name(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync, \
                          GLOBAL run_state_t *state, GLOBAL epoch_word_t *inboxes) {                  \
        LOCAL uint32 neighbours[TORUS_EDGES];                                                         \
        LOCAL uint32 verdicts[2];                                                                     \
        (void)control;                                                                                \
        halo_words_rounds(&parameters, one_each, sync, state, inboxes, neighbours, verdicts);         \
    }
BENCH_HALO_WORDS(bench_halo_words, 1u)
BENCH_HALO_WORDS(bench_halo_words_in_turn, 0u)

#endif
