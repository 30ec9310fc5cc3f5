/* Data for another process, and the word that tells it of them: the seam between kernels and the way that both take.
 *
 *   put_and_signal    `bytes` from `from` come to `to` in the memory of process `rank`, then its word `signal` grows by 1
 *   wait_for_signal   until the own word `signal` has grown to `least`
 *
 * Two ways. Peer memory: `to` and `signal` are addresses by which this device reaches the other's memory. With PERDURE_NVSHMEM: they are
 * those of the same places in this process's own symmetric memory, and NVSHMEM reaches that of `rank`, on another host too.
 *
 *   publishes     what `from` holds, written by this group before a group barrier, or by other groups before a grid barrier
 *   observed by   the item whose wait ends, in `to` of every message that the word counts; behind a barrier, all others
 *   edge          release by the addition, acquire behind the poll, at system scope; within a group the group barrier before the addition
 *   called by     put_and_signal: every item of a group, between two group barriers; wait_for_signal: one item
 *   valid in      `from` may be written to again behind the group barrier that follows
 *   progress      put: none needed. wait: the other process; abandoned when the word has not changed for `limit`
 *
 * `to`, `from` and `bytes` are multiples of 4. The word is never reset, so that nobody waits for a word that is reset too early. */
#ifndef PERDURE_SYNC_PUT_SIGNAL_H
#define PERDURE_SYNC_PUT_SIGNAL_H

#include "sync/bounded_wait.h"

#if defined(PERDURE_NVSHMEM)
/* solver/backends/cuda/nvshmem_seam.cu, which is linked with the kernel. */
extern "C" __device__ void perdure_nvshmem_put(void *to, const void *from, uint64 bytes, uint64 *signal,
                                               uint32 rank);
extern "C" __device__ uint64 perdure_nvshmem_read(uint64 *signal);
extern "C" __device__ void perdure_nvshmem_acquire(uint64 *signal, uint64 least);

FUNCTION void put_and_signal(uint64 to, uint64 from, uint64 bytes, uint64 signal, uint32 rank) {
    perdure_nvshmem_put((void *)to, (const void *)from, bytes, (uint64 *)signal, rank);
}
FUNCTION uint64 read_signal(uint64 signal) {
    return perdure_nvshmem_read((uint64 *)signal);
}
FUNCTION void acquire_signal(uint64 signal, uint64 least) {
    perdure_nvshmem_acquire((uint64 *)signal, least);
}
#else
/* Values that an item loads before it stores the first of them. */
#define PUT_AT_ONCE 4u

FUNCTION void put_words(GLOBAL uint64 *to, const GLOBAL uint64 *from, uint64 count) {
    const uint64 stride = group_size();
    uint64 i = item_index();
    for (; i + (PUT_AT_ONCE - 1u) * stride < count; i += PUT_AT_ONCE * stride) {
        uint64 words[PUT_AT_ONCE];
        UNROLLED
        for (uint32 k = 0; k < PUT_AT_ONCE; ++k) {
            words[k] = from[i + k * stride];
        }
        UNROLLED
        for (uint32 k = 0; k < PUT_AT_ONCE; ++k) {
            to[i + k * stride] = words[k];
        }
    }
    for (; i < count; i += stride) {
        to[i] = from[i];
    }
}

FUNCTION void put_and_signal(uint64 to, uint64 from, uint64 bytes, uint64 signal, uint32 rank) {
    (void)rank;
    if (((to | from | bytes) & 7u) == 0u) {
        put_words((GLOBAL uint64 *)to, (const GLOBAL uint64 *)from, bytes / 8u);
    } else {
        for (uint64 i = item_index(); i < bytes / 4u; i += group_size()) {
            ((GLOBAL uint32 *)to)[i] = ((const GLOBAL uint32 *)from)[i];
        }
    }
    group_barrier();
    if (item_index() == 0u) {
        add_uint64((GLOBAL uint64 *)signal, 1u, ORDER_RELEASE, SCOPE_SYSTEM);
    }
}
FUNCTION uint64 read_signal(uint64 signal) {
    return load_uint64((GLOBAL uint64 *)signal, ORDER_RELAXED, SCOPE_SYSTEM);
}
FUNCTION void acquire_signal(uint64 signal, uint64 least) {
    (void)least;
#if defined(__CUDACC__)
    (void)signal;
    fence(ORDER_ACQUIRE, SCOPE_SYSTEM);
#else /* what watches for races knows no fences */
    (void)load_uint64((GLOBAL uint64 *)signal, ORDER_ACQUIRE, SCOPE_SYSTEM);
#endif
}
#endif

/* 1 where it has; 0 where the wait was abandoned. */
FUNCTION uint32 wait_for_signal(uint64 signal, uint64 least, GLOBAL grid_sync_t *sync, uint32 phase,
                                uint64 limit) {
    wait_t wait = {0, 0, 0, 0};
    for (uint64 seen = read_signal(signal); seen < least; seen = read_signal(signal)) {
        if (!keep_waiting(&wait, sync, (uint32)seen, phase, limit)) {
            return 0u;
        }
    }
    acquire_signal(signal, least);
    return 1u;
}

#endif
