/* Rounds of neighbour-only synchronisation, to be timed: groups on a torus of nx by ny pass `elements`
 * doubles over each of their four edges. `variant` says how.
 *
 *   HALO_WORDS   value and epoch in one word; each item stores and awaits its own words
 *   HALO_FLAGS   values in plain memory, a flag per edge; elements = 0: the flags alone
 *
 * A round ends with a group barrier, as a step of a solver would. Every value received is compared with what
 * that neighbour sends on that edge in that round; what is wrong is counted in state->iteration. first_phase
 * differs from launch to launch by more than the rounds. */
#ifndef PERDURE_KERNELS_BENCH_HALO_H
#define PERDURE_KERNELS_BENCH_HALO_H

#include "kernels/bench/variants.h"
#include "kernels/parameters.h"
#include "sync/halo_exchange.h"

FUNCTION uint32 torus_neighbour(uint32 nx, uint32 ny, uint32 edge) {
    const uint32 x = group_index() % nx;
    const uint32 y = group_index() / nx;
    switch (edge) {
        case 0u:
            return y * nx + (x + nx - 1u) % nx;
        case 1u:
            return y * nx + (x + 1u) % nx;
        case 2u:
            return (y + ny - 1u) % ny * nx + x;
        default:
            return (y + 1u) % ny * nx + x;
    }
}

/* A word is value `word % elements` of edge `word / elements`. What `group` sends: exact in a double. */
FUNCTION double sent_value(uint32 group, uint32 word, uint32 words, uint32 epoch) {
    return (double)epoch + (double)(group * words + word) * (double)(1.0 / 1048576.0);
}

/* Where a word goes and comes from, and what its values are but for the epoch; the same in every round. */
typedef struct {
    GLOBAL epoch_word_t *outbox;
    GLOBAL epoch_word_t *inbox;
    uint32 neighbour;
    uint32 sent_index;
    uint32 received_index;
    double sent;
    double received;
} passed_word_t;

FUNCTION passed_word_t passed_word(GLOBAL epoch_word_t *inboxes, const LOCAL uint32 *neighbours,
                                   uint32 elements, uint32 word) {
    const uint32 words = TORUS_EDGES * elements;
    const uint32 edge = word / elements;
    const uint32 opposite = (edge ^ 1u) * elements + word % elements;
    passed_word_t passed;
    passed.outbox = inboxes + neighbours[edge] * 2u * words;
    passed.inbox = inboxes + group_index() * 2u * words;
    passed.neighbour = neighbours[edge];
    passed.sent_index = opposite;
    passed.received_index = word;
    passed.sent = sent_value(group_index(), word, words, 0u);
    passed.received = sent_value(neighbours[edge], opposite, words, 0u);
    return passed;
}

FUNCTION uint32 receive_word(const run_parameters_t *parameters, GLOBAL grid_sync_t *sync,
                             GLOBAL run_state_t *state, const passed_word_t *word, uint32 words, uint32 n,
                             double turn) {
    const uint32 epoch = parameters->first_phase + n;
    double value = 0;
    if (!receive_halo_double(word->inbox, words, word->received_index, &value, sync, epoch, n,
                             parameters->wait_limit)) {
        return 0u;
    }
    if (value != word->received + turn) {
        add_uint32(&state->iteration, 1u, ORDER_RELAXED, SCOPE_DEVICE);
    }
    return 1u;
}

/* An item passes words item, item + group_size, ...; `first` is the first of them. 1 when all came. */
FUNCTION uint32 pass_words(const run_parameters_t *parameters, GLOBAL grid_sync_t *sync,
                           GLOBAL run_state_t *state, GLOBAL epoch_word_t *inboxes,
                           const LOCAL uint32 *neighbours, const passed_word_t *first, uint32 n,
                           double turn) {
    const uint32 words = TORUS_EDGES * parameters->elements;
    const uint32 epoch = parameters->first_phase + n;
    uint32 passed = 1u;
    if (item_index() < words) {
        send_halo_double(first->outbox, words, first->sent_index, first->sent + turn, epoch);
    }
    for (uint32 k = item_index() + group_size(); k < words; k += group_size()) {
        const passed_word_t word = passed_word(inboxes, neighbours, parameters->elements, k);
        send_halo_double(word.outbox, words, word.sent_index, word.sent + turn, epoch);
    }
    if (item_index() < words) {
        passed = receive_word(parameters, sync, state, first, words, n, turn);
    }
    for (uint32 k = item_index() + group_size(); k < words && passed; k += group_size()) {
        const passed_word_t word = passed_word(inboxes, neighbours, parameters->elements, k);
        passed = receive_word(parameters, sync, state, &word, words, n, turn);
    }
    return passed;
}

