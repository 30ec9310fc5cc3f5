/* Setup of a hierarchy, level by level, from the coefficients of level 0 (kernels/multigrid/coarsen.h), and the
 * inverse of the coarsest level's matrix. */
#ifndef PERDURE_KERNELS_MULTIGRID_SETUP_H
#define PERDURE_KERNELS_MULTIGRID_SETUP_H

#include "kernels/multigrid/coarsen.h"

/* Entries of a network, `count` in all. Of several ranks each has those of its planes along the last axis, where there are arrays. */
#if defined(VECTORISED)
FUNCTION uint32 entries_before(const network_t *net, uint32 count, double part) {
    const uint32 last = net->dimensions - 1u;
    const uint32 planes = net->n[net->axis[0] == last ? 0u : net->axis[1] == last ? 1u : 2u];
    return cut_of(planes, part) * (count / planes);
}
FUNCTION uint32 first_entry_of_thread(const network_t *net, uint32 count, uint32 group, uint32 groups) {
    const uint32 is_part =
        perdure_rank && count == net->n[0] * net->n[1] * net->n[2] && !net->tables ? 1u : 0u;
    const uint32 first = is_part ? entries_before(net, count, perdure_rank->begin) : 0u;
    const uint32 end = is_part ? entries_before(net, count, perdure_rank->end) : count;
    return first + begin_of_part(end - first, group, groups);
}
#define FOR_EACH_ENTRY_OF(i, net, count, team)                                                 \
    for (uint32 i = first_entry_of_thread(net, count, (team).group, (team).groups),            \
                i##_end = first_entry_of_thread(net, count, (team).group + 1u, (team).groups); \
         i < i##_end; ++i)
#else
#define FOR_EACH_ENTRY_OF(i, net, count, team) FOR_EACH_OF(i, count, team)
#endif

SEPARATE_FUNCTION void weigh_step(multigrid_t self, uint32 number, uint32 axis, team_t team) {
    const halving_t h = halving_along(&self, number, axis);
    FOR_EACH_ENTRY_OF(i, &h.fine, h.weights_alike ? h.fine.n[0] : entries_of(&h.fine), team) {
        const place_t along = {{i, 0u, 0u}};
        const place_t p = h.weights_alike ? along : place_of_entry(&h.fine, i);
        const way_t way = way_from(&h.fine, p, p.at[0] & 1u);
        h.weight[i] = interpolation_weight(&way);
        keep_way(&h, p, &way);
    }
}

/* The cell that a coarse cell begins with. */
FUNCTION place_t first_child(place_t coarse) {
    coarse.at[0] *= 2u;
    return coarse;
}

/* Of a coarse cell: its lower face along the axis, and the sides that it touches. */
FUNCTION void store_along(const halving_t *h, place_t coarse, uint32 entry) {
    const network_t *net = &h->coarse;
    const place_t first = first_child(coarse);
    const uint32 side = side_entry(net, coarse, 0u), beside = is_beside(net, coarse, 0u, 0u);
    const cycle_t below = conductance_along(h, first, 0u);
    net->face[0][entry] = beside ? (cycle_t)0 : below;
    if (beside) {
        net->side[0][side] = below;
    }
    if (is_beside(net, coarse, 0u, 1u)) {
        place_t last = first;
        last.at[0] += has_partner(&h->fine, first);
        net->side[1][side] = conductance_along(h, last, 1u);
    }
}

/* The same along another axis. */
FUNCTION void store_across(const halving_t *h, place_t coarse, uint32 entry, uint32 k) {
    const network_t *net = &h->coarse;
    const place_t first = first_child(coarse);
    const uint32 side = side_entry(net, coarse, k);
    net->face[k][entry] = coarse_across(h, first, LOWER_FACE, k);
    if (is_beside(net, coarse, k, 0u)) {
        net->side[2u * k][side] = coarse_across(h, first, LOWER_SIDE, k);
    }
    if (is_beside(net, coarse, k, 1u)) {
        net->side[2u * k + 1u][side] = coarse_across(h, first, UPPER_SIDE, k);
    }
}

/* The diagonal is sigma first. */
SEPARATE_FUNCTION void halve_step(multigrid_t self, uint32 number, uint32 axis, team_t team) {
    const halving_t h = halving_along(&self, number, axis);
    FOR_EACH_ENTRY_OF(entry, &h.coarse, entries_of(&h.coarse), team) {
        const place_t coarse = place_of_entry(&h.coarse, entry);
        if (is_cell(&coarse)) {
            h.coarse.own[entry] = coarse_across(&h, first_child(coarse), SIGMA, 0u);
            store_along(&h, coarse, entry);
            if (h.coarse.axis[1] < h.coarse.dimensions) {
                store_across(&h, coarse, entry, 1u);
            }
            if (h.coarse.axis[2] < h.coarse.dimensions) {
                store_across(&h, coarse, entry, 2u);
            }
        }
    }
}

/* Of the next level, where sigma is. Conductances into a cell that halving has cut off are what rounding left of zero, and less on each
 * level: a diagonal whose inverse would overflow is one of them, and its cell keeps the value 0. */
SEPARATE_FUNCTION void diagonal_step(multigrid_t self, uint32 number, team_t team) {
    const network_t net = network_at(&self, number + 1u, 3u, 0u);
    const level_t level = level_at(&self, number + 1u);
    FOR_EACH_ENTRY_OF(entry, &net, entries_of(&net), team) {
        const place_t p = place_of_entry(&net, entry);
        if (!is_cell(&p)) {
            continue;
        }
        cycle_t diagonal = net.own[entry], faces = (cycle_t)0;
        for (uint32 k = 0; k < 3u; ++k) {
            diagonal += side_of(&net, p, k, 0u) + side_of(&net, p, k, 1u);
            faces += face_of(&net, p, k, 0u) + face_of(&net, p, k, 1u);
        }
        const cycle_t sum = diagonal + faces;
        level.diagonal[entry] = diagonal;
        level.inverse_diagonal[entry] =
            sum > (cycle_t)self.hierarchy->smallest ? (cycle_t)1 / sum : (cycle_t)0;
    }
}

/* Where nothing fixes the level of u, a matrix of equal entries is added, which leaves alone what is orthogonal to
 * constants and makes constants as large as the rest: the size of its entries. */
SEPARATE_FUNCTION sum_t lift_of(const level_t *level) {
    sum_t anchors = (sum_t)0, sizes = (sum_t)0, live = (sum_t)0;
    for (uint32 cell = 0; cell < level->grid.cells; ++cell) {
        const stencil_t s = stencil_at(&level->grid, cell);
        const sum_t inverse = (sum_t)inverse_of(level, &s, CENTRE);
        anchors += (sum_t)diagonal_of(level, &s);
        if (inverse > (sum_t)0) {
            sizes += (sum_t)1 / inverse;
            live += (sum_t)1;
        }
    }
    return anchors > (sum_t)0 || live == (sum_t)0 ? (sum_t)0 : sizes / (live * live);
}

FUNCTION sum_t is_live(const level_t *level, uint32 cell) {
    const stencil_t s = stencil_at(&level->grid, cell);
    return inverse_of(level, &s, CENTRE) > (cycle_t)0 ? (sum_t)1 : (sum_t)0;
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
        if (s.cell[k] != (index_t)row) {
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
        const sum_t inverse = (sum_t)inverse_of(&level, &s, CENTRE);
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

#endif
