/* Every operation of sync/atomics.h, sync/atomic_float.h and sync/group_barrier.h by all items of all groups,
 * on words whose final values follow from the shape of the launch and `rounds` alone.
 *
 *   words   row 0 for all groups, for device and system scope, then one row per group, for group scope;
 *           columns and counts: kernels/experiments/atomics_check_words.h
 *   NaN     comes from item 0 of the last group to the words that end in _NAN
 *
 * What is wrong at once - a returned value, a message read before it was written, a neighbour's word behind a
 * group barrier - is counted in state->control.wrong. Nobody waits. */
#ifndef PERDURE_KERNELS_EXPERIMENTS_ATOMICS_CHECK_H
#define PERDURE_KERNELS_EXPERIMENTS_ATOMICS_CHECK_H

#include "kernels/experiments/atomics_check_words.h"
#include "kernels/parameters.h"
#include "sync/atomic_float.h"
#include "sync/group_barrier.h"

#define CHECK_LARGEST_GROUP 1024u

#define PERDURE_CHECK_WORDS(type, bits)                                                                      \
    FUNCTION uint32 check_##type(GLOBAL type *row, uint64 n, order_t order, scope_t scope) {                 \
        const type value = (type)check_value(n);                                                             \
        const type bit = (type)((type)1 << (n % (bits)));                                                    \
        uint32 wrong = 0;                                                                                    \
        add_##type(row + CHECK_TICKETS_UP, fetch_add_##type(row + CHECK_FETCH_ADD, (type)1, order, scope),   \
                   order, scope);                                                                            \
        add_##type(row + CHECK_TICKETS_DOWN, fetch_sub_##type(row + CHECK_FETCH_SUB, (type)1, order, scope), \
                   order, scope);                                                                            \
        add_##type(row + CHECK_ADD, value, order, scope);                                                    \
        sub_##type(row + CHECK_SUB, value, order, scope);                                                    \
        (void)fetch_and_##type(row + CHECK_FETCH_AND, (type)~bit, order, scope);                             \
        wrong += (fetch_and_##type(row + CHECK_FETCH_AND, (type)~bit, order, scope) & bit) != 0u ? 1u : 0u;  \
        and_##type(row + CHECK_AND, (type)~bit, order, scope);                                               \
        (void)fetch_or_##type(row + CHECK_FETCH_OR, bit, order, scope);                                      \
        wrong += (fetch_or_##type(row + CHECK_FETCH_OR, bit, order, scope) & bit) == 0u ? 1u : 0u;           \
        or_##type(row + CHECK_OR, bit, order, scope);                                                        \
        (void)fetch_xor_##type(row + CHECK_FETCH_XOR, value, order, scope);                                  \
        xor_##type(row + CHECK_XOR, value, order, scope);                                                    \
        (void)fetch_min_##type(row + CHECK_FETCH_MIN, value, order, scope);                                  \
        wrong += fetch_min_##type(row + CHECK_FETCH_MIN, value, order, scope) > value ? 1u : 0u;             \
        min_##type(row + CHECK_MIN, value, order, scope);                                                    \
        (void)fetch_max_##type(row + CHECK_FETCH_MAX, value, order, scope);                                  \
        wrong += fetch_max_##type(row + CHECK_FETCH_MAX, value, order, scope) < value ? 1u : 0u;             \
        max_##type(row + CHECK_MAX, value, order, scope);                                                    \
        add_##type(row + CHECK_TAKEN, exchange_##type(row + CHECK_EXCHANGE, value, order, scope), order,     \
                   scope);                                                                                   \
        return wrong;                                                                                        \
    }                                                                                                        \
    FUNCTION void check_multiply_##type(GLOBAL type *word, order_t order, scope_t scope) {                   \
        type seen = load_##type(word, ORDER_RELAXED, scope);                                                 \
        type found = compare_exchange_##type(word, seen, (type)(seen * 5u), order, scope);                   \
        while (found != seen) {                                                                              \
            seen = found;                                                                                    \
            found = compare_exchange_##type(word, seen, (type)(seen * 5u), order, scope);                    \
        }                                                                                                    \
    }
PERDURE_CHECK_WORDS(uint32, 32u)
PERDURE_CHECK_WORDS(uint64, 64u)

typedef struct {
    GLOBAL uint32 *words;
    GLOBAL uint64 *long_words;
    GLOBAL int64 *ordered;
    GLOBAL int32 *float_ordered;
    GLOBAL double *sums;
    GLOBAL float *float_sums;
} check_words_t;

/* Application n, on row 0 for all groups or on that of this group. */
FUNCTION uint32 check_application(const check_words_t *to, uint32 row, uint64 n, order_t order,
                                  scope_t scope) {
    GLOBAL uint32 *words = to->words + row * CHECK_COLUMNS;
    GLOBAL uint64 *long_words = to->long_words + row * CHECK_COLUMNS;
    uint32 wrong = check_uint32(words, n, order, scope) + check_uint64(long_words, n, order, scope);
    if (item_index() == 0u) {
        check_multiply_uint32(words + CHECK_COMPARE_EXCHANGE, order, scope);
        check_multiply_uint64(long_words + CHECK_COMPARE_EXCHANGE, order, scope);
    }
    if (row == 0u) {
        const int64 value = (int64)check_value(n);
        min_double(to->ordered + CHECK_LEAST, (double)value, order, scope);
        max_double(to->ordered + CHECK_MOST, (double)value, order, scope);
        min_float(to->float_ordered + CHECK_LEAST, (float)value, order, scope);
        max_float(to->float_ordered + CHECK_MOST, (float)value, order, scope);
        add_double(to->sums + CHECK_SUM, 1.0, order, scope);
        add_float(to->float_sums + CHECK_SUM, 1.0f, order, scope);
        wrong += fetch_add_double(to->sums + CHECK_SUM_FETCHED, 2.0, order, scope) < 0.0 ? 1u : 0u;
        wrong += fetch_add_float(to->float_sums + CHECK_SUM_FETCHED, 2.0f, order, scope) < 0.0f ? 1u : 0u;
    }
    return wrong;
}

