/* The next level's coefficients and the interpolation from it, from resistances in series (Alcouffe, Brandt,
 * Dendy and Painter, SIAM J. Sci. Stat. Comput. 2, 1981, 430-454, for cell centres).
 *
 * Cells are halved along z, then y, then x; each time two cells become one along the axis:
 *
 *   conductance between coarse cells I and J   sum over lines of 1 / (R_I / 2 + R_IJ + R_J / 2)
 *                to a side                     sum over lines of 1 / (R_I / 2 + R_side)
 *                across the other axes         sums over the pair
 *   R_I     resistance between the two cells of I, 0 for a cell that stays alone; R_IJ between neighbours
 *   value in a fine cell of I next to J        (1 - w) u_I + w u_J,  w = (R_I / 2) / (R_I / 2 + R_IJ + R_J / 2)
 *   next to a side                             the same with R_side alone and 0 beyond it
 *   sigma                                      sums
 *
 * A closed face has w = 0. In a uniform problem w depends on the place along its axis alone.
 *
 * Shapes: weight_z [cells], weight_y and weight_x the same with the axes behind it halved; in a uniform problem
 * one entry for each place. */

/* A place on a level that is halved along the axes behind some axis, and not yet along the others. */
typedef struct {
    uint32 at[3];
} place_t;

FUNCTION place_t place_of(const run_parameters_t *grid, uint32 cell) {
    place_t p;
    p.at[2] = divide(cell, grid->layer);
    p.at[1] = divide(cell - p.at[2] * grid->layer.divisor, grid->row);
    p.at[0] = cell - p.at[2] * grid->layer.divisor - p.at[1] * grid->row.divisor;
    return p;
}

FUNCTION uint32 extent(const run_parameters_t *grid, uint32 axis) {
    return axis == 0u ? grid->nx : axis == 1u ? grid->ny : grid->nz;
}

FUNCTION uint32 is_periodic(const run_parameters_t *grid, uint32 axis) {
    return axis == 0u ? grid->periodic_x : axis == 1u ? grid->periodic_y : grid->periodic_z;
}

FUNCTION uint32 halved_along(const level_t *level, uint32 axis) {
    return axis == 0u ? level->halved[0] : axis == 1u ? level->halved[1] : level->halved[2];
}

FUNCTION uint32 half_of(uint32 n, uint32 halved) {
    return halved ? (n + 1u) / 2u : n;
}

/* Cells first .. last that become cell i. */
FUNCTION uint32 first_child(uint32 i, uint32 halved) {
    return halved ? 2u * i : i;
}
FUNCTION uint32 last_child(uint32 i, uint32 halved, uint32 n) {
    return halved && 2u * i + 1u < n ? 2u * i + 1u : first_child(i, halved);
}

/* Conductances of faces and sides of one level. */
typedef struct {
    level_t level;
    GLOBAL cycle_t *side[6];
} network_t;

/* Of the lower face of cell (x, y, z) along an axis. */
FUNCTION cycle_t lower_face(const network_t *net, uint32 axis, uint32 x, uint32 y, uint32 z) {
    const uint32 place = entry_at(&net->level.grid, x, y, z);
    return axis == 0u   ? net->level.face_x[place]
           : axis == 1u ? net->level.face_y[place]
                        : net->level.face_z[place];
}

/* Where the conductance to a side along an axis is, from the cell (x, y, z) beside it. */
FUNCTION uint32 side_entry(const run_parameters_t *grid, uint32 axis, uint32 x, uint32 y, uint32 z) {
    return UNIFORM(grid) ? entry_at(grid, x, y, z)
           : axis == 0u  ? y + grid->ny * z
           : axis == 1u  ? x + grid->nx * z
                         : x + grid->nx * y;
}
FUNCTION cycle_t side_face_of(const network_t *net, uint32 side, uint32 x, uint32 y, uint32 z) {
    return net->side[side][side_entry(&net->level.grid, side / 2u, x, y, z)];
}

enum { LOWER_FACE = 0, LOWER_SIDE, UPPER_SIDE };

/* A conductance at a place, summed over the cells that become one along the axes behind `axis`. */
FUNCTION cycle_t summed(const network_t *net, uint32 axis, uint32 which, const place_t *p) {
    const run_parameters_t *grid = &net->level.grid;
    const uint32 halved_y = axis < 1u ? net->level.halved[1] : 0u;
    const uint32 halved_z = axis < 2u ? net->level.halved[2] : 0u;
    const uint32 x = p->at[0];
    cycle_t sum = (cycle_t)0;
    for (uint32 z = first_child(p->at[2], halved_z); z <= last_child(p->at[2], halved_z, grid->nz); ++z) {
        for (uint32 y = first_child(p->at[1], halved_y); y <= last_child(p->at[1], halved_y, grid->ny); ++y) {
            sum += which == LOWER_FACE
                       ? lower_face(net, axis, x, y, z)
                       : side_face_of(net, 2u * axis + (which == UPPER_SIDE ? 1u : 0u), x, y, z);
        }
    }
    return sum;
}

