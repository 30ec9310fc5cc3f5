/* Positions of the boxes of an on-chip field in 3D. Each group has one box: BOX_COLUMNS x height x depth cells of the grid, with
 * a layer of ghosts on its six sides.
 *
 * All boxes are full. If an axis is no multiple of the box length, boxes overlap, and both compute the common cells, with the
 * same bits. At a side of the grid a box begins or ends with the grid; its ghosts there hold the sources of the cells at the
 * side. */
#ifndef PERDURE_KERNELS_RESIDENT_BOX_3D_H
#define PERDURE_KERNELS_RESIDENT_BOX_3D_H

#include "kernels/real_type.h"
#include "kernels/resident/box_shape_3d.h"
#include "kernels/resident/row.h"
#include "kernels/resident/stepping.h"

enum { FACES = 6 };
#define NO_MESSAGES 0xffffffffu

/* The extent of a box along one axis. */
struct span_t {
    int32 first; /* first cell */
    uint32 at_lower, at_upper;
    int32 sent_down, sent_up; /* positions in the box that are ghosts of the previous and of the next box */
    int32 lower, upper;       /* the previous and the next box; the box itself at a side */

    /* Returns the end of the positions that no later box contains. */
    FUNCTION_MEMBER int32 own_end(int32 length) const { return at_upper ? length : sent_up + 1; }
};

FUNCTION int32 first_of_box(int32 cells, uint32 periodic, int32 length, int32 box, int32 boxes) {
    return periodic ? box * cells / boxes : boxes == 1 ? 0 : box * (cells - length) / (boxes - 1);
}

FUNCTION int32 around(int32 i, int32 cells) {
    return i < 0 ? i + cells : i >= cells ? i - cells : i;
}

FUNCTION span_t make_span(uint32 cells_along, uint32 periodic, int32 length, int32 box, int32 boxes) {
    const int32 cells = static_cast<int32>(cells_along);
    span_t span;
    span.first = first_of_box(cells, periodic, length, box, boxes);
    span.at_lower = !periodic && box == 0 ? 1u : 0u;
    span.at_upper = !periodic && box + 1 == boxes ? 1u : 0u;
    span.lower = span.at_lower ? box : around(box - 1, boxes);
    span.upper = span.at_upper ? box : around(box + 1, boxes);
    const int32 first_of_lower = first_of_box(cells, periodic, length, span.lower, boxes);
    const int32 first_of_upper = first_of_box(cells, periodic, length, span.upper, boxes);
    span.sent_down = span.at_lower ? 0 : around(first_of_lower + length - span.first, cells);
    span.sent_up = span.at_upper ? 0 : around(first_of_upper - 1 - span.first, cells);
    return span;
}

template <int WARPS, int BY, int BZ>
struct box_shape : box_extents<real_t, WARPS, BY, BZ> {
    typedef box_extents<real_t, WARPS, BY, BZ> extents;
    using extents::depth, extents::ghost_east, extents::ghost_west, extents::height, extents::items,
        extents::plane, extents::row;

    FUNCTION_MEMBER static constexpr int32 place(int32 z, int32 y, int32 in_row) {
        return (z + 1) * plane + (y + 1) * row + in_row;
    }
    /* Returns the position of a column in its row. The parts of a row that lanes load at once are contiguous. */
    FUNCTION_MEMBER static constexpr int32 in_row(int32 column) {
        constexpr int32 part = part_of<real_t>::columns;
        return column % COLUMNS / part * (LANES_OF_ROW * part) + column / COLUMNS * part + column % part;
    }

    /* Faces: west, east, south, north, below, above. Cell m of a face is also message m of it. Across x, the cells of the rows
     * that a warp makes together are contiguous. */
    FUNCTION_MEMBER static constexpr int32 row_of_face(int32 m) {
        return m % ROWS_OF_WARP * BY + m / ROWS_OF_WARP;
    }
    FUNCTION_MEMBER static constexpr int32 cells_of_face(int face) {
        return face < 2 ? height * depth : face < 4 ? BOX_COLUMNS * depth : BOX_COLUMNS * height;
    }
    static constexpr uint32 messages = 2 * (height * depth + BOX_COLUMNS * (depth + height));
    FUNCTION_MEMBER static constexpr uint32 first_message(int face) {
        uint32 first = 0;
        for (int before = 0; before < face; ++before) {
            first += static_cast<uint32>(cells_of_face(before));
        }
        return first;
    }
    /* Offset of cell m of a face if its plane were the first one of the box. */
    FUNCTION_MEMBER static constexpr int32 in_plane(int face, int32 m) {
        return face < 2   ? place(m / height, row_of_face(m % height), 0)
               : face < 4 ? place(m / BOX_COLUMNS, 0, m % BOX_COLUMNS)
                          : place(0, m / BOX_COLUMNS, m % BOX_COLUMNS);
    }
    FUNCTION_MEMBER static constexpr int32 to_ghost(int face) {
        const int32 to[FACES] = {ghost_west, ghost_east, -row, height * row, -plane, depth * plane};
        return to[face];
    }
};

