/* Rounds of a halo exchange by flags, to be timed (sync/halo_exchange.h on kernels/bench/torus.h).
 *
 *   for n = 1 ... rounds:
 *       write the values of round n to the own outbox, in plain memory
 *       exchange_halo
 *       read the neighbours' outboxes and compare
 *
 * Two copies of the outboxes by turns. What is wrong is counted in state->control.wrong. Epochs are first_phase + n; it
 * differs from launch to launch by more than the rounds. */
#ifndef PERDURE_KERNELS_BENCH_HALO_FLAGS_H
#define PERDURE_KERNELS_BENCH_HALO_FLAGS_H

#include "kernels/bench/torus.h"
#include "kernels/parameters.h"
#include "sync/halo_exchange.h"

typedef struct {
    GLOBAL double *outboxes; /* [groups][2][TORUS_EDGES * edge_words] */
    const LOCAL uint32 *neighbours;
    uint32 elements;
    uint32 slots;
} halo_values_t;

FUNCTION GLOBAL double *outbox(const halo_values_t *self, uint32 group, uint32 n) {
    return self->outboxes + (group * 2u + (n & 1u)) * TORUS_EDGES * edge_words(self->elements);
}

FUNCTION void write_word(const halo_values_t *self, const passed_word_t *word, uint32 n, double turn) {
    if (word->used) {
        outbox(self, group_index(), n)[word->received] = word->value_sent + turn;
    }
}

FUNCTION void write_words(const halo_values_t *self, const passed_word_t *first, uint32 n, double turn) {
    write_word(self, first, n, turn);
    for (uint32 slot = item_index() + group_size(); slot < self->slots; slot += group_size()) {
        const passed_word_t word = passed_word(self->neighbours, self->elements, slot);
        write_word(self, &word, n, turn);
    }
}

/* 1 when it is wrong. */
FUNCTION uint32 read_word(const halo_values_t *self, const passed_word_t *word, uint32 n, double turn) {
    const double expected = word->value_received + turn;
    return word->used && outbox(self, word->neighbour, n)[word->sent] != expected ? 1u : 0u;
}

FUNCTION uint32 read_words(const halo_values_t *self, const passed_word_t *first, uint32 n, double turn) {
    uint32 wrong = read_word(self, first, n, turn);
    for (uint32 slot = item_index() + group_size(); slot < self->slots; slot += group_size()) {
        const passed_word_t word = passed_word(self->neighbours, self->elements, slot);
        wrong += read_word(self, &word, n, turn);
    }
    return wrong;
}

FUNCTION void halo_flags_rounds(const run_parameters_t *parameters, uint32 slots, GLOBAL grid_sync_t *sync,
                                GLOBAL run_state_t *state, GLOBAL double *outboxes, GLOBAL uint32 *flags,
                                LOCAL uint32 *neighbours, LOCAL uint32 *opposite_edges,
                                LOCAL uint32 *verdict) {
    const halo_values_t self = {outboxes, neighbours, parameters->elements, slots};
    find_neighbours(parameters->nx, parameters->ny, neighbours);
    for (uint32 edge = item_index(); edge < TORUS_EDGES; edge += group_size()) {
        opposite_edges[edge] = edge ^ 1u;
    }
    if (item_index() == 0u) {
        *verdict = 1u;
    }
    group_barrier();
    const passed_word_t first = passed_word(neighbours, parameters->elements, item_index());
    const halo_t halo =
        make_halo(flags, TORUS_EDGES, neighbours, opposite_edges, sync, verdict, parameters->wait_limit);
    double turn = 0;
    uint32 wrong = 0;
    for (uint32 n = 1; n <= parameters->rounds; ++n) {
        turn += (double)1;
        if (item_index() < self.slots) {
            write_words(&self, &first, n, turn);
        }
        if (!exchange_halo(&halo, parameters->first_phase + n, n)) {
            return;
        }
        if (item_index() < self.slots) {
            wrong += read_words(&self, &first, n, turn);
        }
    }
    if (wrong != 0u) {
        add_uint32(&state->control.wrong, wrong, ORDER_RELAXED, SCOPE_DEVICE);
    }
    if (group_index() == 0u && item_index() == 0u) {
        state->control.stop = STOP_COMPLETE;
    }
}

/* bench_halo_flags_alone: without values. */
#define BENCH_HALO_FLAGS(name, slots)                                                                   \
    WIDE_KERNEL void name(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,   \
                          GLOBAL run_state_t *state, GLOBAL double *outboxes, GLOBAL uint32 *flags) {   \
        LOCAL_MEMORY uint32 neighbours[TORUS_EDGES];                                                    \
        LOCAL_MEMORY uint32 opposite_edges[TORUS_EDGES];                                                \
        LOCAL_MEMORY uint32 verdict;                                                                    \
        (void)control;                                                                                  \
        halo_flags_rounds(&parameters, slots, sync, state, outboxes, flags, neighbours, opposite_edges, \
                          &verdict);                                                                    \
    }
BENCH_HALO_FLAGS(bench_halo_flags, slots_of(parameters.elements))
BENCH_HALO_FLAGS(bench_halo_flags_alone, 0u)

#endif
