/* What an item keeps from one grid barrier of a launch to the next.
 *
 * Each kind of barrier waits for one word to change, and that word cannot change before the group's own
 * arrival. So it is read once, before the first arrival, and from then on what one wait saw last is what the
 * next one starts from: no arrival needs a value returned.
 *
 * One state per item, and all barriers on the same memory through it: barriers that went by unseen leave it a
 * flip behind. Where kinds alternate it is made anew before each barrier. */
#ifndef PERDURE_SYNC_BARRIER_STATE_H
#define PERDURE_SYNC_BARRIER_STATE_H

#include "sync/bounded_wait.h"

enum {
    BARRIER_GROUP_LEADER = 0,
    BARRIER_ALL_ITEMS = 1,
    BARRIER_LOCK_FREE = 2,
    BARRIER_TREE = 3,
    BARRIER_COOPERATIVE = 4 /* the platform's own */
};

typedef struct {
    GLOBAL grid_sync_t *sync;
    LOCAL uint32 *verdict; /* one word that nothing else uses */
    uint64 limit;          /* of wait_clock(), without progress: ns, on OpenCL polls */
    uint32 kind;           /* BARRIER_... */
    uint32 known;          /* 1: `seen` holds what the word was when this group left its last barrier */
    uint32 seen;
} grid_barrier_t;

FUNCTION grid_barrier_t make_grid_barrier(uint32 kind, GLOBAL grid_sync_t *sync, LOCAL uint32 *verdict,
                                          uint64 limit) {
    grid_barrier_t barrier;
    barrier.sync = sync;
    barrier.verdict = verdict;
    barrier.limit = limit;
    barrier.kind = kind;
    barrier.known = 0u;
    barrier.seen = 0u;
    return barrier;
}

/* `word` as it was before anybody could leave the barrier that this group comes to. Relaxed: what was written
 * before it has been seen through the barrier before. */
FUNCTION uint32 word_before(grid_barrier_t *barrier, GLOBAL uint32 *word) {
    if (!barrier->known) {
        barrier->seen = load_uint32(word, ORDER_RELAXED, SCOPE_DEVICE);
        barrier->known = 1u;
    }
    return barrier->seen;
}

#endif
