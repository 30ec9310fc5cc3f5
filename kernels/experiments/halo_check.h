/* Halo exchange on a ring of groups (sync/halo_exchange.h), by words of floats and of doubles, and by flags.
 *
 *   words   word w of an edge carries a value of (group, edge, word, n); item i sends and receives words i,
 *           i + group_size, ... of both edges
 *   flags   item i writes plain memory, and reads that of item i of both neighbours
 *
 * Epochs are first_phase + n; `delay` is a group that does not come, or NO_GROUP. passed[group] counts rounds:
 * those of all its items together for words; wrong values are counted in state->control.wrong. */
#ifndef PERDURE_KERNELS_EXPERIMENTS_HALO_CHECK_H
#define PERDURE_KERNELS_EXPERIMENTS_HALO_CHECK_H

#include "kernels/experiments/check_words.h"
#include "kernels/parameters.h"
#include "sync/halo_exchange.h"

/* Edge 0 leads to the group before, edge 1 to the one behind; the neighbour's edge is the other one. */
FUNCTION uint32 ring_neighbour(uint32 edge) {
    const uint32 step = edge == 0u ? group_count() - 1u : 1u;
    return (group_index() + step) % group_count();
}

/* One item: what make_halo() takes. */
FUNCTION void join_ring(LOCAL uint32 *neighbours, LOCAL uint32 *opposite_edges) {
    for (uint32 edge = 0; edge < RING_EDGES; ++edge) {
        neighbours[edge] = ring_neighbour(edge);
        opposite_edges[edge] = edge ^ 1u;
    }
}

/* Exact in a float, and unlike those of other rounds and places. */
FUNCTION uint32 ring_value(uint32 group, uint32 place, uint32 n) {
    return ((group * 1021u + place) * 2654435761u + n * 40503u) >> 8;
}

FUNCTION void send_ring_word(uint32 variant, GLOBAL uint64 *floats, GLOBAL epoch_word_t *doubles, uint32 word,
                             uint32 epoch, uint32 n) {
    const uint32 edge = word / RING_WORDS;
    const uint32 all = RING_EDGES * RING_WORDS;
    const uint32 there = (edge ^ 1u) * RING_WORDS + word % RING_WORDS;
    const uint32 inbox = ring_neighbour(edge) * 2u * all;
    const uint32 value = ring_value(group_index(), word, n);
    if (variant == RING_FLOATS) {
        send_halo_float(floats + inbox, all, there, (float)value, epoch);
    } else {
        send_halo_double(doubles + inbox, all, there, (double)value + (double)(1.0 / 1073741824.0), epoch);
    }
}

/* 1 when it came; counts wrong values. */
FUNCTION uint32 receive_ring_word(uint32 variant, GLOBAL uint64 *floats, GLOBAL epoch_word_t *doubles,
                                  uint32 word, uint32 epoch, uint32 n, GLOBAL grid_sync_t *sync, uint64 limit,
                                  uint32 *wrong) {
    const uint32 edge = word / RING_WORDS;
    const uint32 all = RING_EDGES * RING_WORDS;
    const uint32 inbox = group_index() * 2u * all;
    const uint32 value = ring_value(ring_neighbour(edge), (edge ^ 1u) * RING_WORDS + word % RING_WORDS, n);
    float single = 0;
    double twice = 0;
    uint32 came;
    if (variant == RING_FLOATS) {
        came = receive_halo_float(floats + inbox, all, word, &single, sync, epoch, n, limit);
        *wrong += came && single != (float)value ? 1u : 0u;
    } else {
        came = receive_halo_double(doubles + inbox, all, word, &twice, sync, epoch, n, limit);
        *wrong += came && twice != (double)value + (double)(1.0 / 1073741824.0) ? 1u : 0u;
    }
    return came;
}

/* floats, doubles: [groups][2][RING_EDGES * RING_WORDS]; each is used by its variant alone */
WIDE_KERNEL void halo_words_check(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                                  GLOBAL run_state_t *state, GLOBAL uint64 *floats,
                                  GLOBAL epoch_word_t *doubles, GLOBAL uint32 *passed) {
    const uint32 rounds = group_index() == parameters.delay ? 0u : parameters.rounds;
    uint32 came = 1u;
    uint32 done = 0;
    uint32 wrong = 0;
    (void)control;
    for (uint32 n = 1; n <= rounds && came; ++n) {
        const uint32 epoch = parameters.first_phase + n;
        for (uint32 word = item_index(); word < RING_EDGES * RING_WORDS; word += group_size()) {
            send_ring_word(parameters.variant, floats, doubles, word, epoch, n);
        }
        for (uint32 word = item_index(); word < RING_EDGES * RING_WORDS; word += group_size()) {
            came &= receive_ring_word(parameters.variant, floats, doubles, word, epoch, n, sync,
                                      parameters.wait_limit, &wrong);
        }
        done += came;
    }
    add_uint32(passed + group_index(), done, ORDER_RELAXED, SCOPE_DEVICE);
    add_uint32(&state->control.wrong, wrong, ORDER_RELAXED, SCOPE_DEVICE);
}

/* halos: [2][groups][items] */
WIDE_KERNEL void halo_flags_check(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                                  GLOBAL run_state_t *state, GLOBAL uint32 *halos, GLOBAL uint32 *flags,
                                  GLOBAL uint32 *passed) {
    LOCAL_MEMORY uint32 neighbours[RING_EDGES];
    LOCAL_MEMORY uint32 opposite_edges[RING_EDGES];
    LOCAL_MEMORY uint32 verdict;
    const uint32 group = group_index();
    const uint32 rounds = group == parameters.delay ? 0u : parameters.rounds;
    uint32 wrong = 0;
    (void)control;
    if (item_index() == 0u) {
        verdict = 1u;
        join_ring(neighbours, opposite_edges);
    }
    group_barrier();
    const halo_t halo =
        make_halo(flags, RING_EDGES, neighbours, opposite_edges, sync, &verdict, parameters.wait_limit);
    for (uint32 n = 1; n <= rounds; ++n) {
        GLOBAL uint32 *row = halos + (n & 1u) * group_count() * group_size() + item_index();
        row[group * group_size()] = ring_value(group, item_index(), n);
        if (!exchange_halo(&halo, parameters.first_phase + n, n)) {
            return;
        }
        for (uint32 edge = 0; edge < RING_EDGES; ++edge) {
            const uint32 other = ring_neighbour(edge);
            wrong += row[other * group_size()] != ring_value(other, item_index(), n) ? 1u : 0u;
        }
        if (item_index() == 0u) {
            passed[group] = n;
        }
        group_barrier();
    }
    add_uint32(&state->control.wrong, wrong, ORDER_RELAXED, SCOPE_DEVICE);
}

#endif
