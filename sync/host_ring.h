/* A ring of slots in device memory that the groups of a kernel fill and a thread of the host empties, while the kernel runs.
 *
 *   kernel   await_free_slot(number)        item 0 of every group; behind it the group writes its part of slot number % slots
 *            a grid barrier
 *            announce_slots(number + 1)     one item of one group
 *   host     announced_slots() > number     copies the slot
 *            give_back_slots(number + 1)
 *
 *   publishes     `made`: so many slots have been filled since the launch began; `taken`: so many have been copied out
 *   observed by   the host; every group that fills a slot again
 *   edge          kernel to host: the grid barrier brings all groups' writes to the item that announces, its release for the system
 *                 and the host's acquire bring them on. Host to kernel: a release behind the host's copy, an acquire for the system
 *                 by item 0 of each group, and a group barrier of the caller
 *   called by     as above; `number` counts from 0 in each launch, the same in all groups
 *   valid in      the item that calls; 0 when the wait was abandoned or the host has closed the ring: all groups then leave
 *   progress      that of the host's thread. A wait is abandoned when neither `taken` nor `alive` has changed for the limit: a host that
 *                 waits for a slow disk calls keep_ring_alive() now and then
 *
 * The words lie where host and kernel see them during a launch; all are zero before it. */
#ifndef PERDURE_SYNC_HOST_RING_H
#define PERDURE_SYNC_HOST_RING_H

#include "sync/bounded_wait.h"

typedef struct {
    uint32 made;   /* kernel -> host */
    uint32 taken;  /* host -> kernel */
    uint32 alive;  /* host -> kernel: changes */
    uint32 closed; /* host -> kernel: 1: nobody takes slots any more */
} host_ring_t;

/* *polls: 0 where there was nothing to wait for. */
FUNCTION uint32 await_free_slot(GLOBAL host_ring_t *ring, uint32 number, uint32 slots,
                                GLOBAL grid_sync_t *sync, uint32 phase, uint64 limit, uint64 *polls) {
    wait_t wait = {0, 0, 0, 0};
    if (number >= slots) {
        uint32 taken = load_uint32(&ring->taken, ORDER_ACQUIRE, SCOPE_SYSTEM);
        while (number - taken >= slots) {
            const uint32 seen = taken + load_uint32(&ring->alive, ORDER_RELAXED, SCOPE_SYSTEM);
            if (load_uint32(&ring->closed, ORDER_RELAXED, SCOPE_SYSTEM) != 0u ||
                !keep_waiting(&wait, sync, seen, phase, limit)) {
                return 0u;
            }
            taken = load_uint32(&ring->taken, ORDER_ACQUIRE, SCOPE_SYSTEM);
        }
    }
    *polls = wait.polls;
    return 1u;
}

FUNCTION void announce_slots(GLOBAL host_ring_t *ring, uint32 made) {
    store_uint32(&ring->made, made, ORDER_RELEASE, SCOPE_SYSTEM);
}

/* The host's side. */
#if !defined(__OPENCL_VERSION__) && !defined(__CUDACC__)
FUNCTION void open_ring(host_ring_t *ring) {
    store_uint32(&ring->made, 0u, ORDER_RELAXED, SCOPE_SYSTEM);
    store_uint32(&ring->taken, 0u, ORDER_RELAXED, SCOPE_SYSTEM);
    store_uint32(&ring->closed, 0u, ORDER_RELAXED, SCOPE_SYSTEM);
}

FUNCTION uint32 announced_slots(host_ring_t *ring) {
    return load_uint32(&ring->made, ORDER_ACQUIRE, SCOPE_SYSTEM);
}

FUNCTION void give_back_slots(host_ring_t *ring, uint32 taken) {
    store_uint32(&ring->taken, taken, ORDER_RELEASE, SCOPE_SYSTEM);
}

FUNCTION void keep_ring_alive(host_ring_t *ring) {
    add_uint32(&ring->alive, 1u, ORDER_RELAXED, SCOPE_SYSTEM);
}

FUNCTION void close_ring(host_ring_t *ring) {
    store_uint32(&ring->closed, 1u, ORDER_RELAXED, SCOPE_SYSTEM);
}
#endif

#endif
