/* State that the items of a group share in shared memory in an on-chip run of conjugate gradients: box, sums and halo. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_GROUP_H
#define PERDURE_KERNELS_RESIDENT_CG_GROUP_H

#include "kernels/resident/cg_box.h"
#include "kernels/resident/cg_scalars.h"

typedef message_of<real_t>::type message_t;

/* The ghosts of one group, and the rim of its box: w of cells at the sides parallel to its columns, across x, then y, in the
 * order of the ghosts that copy them. */
typedef struct {
    void *messages;  /* of all groups, for even calls, then for odd ones */
    real_t *inverse; /* 1 / diagonal of each ghost, if it varies */
    ghost_t *ghosts;
    uint32 mine, all; /* index of this group's first ghost among all; number of all ghosts */
    uint32 count;     /* ghosts of this group */
    uint32 rim[4];    /* where the sides of the rim end */
    uint32 to[4];     /* offset from a cell of the rim to its ghost among all; wraps around */
    uint32 from[4];   /* offset to where its w lies: at the lower side if the box is one cell wide */
    uint32 *flags;    /* BY_FLAGS: the flags of all groups */
    uint32 around[6]; /* neighbour groups: lower and upper along x, then y, z */
    uint32 row_z;     /* stride between ghosts of neighbouring rows, across z */
} halo_t;

template <uint32 DIMENSIONS>
FUNCTION halo_t halo_of_group(const cg_plan_t *plan, const run_parameters_t *grid, const cg_box_t &box,
                              message_t *messages) {
    halo_t halo;
    halo.count = plan->ghosts;
    halo.mine = group_index() * plan->ghosts;
    halo.all = group_count() * plan->ghosts;
    halo.row_z = plan->box[0];
    real_t *const inverses = (real_t *)(messages + 2u * halo.all);
    ghost_t *const ghosts = (ghost_t *)(inverses + halo.all);
    halo.messages = messages;
    halo.inverse = inverses + halo.mine;
    halo.ghosts = ghosts + halo.mine;
    halo.flags = (uint32 *)(ghosts + halo.all);
    for (uint32 side = 0; side < 2u * DIMENSIONS; ++side) {
        halo.around[side] = counterpart<DIMENSIONS>(plan, grid, side) / plan->ghosts;
    }
    for (uint32 side = 0; side < 2u * (DIMENSIONS - 1u); ++side) {
        const uint32 begin = first_ghost<DIMENSIONS>(plan, side),
                     along = side_ghosts<DIMENSIONS>(plan, side / 2u);
        halo.rim[side] = begin + along;
        halo.to[side] = counterpart<DIMENSIONS>(plan, grid, side) - begin;
        halo.from[side] = side % 2u != 0u && box.cells[side / 2u] == 1u ? 0u - along : 0u;
    }
    return halo;
}

struct common_t : cg_group_t {
    cg_box_t box;
    halo_t halo;
};

#endif
