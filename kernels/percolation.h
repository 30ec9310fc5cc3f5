/* Which cells hang together, and from which face of the box to which they reach: percolation, before a solve.
 *
 *   for every pass                           alike(i, j): both conduct, or both are of one material
 *       begin      parent(i) = west of i where alike, else i;  reach(i) = none
 *       unite      for j south of and below i, and across wraps, where alike:
 *                      a = root(i), b = root(j)
 *                      while a != b: of the larger, say a,  seen = atomic min(parent(a), b);  a = seen, or done if seen = a
 *       flatten    parent(i) = root(i);  where i lies at a face: reach(root(i)) |= face
 *       report     faces(i) |= reach(parent(i)), and what of that percolates
 *
 * Where several devices share the grid, unite leaves out pairs of two devices: trees, and all that goes along them, stay in the memory of one.
 * Between flatten and report then
 *       across     unites those pairs, whose roots alone get a parent on another device; each of these is marked
 *       gather     of marked roots: reach(root(i)) |= reach(i)
 *       spread     of marked roots: reach(i) = reach(root(i))
 *
 * parent(i) <= i, and only ever falls: what an item reads late is still above i in the tree, a union that meets a link
 * made in between goes on from there, so no sweep need be repeated however winding the paths are, and nobody waits.
 * root() hangs what it passes one step higher. A link that the cells to the west have too is left out. After Y. Komura,
 * GPU-based cluster-labeling algorithm without the use of conventional iteration, Comput. Phys. Commun. 194 (2015)
 * 54-58; D. P. Playne, K. Hawick, A new algorithm for parallel connected-component labelling on GPUs, IEEE Trans.
 * Parallel Distrib. Syst. 29 (2018) 1217-1230.
 *
 * Shapes: material, faces are bytes [cells]; parent, reach are words [cells]; found [PERCOLATION_FOUND_WORDS].
 * Bytes per cell and pass: material read 3 times (its neighbours from the cache), parent written 2 times, read 2
 *   times and once for each step to a root, reach written and read once. Barriers per pass: 4, none after the last; 7 on several devices. */
#ifndef PERDURE_KERNELS_PERCOLATION_H
#define PERDURE_KERNELS_PERCOLATION_H

#include "kernels/chunks.h"
#include "kernels/kernel_forms.h"
#include "kernels/percolation_fields.h"
#include "kernels/percolation_pass.h"
#include "kernels/run.h"

typedef struct {
    run_t run;
    PERCOLATION_FIELDS(FIELD_MEMBER)
} percolation_t;

typedef struct {
    uint32 at[3];     /* x, y, z */
    uint32 extent[3]; /* of the grid */
    uint32 stride[3];
} voxel_t;

FUNCTION voxel_t voxel_at(const run_parameters_t *grid, uint32 cell) {
    const uint32 z = divide(cell, grid->layer);
    const uint32 rest = cell - z * grid->layer.divisor;
    const uint32 y = divide(rest, grid->row);
    const voxel_t voxel = {
        {rest - y * grid->nx, y, z}, {grid->nx, grid->ny, grid->nz}, {1u, grid->nx, grid->layer.divisor}};
    return voxel;
}

/* Cells of one kind are alike; 0: solid. */
FUNCTION uint32 kind_of(const percolation_t *self, uint32 pass, uint32 cell) {
    const uint32 conducting = self->passes[pass].conducting;
    const uint32 material = self->material[cell];
    return conducting == 0u ? material + 1u : (material < conducting ? 1u : 0u);
}

FUNCTION uint32 root_of(GLOBAL uint32 *parent, uint32 cell) {
    uint32 here = cell;
    uint32 above = load_uint32(parent + here, ORDER_RELAXED, SCOPE_DEVICE);
    while (above != here) {
        const uint32 next = load_uint32(parent + above, ORDER_RELAXED, SCOPE_DEVICE);
        if (next != above) {
            min_uint32(parent + here, next, ORDER_RELAXED, SCOPE_DEVICE);
        }
        here = above;
        above = next;
    }
    return here;
}

