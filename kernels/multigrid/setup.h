/* Setup of a hierarchy, level by level, from the coefficients of level 0 (kernels/multigrid/coarsen.h), and the
 * inverse of the coarsest level's matrix. */

/* sigma of the cells that become one, with the conductances to sides where the cells before had them. */
SEPARATE_FUNCTION cycle_t summed_diagonal(const network_t *net, const place_t *coarse) {
    const level_t *level = &net->level;
    const run_parameters_t *grid = &level->grid;
    const uint32 *halved = level->halved;
    cycle_t sum = (cycle_t)0;
    for (uint32 z = first_child(coarse->at[2], halved[2]);
         z <= last_child(coarse->at[2], halved[2], grid->nz); ++z) {
        for (uint32 y = first_child(coarse->at[1], halved[1]);
             y <= last_child(coarse->at[1], halved[1], grid->ny); ++y) {
            for (uint32 x = first_child(coarse->at[0], halved[0]);
                 x <= last_child(coarse->at[0], halved[0], grid->nx); ++x) {
                const stencil_t s = stencil_at(grid, x + grid->nx * (y + grid->ny * z));
                cycle_t own = level->diagonal[s.place[CENTRE]];
                const uint32 ends[3] = {at_side(x, grid->nx), at_side(y, grid->ny), at_side(z, grid->nz)};
                for (uint32 side = 0; side < 2u * grid->dimensions; ++side) {
                    if ((ends[side / 2u] & (1u << (side & 1u))) != 0u && !is_periodic(grid, side / 2u)) {
                        own -= side_face_of(net, side, x, y, z);
                    }
                }
                sum += own > (cycle_t)0 ? own : (cycle_t)0;
            }
        }
    }
    return sum;
}

/* A cell that has an entry of the coefficients: in a table, along each axis the first, one inside or the last. */
FUNCTION uint32 along_axis_at(uint32 sides, uint32 n) {
    const uint32 there = sides == 0u ? 1u : sides == 2u ? n - 1u : 0u;
    return there < n && at_side(there, n) == sides ? there : NO_CELL;
}
/* NO_CELL along an axis where no cell has that boundary position. */
FUNCTION place_t place_of_entry(const run_parameters_t *grid, uint32 entry) {
    place_t p;
    if (!UNIFORM(grid)) {
        return place_of(grid, entry);
    }
    p.at[0] = along_axis_at(entry & 3u, grid->nx);
    p.at[1] = along_axis_at(entry / 4u & 3u, grid->ny);
    p.at[2] = along_axis_at(entry / 16u, grid->nz);
    return p;
}
FUNCTION uint32 is_cell(const place_t *p) {
    return p->at[0] != NO_CELL && p->at[1] != NO_CELL && p->at[2] != NO_CELL ? 1u : 0u;
}
FUNCTION uint32 entries_of(const run_parameters_t *grid) {
    return UNIFORM(grid) ? PLACES : grid->cells;
}

/* Of a coarse cell along an axis: its lower face, and the sides that it touches. */
SEPARATE_FUNCTION void store_conductances(const network_t *net, const network_t *coarse, uint32 axis,
                                          uint32 entry) {
    const level_t *level = &coarse->level;
    const run_parameters_t *grid = &level->grid;
    const place_t p = place_of_entry(grid, entry);
    if (!is_cell(&p)) {
        return;
    }
    const uint32 side = side_entry(grid, axis, p.at[0], p.at[1], p.at[2]);
    GLOBAL cycle_t *face = axis == 0u ? level->face_x : axis == 1u ? level->face_y : level->face_z;
    const uint32 ends = is_periodic(grid, axis) ? 0u : at_side(p.at[axis], extent(grid, axis));
    const cycle_t below = coarse_conductance(net, axis, 0u, p);
    face[entry] = (ends & 1u) != 0u ? (cycle_t)0 : below;
    if ((ends & 1u) != 0u) {
        coarse->side[2u * axis][side] = below;
    }
    if ((ends & 2u) != 0u) {
        coarse->side[2u * axis + 1u][side] = coarse_conductance(net, axis, 1u, p);
    }
}

