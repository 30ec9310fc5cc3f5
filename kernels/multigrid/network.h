/* A level as a network of conductances, and what it is when some of its axes are halved, on the way to the next: those
 * networks have places of their own. It is seen along an axis: entry 0 of an array is that axis, 1 and 2 are the others. */
#ifndef PERDURE_KERNELS_MULTIGRID_NETWORK_H
#define PERDURE_KERNELS_MULTIGRID_NETWORK_H

#include "kernels/multigrid/level_operator.h"

FUNCTION uint32 is_periodic(const run_parameters_t *grid, uint32 axis) {
    return axis == 0u ? grid->periodic_x : axis == 1u ? grid->periodic_y : grid->periodic_z;
}

FUNCTION uint32 halved_along(const level_t *level, uint32 axis) {
    return axis == 0u ? level->halved[0] : axis == 1u ? level->halved[1] : level->halved[2];
}

FUNCTION uint32 half_of(uint32 n, uint32 halved) {
    return halved ? (n + 1u) / 2u : n;
}

typedef struct {
    uint32 at[3];
} place_t;

/* A level, or what it is when some of its axes are halved. */
typedef struct {
    uint32 axis[3], n[3], periodic[3];
    uint32 step[3];        /* between entries */
    uint32 tables;         /* 1: entries by boundary position */
    uint32 contains_sides; /* 1: `own` is a diagonal, else sigma */
    uint32 dimensions;
    GLOBAL cycle_t *own;
    GLOBAL cycle_t *face[3];
    GLOBAL cycle_t *side[6];
#if defined(BY_LABELS)
    uint32 by_labels; /* 1: level 0, which has these instead of `own` and `face` */
    labels_t labels;
    GLOBAL const cycle_t *coefficients;
#endif
} network_t;

FUNCTION uint32 axis_seen(uint32 along, uint32 k) {
    return k == 0u ? along : k == 1u ? (along == 0u ? 1u : 0u) : (along == 2u ? 1u : 2u);
}

FUNCTION GLOBAL cycle_t *network_array(const multigrid_t *self, uint32 in_tables, uint64 place) {
    return in_tables ? self->tables + place : array_at(self, place);
}

/* Level `number` with those of the axes from `first_halved` on halved that the next level has halved: 3 is the level. */
FUNCTION network_t network_at(const multigrid_t *self, uint32 number, uint32 first_halved, uint32 along) {
    const level_t level = level_at(self, number);
    uint32 halvings = 0u, all = 0u;
    for (uint32 axis = 0; axis < 3u; ++axis) {
        all += halved_along(&level, axis);
        halvings += axis >= first_halved ? halved_along(&level, axis) : 0u;
    }
    const uint32 halfway = halvings > 0u && halvings < all ? 1u : 0u;
    const uint32 owner = halvings == 0u ? number : number + 1u;
    const level_t at = level_at(self, owner);
    GLOBAL const level_entry_t *entry = self->hierarchy->level + owner;
    GLOBAL const network_entry_t *between =
        self->hierarchy->level[number].halfway + (halfway ? halvings - 1u : 0u);
    network_t net;
    net.tables = UNIFORM(&at.grid);
    net.contains_sides = halvings == 0u ? 1u : 0u;
    net.dimensions = level.grid.dimensions;
    const uint32 sides_in_tables = net.tables || owner == 0u ? 1u : 0u;
    net.own = halfway ? network_array(self, net.tables, between->own) : at.diagonal;
#if defined(BY_LABELS)
    net.by_labels = halvings == 0u ? at.by_labels : 0u;
    net.labels = at.labels;
    net.coefficients = at.coefficients;
#endif
    UNROLLED
    for (uint32 k = 0; k < 3u; ++k) {
        const uint32 axis = axis_seen(along, k);
        const uint32 halved = axis >= first_halved ? halved_along(&level, axis) : 0u;
        const uint32 row = half_of(level.grid.nx, first_halved == 0u ? level.halved[0] : 0u);
        const uint32 layer = row * half_of(level.grid.ny, first_halved <= 1u ? level.halved[1] : 0u);
        net.axis[k] = axis;
        net.n[k] = half_of(extent(&level.grid, axis), halved);
        net.periodic[k] = is_periodic(&level.grid, axis);
        net.step[k] = net.tables ? 1u << (2u * axis) : axis == 0u ? 1u : axis == 1u ? row : layer;
        net.face[k] = halfway      ? network_array(self, net.tables, between->face[axis])
                      : axis == 0u ? at.face_x
                      : axis == 1u ? at.face_y
                                   : at.face_z;
        for (uint32 end = 0; end < 2u; ++end) {
            const uint32 side = 2u * axis + end;
            net.side[2u * k + end] =
                network_array(self, sides_in_tables, halfway ? between->side[side] : entry->side[side]);
        }
    }
    return net;
}

