/* What the kernels of a process know of the others that share its case, each on a device of its own. Addresses are numbers: the host makes
 * them for sync/put_signal.h. */
#ifndef PERDURE_KERNELS_RANK_PLACE_H
#define PERDURE_KERNELS_RANK_PLACE_H

#include "sync/dialect.h"

/* Of put_and_signal(). */
typedef struct {
    uint64 to, from, bytes, signal;
    uint32 rank, pad;
} rank_message_t;

/* What goes on from launch to launch. */
typedef struct {
    uint64 exchanges, reductions; /* so far */
    uint32 stop_request;          /* 1: a rank was asked to stop, as all know behind a reduction */
    uint32 pad;
} rank_counts_t;

/* Words of a message of a reduction before its values, and how many of them are used. */
enum { RANK_WORDS = 8, RANK_WORDS_USED = 6 };
/* Bytes from one signal to the next: a word that is polled has its cache line to itself. */
#define RANK_SIGNAL_BYTES 128u

typedef struct {
    uint32 index, count;
    uint32 messages;     /* that this rank sends after each phase, pieces of planes of cells */
    uint32 arrivals;     /* and that the others send it */
    uint64 message_list; /* [messages] */
    uint64 sum_messages; /* [2][count - 1], after even and after odd reductions; without their size */
    double begin, end;   /* its part of the last axis, from 0 to 1 */
    uint64 cells_signal; /* own words; of sums one for each rank that sends */
    uint64 sums_signals;
    uint64 counts; /* own rank_counts_t */
    uint64 outbox; /* RANK_WORDS, then [rows][own chunks] or single values */
    uint64 inbox;  /* [2][count][slot] of the same */
    uint64 slot;   /* doubles */
} rank_place_t;

#endif
