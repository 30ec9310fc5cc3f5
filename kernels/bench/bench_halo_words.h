/* Rounds of a halo exchange by words, to be timed (sync/halo_exchange.h on kernels/bench/torus.h).
 *
 *   for n = 1 ... rounds:
 *       store {value, epoch} in the inbox of the neighbour, every used slot
 *       await the words in the own inbox and compare them with what that neighbour sends in round n
 *       group barrier, as at the end of a solver's step
 *
 * What is wrong is counted in state->control.wrong. Epochs are first_phase + n; it differs from launch to launch by
 * more than the rounds. */
#ifndef PERDURE_KERNELS_BENCH_HALO_WORDS_H
#define PERDURE_KERNELS_BENCH_HALO_WORDS_H

#include "kernels/bench/torus.h"
#include "kernels/parameters.h"
#include "sync/halo_exchange.h"

#define WORDS_OF_LINE 8u

typedef struct {
    const run_parameters_t *parameters;
    GLOBAL grid_sync_t *sync;
    GLOBAL epoch_word_t *inboxes; /* [groups][2][TORUS_EDGES * edge_words], or pools of lines */
    const LOCAL uint32 *neighbours;
    uint32 words; /* of an inbox, one of its two copies */
    uint32 slots;
    uint32 near; /* 1: pools[groups][TORUS_EDGES][2] of lines, for up to WORDS_OF_LINE words an edge */
} halo_words_t;

FUNCTION uint32 line_pool(uint32 group, uint32 edge, uint32 odd) {
    return (group * TORUS_EDGES + edge) * 2u + odd;
}

/* Null when the wait for its place was abandoned. */
FUNCTION GLOBAL epoch_word_t *inbox_word(const halo_words_t *self, uint32 group, uint32 word, uint32 odd) {
    const uint32 of_an_edge = self->words / TORUS_EDGES;
    GLOBAL uint32 *line;
    if (!self->near) {
        return self->inboxes + (group * 2u + odd) * self->words + word;
    }
    line = await_line((GLOBAL uint32 *)self->inboxes, halo_line_pools(group_count()),
                      line_pool(group, word / of_an_edge, odd), self->sync, self->parameters->wait_limit);
    return line == 0 ? 0 : (GLOBAL epoch_word_t *)line + word % of_an_edge;
}

FUNCTION void choose_lines(const halo_words_t *self) {
    for (uint32 pool = first_halo_edge(2u * TORUS_EDGES); pool < 2u * TORUS_EDGES;
         pool += halo_edge_step(2u * TORUS_EDGES)) {
        choose_line((GLOBAL uint32 *)self->inboxes, halo_line_pools(group_count()),
                    line_pool(group_index(), 0u, 0u) + pool);
    }
}

/* A word of the coming round and of the one behind it, which is in the other copy: nothing is left to compute between a
 * barrier and the store behind it. */
typedef struct {
    GLOBAL epoch_word_t *to;
    GLOBAL epoch_word_t *from;
    GLOBAL epoch_word_t *next_to;
    GLOBAL epoch_word_t *next_from;
    double sent;
    double expected;
    uint32 used;
} coming_word_t;

FUNCTION coming_word_t coming_word(const halo_words_t *self, uint32 slot, uint32 n) {
    const passed_word_t word = passed_word(self->neighbours, self->parameters->elements, slot);
    const uint32 odd = (self->parameters->first_phase + n) & 1u;
    coming_word_t coming;
    coming.used = word.used;
    coming.to = inbox_word(self, word.neighbour, word.sent, odd);
    coming.from = inbox_word(self, group_index(), word.received, odd);
    coming.next_to = inbox_word(self, word.neighbour, word.sent, 1u - odd);
    coming.next_from = inbox_word(self, group_index(), word.received, 1u - odd);
    coming.sent = word.value_sent + (double)n;
    coming.expected = word.value_received + (double)n;
    return coming;
}

FUNCTION void step_on(coming_word_t *word) {
    GLOBAL epoch_word_t *to = word->to;
    GLOBAL epoch_word_t *from = word->from;
    word->to = word->next_to;
    word->from = word->next_from;
    word->next_to = to;
    word->next_from = from;
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

FUNCTION void halo_words_rounds(const run_parameters_t *parameters, uint32 one_each, uint32 near,
                                GLOBAL grid_sync_t *sync, GLOBAL run_state_t *state,
                                GLOBAL epoch_word_t *inboxes, LOCAL uint32 *neighbours,
                                LOCAL uint32 *verdicts) {
    const halo_words_t self = {parameters,
                               sync,
                               inboxes,
                               neighbours,
                               TORUS_EDGES * edge_words(parameters->elements),
                               slots_of(parameters->elements),
                               near};
    find_neighbours(parameters->nx, parameters->ny, neighbours);
    if (item_index() == 0u) {
        verdicts[0] = 1u;
        verdicts[1] = 1u;
    }
    group_barrier();
    if (near) {
        choose_lines(&self);
    }
    coming_word_t first = coming_word(&self, item_index(), 1u);
    if (!group_all(verdicts, first.next_from != 0 && first.next_to != 0 ? 1u : 0u)) {
        return;
    }
    uint32 wrong = 0;
    for (uint32 n = 1; n <= parameters->rounds; ++n) {
        const uint32 passed = item_index() < self.slots ? pass_words(&self, &first, one_each, n, &wrong) : 1u;
        if (!group_all(verdicts + (n & 1u), passed)) {
            return;
        }
    }
    if (wrong != 0u) {
        add_uint32(&state->control.wrong, wrong, ORDER_RELAXED, SCOPE_DEVICE);
    }
    if (group_index() == 0u && item_index() == 0u) {
        state->control.stop = STOP_COMPLETE;
    }
}

/* bench_halo_words: at most one slot an item, as fast as it goes; bench_halo_words_near: and in lines near to those who
 * receive; bench_halo_words_in_turn: any number. The verdicts serve by turns: an item may still read one when another
 * writes the next. */
#define BENCH_HALO_WORDS(name, one_each, near)                                                        \
    WIDE_KERNEL void name(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync, \
                          GLOBAL run_state_t *state, GLOBAL epoch_word_t *inboxes) {                  \
        LOCAL_MEMORY uint32 neighbours[TORUS_EDGES];                                                  \
        LOCAL_MEMORY uint32 verdicts[2];                                                              \
        (void)control;                                                                                \
        halo_words_rounds(&parameters, one_each, near, sync, state, inboxes, neighbours, verdicts);   \
    }
BENCH_HALO_WORDS(bench_halo_words, 1u, 0u)
BENCH_HALO_WORDS(bench_halo_words_near, 1u, 1u)
BENCH_HALO_WORDS(bench_halo_words_in_turn, 0u, 0u)

#endif
