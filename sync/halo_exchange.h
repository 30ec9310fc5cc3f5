/* Neighbours only: a group goes on when its neighbours have reached its step, whatever all others do.
 *
 * Words (send_halo_..., receive_halo_...): value and epoch travel in one word, for halos of few values.
 *   publishes     the value alone
 *   observed by   the item that receives it
 *   edge          none (relaxed)
 *   called by     one item per word, alternately: send e, receive e, send e + 1, ...
 *   valid in      the item that receives
 * Flags (exchange_halo): the halo lies in plain memory, a flag per edge says up to which step.
 *   publishes     every write of every item of the group before it, to its neighbours
 *   observed by   every item of the neighbours after it
 *   edge          release by the store that raises the flag, acquire by the poll that sees it; within a group
 *                 by the group barriers before and after it
 *   called by     every item of a group and of its neighbours, equally often
 *   valid in      every item: 1 when all neighbours are there, 0 when the wait was abandoned
 * Progress: a group and its neighbours resident at once; a wait longer than `limit` is abandoned. Where the items of a
 * group run one after the other (PoCL), words need a group barrier between all sends and the first receive of a step: an
 * item that waits keeps the next one from sending.
 *
 * Edges go both ways. A group sends e + 1 to a neighbour only after it has received e from it, and a
 * neighbour sends e only after it has received e - 1; so when e + 1 is stored, what was stored for e - 1 has
 * been read, while e may still be unread: neighbours are at most one step apart, and two copies, of odd and
 * of even epochs, suffice. With words it is the poll itself that holds the store back: no order is needed,
 * since no store runs ahead of the poll that decides whether it happens. Where one item receives and another
 * sends, a group barrier must lie in between. With flags the halo needs its two copies too; the flag is one
 * word and may be found one epoch ahead.
 *
 * Floor: words one trip, in with the store and out with the answer of a poll: an L2 load. Flags the fence before it,
 * too. Epochs start at 1 after zeroing, wrap around, and go on from launch to launch. */
#ifndef PERDURE_SYNC_HALO_EXCHANGE_H
#define PERDURE_SYNC_HALO_EXCHANGE_H

#include "sync/epoch_word.h"
#include "sync/nearest_line.h"

/* An inbox of `words` values is two rows of that many words; this is word `index` of an epoch. */
FUNCTION uint32 halo_word(uint32 words, uint32 index, uint32 epoch) {
    return (epoch & 1u) * words + index;
}

/* Into the neighbour's inbox. */
FUNCTION void send_halo_double(GLOBAL epoch_word_t *inbox, uint32 words, uint32 index, double value,
                               uint32 epoch) {
    store_epoch_word(inbox + halo_word(words, index, epoch), value, epoch);
}
FUNCTION void send_halo_float(GLOBAL uint64 *inbox, uint32 words, uint32 index, float value, uint32 epoch) {
    store_epoch_float(inbox + halo_word(words, index, epoch), value, epoch);
}

/* From this group's own inbox: 1 and the value, 0 when the wait was abandoned. */
FUNCTION uint32 receive_halo_double(GLOBAL epoch_word_t *inbox, uint32 words, uint32 index, double *value,
                                    GLOBAL grid_sync_t *sync, uint32 epoch, uint32 phase, uint64 limit) {
    return await_epoch_word(inbox + halo_word(words, index, epoch), value, sync, epoch, phase, limit);
}
FUNCTION uint32 receive_halo_float(GLOBAL uint64 *inbox, uint32 words, uint32 index, float *value,
                                   GLOBAL grid_sync_t *sync, uint32 epoch, uint32 phase, uint64 limit) {
    return await_epoch_float(inbox + halo_word(words, index, epoch), value, sync, epoch, phase, limit);
}

/* A pool of lines for each edge of each group (sync/nearest_line.h): flag `edge` of a group is raised by its neighbour
 * there. */
HOST_FUNCTION uint64 halo_flags_bytes(uint32 groups, uint32 edges) {
    return line_pools_bytes(groups * edges);
}
/* The first words of it; what is behind them may start at any epoch. */
HOST_FUNCTION uint32 halo_choice_words(uint32 groups, uint32 edges) {
    return line_choice_words(groups * edges);
}

/* The first edge that this item serves, and how far it is to its next one. On NVIDIA each edge has a warp of
 * its own where there are enough. Elsewhere the items of a group may run one after the other (PoCL), and one
 * that waited would keep the next one from raising its flag: item 0 serves all edges. */
FUNCTION uint32 first_halo_edge(uint32 edges) {
#if defined(__CUDACC__) || defined(PERDURE_NVIDIA)
    const uint32 spread = group_size() >= 32u * edges ? 32u : 1u;
    return item_index() % spread == 0u ? item_index() / spread : edges;
#else
    return item_index() == 0u ? 0u : edges;
#endif
}
FUNCTION uint32 halo_edge_step(uint32 edges) {
#if defined(__CUDACC__) || defined(PERDURE_NVIDIA)
    return group_size() >= 32u * edges ? group_size() / 32u : group_size();
#else
    (void)edges;
    return 1u;
#endif
}