/* Half the resistance between the two cells of coarse cell i along the axis, 0 for one that stays alone or whose
 * cells do not touch. */
FUNCTION cycle_t half_resistance(const network_t *net, uint32 axis, uint32 i, place_t p) {
    if (!halved_along(&net->level, axis) || 2u * i + 1u >= extent(&net->level.grid, axis)) {
        return (cycle_t)0;
    }
    p.at[axis] = 2u * i + 1u;
    const cycle_t t = summed(net, axis, LOWER_FACE, &p);
    return t > (cycle_t)0 ? (cycle_t)0.5 / t : (cycle_t)0;
}

/* What lies between coarse cell i and its neighbour: the two halves and the face, or one half and a side. */
typedef struct {
    cycle_t here, between, there; /* resistances */
    uint32 open;
} link_t;

SEPARATE_FUNCTION link_t link_from(const network_t *net, uint32 axis, uint32 i, uint32 upper_end, place_t p) {
    const run_parameters_t *grid = &net->level.grid;
    const uint32 halved = halved_along(&net->level, axis), n = extent(grid, axis),
                 coarse = half_of(n, halved);
    const uint32 periodic = is_periodic(grid, axis);
    const uint32 at_end = upper_end ? i + 1u == coarse : i == 0u;
    link_t link;
    link.here = half_resistance(net, axis, i, p);
    link.there = (cycle_t)0;
    cycle_t t;
    if (at_end && !periodic) {
        p.at[axis] = upper_end ? n - 1u : 0u;
        t = summed(net, axis, upper_end ? UPPER_SIDE : LOWER_SIDE, &p);
    } else {
        const uint32 j = upper_end ? upper(i, coarse, 1u) : lower(i, coarse, 1u);
        link.there = half_resistance(net, axis, j, p);
        p.at[axis] = first_child(upper_end ? j : i, halved);
        t = summed(net, axis, LOWER_FACE, &p);
    }
    link.open = t > (cycle_t)0 ? 1u : 0u;
    link.between = link.open ? (cycle_t)1 / t : (cycle_t)0;
    return link;
}

/* Conductance of coarse cell (X, Y, Z) to its lower or upper neighbour along an axis, or to the side there. */
FUNCTION cycle_t coarse_conductance(const network_t *net, uint32 axis, uint32 upper_end, place_t coarse) {
    const run_parameters_t *grid = &net->level.grid;
    const uint32 halved_x = axis > 0u ? net->level.halved[0] : 0u;
    const uint32 halved_y = axis > 1u ? net->level.halved[1] : 0u;
    cycle_t sum = (cycle_t)0;
    place_t p = coarse;
    if (is_periodic(grid, axis) && half_of(extent(grid, axis), halved_along(&net->level, axis)) == 1u) {
        return sum; /* its own neighbour */
    }
    for (uint32 y = first_child(coarse.at[1], halved_y); y <= last_child(coarse.at[1], halved_y, grid->ny);
         ++y) {
        for (uint32 x = first_child(coarse.at[0], halved_x);
             x <= last_child(coarse.at[0], halved_x, grid->nx); ++x) {
            p.at[0] = x;
            p.at[1] = y;
            const link_t link = link_from(net, axis, coarse.at[axis], upper_end, p);
            sum += link.open ? (cycle_t)1 / (link.here + link.between + link.there) : (cycle_t)0;
        }
    }
    return sum;
}

/* Of the neighbour beyond the nearer end, for the fine cell at p. */
FUNCTION cycle_t interpolation_weight(const network_t *net, uint32 axis, place_t p) {
    const uint32 i = p.at[axis] / 2u;
    const link_t link = link_from(net, axis, i, p.at[axis] & 1u, p);
    return link.open ? link.here / (link.here + link.between + link.there) : (cycle_t)0;
}

FUNCTION network_t network_at(const multigrid_t *self, uint32 number) {
    GLOBAL const level_entry_t *entry = self->hierarchy->level + number;
    network_t net;
    net.level = level_at(self, number);
    for (uint32 side = 0; side < 6u; ++side) {
        net.side[side] =
            (number == 0u || UNIFORM(&net.level.grid) ? self->tables : self->arena) + entry->side[side];
    }
    return net;
}
