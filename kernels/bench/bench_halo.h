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

/* 1 when all words came. The place of a word: its receiver's inbox. */
FUNCTION uint32 pass_words(const run_parameters_t *parameters, GLOBAL grid_sync_t *sync,
                           GLOBAL run_state_t *state, GLOBAL epoch_word_t *inboxes,
                           const LOCAL uint32 *neighbours, uint32 n) {
    const uint32 elements = parameters->elements;
    const uint32 words = TORUS_EDGES * elements;
    const uint32 epoch = parameters->first_phase + n;
    uint32 passed = 1u;
    for (uint32 word = item_index(); word < words; word += group_size()) {
        const uint32 edge = word / elements;
        send_halo_double(inboxes + neighbours[edge] * 2u * words, words,
                         (edge ^ 1u) * elements + word % elements,
                         sent_value(group_index(), word, words, epoch), epoch);
    }
    for (uint32 word = item_index(); word < words && passed; word += group_size()) {
        const uint32 edge = word / elements;
        double value = 0;
        passed = receive_halo_double(inboxes + group_index() * 2u * words, words, word, &value, sync, epoch,
                                     n, parameters->wait_limit);
        if (passed &&
            value != sent_value(neighbours[edge], (edge ^ 1u) * elements + word % elements, words, epoch)) {
            add_uint32(&state->iteration, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        }
    }
    return passed;
}

/* Outboxes: two copies of all edges per group, of odd and of even epochs. */
FUNCTION GLOBAL double *outbox(GLOBAL double *outboxes, uint32 group, uint32 words, uint32 epoch) {
    return outboxes + (group * 2u + (epoch & 1u)) * words;
}

FUNCTION void write_outbox(GLOBAL double *outboxes, uint32 words, uint32 epoch) {
    for (uint32 word = item_index(); word < words; word += group_size()) {
        outbox(outboxes, group_index(), words, epoch)[word] = sent_value(group_index(), word, words, epoch);
    }
}

FUNCTION void read_outboxes(GLOBAL run_state_t *state, GLOBAL double *outboxes,
                            const LOCAL uint32 *neighbours, uint32 elements, uint32 epoch) {
    const uint32 words = TORUS_EDGES * elements;
    for (uint32 word = item_index(); word < words; word += group_size()) {
        const uint32 edge = word / elements;
        const uint32 theirs = (edge ^ 1u) * elements + word % elements;
        if (outbox(outboxes, neighbours[edge], words, epoch)[theirs] !=
            sent_value(neighbours[edge], theirs, words, epoch)) {
            add_uint32(&state->iteration, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        }
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
    for (uint32 n = 1; n <= parameters.rounds; ++n) {
        if (parameters.variant == HALO_WORDS) {
            if (!pass_words(&parameters, sync, state, inboxes, neighbours, n)) {
                verdict = 0u; /* the same by whoever writes it */
            }
            group_barrier();
            if (!verdict) {
                return;
            }
        } else {
            const uint32 epoch = parameters.first_phase + n;
            write_outbox(outboxes, TORUS_EDGES * parameters.elements, epoch);
            if (!exchange_halo(flags, TORUS_EDGES, neighbours, opposite_edges, sync, &verdict, epoch, n,
                               parameters.wait_limit)) {
                return;
            }
            read_outboxes(state, outboxes, neighbours, parameters.elements, epoch);
        }
    }
    if (group_index() == 0u && item_index() == 0u) {
        state->stop = STOP_COMPLETE;
    }
}

#endif
