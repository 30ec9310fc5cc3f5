/* Coefficients by labels: where few materials make up a grid, the finest level is a byte a cell and a table of what conducts
 * between two labels, in place of the arrays of kernels/operator.h.
 *
 *   label l       of a cell; 0: the cell takes no part
 *   t_f           = pair(axis, l, l')        l of the cell above the face f, l' of the one below it
 *   d             = diagonal(p, l)           p its boundary position (kernels/grid.h): conductances to the sides that it touches
 *
 * The host makes the table by the formula and in the order of sums that arrays are made by, so that both have the same bits
 * (solver/run/label_operator.cpp). Beyond a side where there is no neighbour a cell is its own, and what conducts between two
 * cells of its label stands for 0: it is multiplied by a difference of 0.
 *
 * Kernels have this form where BY_LABELS is defined. Inverse diagonals are an array: that of a neighbour, which the first two
 * sweeps need, would take the labels of 25 cells. Of images of few labels they are a table, and a cell has two bytes that say where in it:
 *
 *   kind = position + 27 (l_a + labels (l_b + labels (l_n + labels (l_s + labels (l_e + labels (l_w + labels l))))))
 *
 * Shapes: labels bytes [cells]; table [3 labels^2 + PLACES labels], at PAIR_PLACE (kernels/image_question.h) and
 * DIAGONAL_PLACE; inverses [27 labels^7]. Bytes per cell: 1 read, or 3, and tables from the cache. */
#ifndef PERDURE_KERNELS_LABELS_H
#define PERDURE_KERNELS_LABELS_H

#include "kernels/grid.h"
#include "kernels/image_question.h"
#include "kernels/multigrid/hierarchy.h"

#define DIAGONAL_PLACE(labels, position, l) ((3u * (labels) + (position)) * (labels) + (l))
#define LABEL_TABLE_ENTRIES(labels) DIAGONAL_PLACE(labels, PLACES, 0u)

/* Boundary positions of an axis with two cells or more, or of one with one cell, times three; labels of which kinds fit in two bytes. */
#define KIND_POSITIONS 27u
#define MOST_LABELS_OF_KINDS 3u

FUNCTION uint32 position_of_kind(uint32 side_x, uint32 side_y, uint32 side_z) {
    return side_x % 3u + 3u * (side_y % 3u) + 9u * (side_z % 3u);
}

/* `labels`: of a cell and, in the order of stencils, of its neighbours. */
FUNCTION uint32 kind_of_diagonal(uint32 position, const uint32 *labels, uint32 count) {
    uint32 kind = labels[CENTRE];
    for (uint32 k = WEST; k < STENCIL_POINTS; ++k) {
        kind = kind * count + labels[k];
    }
    return kind * KIND_POSITIONS + position;
}

typedef struct {
    GLOBAL const unsigned char *of_cell;
    uint32 count; /* 0 is one of them */
} labels_t;

/* Where the conductances of a cell's faces are in the table, entry CENTRE unused. */
typedef struct {
    uint32 at[STENCIL_POINTS];
} pairs_t;

CELL_FUNCTION pairs_t pairs_around(const labels_t *labels, const stencil_t *s, uint32 dimensions) {
    GLOBAL const unsigned char *of_cell = labels->of_cell;
    const uint32 count = labels->count, here = of_cell[s->cell[CENTRE]];
    pairs_t pairs;
    pairs.at[CENTRE] = 0u;
    pairs.at[WEST] = PAIR_PLACE(count, 0u, here, of_cell[s->cell[WEST]]);
    pairs.at[EAST] = PAIR_PLACE(count, 0u, of_cell[s->cell[EAST]], here);
    pairs.at[SOUTH] = PAIR_PLACE(count, 1u, here, of_cell[s->cell[SOUTH]]);
    pairs.at[NORTH] = PAIR_PLACE(count, 1u, of_cell[s->cell[NORTH]], here);
    pairs.at[BELOW] = pairs.at[ABOVE] = 0u;
    if (dimensions == 3u) {
        pairs.at[BELOW] = PAIR_PLACE(count, 2u, here, of_cell[s->cell[BELOW]]);
        pairs.at[ABOVE] = PAIR_PLACE(count, 2u, of_cell[s->cell[ABOVE]], here);
    }
    return pairs;
}

FUNCTION uint32 boundary_position(const run_parameters_t *grid, index_t cell, uint32 dimensions) {
    const cell_t at = cell_at(grid, (uint32)cell, dimensions);
    return table_place(at_side(at.x, grid->nx), at_side(at.y, grid->ny), at_side(at.z, grid->nz));
}

FUNCTION uint32 place_of_diagonal(const labels_t *labels, const run_parameters_t *grid, index_t cell,
                                  uint32 dimensions) {
    return DIAGONAL_PLACE(labels->count, boundary_position(grid, cell, dimensions), labels->of_cell[cell]);
}

#endif