/* What an item keeps from one exchange of a launch to the next. */
typedef struct {
    GLOBAL grid_sync_t *sync;
    LOCAL uint32 *verdict; /* one word of its own, 1 before the first exchange */
    const LOCAL uint32 *neighbours;
    const LOCAL uint32 *opposite_edges;
    GLOBAL uint32 *flags;
    GLOBAL uint32 *raised;  /* of the one edge that this item serves: the neighbour's */
    GLOBAL uint32 *awaited; /* and this group's */
    uint64 limit;
    uint32 edges;
    uint32 first; /* edge that this item serves, and how far it is to the next ones */
    uint32 step;
    uint32 passed; /* 0: a neighbour did not say where its flag is */
} halo_t;

/* Null when the wait for its place was abandoned, which happens before the first exchange alone. */
FUNCTION GLOBAL uint32 *halo_flag(const halo_t *halo, uint32 group, uint32 edge) {
    return await_line(halo->flags, group_count() * halo->edges, group * halo->edges + edge, halo->sync,
                      halo->limit);
}
FUNCTION GLOBAL uint32 *raised_flag(const halo_t *halo, uint32 edge) {
    return halo_flag(halo, halo->neighbours[edge], halo->opposite_edges[edge]);
}
FUNCTION GLOBAL uint32 *awaited_flag(const halo_t *halo, uint32 edge) {
    return halo_flag(halo, group_index(), edge);
}
FUNCTION uint32 has_neighbour(const halo_t *halo, uint32 edge) {
    return halo->neighbours[edge] != NO_NEIGHBOUR ? 1u : 0u;
}
FUNCTION uint32 serves_one_edge(const halo_t *halo) {
    return halo->first + halo->step >= halo->edges ? 1u : 0u;
}

/* Every item of a group. neighbours, opposite_edges: this group's neighbour on each edge (or NO_NEIGHBOUR), and which of
 * its edges this is; they and *verdict are set, and a group barrier lies behind. Where a neighbour does not come, the
 * first exchange is abandoned. */
FUNCTION halo_t make_halo(GLOBAL uint32 *flags, uint32 edges, const LOCAL uint32 *neighbours,
                          const LOCAL uint32 *opposite_edges, GLOBAL grid_sync_t *sync, LOCAL uint32 *verdict,
                          uint64 limit) {
    halo_t halo;
    halo.sync = sync;
    halo.verdict = verdict;
    halo.neighbours = neighbours;
    halo.opposite_edges = opposite_edges;
    halo.flags = flags;
    halo.raised = 0;
    halo.awaited = 0;
    halo.limit = limit;
    halo.edges = edges;
    halo.first = first_halo_edge(edges);
    halo.step = halo_edge_step(edges);
    halo.passed = 1u;
    for (uint32 edge = halo.first; edge < edges; edge += halo.step) {
        if (has_neighbour(&halo, edge)) {
            choose_line(flags, group_count() * edges, group_index() * edges + edge);
        }
    }
    for (uint32 edge = halo.first; edge < edges; edge += halo.step) {
        if (has_neighbour(&halo, edge)) {
            halo.raised = raised_flag(&halo, edge);
            halo.awaited = awaited_flag(&halo, edge);
            halo.passed &= halo.raised != 0 ? 1u : 0u;
        }
    }
    return halo;
}

FUNCTION void raise_halo_flag(GLOBAL uint32 *flag, uint32 epoch) {
    store_uint32(flag, epoch, ORDER_RELEASE, SCOPE_DEVICE);
}
FUNCTION uint32 await_halo_flag(const halo_t *halo, GLOBAL uint32 *flag, uint32 epoch, uint32 phase) {
    uint32 seen = 0;
    return await_word(flag, SCOPE_DEVICE, UNTIL_REACHED, epoch, &seen, halo->sync, phase, halo->limit);
}

/* An item that serves several edges raises the flags of all before it waits for one. */
FUNCTION uint32 raise_and_await_all(const halo_t *halo, uint32 epoch, uint32 phase) {
    uint32 passed = 1u;
    for (uint32 edge = halo->first; edge < halo->edges; edge += halo->step) {
        if (has_neighbour(halo, edge)) {
            raise_halo_flag(raised_flag(halo, edge), epoch);
        }
    }
    for (uint32 edge = halo->first; edge < halo->edges; edge += halo->step) {
        if (has_neighbour(halo, edge)) {
            passed &= await_halo_flag(halo, awaited_flag(halo, edge), epoch, phase);
        }
    }
    return passed;
}

FUNCTION uint32 raise_and_await(const halo_t *halo, uint32 epoch, uint32 phase) {
    if (!serves_one_edge(halo)) {
        return raise_and_await_all(halo, epoch, phase);
    }
    if (halo->raised == 0) {
        return 1u;
    }
    raise_halo_flag(halo->raised, epoch);
    return await_halo_flag(halo, halo->awaited, epoch, phase);
}

/* Items that serve no edge go straight to the barrier at the end: what their warps execute delays the others. */
FUNCTION uint32 exchange_halo(const halo_t *halo, uint32 epoch, uint32 phase) {
    uint32 passed = halo->passed;
    group_barrier();
    if (halo->first < halo->edges && passed) {
        passed = raise_and_await(halo, epoch, phase);
    }
    return group_all(halo->verdict, passed);
}

#endif
