/* Correction by interpolation from the next level, and the first sweep behind it, tile by tile:
 *
 *   u' = u + P u(next),  then  u' + weight D^-1 (b - A u')  to the other copy */

/* The coarse slots that a slot's cell is interpolated from. */
typedef struct {
    uint32 own, other;
} parents_t;

FUNCTION parents_t parents_in_slot(const slots_t *s, uint32 slot) {
    parents_t p = {slot, slot};
    if (s->halved) {
        const uint32 parent = (slot + 1u) / 2u, upper_half = (slot + 1u) & 1u;
        const uint32 lacks =
            fine_origin(s) + slot == s->n + 1u && (s->n & 1u) != 0u; /* periodic: the next cell */
        p.own = lacks ? parent + 1u : parent;
        p.other = lacks ? parent : upper_half ? parent + 1u : parent - 1u;
    }
    return p;
}

/* Between the values in both parents. */
FUNCTION cycle_t between(cycle_t own, cycle_t other, cycle_t weight) {
    return own + weight * (other - own);
}

/* Along z, in columns of the next level: to the tile. */
FUNCTION void interpolate_columns(const multigrid_t *self, const level_t *level, const level_t *next,
                                  GLOBAL const cycle_t *u, const tile_t *tile, const tile_slots_t *t) {
    const uint32 count = coarse_slot_count(&t->x) * coarse_slot_count(&t->y) * slot_count(&t->z);
    const uint32 layer = next->grid.nx * next->grid.ny;
    for (uint32 q = item_index(); q < count; q += group_size()) {
        const place_t p = unfold(q, tile->coarse_slots_x, tile->coarse_slots_y);
        const uint32 X = coarse_in_slot(&t->x, p.at[0]), Y = coarse_in_slot(&t->y, p.at[1]),
                     k = neighbour_in_slot(&t->z, p.at[2]);
        cycle_t value = (cycle_t)0;
        if (X != NO_PLACE && Y != NO_PLACE && k != NO_PLACE) {
            const parents_t parents = parents_in_slot(&t->z, p.at[2]);
            const uint32 column = X + next->grid.nx * Y, own = coarse_in_slot(&t->z, parents.own);
            value = u[column + layer * own];
            if (t->z.halved) {
                const uint32 other = coarse_in_slot(&t->z, parents.other);
                value = between(value, other != NO_PLACE ? u[column + layer * other] : (cycle_t)0,
                                level->weight_z[level->grid.uniform ? k : column + layer * k]);
            }
        }
        self->tile[q] = value;
    }
}

/* Along y, in planes: from the tile to the lines. */
FUNCTION void interpolate_planes(const multigrid_t *self, const level_t *level, uint32 coarse_x,
                                 const tile_t *tile, const tile_slots_t *t) {
    const uint32 width = coarse_slot_count(&t->x), height = coarse_slot_count(&t->y);
    const uint32 count = width * slot_count(&t->y) * slot_count(&t->z);
    for (uint32 q = item_index(); q < count; q += group_size()) {
        const place_t p = unfold(q, tile->coarse_slots_x, tile->fine_slots_y);
        const uint32 X = coarse_in_slot(&t->x, p.at[0]), j = neighbour_in_slot(&t->y, p.at[1]),
                     k = neighbour_in_slot(&t->z, p.at[2]);
        cycle_t value = (cycle_t)0;
        if (X != NO_PLACE && j != NO_PLACE && k != NO_PLACE) {
            const parents_t parents = parents_in_slot(&t->y, p.at[1]);
            const uint32 column = p.at[0] + width * height * p.at[2];
            value = self->tile[column + width * parents.own];
            if (t->y.halved) {
                value = between(
                    value, self->tile[column + width * parents.other],
                    level->weight_y[level->grid.uniform ? j : X + coarse_x * (j + level->grid.ny * k)]);
            }
        }
        self->lines[q] = value;
    }
}

