/* Ranks on devices of their own: what they tell each other by sync/put_signal.h. Each has whole arrays and changes the cells of its part.
 *
 *   behind each phase      copies of the planes of cells that others look at, of the arrays that the phase has changed; of one that changes
 *                          none that others look at, nothing. A phase changes no cell that another one looks at in the same phase, so
 *                          they may come while a rank is still in the phase before
 *   behind a launch        the same, by its last groups
 *   within a reduction     partial sums of a rank's chunks and what else it has found, to every other rank. Odd and even reductions have
 *                          messages of their own: a rank that sends the next but one has the next of all others, who have read this one
 *
 * Each rank has a signal for each other one: a rank that is ahead may send what belongs to the next phase before a third one has sent what
 * belongs to this. All know from what a phase has changed how many messages come. An array is written to again behind a message of every
 * rank that gets it, sent after that rank last read it: a phase in between changes an array that goes to the same ranks, or is a reduction.
 *
 *   publishes     every write of every group of a rank before its barrier
 *   observed by   every group of the other ranks behind the barrier that follows
 *   called by     share_cells_of_ranks() between two grid barriers: every item of every group, with the same `changes`; the others by every
 *                 item of the last group */
#ifndef PERDURE_KERNELS_DEVICE_RANKS_H
#define PERDURE_KERNELS_DEVICE_RANKS_H

#include "kernels/parameters.h"
#include "kernels/rank_place.h"
#include "kernels/shares.h"
#include "sync/put_signal.h"

FUNCTION uint32 first_chunk_of_part(const run_parameters_t *grid, uint32 rank, uint32 ranks) {
    return begin_of_part(grid->sections, rank, ranks) * grid->section_chunks.divisor;
}

FUNCTION GLOBAL rank_counts_t *counts_of(const rank_place_t *place) {
    return (GLOBAL rank_counts_t *)place->counts;
}

/* This group's share of the messages with the arrays `changes`, counted through all of them. */
FUNCTION void send_cells(const rank_place_t *place, uint64 changes, uint32 group, uint32 groups) {
    const GLOBAL rank_list_t *lists = (const GLOBAL rank_list_t *)place->lists;
    const GLOBAL rank_message_t *messages = (const GLOBAL rank_message_t *)place->message_list;
    uint32 next = group; /* the group's next message, from the first of this list on */
    for (uint32 array = 0; changes >> array != 0u; ++array) {
        if ((changes >> array & 1u) == 0u) {
            continue;
        }
        const rank_list_t list = lists[array];
        for (; next < list.messages; next += groups) {
            const rank_message_t message = messages[list.first + next];
            put_and_signal(message.to, message.from, message.bytes, message.signal, message.rank);
            group_barrier();
        }
        next -= list.messages;
    }
}

/* Every item of one group, each for some ranks: until the cells of others are there; 0 where an item has waited in vain. */
FUNCTION uint32 await_cells(const rank_place_t *place, uint64 changes, GLOBAL grid_sync_t *sync, uint32 phase,
                            uint64 limit) {
    const GLOBAL uint32 *arrivals = (const GLOBAL uint32 *)place->arrivals;
    GLOBAL uint64 *arrived = (GLOBAL uint64 *)place->arrived;
    uint32 are_there = 1u;
    for (uint32 rank = item_index(); rank < place->count; rank += group_size()) {
        const uint64 before = arrived[rank];
        uint64 all = before;
        for (uint32 array = 0; changes >> array != 0u; ++array) {
            all += (changes >> array & 1u) != 0u ? arrivals[array * place->count + rank] : 0u;
        }
        if (all != before && are_there) {
            arrived[rank] = all;
            are_there =
                wait_for_signal(place->cells_signals + rank * RANK_SIGNAL_BYTES, all, sync, phase, limit);
        }
    }
    return are_there;
}

