/* The modes of the axes of a level that transforms solve: eigenvectors of a matrix  T  along one axis, whose rows are
 *
 *   (T u)_i = g (2 u_i - u_(i-1) - u_(i+1)),   at the ends  s u_i  in place of  g (u_i - u_beyond)
 *
 * with g between cells and s to a side. They are cosines of one angle each, turned by what the sides are (Strang, The
 * Discrete Cosine Transform, SIAM Review 41, 1999); the host finds angles and turns, solver/run/modes.hpp.
 *
 * Shapes: [n][n] from cells to modes, and the same transposed, for each axis; setup alone, one phase. */
#ifndef PERDURE_KERNELS_MULTIGRID_MODES_H
#define PERDURE_KERNELS_MULTIGRID_MODES_H

#include "kernels/multigrid/level.h"

/* Of cell i of n. */
FUNCTION double mode_at(GLOBAL const wave_t *wave, uint32 i, uint32 n) {
    const uint32 from_end = n - 1u - i, upper = i < from_end ? 0u : 1u;
    const double distance = (double)(upper ? from_end : i) + 0.5;
    return wave->scale[upper] * cos(distance * wave->angle - wave->turn[upper]);
}

/* Both tables of an axis that has products, unless the axis before has the same ones. */
FUNCTION void modes_step(const multigrid_t *self, const level_t *level, team_t team) {
    for (uint32 axis = 0; axis < level->grid.dimensions; ++axis) {
        GLOBAL const hierarchy_t *hierarchy = self->hierarchy;
        const uint64 place = hierarchy->modes[axis];
        const uint32 n = extent(&level->grid, axis);
        if (hierarchy->lines[axis].kind != LINES_OTHER ||
            (axis > 0u && hierarchy->lines[axis - 1u].kind == LINES_OTHER &&
             place == hierarchy->modes[axis - 1u])) {
            continue;
        }
        GLOBAL const wave_t *waves = self->waves + hierarchy->waves[axis];
        GLOBAL cycle_t *to_modes = self->arena + place;
        FOR_EACH_OF(entry, 2u * n * n, team) {
            const uint32 back = entry < n * n ? 0u : 1u, q = entry - back * n * n, row = q / n,
                         column = q - row * n;
            to_modes[entry] = (cycle_t)mode_at(waves + (back ? row : column), back ? column : row, n);
        }
    }
}

#endif