/* Weights along an axis: [nx][ny][nz] with the axes behind it halved, along the axis alone where all are alike, or
 * none. */
typedef struct {
    uint32 ny, count;
} weights_t;

FUNCTION weights_t weights_along(const level_t *level, uint32 axis) {
    const run_parameters_t *grid = &level->grid;
    weights_t w;
    const uint32 nz = half_of(grid->nz, axis < 2u ? level->halved[2] : 0u);
    w.ny = half_of(grid->ny, axis < 1u ? level->halved[1] : 0u);
    w.count = !halved_along(level, axis) ? 0u : UNIFORM(grid) ? extent(grid, axis) : grid->nx * w.ny * nz;
    return w;
}

SEPARATE_FUNCTION void store_weight(const network_t *net, uint32 axis, uint32 i) {
    const level_t *level = &net->level;
    const weights_t w = weights_along(level, axis);
    GLOBAL cycle_t *weight = axis == 0u ? level->weight_x : axis == 1u ? level->weight_y : level->weight_z;
    place_t p = {{0u, 0u, 0u}};
    if (UNIFORM(&level->grid)) {
        p.at[axis] = i;
    } else {
        const uint32 line = i / level->grid.nx;
        p.at[2] = line / w.ny;
        p.at[1] = line - w.ny * p.at[2];
        p.at[0] = i - level->grid.nx * line;
    }
    weight[i] = interpolation_weight(net, axis, p);
}

/* Every conductance and every weight is an item's work of its own: on small levels nothing waits for anything. */
FUNCTION void coarsen_step(const multigrid_t *self, uint32 number, team_t team) {
    const network_t net = network_at(self, number), coarse = network_at(self, number + 1u);
    const uint32 entries = entries_of(&coarse.level.grid), faces = net.level.grid.dimensions * entries;
    const uint32 x = weights_along(&net.level, 0u).count, y = weights_along(&net.level, 1u).count,
                 z = weights_along(&net.level, 2u).count;
    for (uint32 q = team.group * group_size() + item_index(); q < faces + x + y + z;
         q += team.groups * group_size()) {
        if (q < faces) {
            store_conductances(&net, &coarse, q / entries, q % entries);
        } else {
            const uint32 i = q - faces;
            const uint32 axis = i < x ? 0u : i < x + y ? 1u : 2u;
            store_weight(&net, axis, i < x ? i : i < x + y ? i - x : i - x - y);
        }
    }
}

FUNCTION void diagonal_step(const multigrid_t *self, uint32 number, team_t team) {
    const network_t net = network_at(self, number), coarse = network_at(self, number + 1u);
    const level_t *level = &coarse.level;
    const run_parameters_t *grid = &level->grid;
    FOR_EACH_OF(entry, entries_of(grid), team) {
        const place_t p = place_of_entry(grid, entry);
        if (!is_cell(&p)) {
            continue;
        }
        const uint32 cell = p.at[0] + grid->nx * (p.at[1] + grid->ny * p.at[2]);
        const stencil_t s = stencil_at(grid, cell);
        cycle_t diagonal = summed_diagonal(&net, &p);
        for (uint32 side = 0; side < 2u * grid->dimensions; ++side) {
            const uint32 axis = side / 2u;
            if (!is_periodic(grid, axis) &&
                (at_side(p.at[axis], extent(grid, axis)) & (1u << (side & 1u))) != 0u) {
                diagonal += side_face_of(&coarse, side, p.at[0], p.at[1], p.at[2]);
            }
        }
        level->diagonal[entry] = diagonal;
        const surroundings_t t = conductances_of(level, &s);
        cycle_t sum = diagonal;
        for (uint32 k = WEST; k < STENCIL_POINTS; ++k) {
            sum += s.cell[k] != cell ? t.at[k] : (cycle_t)0;
        }
        level->inverse_diagonal[entry] = sum > (cycle_t)0 ? (cycle_t)1 / sum : (cycle_t)0;
    }
}

