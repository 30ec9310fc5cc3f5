/* Steps of the groups around: a group goes on when all around it have published theirs; each group has one flag, at which all
 * around it look.
 *
 *   publishes     every write of every item of the group before it, to the groups around it
 *   observed by   every item of these groups after it
 *   edge          release by the store that raises the flag, acquire by the poll that sees it, or by look_at_step_flag
 *                 and await_seen_step_flag together; within a group by the group barriers before and after it, behind a wait
 *                 of each warp for itself by __syncwarp
 *   called by     every item of a group and of those around it, equally often
 *   valid in      every item: 1 when all are there, 0 when the wait was abandoned
 *   progress      a group and those around it resident at once; a wait longer than `limit` is abandoned
 *
 * Whoever is around a group has it around itself. What is published lies in two copies, of odd and of even steps: a group
 * stores into a copy again when all flags around it have risen once more, and whoever raised them had read
 * what was there. The flag is one word and may be found one step ahead.
 *
 * Of launches on several devices, each with one flag: raise_step_flag_of by one item behind all writes of its launch (as of the
 * last group), await_step_flag_of before the reads, both with the scope of the system.
 *
 * Floor: the fence before the flag and one trip, in with the store and out with the answer of a poll: an L2 load. Where
 * one group alone looks at a flag, sync/halo_exchange.h lays it where that group reaches it soonest. Steps count up
 * and wrap around; they start above what the flags hold. */
#ifndef PERDURE_SYNC_STEP_FLAGS_H
#define PERDURE_SYNC_STEP_FLAGS_H

#include "sync/bounded_wait.h"

enum { STEP_FLAG_WORDS = 32 }; /* a line of memory each */

HOST_FUNCTION uint64 step_flags_bytes(uint32 groups) {
    return (uint64)groups * STEP_FLAG_WORDS * sizeof(uint32);
}

/* Of a member of a scope that all members are in: SCOPE_DEVICE, where they are the groups of a launch, or SCOPE_SYSTEM, where
 * each is a launch that may be on a device of its own. */
FUNCTION void raise_step_flag_of(GLOBAL uint32 *flags, uint32 member, uint32 step, scope_t scope) {
    store_uint32(flags + member * STEP_FLAG_WORDS, step, ORDER_RELEASE, scope);
}
FUNCTION uint32 await_step_flag_of(GLOBAL uint32 *flags, uint32 member, uint32 step, scope_t scope,
                                   GLOBAL grid_sync_t *sync, uint64 limit) {
    uint32 seen = 0;
    return await_word(flags + member * STEP_FLAG_WORDS, scope, UNTIL_REACHED, step, &seen, sync, step, limit);
}

FUNCTION void raise_step_flag(GLOBAL uint32 *flags, uint32 step) {
    raise_step_flag_of(flags, group_index(), step, SCOPE_DEVICE);
}
/* Every item of a group, behind a group barrier: on NVIDIA the last one raises the flag, which waits for none, elsewhere item 0. */
FUNCTION void raise_step_flag_by_one(GLOBAL uint32 *flags, uint32 step) {
#if defined(__CUDACC__) || defined(PERDURE_NVIDIA)
    if (item_index() + 1u == group_size()) {
#else
    if (item_index() == 0u) {
#endif
        raise_step_flag(flags, step);
    }
}
/* A flag as it is now, to wait for long before it is needed. */
FUNCTION uint32 look_at_step_flag(GLOBAL uint32 *flags, int32 group) {
    return poll_uint32(flags + (uint32)group * STEP_FLAG_WORDS, SCOPE_DEVICE);
}
FUNCTION uint32 await_step_flag(GLOBAL uint32 *flags, int32 group, uint32 step, GLOBAL grid_sync_t *sync,
                                uint64 limit) {
    return await_step_flag_of(flags, (uint32)group, step, SCOPE_DEVICE, sync, limit);
}

/* The same behind look_at_step_flag, which found `seen`. */
FUNCTION uint32 await_seen_step_flag(GLOBAL uint32 *flags, int32 group, uint32 step, uint32 seen,
                                     GLOBAL grid_sync_t *sync, uint64 limit) {
    if (!is_awaited(UNTIL_REACHED, step, seen)) {
        return await_step_flag(flags, group, step, sync, limit);
    }
    acquire_polled(SCOPE_DEVICE);
    return 1u;
}

/* around[0 .. count - 1]: the groups around this one, -1: none. On NVIDIA a group has more items than there are groups around it: each
 * waits for one. Elsewhere items may run one after the other (PoCL), and item 0 waits for all. *verdict: a word of its own,
 * 1 before the first call; not used on CUDA, where the votes of a group need none. */
FUNCTION uint32 exchange_step(GLOBAL uint32 *flags, const LOCAL int32 *around, uint32 count, uint32 step,
                              LOCAL uint32 *verdict, GLOBAL grid_sync_t *sync, uint64 limit) {
    const uint32 item = item_index();
    uint32 passed = 1u;
    group_barrier();
    raise_step_flag_by_one(flags, step);
#if defined(__CUDACC__) || defined(PERDURE_NVIDIA)
    if (item < count && around[item] >= 0) {
        passed = await_step_flag(flags, around[item], step, sync, limit);
    }
#else
    if (item == 0u) {
        for (uint32 i = 0; i < count; ++i) {
            passed &= around[i] >= 0 ? await_step_flag(flags, around[i], step, sync, limit) : 1u;
        }
    }
#endif
    return group_all(verdict, passed);
}

#endif
