/* What the kernels of a process know of the others that share its case, each on a device of its own. Addresses are numbers: the host makes
 * them for sync/put_signal.h. */
#ifndef PERDURE_KERNELS_RANK_PLACE_H
#define PERDURE_KERNELS_RANK_PLACE_H

#include "sync/last_groups.h"

/* Of put_and_signal(). One of no bytes only tells that the phase is over. */
typedef struct {
    uint64 to, from, bytes, signal;
    uint32 rank, pad;
} rank_message_t;

/* Arrays that ranks exchange have numbers; a word of their bits says which ones a phase changes. Those of a run: some by name, all others
 * together. Behind them, for each level of a multigrid hierarchy, b and both copies of u. Systems of equations have none of x, q, b, p and s:
 * these numbers are those of stage_values and rates there. */
enum {
    RANK_OTHERS = 0,
    RANK_X,
    RANK_Q,
    RANK_B,
    RANK_EVEN, /* copies in which phases write in turn; kernels/cg_multigrid_state.h has p among them */
    RANK_P,
    RANK_ODD,
    RANK_S, /* and t, of kernels/bicgstab.h */
    RANK_LEVELS,
    RANK_EVEN_STAGES = RANK_X,
    RANK_ODD_STAGES = RANK_Q,
    RANK_FIRST_RATES = RANK_B,
    RANK_SECOND_RATES = RANK_P, /* those of all fields lie in one slot of kernels/rates.h */
    RANK_LAST_RATES = RANK_S
};
enum { RANK_LEVEL_B = 0, RANK_LEVEL_U, RANK_LEVEL_SECOND_U, RANK_ARRAYS_OF_LEVEL };
#define RANK_ARRAYS 64u
/* Of the copies of u on the level that transforms solve, in which each rank has planes and is to have lines along the last axis, a part of every
 * plane (kernels/multigrid/line_parts.h), or the other way round. No number is the last one: loops over a word end behind its highest bit. */
enum { RANK_PLANES_TO_LINES = RANK_ARRAYS - 5u, RANK_LINES_TO_PLANES = RANK_ARRAYS - 3u };
#define ALL_RANK_ARRAYS (~(uint64)0)

FUNCTION uint32 rank_number_of_level(uint32 level, uint32 array) {
    return RANK_LEVELS + RANK_ARRAYS_OF_LEVEL * level + array;
}
FUNCTION uint64 rank_bit(uint32 number) {
    return (uint64)1 << number;
}
/* Copy number `copy` of all arrays that have two, or, of two, the one with the parity of a step. */
FUNCTION uint64 rank_copies(uint32 copy) {
    return rank_bit((copy & 1u) != 0u ? RANK_ODD : RANK_EVEN);
}

/* The messages that this rank sends when it has changed an array, pieces of planes of cells. */
typedef struct {
    uint32 first, messages;
} rank_list_t;

/* What goes on from launch to launch. */
typedef struct {
    uint64 reductions;   /* so far */
    uint32 stop_request; /* 1: a rank was asked to stop, as all know behind a reduction */
    uint32 pad;
    last_groups_t last; /* of a launch or a phase: those that send */
} rank_counts_t;

/* What a group knows of the phase under way: kernels/cut_first.h. */
typedef struct {
    uint64 arrays;    /* that it changes */
    uint32 near_cuts; /* chunks that come first; 0: cells are sent between two barriers */
    uint32 are_sent;  /* 1: by the loop, which has begun */
} changes_of_phase_t;

/* Words of a message of a reduction before its values, and how many of them are used. */
enum { RANK_WORDS = 8, RANK_WORDS_USED = 6 };
/* Groups that send behind a launch or while others compute: enough to fill a link, fewer than a device runs side by side. */
#define RANK_SENDERS 16u
/* Bytes from one signal to the next: a word that is polled has its cache line to itself. */
#define RANK_SIGNAL_BYTES 128u

/* Of a rank, on the level that transforms solve: where its lines along the last axis and its planes across it end. Where ranks reach each other's
 * memory by stores, `away` is what leads from an address in the own arena to the same place in that of the rank. */
typedef struct {
    uint32 end_of_lines, end_of_planes;
    uint64 away;
} rank_owner_t;
#define MOST_OWNERS 8u
/* Bits of the exchanges whose values the transform before them stores where they are needed; the messages behind it then have no bytes. */
enum { STORES_LINES = 1, STORES_PLANES = 2 };

typedef struct {
    uint32 index, count;
    uint32
        shared_levels; /* of a multigrid hierarchy: each rank computes its part of these, and all of the others */
    uint32 stores;
    /* Chunks near a cut at each end of its part, and groups that send while others compute: kernels/cut_first.h. */
    uint32 first_near_cut, last_near_cut, senders;
    double begin, end;   /* its part of the last axis, from 0 to 1 */
    uint64 exchanged;    /* bits of the arrays that have messages */
    uint64 lists;        /* rank_list_t [RANK_ARRAYS] */
    uint64 message_list; /* what they count through */
    uint64
        arrivals; /* uint32 [RANK_ARRAYS][count]: messages that each rank sends this one when it has changed an array */
    uint64 arrived;       /* own uint64 [count]: those of each rank that this one has waited for, so far */
    uint64 sum_messages;  /* [2][count - 1], after even and after odd reductions; without their size */
    uint64 cells_signals; /* own words, one for each rank that sends */
    uint64 sums_signals;
    uint64 counts;                    /* own rank_counts_t */
    uint64 outbox;                    /* RANK_WORDS, then [rows][own chunks] or single values */
    uint64 inbox;                     /* [2][count][slot] of the same */
    uint64 slot;                      /* doubles */
    rank_owner_t owners[MOST_OWNERS]; /* by rank, where there are `stores` */
} rank_place_t;

#endif