/* Marks what has been a root in `reach`, unless that is null. */
FUNCTION void unite(GLOBAL uint32 *parent, uint32 one, uint32 other, GLOBAL uint32 *reach) {
    uint32 a = root_of(parent, one);
    uint32 b = root_of(parent, other);
    while (a != b) {
        const uint32 larger_one = a > b ? a : b;
        const uint32 smaller_one = a > b ? b : a;
        const uint32 seen = fetch_min_uint32(parent + larger_one, smaller_one, ORDER_RELAXED, SCOPE_DEVICE);
        if (reach && seen == larger_one) {
            or_uint32(reach + larger_one, IS_LINKED, ORDER_RELAXED, SCOPE_DEVICE);
        }
        a = seen == larger_one ? smaller_one : seen;
        b = smaller_one;
    }
}

FUNCTION void begin_tree(const percolation_t *self, uint32 pass, uint32 cell) {
    const voxel_t voxel = voxel_at(self->run.parameters, cell);
    const uint32 kind = kind_of(self, pass, cell);
    const uint32 goes_on = kind != 0u && voxel.at[0] > 0u && kind_of(self, pass, cell - 1u) == kind;
    self->parent[cell] = goes_on ? cell - 1u : cell;
    self->reach[cell] = 0u;
}

/* Cells of this device, which has whole sections of chunks. */
typedef struct {
    uint32 begin, end;
} own_cells_t;

FUNCTION uint32 first_cell_of_device(const run_parameters_t *grid, uint32 device) {
    const uint32 box = begin_of_chunk(grid, first_chunk_of_device(grid, device));
    const box_row_t row = first_row(grid, box, DIMENSIONS(grid));
    return box < grid->boxes ? row.y * grid->nx + row.z * grid->layer.divisor : grid->cells;
}
FUNCTION own_cells_t own_cells(const run_parameters_t *grid) {
    own_cells_t own = {0u, grid->cells};
    if (device_count() > 1u) {
        own.begin = first_cell_of_device(grid, device_index());
        own.end = first_cell_of_device(grid, device_index() + 1u);
    }
    return own;
}

/* With those of this device, or `across`, with those of others. */
FUNCTION void unite_with_neighbours(const percolation_t *self, uint32 pass, uint32 cell, own_cells_t own,
                                    uint32 across) {
    const voxel_t voxel = voxel_at(self->run.parameters, cell);
    const uint32 kind = kind_of(self, pass, cell);
    const uint32 wraps = self->passes[pass].wraps;
    if (kind == 0u) {
        return;
    }
    const uint32 west_is_alike = voxel.at[0] > 0u && kind_of(self, pass, cell - 1u) == kind;
    for (uint32 axis = 0; axis < 3u; ++axis) {
        uint32 other = cell;
        if (voxel.at[axis] > 0u) {
            other = axis > 0u ? cell - voxel.stride[axis] : cell;
        } else if ((wraps >> axis & 1u) != 0u) {
            other = cell + (voxel.extent[axis] - 1u) * voxel.stride[axis];
        }
        if (device_count() > 1u && (other >= own.begin && other < own.end) == (across != 0u)) {
            continue;
        }
        if (other == cell || kind_of(self, pass, other) != kind) {
            continue;
        }
        if (axis > 0u && west_is_alike && kind_of(self, pass, other - 1u) == kind) {
            continue;
        }
        unite(self->parent, cell, other, across ? self->reach : 0);
    }
}

