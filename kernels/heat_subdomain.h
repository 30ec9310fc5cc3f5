/* The steps of kernels/heat.h on one subdomain of several, each in a launch of its own at the same time.
 *
 *   step       that of kernels/heat.h on all cells, ghosts as well
 *   exchange   ghosts become what the neighbours have made of these cells    kernels/ghost_layers.h
 *
 * The steps of ghosts lack the cells beyond them and are lost. Own cells have the bits of one domain. What a check looks at is
 * the subdomain with its ghosts: the largest |u|, cells that are not finite, a request to stop.
 *
 * Shapes: fields [cells], ghosts included. Bytes per cell and step: those of kernels/heat.h, and four values for each cell of a
 * ghost layer. Barriers per step: 2. */
#ifndef PERDURE_KERNELS_HEAT_SUBDOMAIN_H
#define PERDURE_KERNELS_HEAT_SUBDOMAIN_H

#include "kernels/ghost_layers.h"
#include "kernels/heat.h"
#include "kernels/heat_subdomain_fields.h"

FUNCTION void heat_subdomain_phase(const heat_t *self, const ghost_layers_t *ghosts, const timeline_t *at,
                                   const segment_t *now) {
    if (at->stage == 0u) {
        heat_phase(self, now, at->step);
    } else {
        (void)exchange_ghosts(&self->run, ghosts, copy_of(self->u, at->step + 1u), at->step + 1u);
    }
}

FULL_KERNEL(heat_subdomain, KERNEL_ARGUMENTS(HEAT_SUBDOMAIN_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY uint32 verdict;
    const heat_t self = {RUN_VALUES(lanes), SYMMETRIC_OPERATOR, HEAT_OWN_FIELDS(FIELD_VALUE)};
    const ghost_layers_t ghosts = {inboxes, step_flags};
    RUN_SEGMENTS(self.run, 2u, snapshot_of(copy_of(self.u, at.step), self.run.parameters->cells),
                 heat_subdomain_phase(&self, &ghosts, &at, &now));
}

#endif
