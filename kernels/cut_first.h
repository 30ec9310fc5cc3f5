/* Ranks on devices of their own: a phase that sends what it has changed while it still computes.
 *
 * A chunk is near a cut where another rank gets cells of it. All get cells as far from their parts as any phase looks, on both sides, so that
 * these are all chunks whose cells look at those of others as well. FOR_EACH_CHUNK_CUT_FIRST comes to the chunks near a cut first. When all of them are done, the groups that finished them last send the
 * planes (kernels/device_ranks.h), and the others are already at the chunks between. Before the barrier that ends the phase group 0 awaits the
 * planes of the other ranks, so that one barrier a phase is enough. Partial sums belong to chunks and are added in a fixed order, and a largest
 * or smallest value is the same in any order: bits do not depend on which chunks come first.
 *
 * A phase says by NOTE_CHANGES_OF_LOOP before its loop that nothing else in it changes an array that others look at, or looks at cells of
 * others. All other phases send between two barriers. Why no message overwrites what a rank still reads, for ranks S and R, arrays that S
 * changes in phase w, and R's last look at S's cells of that array, before w, in phase r:
 *
 *   1  R looks in the loop of r, at chunks near a cut, or R sends between barriers in r.
 *   2  In a phase m, r <= m < w, S awaits a message of R, or its part of a reduction (kernels/device_ranks.h).
 *   3  R sends that message when it has computed its chunks near a cut in m, or later: with 1, R has looked.
 *   4  S begins w behind the barrier that ends m, and sends in w or later.
 *
 * So S may send in phase w while R still computes cells between the cuts in phase m: nothing that R does from there on to the end of m looks
 * at cells of S. S comes no further, because it awaits in w what R sends in w, as far as 2 needs it. In phase w itself R looks at no cell that S
 * changes there. What S sends is whole: a plane is written by chunks near a cut alone, and none of its cells changes before the barrier that
 * ends w, where all sending has ended. So arrays that change in place (r of conjugate gradients, u of red-black sweeps) need nothing else: a
 * colour that does not change is sent as R has it already.
 *
 *   publishes     cells of chunks near a cut, before the loop leaves the last of these
 *   observed by   groups that send; and every group of the other ranks behind the barrier that ends the phase
 *   edge          sync/last_groups.h among the groups with chunks near a cut, then sync/put_signal.h to group 0 of the other rank, then its
 *                 grid barrier
 *   called by     every item of every group
 *   progress      groups with chunks near a cut, which come first and wait for no other rank before they send */
#ifndef PERDURE_KERNELS_CUT_FIRST_H
#define PERDURE_KERNELS_CUT_FIRST_H

#include "kernels/chunk_shares.h"
#include "kernels/kernel_forms.h"
#include "sync/grid_barrier.h"

#if defined(PERDURE_RANKS)
/* Chunks near a cut, of both ends of the part. */
FUNCTION uint32 chunks_near_cuts(void) {
    return perdure_ranks.first_near_cut + perdure_ranks.last_near_cut;
}

/* Every item: what the phase under way changes, bits of kernels/rank_place.h; without it, all arrays. `alone`: 1 where all of that, and all
 * looks at cells of others, are in its loop FOR_EACH_CHUNK_CUT_FIRST. */
FUNCTION void note_changes(uint64 arrays, uint32 alone) {
    if (item_index() == 0u) {
        perdure_changes.arrays = arrays;
        perdure_changes.near_cuts =
            alone && (arrays & perdure_ranks.exchanged) != 0u ? chunks_near_cuts() : 0u;
        perdure_changes.are_sent = 0u;
    }
}

/* Every item, behind a group barrier: what others are to know of the phase before. */
FUNCTION uint64 take_changes(void) {
    const uint64 arrays = perdure_changes.arrays & perdure_ranks.exchanged;
    group_barrier();
    note_changes(0u, 0u);
    return arrays;
}

/* Before the loop: how many chunks come before all others. */
FUNCTION uint32 begin_cut_first(void) {
    group_barrier();
    const uint32 near_cuts = perdure_changes.near_cuts;
    if (item_index() == 0u && near_cuts != 0u) {
        perdure_changes.are_sent = 1u;
    }
    return near_cuts;
}

