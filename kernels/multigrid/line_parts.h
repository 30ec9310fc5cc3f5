/* Which lines along an axis of a level a team transforms (kernels/multigrid/fast_transform.h, transform.h): all of them; of several ranks that
 * share the level each
 *
 *   along the last axis     lines that lie side by side, of which it has got what the planes of all ranks have
 *   along another axis      those in its planes across the last axis
 *
 * Which rank transforms a line changes nothing of what becomes of it. */
#ifndef PERDURE_KERNELS_MULTIGRID_LINE_PARTS_H
#define PERDURE_KERNELS_MULTIGRID_LINE_PARTS_H

#include "kernels/grid.h"
#include "kernels/multigrid/hierarchy.h"
#include "kernels/multigrid/team.h"

/* In each of these layers of a level. */
typedef struct {
    uint32 first_layer, end_of_layers;
    uint32 first_line, end_of_lines;
} line_part_t;

/* Cells from one of a line to the next. Of the lines along x all are one layer, along the others a layer is what has the same place along the
 * axes behind theirs. */
FUNCTION uint32 step_along(const run_parameters_t *grid, uint32 axis) {
    return axis == 0u ? 1u : axis == 1u ? grid->nx : grid->nx * grid->ny;
}
FUNCTION uint32 lines_of_layer(const run_parameters_t *grid, uint32 axis) {
    return axis == 0u ? grid->cells / grid->nx : step_along(grid, axis);
}

FUNCTION line_part_t part_of_lines(const run_parameters_t *grid, uint32 axis, team_t team) {
    const uint32 lines = lines_of_layer(grid, axis);
    line_part_t part = {0u, grid->cells / (lines * extent(grid, axis)), 0u, lines};
#if defined(BEGIN_OF_RANK)
    if (IS_SHARED_BY_RANKS(team)) {
        const uint32 first_row = first_line_of_rank(grid, team),
                     end_of_rows = end_of_lines_of_rank(grid, team);
        if (axis + 1u == DIMENSIONS(grid)) {
            part.first_line = cut_of_lines(lines, BEGIN_OF_RANK);
            part.end_of_lines = cut_of_lines(lines, END_OF_RANK);
        } else if (axis == 0u) {
            part.first_line = first_row;
            part.end_of_lines = end_of_rows;
        } else {
            part.first_layer = first_row / grid->ny;
            part.end_of_layers = end_of_rows / grid->ny;
        }
    }
#endif
    (void)team;
    return part;
}

/* Whether what a step stores goes to the ranks that need it next. */
FUNCTION uint32 stores_among_ranks(const step_t *step, uint32 last_axis, team_t team) {
#if defined(PERDURE_RANKS)
    const uint32 to_lines = step->way == TO_MODES && step->axis + 1u == last_axis ? 1u : 0u;
    const uint32 to_planes = step->way == THERE_AND_BACK ? 1u : 0u;
    const uint32 which = to_lines * STORES_LINES + to_planes * STORES_PLANES;
    return team.of_ranks && (perdure_ranks.stores & which) != 0u ? 1u : 0u;
#else
    (void)step;
    (void)last_axis;
    (void)team;
    return 0u;
#endif
}

#endif