FUNCTION uint32 entry_of(const network_t *net, place_t p) {
    uint32 entry = 0u;
    UNROLLED
    for (uint32 k = 0; k < 3u; ++k) {
        entry += net->step[k] * (net->tables ? at_side(p.at[k], net->n[k]) : p.at[k]);
    }
    return entry;
}

/* A cell that has an entry of a table: along each axis the first, one inside or the last. */
FUNCTION uint32 along_axis_at(uint32 sides, uint32 n) {
    const uint32 there = sides == 0u ? 1u : sides == 2u ? n - 1u : 0u;
    return there < n && at_side(there, n) == sides ? there : NO_CELL;
}
/* NO_CELL along an axis where no cell has that boundary position. */
FUNCTION place_t place_of_entry(const network_t *net, uint32 entry) {
    place_t p;
    UNROLLED
    for (uint32 k = 0; k < 3u; ++k) {
        p.at[k] = net->tables ? along_axis_at(entry / net->step[k] & 3u, net->n[k])
                              : entry / net->step[k] % net->n[k];
    }
    return p;
}
FUNCTION uint32 is_cell(const place_t *p) {
    return p->at[0] != NO_CELL && p->at[1] != NO_CELL && p->at[2] != NO_CELL ? 1u : 0u;
}
FUNCTION uint32 entries_of(const network_t *net) {
    return net->tables ? PLACES : net->n[0] * net->n[1] * net->n[2];
}

FUNCTION place_t moved(const network_t *net, place_t p, uint32 k, uint32 upwards) {
    const uint32 i = p.at[k];
    p.at[k] = upwards ? upper(i, net->n[k], net->periodic[k]) : lower(i, net->n[k], net->periodic[k]);
    return p;
}

/* Whether another cell lies beyond that end of a cell. */
FUNCTION uint32 has_beyond(const network_t *net, place_t p, uint32 k, uint32 upwards) {
    const uint32 at_end = upwards ? p.at[k] + 1u == net->n[k] : p.at[k] == 0u;
    return net->n[k] > 1u && (!at_end || net->periodic[k]) ? 1u : 0u;
}

FUNCTION cycle_t face_of(const network_t *net, place_t p, uint32 k, uint32 upwards) {
    if (!has_beyond(net, p, k, upwards)) {
        return (cycle_t)0;
    }
#if defined(BY_LABELS)
    if (net->by_labels) {
        const place_t beyond = moved(net, p, k, upwards);
        const uint32 here = net->labels.of_cell[entry_of(net, p)],
                     there = net->labels.of_cell[entry_of(net, beyond)];
        return net->coefficients[upwards ? PAIR_PLACE(net->labels.count, net->axis[k], there, here)
                                         : PAIR_PLACE(net->labels.count, net->axis[k], here, there)];
    }
#endif
    return net->face[k][entry_of(net, upwards ? moved(net, p, k, 1u) : p)];
}

/* Sides have an entry for each cell beside them, those along the lower of the other axes one behind the other. */
FUNCTION uint32 side_entry(const network_t *net, place_t p, uint32 k) {
    const uint32 one = k == 0u ? 1u : 0u, other = k == 2u ? 1u : 2u;
    if (net->tables) {
        return entry_of(net, p);
    }
    return net->axis[one] < net->axis[other] ? p.at[one] + net->n[one] * p.at[other]
                                             : p.at[other] + net->n[other] * p.at[one];
}
FUNCTION uint32 is_beside(const network_t *net, place_t p, uint32 k, uint32 upwards) {
    const uint32 at_end = upwards ? p.at[k] + 1u == net->n[k] : p.at[k] == 0u;
    return at_end && !net->periodic[k] && net->axis[k] < net->dimensions ? 1u : 0u;
}
FUNCTION cycle_t side_of(const network_t *net, place_t p, uint32 k, uint32 upwards) {
    GLOBAL const cycle_t *side = upwards ? net->side[2u * k + 1u] : net->side[2u * k];
    return is_beside(net, p, k, upwards) ? side[side_entry(net, p, k)] : (cycle_t)0;
}

FUNCTION cycle_t own_of(const network_t *net, place_t p) {
#if defined(BY_LABELS)
    if (net->by_labels) {
        uint32 position = 0u;
        UNROLLED
        for (uint32 k = 0; k < 3u; ++k) {
            position += at_side(p.at[k], net->n[k]) << (2u * net->axis[k]);
        }
        return net->coefficients[DIAGONAL_PLACE(net->labels.count, position,
                                                net->labels.of_cell[entry_of(net, p)])];
    }
#endif
    return net->own[entry_of(net, p)];
}

FUNCTION cycle_t sigma_of(const network_t *net, place_t p) {
    cycle_t sigma = own_of(net, p);
    if (net->contains_sides) {
        UNROLLED
        for (uint32 k = 0; k < 3u; ++k) {
            sigma -= side_of(net, p, k, 0u) + side_of(net, p, k, 1u);
        }
    }
    return sigma > (cycle_t)0 ? sigma : (cycle_t)0;
}

#endif
