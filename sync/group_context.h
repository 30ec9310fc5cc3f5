/* On host threads a group is one item; the thread that runs it knows it from this context. */
#ifndef PERDURE_SYNC_GROUP_CONTEXT_H
#define PERDURE_SYNC_GROUP_CONTEXT_H

#include <stdint.h>

typedef struct {
    uint32_t index;
    uint32_t count;
} group_context_t;

/* A process of several that share a case, each with a part of the grid and a copy of the run's state (solver/ranks). What other ranks have
 * made comes by these functions, each called by every rank in the same order, by one thread while the others of its launch wait. */
typedef struct rank_context {
    uint32_t index, count;
    double begin, end;     /* its part of the last axis, from 0 to 1 */
    uint32_t stop_request; /* 1: one of the ranks was asked to stop, as all know behind a reduction */
    /* Cells near the part, of every field that changes. */
    void (*share_cells)(struct rank_context *self);
    /* values [rows][chunks]: of each row a rank has made those of its chunks. */
    void (*share_rows)(struct rank_context *self, double *values, uint32_t rows);
    /* Each word becomes the smallest of all ranks. */
    void (*share_least)(struct rank_context *self, int64_t *words, uint32_t count);
    /* Values that one rank has made, the others left at zero. */
    void (*share_single)(struct rank_context *self, double *values, uint32_t count);
    /* Each group calls it before its part of a step on a level of a multigrid hierarchy (kernels/multigrid/hierarchy.h), which writes copy
     * `to` of u, b of the next level, or coefficients along `axis`, or transforms lines along it that `way`: 1 where each rank computes its
     * part of the level, 0 where each computes all of it. */
    uint32_t (*begin_step)(struct rank_context *self, uint32_t group, uint32_t operation, uint32_t level,
                           uint32_t to, uint32_t axis, uint32_t way);
} rank_context_t;

#ifdef __cplusplus
extern "C" {
#endif
extern __thread group_context_t perdure_group;
/* Null where the process is alone. */
extern __thread rank_context_t *perdure_rank;
/* Parts of equal size that the groups are taken for as if each were a device's; 1 but in tests. */
extern __thread uint32_t perdure_device_count;
#ifdef __cplusplus
}
#endif

#endif
