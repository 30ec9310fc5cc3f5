/* Waiting with a limit: a loop of polls, with a look at the clock now and then.
 *
 *   publishes     when the limit is reached, once: who waited and in which phase; then, which groups left
 *   observed by   every other wait of the launch, which then ends too; and the host, after the launch
 *   edge          none for data (relaxed); the record is read after the launch
 *   called by     the item that polls
 *   progress      none needed: what is bounded is time without any change of the word that is polled
 *
 *     wait_t wait = {0, 0, 0, 0};
 *     while (!arrived(seen = load...)) {
 *         if (!keep_waiting(&wait, sync, seen, phase, limit)) { give up }
 *     }
 *
 * Waiting time is added up look by look, at most a sixteenth of the limit each: a suspended process has not
 * waited. A group whose first look finds the launch abandoned is late; one that had looked before was
 * waiting. */
#ifndef PERDURE_SYNC_BOUNDED_WAIT_H
#define PERDURE_SYNC_BOUNDED_WAIT_H

#include "sync/grid_sync.h"

typedef struct {
    uint64 polls;
    uint64 last_look;
    uint64 waited;
    uint32 last_seen;
} wait_t;

/* Ends this wait and every other one of the launch. The first to come leaves the record. */
FUNCTION void abandon(GLOBAL grid_sync_t *sync, uint32 phase) {
    if (compare_exchange_uint32(&sync->abandoned, 0u, 1u, ORDER_ACQ_REL, SCOPE_DEVICE) == 0u) {
        store_uint32(&sync->waiting_group, group_index(), ORDER_RELAXED, SCOPE_DEVICE);
        store_uint32(&sync->waiting_phase, phase, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

/* Now and then during a wait, after a poll that saw `seen`: 1 to poll on, 0 when the wait is over without success. */
FUNCTION uint32 look_up(wait_t *wait, GLOBAL grid_sync_t *sync, uint32 seen, uint32 phase, uint64 limit) {
    const uint64 now = wait_clock(wait->polls);
    const uint64 most = limit / 16u + 1u;
    const uint32 first_look = wait->last_look == 0u ? 1u : 0u;
    const uint64 elapsed = first_look ? 0u : now - wait->last_look;
    wait->waited = seen == wait->last_seen ? wait->waited + (elapsed < most ? elapsed : most) : 0u;
    wait->last_seen = seen;
    wait->last_look = now;
    if (wait->waited > limit) {
        abandon(sync, phase);
    }
    if (load_uint32(&sync->abandoned, ORDER_RELAXED, SCOPE_DEVICE) != 0u) {
        max_uint32(group_row(sync, ROW_LEFT) + group_index(), first_look ? LEFT_LATE : LEFT_WAITING,
                   ORDER_RELAXED, SCOPE_DEVICE);
        return 0u;
    }
    return 1u;
}

/* After a poll of one's own: looks up every POLLS_PER_LOOK of them. */
FUNCTION uint32 keep_waiting(wait_t *wait, GLOBAL grid_sync_t *sync, uint32 seen, uint32 phase,
                             uint64 limit) {
    wait->polls += 1u;
    if (wait->polls % POLLS_PER_LOOK == 0u && !look_up(wait, sync, seen, phase, limit)) {
        return 0u;
    }
    wait_pause(wait->polls);
    return 1u;
}

/* What a word is awaited to be: its top bit other than that of `value`; `value`; `value` or up to 2^31 - 1 further on;
 * anything but `value`. */
enum { UNTIL_FLIPPED = 0, UNTIL_EQUAL = 1, UNTIL_REACHED = 2, UNTIL_CHANGED = 3 };

FUNCTION uint32 top_bit_flipped(uint32 before, uint32 after) {
    return (before ^ after) >> 31;
}

FUNCTION uint32 is_awaited(uint32 until, uint32 value, uint32 seen) {
    switch (until) {
        case UNTIL_FLIPPED:
            return top_bit_flipped(value, seen);
        case UNTIL_EQUAL:
            return seen == value ? 1u : 0u;
        case UNTIL_REACHED:
            return seen - value < 0x80000000u ? 1u : 0u;
        default:
            return seen != value ? 1u : 0u;
    }
}

/* Polls the word of another group: 1 and *seen when it is what is awaited, 0 when the wait was abandoned.
 *   edge          acquire by the poll that sees it, for a scope that contains whoever stores the word */
FUNCTION uint32 await_word(GLOBAL uint32 *word, scope_t scope, uint32 until, uint32 value, uint32 *seen,
                           GLOBAL grid_sync_t *sync, uint32 phase, uint64 limit) {
    wait_t wait = {0, 0, 0, 0};
    for (;;) {
        uint32 now = 0;
        ROLLED
        for (uint32 poll = 1; poll <= POLLS_PER_LOOK; ++poll) {
            now = poll_uint32(word, scope);
            if (is_awaited(until, value, now)) {
                acquire_polled(scope);
                *seen = now;
                return 1u;
            }
            wait_pause(wait.polls + poll);
        }
        wait.polls += POLLS_PER_LOOK;
        if (!look_up(&wait, sync, now, phase, limit)) {
            return 0u;
        }
    }
}

#endif
