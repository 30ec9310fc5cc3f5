/* Memory that the groups of one launch synchronise through, and the outcome of a wait that ran out. */
#ifndef PERDURE_SYNC_GRID_SYNC_H
#define PERDURE_SYNC_GRID_SYNC_H

#include "sync/dialect.h"

/* One word per cache line: polling one must not slow the others. All zero before the first launch. */
typedef struct {
    uint32 arrived; /* grid barrier: arrivals; the top bit flips when all are there */
    uint32 pad_0[31];
    uint32 ticket; /* last group: tickets drawn in this phase */
    uint32 pad_1[31];
    uint32 abandoned; /* 1 once a wait ran out: every group leaves */
    uint32 waiting_group;
    uint32 arrived_groups;
    uint32 waiting_phase;
    uint32 pad_2[28];
} grid_sync_t;

#endif
