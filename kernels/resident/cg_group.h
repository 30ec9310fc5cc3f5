/* What the items of a group have in common in a run of conjugate gradients on the chip, in shared memory: its box, its sums, its halo. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_GROUP_H
#define PERDURE_KERNELS_RESIDENT_CG_GROUP_H

#include "kernels/resident/cg_box.h"
#include "kernels/resident/cg_scalars.h"

typedef word_of<real_t>::type word_t;

/* The ghosts of one group, and the rim of its box: w of cells at sides that lie along its columns, those across x, then y, in the order
 * of the ghosts that stand for them. */
typedef struct {
    void *words;     /* of all groups, for even calls, then for odd ones */
    real_t *inverse; /* 1 / diagonal, where it varies */
    ghost_t *ghosts;
    uint32 mine, all; /* this group's first ghost among all, and how many there are */
    uint32 count;     /* of this group's */
    uint32 rim[4];    /* where the rim's sides end */
    uint32 to[4];     /* from a cell of the rim to its ghost among all, wrapping around */
    uint32 from[4];   /* to where its w is: at the lower side where the box is one cell wide */
    uint32 *flags;    /* where ghosts are cells: of all groups, and for each side whose it is */
    uint32 around[6]; /* lower and upper along x, then y, z */
    uint32 row_z;     /* between ghosts beside neighbouring rows, across z */
} halo_t;

template <uint32 DIMENSIONS>
FUNCTION halo_t halo_of_group(const cg_plan_t *plan, const run_parameters_t *grid, const box_t &box,
                              word_t *words) {
    halo_t halo;
    halo.count = plan->ghosts;
    halo.mine = group_index() * plan->ghosts;
    halo.all = group_count() * plan->ghosts;
    halo.row_z = plan->box[0];
    real_t *const inverses = (real_t *)(words + 2u * halo.all);
    ghost_t *const ghosts = (ghost_t *)(inverses + halo.all);
    halo.words = words;
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
    box_t box;
    halo_t halo;
};

#endif
