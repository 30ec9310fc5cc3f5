/* Memory that the groups of one launch synchronise through, and the record of a wait that ran out.
 *
 * grid_sync_bytes(groups) bytes: grid_sync_t, then words per group, then the nodes of the tree barrier. All
 * zero before the first launch, and again after an abandoned wait or before a launch with another number of
 * groups; nothing else is ever reset. A word that all groups poll has its cache line to itself.
 *
 * Of a launch over several devices each device has a grid_sync_t, DEVICE_SYNC_BYTES apart, for words that its groups alone poll or add to;
 * all else lies in the first one. */
#ifndef PERDURE_SYNC_GRID_SYNC_H
#define PERDURE_SYNC_GRID_SYNC_H

#include "sync/dialect.h"

#define WORDS_PER_LINE 32u
/* In place of a group or a subdomain. */
#define NO_NEIGHBOUR 0xffffffffu
/* In pages of its own, which lie on that device. */
#define DEVICE_SYNC_BYTES 0x200000u
/* Children of a node of the tree barrier. */
#ifndef TREE_FAN
#define TREE_FAN 16u
#endif

typedef struct {
    uint32 arrived; /* group_leader, all_items: arrivals; the top bit flips when all are there */
    uint32 pad_0[31];
    uint32 ticket; /* last group: tickets drawn in this phase */
    uint32 pad_1[31];
    uint32 released; /* tree: barriers that have ended */
    uint32 pad_2[31];
    uint32 abandoned; /* 1 once a wait ran out: every group leaves */
    uint32 waiting_group;
    uint32 waiting_phase;
    uint32 pad_3[29];
    uint32 slots_taken; /* what the host says of a ring, passed on by group 0: sync/host_ring.h */
    uint32 host_alive;
    uint32 ring_closed;
    uint32 pad_4[29];
    uint32 devices_arrived; /* group_leader over several devices: as `arrived`, of devices */
    uint32 pad_5[31];
    uint32 device_ticket; /* last group: drawn by the last groups of devices */
    uint32 pad_6[31];
} grid_sync_t;

/* Rows of one word per group behind grid_sync_t. */
enum {
    ROW_LEFT = 0,     /* after an abandoned wait: LEFT_...; 0 in groups that met none */
    ROW_ARRIVED = 1,  /* lock_free: barriers that the group has reached; not used by group 0 */
    ROW_RELEASED = 2, /* lock_free: barriers that the group may leave */
    GROUP_ROWS = 3
};

/* The group came when it was over; it was waiting. What one item of a group says, another may raise. */
enum { LEFT_LATE = 1, LEFT_WAITING = 2 };

HOST_FUNCTION uint32 row_words(uint32 groups) {
    return (groups + WORDS_PER_LINE - 1u) / WORDS_PER_LINE * WORDS_PER_LINE;
}

HOST_FUNCTION uint64 grid_sync_bytes(uint32 groups) {
    uint64 nodes = 0;
    uint32 width = groups;
    do {
        width = (width + TREE_FAN - 1u) / TREE_FAN;
        nodes += width;
    } while (width > 1u);
    return sizeof(grid_sync_t) +
           sizeof(uint32) * ((uint64)GROUP_ROWS * row_words(groups) + nodes * WORDS_PER_LINE);
}

/* That of a device. */
FUNCTION GLOBAL grid_sync_t *sync_of_device(GLOBAL grid_sync_t *sync, uint32 device) {
    return (GLOBAL grid_sync_t *)((GLOBAL unsigned char *)sync + (size_t)DEVICE_SYNC_BYTES * device);
}
FUNCTION GLOBAL uint32 *group_row(GLOBAL grid_sync_t *sync, uint32 row) {
    return (GLOBAL uint32 *)(sync + 1) + row * row_words(group_count());
}

FUNCTION GLOBAL uint32 *tree_nodes(GLOBAL grid_sync_t *sync) {
    return group_row(sync, GROUP_ROWS);
}

#endif