template <typename Shape>
struct box_t {
    span_t x, y, z;
    int32 nx, ny, nz;
    uint32 whole;          /* 1: the columns of a lane are contiguous in memory, and aligned */
    int32 beyond[FACES];   /* neighbour box at each face, -1 beyond a side */
    uint32 sent_to[FACES]; /* index of the first ghost of that box that copies a cell of this one */
    int32 to_sent[FACES];  /* like to_ghost, for the cells sent through each face */

    FUNCTION_MEMBER void begin(const run_parameters_t *grid) {
        nx = static_cast<int32>(grid->nx);
        ny = static_cast<int32>(grid->ny);
        nz = static_cast<int32>(grid->nz);
        const int32 boxes_x = divided_up(nx, BOX_COLUMNS), boxes_y = divided_up(ny, Shape::height);
        const int32 boxes_z = divided_up(nz, Shape::depth);
        const int32 index = static_cast<int32>(group_index());
        const int32 box_x = index % boxes_x, box_y = index / boxes_x % boxes_y;
        const int32 box_z = index / boxes_x / boxes_y;
        x = make_span(grid->nx, grid->periodic_x, BOX_COLUMNS, box_x, boxes_x);
        y = make_span(grid->ny, grid->periodic_y, Shape::height, box_y, boxes_y);
        z = make_span(grid->nz, grid->periodic_z, Shape::depth, box_z, boxes_z);
        whole = nx % COLUMNS == 0 && x.first % COLUMNS == 0 ? 1u : 0u;
        const auto messages = [&](int face, int32 of_x, int32 of_y, int32 of_z, uint32 at_side) {
            const int32 box = (of_z * boxes_y + of_y) * boxes_x + of_x;
            beyond[face] = at_side ? -1 : box;
            return at_side ? NO_MESSAGES
                           : static_cast<uint32>(box) * Shape::messages + Shape::first_message(face ^ 1);
        };
        sent_to[0] = messages(0, x.lower, box_y, box_z, x.at_lower);
        sent_to[1] = messages(1, x.upper, box_y, box_z, x.at_upper);
        sent_to[2] = messages(2, box_x, y.lower, box_z, y.at_lower);
        sent_to[3] = messages(3, box_x, y.upper, box_z, y.at_upper);
        sent_to[4] = messages(4, box_x, box_y, z.lower, z.at_lower);
        sent_to[5] = messages(5, box_x, box_y, z.upper, z.at_upper);
        to_sent[0] = Shape::in_row(x.sent_down);
        to_sent[1] = Shape::in_row(x.sent_up);
        to_sent[2] = y.sent_down * Shape::row;
        to_sent[3] = y.sent_up * Shape::row;
        to_sent[4] = z.sent_down * Shape::plane;
        to_sent[5] = z.sent_up * Shape::plane;
    }
    /* Returns the cell of a position in the box or in its ghosts. */
    FUNCTION_MEMBER uint32 cell(int32 of_z, int32 of_y, int32 of_x) const {
        const int32 in_z = around(z.first + of_z, nz), in_y = around(y.first + of_y, ny);
        return static_cast<uint32>((in_z * ny + in_y) * nx + around(x.first + of_x, nx));
    }
    /* Returns the cell of the ghost that faces cell m of a face. */
    FUNCTION_MEMBER uint32 ghost(int face, int32 m) const {
        const bool upper = face % 2 == 1;
        if (face < 2) {
            return cell(m / Shape::height, Shape::row_of_face(m % Shape::height), upper ? BOX_COLUMNS : -1);
        }
        const int32 part = m % BOX_COLUMNS, other = m / BOX_COLUMNS;
        int32 column = 0;
        while (Shape::in_row(column) != part) {
            ++column;
        }
        return face < 4 ? cell(other, upper ? Shape::height : -1, column)
                        : cell(upper ? Shape::depth : -1, other, column);
    }
};

#endif