/* Where nothing fixes the level of u, a matrix of equal entries is added, which leaves alone what is orthogonal to
 * constants and makes constants as large as the rest: the size of its entries. */
SEPARATE_FUNCTION sum_t lift_of(const level_t *level) {
    sum_t anchors = (sum_t)0, sizes = (sum_t)0, live = (sum_t)0;
    for (uint32 cell = 0; cell < level->grid.cells; ++cell) {
        const stencil_t s = stencil_at(&level->grid, cell);
        const sum_t inverse = (sum_t)level->inverse_diagonal[s.place[CENTRE]];
        anchors += (sum_t)level->diagonal[s.place[CENTRE]];
        if (inverse > (sum_t)0) {
            sizes += (sum_t)1 / inverse;
            live += (sum_t)1;
        }
    }
    return anchors > (sum_t)0 || live == (sum_t)0 ? (sum_t)0 : sizes / (live * live);
}

FUNCTION sum_t is_live(const level_t *level, uint32 cell) {
    const stencil_t s = stencil_at(&level->grid, cell);
    return level->inverse_diagonal[s.place[CENTRE]] > (cycle_t)0 ? (sum_t)1 : (sum_t)0;
}

/* A row of the coarsest level's matrix, by one item. */
FUNCTION void store_row(const level_t *level, uint32 row, sum_t lift, LOCAL sum_t *matrix) {
    const uint32 cells = level->grid.cells;
    const stencil_t s = stencil_at(&level->grid, row);
    const surroundings_t t = conductances_of(level, &s);
    const uint32 begin = row * cells;
    for (uint32 column = 0; column < cells; ++column) {
        matrix[begin + column] = lift * (is_live(level, row) * is_live(level, column));
    }
    matrix[begin + row] += (sum_t)t.at[CENTRE];
    for (uint32 k = WEST; k < STENCIL_POINTS; ++k) {
        if (s.cell[k] != row) {
            matrix[begin + row] += (sum_t)t.at[k];
            matrix[begin + s.cell[k]] -= (sum_t)t.at[k];
        }
    }
}

/* Sweeps every pivot out of the matrix, which leaves its inverse (Gauss-Jordan without exchanges: it is symmetric
 * and positive semidefinite). A pivot that is nothing but rounding belongs to a part that nothing fixes: left
 * out, its cell has value 0. One group. */
FUNCTION void invert_step(const multigrid_t *self, uint32 number) {
    const level_t level = level_at(self, number);
    const uint32 cells = level.grid.cells;
    const sum_t lift = lift_of(&level);
    for (uint32 row = item_index(); row < cells; row += group_size()) {
        store_row(&level, row, lift, self->matrix);
    }
    group_barrier();
    for (uint32 pivot = 0; pivot < cells; ++pivot) {
        const stencil_t s = stencil_at(&level.grid, pivot);
        const sum_t inverse = (sum_t)level.inverse_diagonal[s.place[CENTRE]];
        const sum_t p = self->matrix[pivot * cells + pivot];
        const sum_t factor = p * inverse > 64.0 * self->hierarchy->epsilon ? 1.0 / p : 0.0;
        for (uint32 k = item_index(); k < cells * cells; k += group_size()) {
            const uint32 row = k / cells, column = k - row * cells;
            if (row != pivot && column != pivot) {
                self->matrix[k] -=
                    factor * (self->matrix[row * cells + pivot] * self->matrix[pivot * cells + column]);
            }
        }
        group_barrier();
        for (uint32 k = item_index(); k < cells; k += group_size()) {
            if (k != pivot) {
                self->matrix[k * cells + pivot] *= -factor;
                self->matrix[pivot * cells + k] *= factor;
            } else {
                self->matrix[k * cells + k] = factor;
            }
        }
        group_barrier();
    }
    for (uint32 k = item_index(); k < cells * cells; k += group_size()) {
        inverse_at(self, &level)[k] = (cycle_t)self->matrix[k];
    }
}