/* 1 to every item of a group when what it looks at may be read behind a grid barrier. */
FUNCTION uint32 share_cells_of_ranks(const rank_place_t *place, uint64 changes, GLOBAL grid_sync_t *sync,
                                     LOCAL uint32 *verdict, uint32 phase, uint64 limit) {
    send_cells(place, changes, group_index(), group_count());
    return group_verdict(verdict, group_index() == 0u ? await_cells(place, changes, sync, phase, limit) : 1u);
}

/* This rank's partial sums values[sums][chunks], and words that it has found. */
FUNCTION void send_sums(const rank_place_t *place, const run_parameters_t *grid, const GLOBAL sum_t *values,
                        uint32 sums, const int64 *words) {
    const uint32 parity = (uint32)(counts_of(place)->reductions & 1u);
    const uint32 first = first_chunk_of_part(grid, place->index, place->count);
    const uint32 width = first_chunk_of_part(grid, place->index + 1u, place->count) - first;
    GLOBAL double *message = (GLOBAL double *)place->outbox + RANK_WORDS;
    for (uint32 i = item_index(); i < sums * width; i += group_size()) {
        const uint32 row = i / width;
        message[i] = values[(size_t)row * grid->chunks + first + (i - row * width)];
    }
    if (item_index() == 0u) {
        for (uint32 i = 0; i < RANK_WORDS_USED; ++i) {
            ((GLOBAL int64 *)place->outbox)[i] = words[i];
        }
    }
    group_barrier();
    const GLOBAL rank_message_t *list =
        (const GLOBAL rank_message_t *)place->sum_messages + parity * (place->count - 1u);
    for (uint32 i = 0; i + 1u < place->count; ++i) {
        put_and_signal(list[i].to, list[i].from, sizeof(double) * ((uint64)sums * width + RANK_WORDS),
                       list[i].signal, list[i].rank);
        group_barrier();
    }
}

/* Every item, each for some ranks, behind send_sums(): until those of the others are there. */
FUNCTION uint32 await_sums(const rank_place_t *place, GLOBAL grid_sync_t *sync, uint32 phase, uint64 limit) {
    uint32 are_there = 1u;
    for (uint32 rank = item_index(); rank < place->count; rank += group_size()) {
        if (rank != place->index && are_there) {
            are_there = wait_for_signal(place->sums_signals + rank * RANK_SIGNAL_BYTES,
                                        counts_of(place)->reductions + 1u, sync, phase, limit);
        }
    }
    return are_there;
}

/* Every item, behind a group barrier: `values` become those of all ranks. */
FUNCTION void take_sums(const rank_place_t *place, const run_parameters_t *grid, GLOBAL sum_t *values,
                        uint32 sums) {
    const uint32 parity = (uint32)(counts_of(place)->reductions & 1u);
    for (uint32 rank = 0; rank < place->count; ++rank) {
        const GLOBAL double *message =
            (const GLOBAL double *)place->inbox + (parity * place->count + rank) * place->slot + RANK_WORDS;
        const uint32 first = first_chunk_of_part(grid, rank, place->count);
        const uint32 width = first_chunk_of_part(grid, rank + 1u, place->count) - first;
        for (uint32 i = item_index(); rank != place->index && i < sums * width; i += group_size()) {
            const uint32 row = i / width;
            values[(size_t)row * grid->chunks + first + (i - row * width)] = message[i];
        }
    }
}

/* One item, behind all others' take_sums(): each word becomes the smallest of all ranks, and the next reduction may begin. */
FUNCTION void take_least(const rank_place_t *place, int64 *words) {
    const uint32 parity = (uint32)(counts_of(place)->reductions & 1u);
    for (uint32 rank = 0; rank < place->count; ++rank) {
        const GLOBAL int64 *message =
            (const GLOBAL int64 *)place->inbox + (parity * place->count + rank) * place->slot;
        for (uint32 i = 0; rank != place->index && i < RANK_WORDS_USED; ++i) {
            words[i] = message[i] < words[i] ? message[i] : words[i];
        }
    }
    counts_of(place)->reductions += 1u;
}

#endif
