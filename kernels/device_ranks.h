/* Ranks on devices of their own: what they tell each other by sync/put_signal.h. Each counts cells through the whole grid and changes those
 * of its part; memory may lie only where its part, and what it receives, is (KernelBuffer::held).
 *
 *   behind each phase, or while it still computes (kernels/cut_first.h)
 *                          copies of the planes of cells that others look at, of the arrays that the phase has changed; of one that changes
 *                          none that others look at, nothing. A phase changes no cell that another one looks at in the same phase, so
 *                          they may come while a rank is still in the phase before
 *   between transforms     lines in the planes of a rank to the one that transforms them, and back (kernels/multigrid/line_parts.h): messages as
 *                          behind each phase, or, where the step before has stored all values in the memory of the others, one without bytes
 *   behind a launch        the same, by its last groups
 *   within a reduction     partial sums of a rank's chunks and what else it has found, to every other rank. Odd and even reductions have
 *                          messages of their own: a rank that sends the next but one has the next of all others, who have read this one
 *   behind a reduction     where it ends a row of what is watched: values of chunks, then values at probes, each as in a reduction
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

/* Doubles that a message of a reduction may have: its words, and behind them rows of values of chunks, or single values. */
FUNCTION uint64 doubles_of_message(const run_parameters_t *grid, uint32 ranks, uint32 rows, uint32 singles) {
    uint64 most = singles;
    for (uint32 rank = 0; rank < ranks; ++rank) {
        const uint64 own = (uint64)rows * (first_chunk_of_part(grid, rank + 1u, ranks) -
                                           first_chunk_of_part(grid, rank, ranks));
        most = own > most ? own : most;
    }
    return RANK_WORDS + most;
}

/* What the message of this reduction has behind its words: that to the others, and that of `rank`. */
FUNCTION GLOBAL double *values_to_send(const rank_place_t *place) {
    return (GLOBAL double *)place->outbox + RANK_WORDS;
}
FUNCTION const GLOBAL double *values_of_rank(const rank_place_t *place, uint32 rank) {
    const uint64 parity = counts_of(place)->reductions & 1u;
    return (const GLOBAL double *)place->inbox + (parity * place->count + rank) * place->slot + RANK_WORDS;
}

/* Every item, once it has written its values of the message: it goes to every other rank. */
FUNCTION void send_to_all(const rank_place_t *place, uint64 values) {
    const uint64 parity = counts_of(place)->reductions & 1u;
    const GLOBAL rank_message_t *list =
        (const GLOBAL rank_message_t *)place->sum_messages + parity * (place->count - 1u);
    group_barrier();
    for (uint32 i = 0; i + 1u < place->count; ++i) {
        put_and_signal(list[i].to, list[i].from, sizeof(double) * (values + RANK_WORDS), list[i].signal,
                       list[i].rank);
        group_barrier();
    }
}

/* One item: words of this rank, before it sends its sums. */
FUNCTION void write_words(const rank_place_t *place, const int64 *words) {
    for (uint32 i = 0; i < RANK_WORDS_USED; ++i) {
        ((GLOBAL int64 *)place->outbox)[i] = words[i];
    }
}

/* This rank's values [rows][chunks]. */
FUNCTION void send_sums(const rank_place_t *place, const run_parameters_t *grid, const GLOBAL sum_t *values,
                        uint32 rows) {
    const uint32 first = first_chunk_of_part(grid, place->index, place->count);
    const uint32 width = first_chunk_of_part(grid, place->index + 1u, place->count) - first;
    GLOBAL double *message = values_to_send(place);
    for (uint32 i = item_index(); i < rows * width; i += group_size()) {
        const uint32 row = i / width;
        message[i] = values[(size_t)row * grid->chunks + first + (i - row * width)];
    }
    send_to_all(place, (uint64)rows * width);
}

FUNCTION void send_singles(const rank_place_t *place, const GLOBAL double *values, uint32 count) {
    GLOBAL double *message = values_to_send(place);
    for (uint32 i = item_index(); i < count; i += group_size()) {
        message[i] = values[i];
    }
    send_to_all(place, count);
}

/* Every item, each for some ranks, behind what sends: until the messages of the others are there. A rank has a signal for each other one, who
 * may be ahead of a third one. */
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
                        uint32 rows) {
    for (uint32 rank = 0; rank < place->count; ++rank) {
        const GLOBAL double *message = values_of_rank(place, rank);
        const uint32 first = first_chunk_of_part(grid, rank, place->count);
        const uint32 width = first_chunk_of_part(grid, rank + 1u, place->count) - first;
        for (uint32 i = item_index(); rank != place->index && i < rows * width; i += group_size()) {
            const uint32 row = i / width;
            values[(size_t)row * grid->chunks + first + (i - row * width)] = message[i];
        }
    }
}

/* The same for values that one rank has and the others have left at zero. */
FUNCTION void take_singles(const rank_place_t *place, GLOBAL double *values, uint32 count) {
    for (uint32 i = item_index(); i < count; i += group_size()) {
        int64 bits = double_bits(values[i]);
        for (uint32 rank = 0; rank < place->count; ++rank) {
            bits |= rank != place->index ? double_bits(values_of_rank(place, rank)[i]) : 0;
        }
        values[i] = bits_double(bits);
    }
}

/* One item, behind a group barrier: each word becomes the smallest of all ranks. */
FUNCTION void take_least(const rank_place_t *place, int64 *words) {
    for (uint32 rank = 0; rank < place->count; ++rank) {
        const GLOBAL int64 *message = (const GLOBAL int64 *)(values_of_rank(place, rank) - RANK_WORDS);
        for (uint32 i = 0; rank != place->index && i < RANK_WORDS_USED; ++i) {
            words[i] = message[i] < words[i] ? message[i] : words[i];
        }
    }
}

/* Every item, when it has taken what it needs: the next reduction may begin. */
FUNCTION void end_sums(const rank_place_t *place) {
    group_barrier();
    if (item_index() == 0u) {
        counts_of(place)->reductions += 1u;
    }
    group_barrier();
}

#endif