/* Along x, and u to it: from the lines to the tile. 0 in cells that take no part. */
FUNCTION void correct_lines(const multigrid_t *self, const level_t *level, uint32 from, const tile_t *tile,
                            const tile_slots_t *t) {
    const uint32 width = coarse_slot_count(&t->x), height = slot_count(&t->y);
    const uint32 count = slot_count(&t->x) * height * slot_count(&t->z);
    const uint32 uniform = level->grid.uniform;
    GLOBAL const cycle_t *u = level_copy(level, from);
    for (uint32 q = item_index(); q < count; q += group_size()) {
        const place_t p = unfold(q, tile->fine_slots_x, tile->fine_slots_y);
        const uint32 i = neighbour_in_slot(&t->x, p.at[0]), j = neighbour_in_slot(&t->y, p.at[1]),
                     k = neighbour_in_slot(&t->z, p.at[2]);
        cycle_t value = (cycle_t)0;
        if (i != NO_PLACE && j != NO_PLACE && k != NO_PLACE) {
            const uint32 cell = i + level->grid.nx * (j + level->grid.ny * k);
            const uint32 line = width * (p.at[1] + height * p.at[2]);
            const parents_t parents = parents_in_slot(&t->x, p.at[0]);
            value = self->lines[line + parents.own];
            if (t->x.halved) {
                value =
                    between(value, self->lines[line + parents.other], level->weight_x[uniform ? i : cell]);
            }
            if (!uniform && level->inverse_diagonal[cell] == (cycle_t)0) {
                value = (cycle_t)0;
            } else if (from != NO_COPY) {
                value = u[cell] + value;
            }
        }
        self->tile[q] = value;
    }
}

/* Steps to the neighbours' values in a tile; 0 at an end that has none. */
FUNCTION uint32 step_down(const slots_t *s, uint32 cell, uint32 stride) {
    return s->margin && (cell > 0u || s->periodic) ? stride : 0u;
}
FUNCTION uint32 step_up(const slots_t *s, uint32 cell, uint32 stride) {
    return s->margin && (cell + 1u < s->n || s->periodic) ? stride : 0u;
}

FUNCTION void sweep_tile(const multigrid_t *self, const level_t *level, GLOBAL cycle_t *swept_u,
                         cycle_t weight, const tile_t *tile, const tile_slots_t *t) {
    const uint32 sx = slot_count(&t->x), sxy = sx * slot_count(&t->y);
    const uint32 count = tile->fine_x.divisor * tile->fine_y.divisor * (slot_count(&t->z) - 2u * t->z.margin);
    for (uint32 q = item_index(); q < count; q += group_size()) {
        const place_t p = unfold(q, tile->fine_x, tile->fine_y);
        const uint32 i = fine_origin(&t->x) + p.at[0], j = fine_origin(&t->y) + p.at[1],
                     k = fine_origin(&t->z) + p.at[2];
        if (i < t->x.n && j < t->y.n && k < t->z.n) {
            const uint32 cell = i + level->grid.nx * (j + level->grid.ny * k);
            const uint32 here =
                p.at[0] + t->x.margin + sx * (p.at[1] + t->y.margin) + sxy * (p.at[2] + t->z.margin);
            const stencil_t s = stencil_at(&level->grid, cell);
            surroundings_t u;
            u.at[CENTRE] = self->tile[here];
            u.at[WEST] = self->tile[here - step_down(&t->x, i, 1u)];
            u.at[EAST] = self->tile[here + step_up(&t->x, i, 1u)];
            u.at[SOUTH] = self->tile[here - step_down(&t->y, j, sx)];
            u.at[NORTH] = self->tile[here + step_up(&t->y, j, sx)];
            u.at[BELOW] = self->tile[here - step_down(&t->z, k, sxy)];
            u.at[ABOVE] = self->tile[here + step_up(&t->z, k, sxy)];
            swept_u[cell] = swept(level, &s, &u, level->b[cell], weight);
        }
    }
}

FUNCTION void correct_step(const multigrid_t *self, const step_t *step, team_t team) {
    const tile_t tile = self->hierarchy->level[step->level].tile;
    const level_t level = level_at(self, step->level), next = level_at(self, step->level + 1u);
    for (uint32 number = team.group; number < tile.count; number += team.groups) {
        const tile_slots_t t = tile_at(&level, &tile, number);
        interpolate_columns(self, &level, &next, level_copy(&next, step->below), &tile, &t);
        group_barrier();
        interpolate_planes(self, &level, next.grid.nx, &tile, &t);
        group_barrier();
        correct_lines(self, &level, step->from, &tile, &t);
        group_barrier();
        sweep_tile(self, &level, level_copy(&level, step->to), (cycle_t)step->weight[0], &tile, &t);
        group_barrier();
    }
}
