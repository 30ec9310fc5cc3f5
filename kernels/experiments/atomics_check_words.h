/* The words of kernels/experiments/atomics_check.h, for the kernel and for whoever checks what it leaves.
 *
 * In each round, application k = 0 ... 11 of item i of I is number n = (round * I + i) * 12 + k; k / 4 is the
 * scope (device, system, group), k % 4 the order (relaxed, acquire, release, acq_rel). */
#ifndef PERDURE_KERNELS_EXPERIMENTS_ATOMICS_CHECK_WORDS_H
#define PERDURE_KERNELS_EXPERIMENTS_ATOMICS_CHECK_WORDS_H

#include "sync/dialect.h"

/* Columns of a row of words. */
enum {
    CHECK_FETCH_ADD = 0,    /* + 1 */
    CHECK_TICKETS_UP = 1,   /* sum of what that returned */
    CHECK_FETCH_SUB = 2,    /* - 1 */
    CHECK_TICKETS_DOWN = 3, /* sum of what that returned */
    CHECK_ADD = 4,          /* + value(n) */
    CHECK_SUB = 5,          /* - value(n) */
    CHECK_FETCH_AND = 6,    /* & ~bit(n); starts as all ones */
    CHECK_AND = 7,
    CHECK_FETCH_OR = 8, /* | bit(n) */
    CHECK_OR = 9,
    CHECK_FETCH_XOR = 10, /* ^ value(n) */
    CHECK_XOR = 11,
    CHECK_FETCH_MIN = 12, /* of value(n); starts as all ones */
    CHECK_MIN = 13,
    CHECK_FETCH_MAX = 14, /* of value(n) */
    CHECK_MAX = 15,
    CHECK_EXCHANGE = 16,         /* value(n) of somebody */
    CHECK_TAKEN = 17,            /* sum of what that returned: with the word, of all values */
    CHECK_COMPARE_EXCHANGE = 18, /* * 5 by item 0 of a group; starts as 1 */
    CHECK_COLUMNS = 19
};

/* Words in ordered bits, and of whole numbers added up; one row each. */
enum { CHECK_LEAST = 0, CHECK_MOST = 1, CHECK_LEAST_NAN = 2, CHECK_MOST_NAN = 3, CHECK_ORDERED_WORDS = 4 };
enum { CHECK_SUM = 0, CHECK_SUM_FETCHED = 1, CHECK_SUM_WORDS = 2 };

/* Ways to pass a message. */
enum {
    CHECK_BY_STORE = 0,
    CHECK_BY_FENCE = 1,
    CHECK_BY_ADD = 2,
    CHECK_BY_EXCHANGE = 3,
    CHECK_MESSAGE_FORMS = 4
};

#define CHECK_APPLICATIONS 12u

/* Spread over all bits, so that each comes late now and then. */
FUNCTION uint64 check_value(uint64 n) {
    return (n + 1u) * (uint64)0x9e3779b97f4a7c15u;
}

#endif
