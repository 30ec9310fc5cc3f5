/* Groups on a torus of nx by ny that pass `elements` doubles over each of their four edges, and know what every
 * neighbour sends.
 *
 * Slots share the doubles out among items, a warp of an edge at a time where there is a warp for each: neighbouring
 * warps serve different edges. A slot beyond the elements of its edge is not used. Item i has slots i,
 * i + group_size, ... */
#ifndef PERDURE_KERNELS_BENCH_TORUS_H
#define PERDURE_KERNELS_BENCH_TORUS_H

#include "kernels/bench/variants.h"
#include "sync/dialect.h"

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

/* All items, and a group barrier behind it. */
FUNCTION void find_neighbours(uint32 nx, uint32 ny, LOCAL uint32 *neighbours) {
    for (uint32 edge = item_index(); edge < TORUS_EDGES; edge += group_size()) {
        neighbours[edge] = torus_neighbour(nx, ny, edge);
    }
}

/* Slots in a row that belong to the same edge. */
FUNCTION uint32 slots_in_a_row(void) {
    return group_size() >= 32u * TORUS_EDGES ? 32u : 1u;
}
FUNCTION uint32 slots_of(uint32 elements) {
    const uint32 row = slots_in_a_row();
    return TORUS_EDGES * ((elements + row - 1u) / row * row);
}

/* What `group` sends as word `word` in round n is this plus n: exact in a double. */
FUNCTION double sent_value(uint32 group, uint32 word, uint32 words) {
    return (double)(group * TORUS_EDGES * words + word) * (double)(1.0 / 1048576.0);
}

/* Words of an edge, in memory: each edge has cache lines of its own. */
FUNCTION uint32 edge_words(uint32 elements) {
    return (elements + 15u) / 16u * 16u;
}

/* Of lines for the words of one edge each, in two copies. */
HOST_FUNCTION uint32 halo_line_pools(uint32 groups) {
    return groups * TORUS_EDGES * 2u;
}

/* Word `index` of `edge` is edge * edge_words + index, and reaches the neighbour over its edge `edge ^ 1`. */
typedef struct {
    uint32 used;
    uint32 neighbour;
    uint32 sent;     /* word of the neighbour's inbox, and of its own outbox, at the other side of the edge */
    uint32 received; /* word of this group's */
    double value_sent, value_received;
} passed_word_t;

FUNCTION passed_word_t passed_word(const LOCAL uint32 *neighbours, uint32 elements, uint32 slot) {
    const uint32 row = slots_in_a_row();
    const uint32 edge = slot / row % TORUS_EDGES;
    const uint32 index = slot / (row * TORUS_EDGES) * row + slot % row;
    passed_word_t word = {0, 0, 0, 0, 0, 0};
    if (index < elements) {
        word.used = 1u;
        word.neighbour = neighbours[edge];
        word.received = edge * edge_words(elements) + index;
        word.sent = (edge ^ 1u) * edge_words(elements) + index;
        word.value_sent = sent_value(group_index(), word.received, edge_words(elements));
        word.value_received = sent_value(word.neighbour, word.sent, edge_words(elements));
    }
    return word;
}

#endif