/* Outboxes: two copies of all edges per group, of odd and of even epochs. */
FUNCTION GLOBAL double *outbox(GLOBAL double *outboxes, uint32 group, uint32 words, uint32 epoch) {
    return outboxes + (group * 2u + (epoch & 1u)) * words;
}

FUNCTION void write_outbox(GLOBAL double *outboxes, const passed_word_t *first, uint32 words, uint32 epoch) {
    GLOBAL double *box = outbox(outboxes, group_index(), words, epoch);
    if (item_index() < words) {
        box[item_index()] = first->sent + (double)epoch;
    }
    for (uint32 k = item_index() + group_size(); k < words; k += group_size()) {
        box[k] = sent_value(group_index(), k, words, epoch);
    }
}

FUNCTION void expect_value(GLOBAL run_state_t *state, double value, double expected) {
    if (value != expected) {
        add_uint32(&state->iteration, 1u, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

FUNCTION void read_outboxes(GLOBAL run_state_t *state, GLOBAL double *outboxes,
                            const LOCAL uint32 *neighbours, const passed_word_t *first, uint32 elements,
                            uint32 epoch) {
    const uint32 words = TORUS_EDGES * elements;
    if (item_index() < words) {
        expect_value(state, outbox(outboxes, first->neighbour, words, epoch)[first->sent_index],
                     first->received + (double)epoch);
    }
    for (uint32 k = item_index() + group_size(); k < words; k += group_size()) {
        const uint32 theirs = (k / elements ^ 1u) * elements + k % elements;
        const uint32 neighbour = neighbours[k / elements];
        expect_value(state, outbox(outboxes, neighbour, words, epoch)[theirs],
                     sent_value(neighbour, theirs, words, epoch));
    }
}

WIDE_KERNEL void bench_halo(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                            GLOBAL run_state_t *state, GLOBAL epoch_word_t *inboxes, GLOBAL double *outboxes,
                            GLOBAL uint32 *flags) {
    LOCAL uint32 neighbours[TORUS_EDGES];
    LOCAL uint32 opposite_edges[TORUS_EDGES];
    LOCAL uint32 verdict;
    (void)control;
    for (uint32 edge = item_index(); edge < TORUS_EDGES; edge += group_size()) {
        neighbours[edge] = torus_neighbour(parameters.nx, parameters.ny, edge);
        opposite_edges[edge] = edge ^ 1u;
    }
    if (item_index() == 0u) {
        verdict = 1u;
    }
    group_barrier();
    const passed_word_t first =
        passed_word(inboxes, neighbours, parameters.elements != 0u ? parameters.elements : 1u,
                    item_index() < TORUS_EDGES * parameters.elements ? item_index() : 0u);
    double turn = (double)parameters.first_phase;
    for (uint32 n = 1; n <= parameters.rounds; ++n) {
        turn += (double)1;
        if (parameters.variant == HALO_WORDS) {
            if (!group_all(&verdict,
                           pass_words(&parameters, sync, state, inboxes, neighbours, &first, n, turn))) {
                return;
            }
        } else {
            const uint32 epoch = parameters.first_phase + n;
            write_outbox(outboxes, &first, TORUS_EDGES * parameters.elements, epoch);
            if (!exchange_halo(flags, TORUS_EDGES, neighbours, opposite_edges, sync, &verdict, epoch, n,
                               parameters.wait_limit)) {
                return;
            }
            read_outboxes(state, outboxes, neighbours, &first, parameters.elements, epoch);
        }
    }
    if (group_index() == 0u && item_index() == 0u) {
        state->stop = STOP_COMPLETE;
    }
}

#endif
