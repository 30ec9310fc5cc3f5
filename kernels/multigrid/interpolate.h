/* Correction by interpolation from the next level, u = u + P u(next), in place: along x between coarse cells, then along
 * y, then along z (kernels/multigrid/transfer.h). */
#ifndef PERDURE_KERNELS_MULTIGRID_INTERPOLATE_H
#define PERDURE_KERNELS_MULTIGRID_INTERPOLATE_H

#include "kernels/chunks.h"
#include "kernels/multigrid/network.h"

/* The coarse cells that a cell's value lies between along an axis; no other beyond a side. */
typedef struct {
    uint32 own, other;
    uint32 halved, has_other;
} parents_t;

FUNCTION parents_t parents_of(const level_t *level, uint32 axis, uint32 i) {
    const uint32 halved = halved_along(level, axis), coarse = half_of(extent(&level->grid, axis), halved);
    const uint32 upwards = i & 1u, periodic = is_periodic(&level->grid, axis);
    parents_t p;
    p.halved = halved;
    p.own = halved ? i / 2u : i;
    p.has_other = halved && (periodic || (upwards ? p.own + 1u < coarse : p.own > 0u)) ? 1u : 0u;
    p.other = !p.has_other ? p.own : upwards ? upper(p.own, coarse, 1u) : lower(p.own, coarse, 1u);
    return p;
}

FUNCTION cycle_t between(const parents_t *p, cycle_t own, cycle_t other, cycle_t weight) {
    return !p->halved ? own : own + weight * ((p->has_other ? other : (cycle_t)0) - own);
}

/* Between the cells along x of a line of the next level that begins at `line`. */
FUNCTION cycle_t value_along_x(const level_t *level, GLOBAL const cycle_t *u, const parents_t *x, uint32 line,
                               uint32 place) {
    return between(x, u[line + x->own], u[line + x->other], x->halved ? level->weight_x[place] : (cycle_t)0);
}

/* Between the lines along y of a layer Z. */
FUNCTION cycle_t value_along_y(const level_t *level, GLOBAL const cycle_t *u, cell_t at, const parents_t *x,
                               const parents_t *y, uint32 Z) {
    const run_parameters_t *grid = &level->grid;
    const uint32 uniform = UNIFORM(grid), n = grid->nx, i = at.x;
    const uint32 coarse_x = half_of(n, x->halved), coarse_y = half_of(grid->ny, y->halved);
    const uint32 own = y->own + coarse_y * Z, other = y->other + coarse_y * Z;
    const uint32 place = uniform ? at.y : i + n * (at.y + grid->ny * Z);
    return between(y, value_along_x(level, u, x, coarse_x * own, uniform ? i : i + n * own),
                   value_along_x(level, u, x, coarse_x * other, uniform ? i : i + n * other),
                   y->halved ? level->weight_y[place] : (cycle_t)0);
}

FUNCTION cycle_t interpolated(const level_t *level, GLOBAL const cycle_t *u, cell_t at) {
    const parents_t x = parents_of(level, 0u, at.x), y = parents_of(level, 1u, at.y);
    if (DIMENSIONS(&level->grid) != 3u) {
        return value_along_y(level, u, at, &x, &y, 0u);
    }
    const parents_t z = parents_of(level, 2u, at.z);
    return between(&z, value_along_y(level, u, at, &x, &y, z.own),
                   value_along_y(level, u, at, &x, &y, z.other),
                   z.halved ? level->weight_z[UNIFORM(&level->grid) ? (index_t)at.z : at.index] : (cycle_t)0);
}

/* In a cell; those that take no part stay 0. */
FUNCTION void correct_cell(const level_t *level, GLOBAL const cycle_t *coarse, const step_t *step,
                           cell_t cell) {
    GLOBAL cycle_t *u = level_copy(level, step->to);
    const cycle_t value = interpolated(level, coarse, cell);
    const cycle_t before = step->from != NO_COPY ? u[cell.index] : (cycle_t)0;
    const uint32 excluded = !UNIFORM(&level->grid) && is_left_out(level, cell.index) ? 1u : 0u;
    u[cell.index] = excluded ? (cycle_t)0 : before + value;
}

/* All groups go through boxes, whose cells lie between the same coarse ones; a small level has fewer cells than a box has
 * lanes, and ranks have planes that need not be whole boxes but on level 0. */
FUNCTION void correct_cells(const level_t *level, GLOBAL const cycle_t *coarse, const step_t *step,
                            team_t team) {
    if (team.groups == 1u || (IS_SHARED_BY_RANKS(team) && step->level > 0u)) {
        FOR_EACH_CELL_OF(i, &level->grid, team) {
            correct_cell(level, coarse, step, cell_at(&level->grid, i, DIMENSIONS(&level->grid)));
        }
        return;
    }
    FOR_EACH_CHUNK_OF_TEAM(chunk, &level->grid, team) {
        FOR_EACH_CELL (cell, lane, chunk, &level->grid) {
            correct_cell(level, coarse, step, cell);
        }
    }
}

FUNCTION void interpolate_step(const multigrid_t *self, const step_t *step, team_t team) {
    level_t level = level_at(self, step->level);
    const level_t next = level_at(self, step->level + 1u);
    ON_LEVEL(level, correct_cells(&level, level_copy(&next, step->below), step, team));
}

#endif
