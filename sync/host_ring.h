/* A ring of slots in device memory that the groups of a kernel fill and a thread of the host empties, while the kernel runs.
 *
 *   kernel   await_free_slot(number)        item 0 of every group; behind it the group writes its part of slot number % slots
 *            a grid barrier
 *            announce_slots(number + 1)     one item of one group
 *   host     announced_slots() > number     copies the slot
 *            give_back_slots(number + 1)
 *
 *   publishes     `made`: so many slots have been filled since the launch began; `taken`: so many have been copied out. Group 0 alone
 *                 asks the host and passes on what it hears, through device memory: polls of all groups would fill the link that
 *                 slots leave by
 *   observed by   the host; every group that fills a slot again
 *   edge          kernel to host: the grid barrier brings all groups' writes to the item that announces, its release for the system
 *                 and the host's acquire bring them on. Host to kernel: a release behind the host's copy, an acquire for the system
 *                 by item 0 of group 0, its release for the device, an acquire by item 0 of each group, and a group barrier of the
 *                 caller
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

/* Group 0. What an earlier launch has left is cleared with slot 0; the barrier behind that comes before the first wait. */
FUNCTION void forget_host(GLOBAL grid_sync_t *sync) {
    store_uint32(&sync->slots_taken, 0u, ORDER_RELAXED, SCOPE_DEVICE);
    store_uint32(&sync->ring_closed, 0u, ORDER_RELAXED, SCOPE_DEVICE);
}

/* Group 0. */
FUNCTION void pass_on_host(GLOBAL host_ring_t *ring, GLOBAL grid_sync_t *sync) {
    const uint32 taken = load_uint32(&ring->taken, ORDER_ACQUIRE, SCOPE_SYSTEM);
    store_uint32(&sync->host_alive, load_uint32(&ring->alive, ORDER_RELAXED, SCOPE_SYSTEM), ORDER_RELAXED,
                 SCOPE_DEVICE);
    store_uint32(&sync->ring_closed, load_uint32(&ring->closed, ORDER_RELAXED, SCOPE_SYSTEM), ORDER_RELAXED,
                 SCOPE_DEVICE);
    store_uint32(&sync->slots_taken, taken, ORDER_RELEASE, SCOPE_DEVICE);
}

/* *polls: 0 where there was nothing to wait for. */
FUNCTION uint32 await_free_slot(GLOBAL host_ring_t *ring, uint32 number, uint32 slots,
                                GLOBAL grid_sync_t *sync, uint32 phase, uint64 limit, uint64 *polls) {
    const uint32 asks = group_index() == 0u ? 1u : 0u;
    wait_t wait = {0, 0, 0, 0};
    if (asks && number == 0u) {
        forget_host(sync);
    }
    for (uint32 is_free = number < slots ? 1u : 0u; !is_free;) {
        if (asks) {
            pass_on_host(ring, sync);
        }
        const uint32 taken = load_uint32(&sync->slots_taken, ORDER_ACQUIRE, SCOPE_DEVICE);
        const uint32 seen = taken + load_uint32(&sync->host_alive, ORDER_RELAXED, SCOPE_DEVICE);
        is_free = number - taken < slots ? 1u : 0u;
        if (!is_free && (load_uint32(&sync->ring_closed, ORDER_RELAXED, SCOPE_DEVICE) != 0u ||
                         !keep_waiting(&wait, sync, seen, phase, limit))) {
            return 0u;
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
