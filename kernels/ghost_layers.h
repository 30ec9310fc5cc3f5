/* Ghost layers of a subdomain: each holds the outermost own layer of the neighbour there, of the step that the fields are at.
 *
 *   all groups     own outermost layers -> inboxes of the neighbours
 *   last group     raises this subdomain's flag to the step
 *   all groups     wait for the flags of the neighbours;  own inboxes -> ghost layers
 *
 *   publishes     own outermost layers of a step, to the neighbours
 *   observed by   every item of every group of the neighbours
 *   edge          is_last_group's, then release by the store that raises the flag and acquire by the poll that sees it, of the
 *                 scope of the system: launches of neighbours may run on several devices
 *   called by     every item of every group of a launch and of those of its neighbours, once a step; as a phase of its own
 *   valid in      every item behind the next synchronisation: 1, or 0 when the wait was abandoned
 *   progress      a launch and those of its neighbours run at the same time; a wait longer than the limit is abandoned
 *
 * An inbox has two copies, of odd and of even steps: a neighbour stores step n + 1 only after it has seen the flag of step n,
 * which is raised behind the phase that read the inbox of step n - 1.
 *
 * Shapes: inboxes [subdomains][6][2][layer]; flags of sync/step_flags.h, one for each subdomain. Bytes: a layer is read and
 * written twice. */
#ifndef PERDURE_KERNELS_GHOST_LAYERS_H
#define PERDURE_KERNELS_GHOST_LAYERS_H

#include "kernels/grid.h"
#include "kernels/real_type.h"
#include "kernels/run.h"
#include "sync/step_flags.h"

typedef struct {
    GLOBAL real_t *inboxes;
    GLOBAL uint32 *flags;
} ghost_layers_t;

FUNCTION GLOBAL real_t *ghost_inbox(const ghost_layers_t *self, const subdomain_t *part, uint32 rank,
                                    uint32 side, uint32 step) {
    return self->inboxes + (size_t)((rank * 6u + side) * 2u + (step & 1u)) * part->layer;
}

FUNCTION uint32 has_ghosts(const subdomain_t *part, uint32 side) {
    return part->neighbours[side] != NO_NEIGHBOUR ? 1u : 0u;
}

/* Cell `i` of the layer across an axis at position `at`. */
FUNCTION uint32 cell_in_layer(const run_parameters_t *grid, uint32 axis, uint32 at, uint32 i) {
    if (axis == 0u) {
        return at + grid->nx * i;
    }
    if (axis == 1u) {
        const uint32 z = divide(i, grid->row);
        return i - z * grid->nx + grid->nx * (at + grid->ny * z);
    }
    return i + grid->layer.divisor * at;
}

/* Where along its axis the own layer lies that a neighbour needs, and where its ghosts lie. */
FUNCTION uint32 own_layer(const subdomain_t *part, uint32 side) {
    const uint32 first = has_ghosts(part, side & ~1u);
    return (side & 1u) == 0u ? first : first + part->extent[side / 2u] - 1u;
}
FUNCTION uint32 ghost_layer(const subdomain_t *part, uint32 side) {
    return (side & 1u) == 0u ? 0u : has_ghosts(part, side & ~1u) + part->extent[side / 2u];
}

FUNCTION void copy_layers(const run_t *run, const ghost_layers_t *self, GLOBAL real_t *u, uint32 step,
                          uint32 outward) {
    const run_parameters_t *grid = run->parameters;
    const subdomain_t *part = &grid->subdomain;
    for (uint32 side = 0; side < 6u; ++side) {
        if (has_ghosts(part, side)) {
            const uint32 axis = side / 2u, cells = grid->cells / extent(grid, axis);
            GLOBAL real_t *inbox = outward ? ghost_inbox(self, part, part->neighbours[side], side ^ 1u, step)
                                           : ghost_inbox(self, part, part->rank, side, step);
            const uint32 at = outward ? own_layer(part, side) : ghost_layer(part, side);
            for (uint32 i = group_index() * group_size() + item_index(); i < cells;
                 i += group_count() * group_size()) {
                const uint32 cell = cell_in_layer(grid, axis, at, i);
                if (outward) {
                    inbox[i] = u[cell];
                } else {
                    u[cell] = inbox[i];
                }
            }
        }
    }
}

FUNCTION uint32 await_neighbours(const run_t *run, const ghost_layers_t *self, uint32 step) {
    const subdomain_t *part = &run->parameters->subdomain;
    uint32 passed = 1u;
    if (item_index() == 0u) {
        for (uint32 side = 0; side < 6u; ++side) {
            if (has_ghosts(part, side)) {
                passed &= await_step_flag_of(self->flags, part->neighbours[side], step, SCOPE_SYSTEM,
                                             run->sync, run->parameters->wait_limit);
            }
        }
    }
    return group_verdict(run->verdict, passed);
}

/* `u` is at `step`, counted from 1. */
FUNCTION uint32 exchange_ghosts(const run_t *run, const ghost_layers_t *self, GLOBAL real_t *u, uint32 step) {
    copy_layers(run, self, u, step, 1u);
    if (is_last_group(run->sync, run->verdict)) {
        DECIDE(raise_step_flag_of(self->flags, run->parameters->subdomain.rank, step, SCOPE_SYSTEM));
    }
    if (!await_neighbours(run, self, step)) {
        return 0u;
    }
    copy_layers(run, self, u, step, 0u);
    return 1u;
}

#endif
