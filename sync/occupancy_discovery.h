/* Occupancy discovery: which groups of a launch run at the same time, on devices that promise nothing.
 * After Sorensen, Donaldson, Batty, Gopalakrishnan and Rakamaric, OOPSLA 2016, 39-58.
 *
 * More groups are launched than can run. Each joins a poll when it starts and gets a number; the poll is
 * closed when nobody has joined for `delay`, and those who come later leave at once. Members keep their place
 * until they return, so barriers among them end.
 *
 *   publishes     what item 0 of a member wrote before it joined
 *   observed by   every item of every member
 *   edge          release by the compare-exchange that joins, acquire by the or that closes, in every member;
 *                 within a group the group barrier
 *   called by     every item of every group, once a launch
 *   valid in      every item: found[FOUND_RANK] is 0 .. members - 1, each once, found[FOUND_MEMBERS] the same
 *                 in all members; 0 members in a group that came too late, which must return
 *   progress      none needed: nobody waits for anybody. Barriers of the members need a device that never
 *                 stops running a group once it has started (the occupancy-bound model): likely on GPUs,
 *                 promised by no standard, so their waits stay bounded
 *
 * The published protocol guards a flag and a count by a lock. Here both are one word, the top bit and the
 * rest: the count cannot change once the poll is closed, and there is no holder to wait for. Without the
 * delay the first group may close the poll before the second starts: on PoCL 1 group was found. */
#ifndef PERDURE_SYNC_OCCUPANCY_DISCOVERY_H
#define PERDURE_SYNC_OCCUPANCY_DISCOVERY_H

#include "sync/barrier_group_leader.h"

#define POLL_CLOSED 0x80000000u
#define NOT_A_MEMBER 0xffffffffu

enum { FOUND_RANK = 0, FOUND_MEMBERS = 1, FOUND_WORDS = 2 };

/* How many had joined before, or NOT_A_MEMBER. Others can make it try again as often as they join. */
FUNCTION uint32 join_poll(GLOBAL uint32 *poll) {
    uint32 seen = load_uint32(poll, ORDER_RELAXED, SCOPE_DEVICE);
    while ((seen & POLL_CLOSED) == 0u) {
        const uint32 before = compare_exchange_uint32(poll, seen, seen + 1u, ORDER_RELEASE, SCOPE_DEVICE);
        if (before == seen) {
            return seen;
        }
        seen = before;
    }
    return NOT_A_MEMBER;
}

/* By a member: how many there are, once no other has joined for `delay` of wait_clock(), or all have. */
FUNCTION uint32 close_poll(GLOBAL uint32 *poll, uint64 delay) {
    uint32 seen = 0;
    uint64 polls = 0;
    uint64 since = 0;
    do {
        const uint32 before = seen;
        seen = load_uint32(poll, ORDER_RELAXED, SCOPE_DEVICE);
        polls += 1u;
        since = seen != before ? wait_clock(polls) : since;
        wait_pause(polls);
    } while ((seen & POLL_CLOSED) == 0u && seen != group_count() && wait_clock(polls) - since < delay);
    return fetch_or_uint32(poll, POLL_CLOSED, ORDER_ACQUIRE, SCOPE_DEVICE) & ~POLL_CLOSED;
}

/* `poll` is one word, zero before the launch; `found` is FOUND_WORDS words. */
FUNCTION void discover_members(GLOBAL uint32 *poll, LOCAL uint32 *found, uint64 delay) {
    if (item_index() == 0u) {
        const uint32 rank = join_poll(poll);
        found[FOUND_RANK] = rank;
        found[FOUND_MEMBERS] = rank == NOT_A_MEMBER ? 0u : close_poll(poll, delay);
    }
    group_barrier();
}

/* grid_barrier among the members, by every item of each: 1 when all have arrived, 0 when the wait was
 * abandoned. By value: PoCL 3.1 miscompiled reads of `found` in a loop around barriers. */
FUNCTION uint32 member_barrier(grid_barrier_t *barrier, uint32 rank, uint32 members, uint32 phase) {
    group_barrier();
    if (item_index() == 0u) {
        *barrier->verdict = arrive_and_wait(barrier, arrival_of(rank, members), phase);
    }
    group_barrier();
    return *barrier->verdict;
}

#endif