FUNCTION uint32 chunks_of_rank(const run_parameters_t *grid) {
    return end_of_chunks(grid, 0u) - first_chunk(grid, 0u, 0u);
}

/* The chunk that comes at `place` in the order of this rank's chunks; of those near a cut the first ones lie at the begin of the part. */
FUNCTION uint32 chunk_at_place(const run_parameters_t *grid, uint32 place, uint32 near_cuts) {
    const uint32 first = first_chunk(grid, 0u, 0u);
    if (near_cuts == 0u || place < perdure_ranks.first_near_cut) {
        return first + place;
    }
    return place < near_cuts ? end_of_chunks(grid, 0u) - near_cuts + place
                             : first + place - perdure_ranks.last_near_cut;
}

/* Every item of a group that has computed all its chunks near a cut. */
SEPARATE_PHASE void send_while_computing(uint32 near_cuts, LOCAL uint32 *place_word, GLOBAL grid_sync_t *sync,
                                         uint32 phase, uint64 limit) {
    const uint32 members = near_cuts < group_count() ? near_cuts : group_count();
    GLOBAL last_groups_t *last = &counts_of(&perdure_ranks)->last;
    const uint32 place =
        await_all_groups(last, members, perdure_ranks.senders, place_word, sync, phase, limit);
    if (place == NOT_AMONG_LAST) {
        return;
    }
    send_cells(&perdure_ranks, perdure_changes.arrays & perdure_ranks.exchanged, place,
               count_last_groups(members, perdure_ranks.senders));
    if (item_index() == 0u) {
        (void)leave_last_groups(last, members, perdure_ranks.senders);
    }
}

#define FOR_EACH_CHUNK_CUT_FIRST(chunk, run)                                                        \
    for (uint32 chunk##_near = begin_cut_first(), chunk##_place = group_index(),                    \
                chunk##_end = chunks_of_rank((run)->parameters),                                    \
                chunk = chunk_at_place((run)->parameters, chunk##_place, chunk##_near);             \
         chunk##_place < chunk##_end;                                                               \
         chunk##_place = next_place(chunk##_place, chunk##_near, (run)->verdict, (run)->sync,       \
                                    (run)->parameters->first_phase, (run)->parameters->wait_limit), \
                chunk = chunk_at_place((run)->parameters, chunk##_place, chunk##_near))

/* The group's next place; between the last one near a cut and the next it may have to send. */
FUNCTION uint32 next_place(uint32 place, uint32 near_cuts, LOCAL uint32 *place_word, GLOBAL grid_sync_t *sync,
                           uint32 phase, uint64 limit) {
    const uint32 next = place + group_count();
    if (place < near_cuts && next >= near_cuts) {
        send_while_computing(near_cuts, place_word, sync, phase, limit);
    }
    return next;
}

/* Every item, before the barrier that ends a phase: 1 where what the other ranks have sent meanwhile is there, and where the phase sends
 * between two barriers. */
FUNCTION uint32 await_cells_sent_meanwhile(grid_barrier_t *barrier, uint32 phase) {
    group_barrier();
    if (perdure_changes.are_sent == 0u) {
        return 1u;
    }
    const uint64 changes = take_changes();
    return group_verdict(barrier->verdict,
                         group_index() == 0u
                             ? await_cells(&perdure_ranks, changes, barrier->sync, phase, barrier->limit)
                             : 1u);
}

#define NOTE_CHANGES(arrays) note_changes(arrays, 0u)
#define NOTE_CHANGES_OF_LOOP(arrays, alone) note_changes(arrays, alone)
#else
FUNCTION uint32 await_cells_sent_meanwhile(grid_barrier_t *barrier, uint32 phase) {
    (void)barrier;
    (void)phase;
    return 1u;
}

#define NOTE_CHANGES(arrays) ((void)0)
#define NOTE_CHANGES_OF_LOOP(arrays, alone) ((void)0)
#define FOR_EACH_CHUNK_CUT_FIRST(chunk, run) FOR_EACH_CHUNK (chunk, (run)->parameters)
#endif

#endif
