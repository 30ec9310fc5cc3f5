/* Tiles, and restriction by the transpose of the interpolation P between a level and the next, which goes one axis
 * after the other:
 *
 *   along an axis   u_i = u_I + w_i (u_J - u_I)     i in coarse cell I, J the neighbour at i's end
 *
 * Along each axis a tile has slots: one for each of its cells, and one more at each end for the cell that also takes
 * part; an axis of one cell has no such ends. Where an odd number of cells is periodic, the partner that the last cell
 * lacks has a slot. */

#define NO_PLACE 0xffffffffu

/* A tile along one axis. */
typedef struct {
    uint32 n, coarse; /* cells of the level and of the next */
    uint32 halved, periodic;
    uint32 origin, cells; /* coarse cells */
    uint32 margin;
} slots_t;

FUNCTION slots_t slots_along(const level_t *level, const tile_t *tile, uint32 axis, uint32 number) {
    slots_t s;
    s.n = extent(&level->grid, axis);
    s.halved = level->halved[axis];
    s.coarse = half_of(s.n, s.halved);
    s.periodic = is_periodic(&level->grid, axis);
    s.cells = tile->cells[axis];
    s.origin = number * s.cells;
    s.margin = s.n > 1u ? 1u : 0u;
    return s;
}

/* Along x, y and z. */
typedef struct {
    slots_t x, y, z;
} tile_slots_t;

FUNCTION place_t unfold(uint32 q, divider_t by_x, divider_t by_y) {
    place_t p;
    const uint32 line = divide(q, by_x);
    p.at[2] = divide(line, by_y);
    p.at[1] = line - p.at[2] * by_y.divisor;
    p.at[0] = q - line * by_x.divisor;
    return p;
}

FUNCTION tile_slots_t tile_at(const level_t *level, const tile_t *tile, uint32 number) {
    const place_t p = unfold(number, tile->tiles_x, tile->tiles_y);
    tile_slots_t t;
    t.x = slots_along(level, tile, 0u, p.at[0]);
    t.y = slots_along(level, tile, 1u, p.at[1]);
    t.z = slots_along(level, tile, 2u, p.at[2]);
    return t;
}

/* First cell of the tile on its level. */
FUNCTION uint32 fine_origin(const slots_t *s) {
    return s->halved ? 2u * s->origin : s->origin;
}

FUNCTION uint32 slot_count(const slots_t *s) {
    return (s->halved ? 2u * s->cells : s->cells) + 2u * s->margin;
}

FUNCTION uint32 coarse_slot_count(const slots_t *s) {
    return s->cells + 2u * s->margin;
}

/* The cell in a slot that begins `margin` before `origin`, of `n` cells that repeat after `period`. */
FUNCTION uint32 cell_beyond(uint32 origin, uint32 slot, uint32 margin, uint32 n, uint32 period,
                            uint32 periodic) {
    const uint32 cell = origin + slot - margin; /* wraps around below 0 */
    if (cell < n) {
        return cell;
    }
    if (!periodic) {
        return NO_PLACE;
    }
    return cell == period ? 0u : origin + slot < margin && period == n ? n - 1u : NO_PLACE;
}

FUNCTION uint32 cell_in_slot(const slots_t *s, uint32 slot) {
    return cell_beyond(fine_origin(s), slot, s->margin, s->n, s->halved ? 2u * s->coarse : s->n, s->periodic);
}

/* The same without slots for partners that are lacking: the neighbour's cell takes their place. */
FUNCTION uint32 neighbour_in_slot(const slots_t *s, uint32 slot) {
    return cell_beyond(fine_origin(s), slot, s->margin, s->n, s->n, s->periodic);
}

FUNCTION uint32 coarse_in_slot(const slots_t *s, uint32 slot) {
    return cell_beyond(s->origin, slot, s->margin, s->coarse, s->coarse, s->periodic);
}

FUNCTION uint32 coarse_in_tile(const slots_t *s, uint32 i) {
    return s->origin + i < s->coarse ? s->origin + i : NO_PLACE;
}

/* Transposed interpolation along one axis to coarse cell i of the tile, from a row of slots in `values` that begins
 * at `row`, `stride` apart, whose weights are `step` apart. */
FUNCTION cycle_t restrict_row(LOCAL const cycle_t *values, uint32 row, uint32 stride,
                              GLOBAL const cycle_t *weight, uint32 step, const slots_t *s, uint32 i) {
    if (!s->halved) {
        return values[row + (i + s->margin) * stride];
    }
    cycle_t sum = (cycle_t)0;
    for (uint32 k = 0; k < 4u; ++k) {
        const uint32 slot = 2u * i + k, cell = cell_in_slot(s, slot);
        if (cell != NO_PLACE) {
            const cycle_t w = weight[(size_t)cell * step];
            sum += (k == 1u || k == 2u ? (cycle_t)1 - w : w) * values[row + slot * stride];
        }
    }
    return sum;
}

