/* Lines along an axis of a level, in its group's memory: what transforms of them have in common. */
#ifndef PERDURE_KERNELS_MULTIGRID_LINES_H
#define PERDURE_KERNELS_MULTIGRID_LINES_H

#include "kernels/chunk_shares.h"
#include "kernels/grid.h"
#include "kernels/kernel_forms.h"
#include "kernels/multigrid/cycle_type.h"
#include "kernels/multigrid/hierarchy.h"

typedef struct PAIR_ALIGNED(cycle_t) {
    cycle_t re, im;
} complex_t;

/* A block of lines in its group's memory: where neighbouring items take neighbouring lines (across), these lie side by
 * side, else each line by itself. */
typedef struct {
    uint32 log2_lines;
    uint32 across;
    uint32 place_step, line_step; /* numbers */
    uint32 gap[2];
} block_t;

/* All that a step needs to know but its passes; a group has it in its memory, for all items and functions. */
typedef struct {
    GLOBAL const cycle_t *from;
    GLOBAL cycle_t *to;
    GLOBAL const cycle_t *tables;
    GLOBAL const complex_t *turns; /* of modes */
    GLOBAL const uint32 *places;
    /* eigenvalues: of the axis itself, by mode; of the others, by line */
    GLOBAL const cycle_t *own;
    GLOBAL const cycle_t *of_x;
    GLOBAL const cycle_t *of_y; /* 3D */
    divider_t row;
    uint32 three;
    uint32 kind, passes;
    uint32 sum;       /* 1: what is stored is added to what is there */
    uint32 to_owners; /* 1: each value is stored in the memory of the rank that needs it next */
    divider_t numbers, units;
    block_t block;
    uint32 cell_step, line_step;                      /* in the field */
    uint32 layer_cells, first_layer, layers;          /* layers of the part that is transformed */
    uint32 first_line, end_of_lines, blocks_of_layer; /* and in each of them */
} transform_t;

/* Where a value is stored: of the line along the last axis with this number, or of the plane across it. Ranks that reach each other's memory
 * store it where the next step needs it, so that it travels while others are computed.
 *
 *   publishes     the value, to the rank that `line` or `plane` belongs to
 *   observed by   every group of that rank, behind the barrier after the message without bytes of this rank (kernels/device_ranks.h)
 *   edge          that message, which a group sends behind a grid barrier of all that store */
FUNCTION GLOBAL cycle_t *array_of_line(const transform_t *t, uint32 line) {
#if defined(PERDURE_RANKS)
    if (t->to_owners) {
        uint32 rank = 0;
        while (line >= perdure_ranks.owners[rank].end_of_lines) {
            ++rank;
        }
        return (GLOBAL cycle_t *)((uint64)t->to + perdure_ranks.owners[rank].away);
    }
#endif
    (void)line;
    return t->to;
}
FUNCTION GLOBAL cycle_t *array_of_plane(const transform_t *t, uint32 plane) {
#if defined(PERDURE_RANKS)
    if (t->to_owners) {
        uint32 rank = 0;
        while (plane >= perdure_ranks.owners[rank].end_of_planes) {
            ++rank;
        }
        return (GLOBAL cycle_t *)((uint64)t->to + perdure_ranks.owners[rank].away);
    }
#endif
    (void)plane;
    return t->to;
}

/* Of one block: its first cell and line. */
typedef struct {
    uint32 first_cell, first_line;
} origin_t;

FUNCTION block_t block_of_lines(LOCAL const lines_t *lines, uint32 across) {
    const uint32 length = spread(lines->numbers.divisor - 1u, lines->gap[0], lines->gap[1]) + 1u;
    const block_t block = {lines->log2_lines,
                           across,
                           across ? 1u << lines->log2_lines : 1u,
                           across ? 1u : length,
                           {lines->gap[0], lines->gap[1]}};
    return block;
}

/* Something of a line, counted through all lines. */
typedef struct {
    uint32 line, number;
} in_block_t;

FUNCTION in_block_t in_block(const block_t *block, uint32 index, divider_t of_a_line) {
    in_block_t at;
    if (block->across) {
        at.number = index >> block->log2_lines;
        at.line = index - (at.number << block->log2_lines);
    } else {
        at.line = divide(index, of_a_line);
        at.number = index - at.line * of_a_line.divisor;
    }
    return at;
}

FUNCTION uint32 number_at(const block_t *block, uint32 line, uint32 place) {
    return spread(place, block->gap[0], block->gap[1]) * block->place_step + line * block->line_step;
}

#endif