FUNCTION uint32 check_scope(const check_words_t *to, uint32 row, uint64 n, scope_t scope) {
    return check_application(to, row, n, ORDER_RELAXED, scope) +
           check_application(to, row, n + 1u, ORDER_ACQUIRE, scope) +
           check_application(to, row, n + 2u, ORDER_RELEASE, scope) +
           check_application(to, row, n + 3u, ORDER_ACQ_REL, scope);
}

FUNCTION void check_not_numbers(const check_words_t *to, double value) {
    min_double(to->ordered + CHECK_LEAST_NAN, value, ORDER_RELAXED, SCOPE_DEVICE);
    max_double(to->ordered + CHECK_MOST_NAN, value, ORDER_RELAXED, SCOPE_DEVICE);
    min_float(to->float_ordered + CHECK_LEAST_NAN, (float)value, ORDER_RELAXED, SCOPE_DEVICE);
    max_float(to->float_ordered + CHECK_MOST_NAN, (float)value, ORDER_RELAXED, SCOPE_DEVICE);
}

/* One item of each group: publishes message `round` (from 0) of its group in every form, then looks at what
 * the next group has published so far: flags[form][group] of texts[round][form][group]. */
FUNCTION uint32 check_messages(GLOBAL uint32 *flags, GLOBAL uint32 *texts, uint32 round) {
    const uint32 group = group_index();
    const uint32 groups = group_count();
    const uint32 next = group + 1u < groups ? group + 1u : 0u;
    GLOBAL uint32 *text = texts + round * (uint32)CHECK_MESSAGE_FORMS * groups;
    uint32 wrong = 0;
    for (uint32 form = 0; form < (uint32)CHECK_MESSAGE_FORMS; ++form) {
        GLOBAL uint32 *mine = flags + form * groups + group;
        GLOBAL uint32 *other = flags + form * groups + next;
        uint32 seen = 0;
        text[form * groups + group] = group + round + 1u;
        if (form == (uint32)CHECK_BY_STORE) {
            store_uint32(mine, round + 1u, ORDER_RELEASE, SCOPE_DEVICE);
            seen = load_uint32(other, ORDER_ACQUIRE, SCOPE_DEVICE);
        } else if (form == (uint32)CHECK_BY_FENCE) {
            fence(ORDER_RELEASE, SCOPE_DEVICE);
            store_uint32(mine, round + 1u, ORDER_RELAXED, SCOPE_DEVICE);
            seen = load_uint32(other, ORDER_RELAXED, SCOPE_DEVICE);
            fence(ORDER_ACQUIRE, SCOPE_DEVICE);
        } else if (form == (uint32)CHECK_BY_ADD) {
            add_uint32(mine, 1u, ORDER_RELEASE, SCOPE_DEVICE);
            seen = fetch_add_uint32(other, 0u, ORDER_ACQUIRE, SCOPE_DEVICE);
        } else {
            (void)exchange_uint32(mine, round + 1u, ORDER_RELEASE, SCOPE_DEVICE);
            seen = compare_exchange_uint32(other, 0u, 0u, ORDER_ACQUIRE, SCOPE_DEVICE);
        }
        if (seen != 0u &&
            texts[((seen - 1u) * (uint32)CHECK_MESSAGE_FORMS + form) * groups + next] != next + seen) {
            wrong += 1u;
        }
    }
    return wrong;
}

WIDE_KERNEL void atomics_check(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                               GLOBAL run_state_t *state, GLOBAL uint32 *words, GLOBAL uint64 *long_words,
                               GLOBAL int64 *ordered, GLOBAL int32 *float_ordered, GLOBAL double *sums,
                               GLOBAL float *float_sums, GLOBAL uint32 *flags, GLOBAL uint32 *texts) {
    LOCAL_MEMORY uint32 neighbours[CHECK_LARGEST_GROUP];
    const check_words_t to = {words, long_words, ordered, float_ordered, sums, float_sums};
    const uint64 items = (uint64)group_count() * group_size();
    const uint32 item = group_index() * group_size() + item_index();
    const uint32 next = item_index() + 1u < group_size() ? item_index() + 1u : 0u;
    uint32 wrong = 0;
    (void)control;
    (void)sync;
    for (uint32 round = 0; round < parameters.rounds; ++round) {
        const uint64 n = (round * items + item) * CHECK_APPLICATIONS;
        wrong += check_scope(&to, 0u, n, SCOPE_DEVICE);
        wrong += check_scope(&to, 0u, n + 4u, SCOPE_SYSTEM);
        wrong += check_scope(&to, 1u + group_index(), n + 8u, SCOPE_GROUP);
        if (item_index() == 0u) {
            wrong += check_messages(flags, texts, round);
        }
        neighbours[item_index()] = round + item_index();
        group_barrier_for(MEMORY_LOCAL, SCOPE_GROUP);
        wrong += neighbours[next] != round + next ? 1u : 0u;
        group_barrier_for(MEMORY_LOCAL | MEMORY_GLOBAL, SCOPE_DEVICE);
    }
    if (item_index() == 0u) {
        const double zero = (double)(parameters.rounds - parameters.rounds);
        check_not_numbers(&to, group_index() + 1u == group_count() ? zero / zero : (double)group_index());
    }
    add_uint32(&state->control.wrong, wrong, ORDER_RELAXED, SCOPE_DEVICE);
    if (item == 0u) {
        state->control.stop = STOP_COMPLETE;
    }
}

#endif