FUNCTION void flatten_tree(const percolation_t *self, uint32 pass, uint32 cell) {
    const voxel_t voxel = voxel_at(self->run.parameters, cell);
    const uint32 root = root_of(self->parent, cell);
    uint32 at_faces = 0u;
    min_uint32(self->parent + cell, root, ORDER_RELAXED, SCOPE_DEVICE);
    for (uint32 axis = 0; axis < 3u; ++axis) {
        if ((self->passes[pass].axes >> axis & 1u) != 0u) {
            at_faces |= FACE_BITS(axis, at_side(voxel.at[axis], voxel.extent[axis]));
        }
    }
    if (at_faces != 0u &&
        (load_uint32(self->reach + root, ORDER_RELAXED, SCOPE_DEVICE) & at_faces) != at_faces) {
        or_uint32(self->reach + root, at_faces, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

FUNCTION void gather_reach(const percolation_t *self, uint32 cell) {
    const uint32 reach = load_uint32(self->reach + cell, ORDER_RELAXED, SCOPE_DEVICE);
    if ((reach & IS_LINKED) != 0u && reach != IS_LINKED) {
        or_uint32(self->reach + root_of(self->parent, cell), reach & ~IS_LINKED, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

FUNCTION void spread_reach(const percolation_t *self, uint32 cell) {
    if ((self->reach[cell] & IS_LINKED) != 0u) {
        self->reach[cell] = self->reach[root_of(self->parent, cell)] | IS_LINKED;
    }
}

/* A material percolates where a cell at the upper face says so. */
FUNCTION void report_material(const percolation_t *self, uint32 cell, uint32 reach) {
    const voxel_t voxel = voxel_at(self->run.parameters, cell);
    for (uint32 axis = 0; axis < 3u; ++axis) {
        GLOBAL uint32 *word = self->found + axis * PERCOLATION_ROW + self->material[cell];
        if (voxel.at[axis] + 1u == voxel.extent[axis] && (reach & BOTH_FACES(axis)) == BOTH_FACES(axis) &&
            load_uint32(word, ORDER_RELAXED, SCOPE_DEVICE) == 0u) {
            store_uint32(word, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        }
    }
}

FUNCTION void report(const percolation_t *self, uint32 pass) {
    const run_parameters_t *grid = self->run.parameters;
    const uint32 conducting = self->passes[pass].conducting;
    uint32 connected[3] = {0u, 0u, 0u};
    FOR_EACH_CHUNK (chunk, grid) {
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const uint32 reach = self->reach[self->parent[cell.index]];
            if (conducting == 0u) {
                report_material(self, cell.index, reach);
            } else if (kind_of(self, pass, cell.index) != 0u) {
                self->faces[cell.index] = (unsigned char)(self->faces[cell.index] | reach);
                for (uint32 axis = 0; axis < 3u; ++axis) {
                    connected[axis] += (reach & BOTH_FACES(axis)) == BOTH_FACES(axis) ? 1u : 0u;
                }
            }
        }
    }
    for (uint32 axis = 0; axis < 3u; ++axis) {
        if (connected[axis] != 0u) {
            add_uint32(self->found + axis * PERCOLATION_ROW + PERCOLATION_CONNECTED, connected[axis],
                       ORDER_RELAXED, SCOPE_DEVICE);
        }
    }
}

FUNCTION void percolation_phase(const percolation_t *self, uint32 phase) {
    const run_parameters_t *grid = self->run.parameters;
    const uint32 pass = phase / percolation_steps(device_count());
    const uint32 step = percolation_step(phase, device_count());
    if (step == PERCOLATION_REPORT) {
        report(self, pass);
        return;
    }
    const own_cells_t own = own_cells(grid);
    FOR_EACH_CHUNK (chunk, grid) {
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            if (step == PERCOLATION_BEGIN) {
                begin_tree(self, pass, cell.index);
            } else if (step == PERCOLATION_UNITE) {
                unite_with_neighbours(self, pass, cell.index, own, 0u);
            } else if (device_count() == 1u || step == PERCOLATION_FLATTEN) {
                flatten_tree(self, pass, cell.index);
            } else if (step == PERCOLATION_ACROSS) {
                unite_with_neighbours(self, pass, cell.index, own, 1u);
            } else if (step == PERCOLATION_GATHER) {
                gather_reach(self, cell.index);
            } else {
                spread_reach(self, cell.index);
            }
        }
    }
}

PLAIN_KERNEL(percolation, PREPARATION_ARGUMENTS(PERCOLATION_FIELDS)) {
    LOCAL_MEMORY uint32 verdict;
    const percolation_t self = {PREPARATION_VALUES, PERCOLATION_FIELDS(FIELD_VALUE)};
    RUN_PHASES(self.run, percolation_phase(&self, phase));
}

#endif