FUNCTION void store_residuals(const level_t *level, uint32 from, const tile_t *tile, const tile_slots_t *t,
                              LOCAL cycle_t *values) {
    const run_parameters_t *grid = &level->grid;
    const uint32 count = slot_count(&t->x) * slot_count(&t->y) * slot_count(&t->z);
    GLOBAL const cycle_t *field = level_copy(level, from);
    for (uint32 q = item_index(); q < count; q += group_size()) {
        const place_t p = unfold(q, tile->fine_slots_x, tile->fine_slots_y);
        const uint32 i = cell_in_slot(&t->x, p.at[0]), j = cell_in_slot(&t->y, p.at[1]),
                     k = cell_in_slot(&t->z, p.at[2]);
        cycle_t r = (cycle_t)0;
        if (i != NO_PLACE && j != NO_PLACE && k != NO_PLACE) {
            const uint32 cell = i + grid->nx * (j + grid->ny * k);
            r = level->b[cell];
            if (from != NO_COPY) {
                const stencil_t s = stencil_at(grid, cell);
                const surroundings_t u = look_around(field, level, &s);
                r = residual_at(level, &s, &u, r);
            }
        }
        values[q] = r;
    }
}

/* b of the next level from the residual of this one, tile by tile. */
FUNCTION void restrict_step(const multigrid_t *self, uint32 number, uint32 from, team_t team) {
    const tile_t tile = self->hierarchy->level[number].tile;
    const level_t level = level_at(self, number), next = level_at(self, number + 1u);
    const uint32 uniform = level.grid.uniform;
    const uint32 nx = level.grid.nx, ny = level.grid.ny, coarse_x = next.grid.nx, coarse_y = next.grid.ny;
    for (uint32 number_of_tile = team.group; number_of_tile < tile.count; number_of_tile += team.groups) {
        const tile_slots_t t = tile_at(&level, &tile, number_of_tile);
        const uint32 sx = slot_count(&t.x), sy = slot_count(&t.y), sz = slot_count(&t.z);
        const uint32 tx = t.x.cells, ty = t.y.cells, tz = t.z.cells;
        store_residuals(&level, from, &tile, &t, self->tile);
        group_barrier();
        for (uint32 q = item_index(); q < tx * sy * sz; q += group_size()) {
            const place_t p = unfold(q, tile.coarse_x, tile.fine_slots_y);
            const uint32 j = cell_in_slot(&t.y, p.at[1]), k = cell_in_slot(&t.z, p.at[2]);
            const uint32 inside = j != NO_PLACE && k != NO_PLACE ? 1u : 0u;
            GLOBAL const cycle_t *w = level.weight_x + (inside && !uniform ? nx * (j + ny * k) : 0u);
            self->lines[q] =
                inside ? restrict_row(self->tile, sx * (p.at[1] + sy * p.at[2]), 1u, w, 1u, &t.x, p.at[0])
                       : (cycle_t)0;
        }
        group_barrier();
        for (uint32 q = item_index(); q < tx * ty * sz; q += group_size()) {
            const place_t p = unfold(q, tile.coarse_x, tile.coarse_y);
            const uint32 X = coarse_in_tile(&t.x, p.at[0]), k = cell_in_slot(&t.z, p.at[2]);
            const uint32 inside = X != NO_PLACE && k != NO_PLACE ? 1u : 0u;
            GLOBAL const cycle_t *w = level.weight_y + (inside && !uniform ? X + coarse_x * ny * k : 0u);
            self->tile[q] = inside ? restrict_row(self->lines, p.at[0] + tx * sy * p.at[2], tx, w,
                                                  uniform ? 1u : coarse_x, &t.y, p.at[1])
                                   : (cycle_t)0;
        }
        group_barrier();
        for (uint32 q = item_index(); q < tx * ty * tz; q += group_size()) {
            const place_t p = unfold(q, tile.coarse_x, tile.coarse_y);
            const uint32 X = coarse_in_tile(&t.x, p.at[0]), Y = coarse_in_tile(&t.y, p.at[1]),
                         Z = coarse_in_tile(&t.z, p.at[2]);
            if (X != NO_PLACE && Y != NO_PLACE && Z != NO_PLACE) {
                GLOBAL const cycle_t *w = level.weight_z + (uniform ? 0u : X + coarse_x * Y);
                next.b[X + coarse_x * (Y + coarse_y * Z)] =
                    restrict_row(self->tile, p.at[0] + tx * p.at[1], tx * ty, w,
                                 uniform ? 1u : coarse_x * coarse_y, &t.z, p.at[2]);
            }
        }
        group_barrier();
    }
}
