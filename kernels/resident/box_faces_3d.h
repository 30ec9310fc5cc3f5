/* Fills the ghosts of a large box in float64. Each box has a buffer in memory for all its ghosts, face by face; the owners of the
 * cells store there, and flags tell the step (sync/step_flags.h). Messages would take twice the bytes, and every item would poll
 * 20 of them. Smaller boxes use messages, which need no fence. */
#ifndef PERDURE_KERNELS_RESIDENT_BOX_FACES_3D_H
#define PERDURE_KERNELS_RESIDENT_BOX_FACES_3D_H

#include "kernels/resident/box_exchange_3d.h"
#include "kernels/resident/masked_row.h"

/* What an item loads: of each face every items-th piece, beginning with its own index. Across x a piece is one cell, otherwise
 * the 16 bytes of cells that are neighbours on the chip. */
template <typename Shape, int FACE>
struct box_pieces_t {
    static constexpr int32 cells = FACE < 2 ? 1 : static_cast<int32>(part_of<real_t>::columns);
    static constexpr int32 count = Shape::cells_of_face(FACE) / cells;
    static constexpr int32 of_item = (count + Shape::items - 1) / Shape::items;
    static constexpr int32 step = Shape::items * cells; /* from one piece of an item to its next */
    static_assert(step % BOX_COLUMNS == 0 && step % Shape::height == 0, "whole rows");

    FUNCTION_MEMBER static int32 first() { return static_cast<int32>(item_index()) * cells; }
    FUNCTION_MEMBER static bool there(int32 i) {
        return (i + 1) * Shape::items <= count || i * Shape::items + static_cast<int32>(item_index()) < count;
    }
    /* Offset on the chip of piece i from the first piece. */
    FUNCTION_MEMBER static constexpr int32 further(int32 i) {
        return Shape::in_plane(FACE, i * step) - Shape::in_plane(FACE, 0);
    }
};

/* Stores the rows that a lane has just made, those of planes z .. and rows y .. of the box, to the boxes that have them as
 * ghosts. They go there from registers, before they go to shared memory. z is the same in all lanes of a warp. */
template <typename Shape, int BZ, int BY>
FUNCTION void store_rows(const box_t<Shape> &box, int32 z, int32 y, const row_t (&rows)[BZ][BY],
                         real_t *ghosts) {
    constexpr int32 part = part_of<real_t>::columns;
    const int32 lane = lane_of_warp() % LANES_OF_ROW;
    DELAY_HERE();
#pragma unroll
    for (int upper = 0; upper < 2; ++upper) {
        const int32 sent_x = (upper ? box.x.sent_up : box.x.sent_down) - lane * COLUMNS;
        const int32 sent_y = (upper ? box.y.sent_up : box.y.sent_down) - y;
        const int32 sent_z = (upper ? box.z.sent_up : box.z.sent_down) - z;
        const uint32 to_x = box.sent_to[upper], to_y = box.sent_to[2 + upper], to_z = box.sent_to[4 + upper];
        if (to_z != NO_MESSAGES && sent_z >= 0 && sent_z < BZ) {
            real_t *const to = ghosts + (to_z + static_cast<uint32>(y * BOX_COLUMNS + lane * part));
            for_numbers<0, BZ>([&](auto c) INLINED {
                if (c.value == sent_z) {
#pragma unroll
                    for (int b = 0; b < BY; ++b) {
                        store_row(to + b * BOX_COLUMNS, rows[c.value][b], LANES_OF_ROW);
                    }
                }
            });
        }
        if (to_y != NO_MESSAGES && sent_y >= 0 && sent_y < BY) {
            real_t *const to = ghosts + (to_y + static_cast<uint32>(z * BOX_COLUMNS + lane * part));
            for_numbers<0, BY>([&](auto b) INLINED {
                if (b.value == sent_y) {
#pragma unroll
                    for (int c = 0; c < BZ; ++c) {
                        store_row(to + c * BOX_COLUMNS, rows[c][b.value], LANES_OF_ROW);
                    }
                }
            });
        }
        if (to_x != NO_MESSAGES && sent_x >= 0 && sent_x < COLUMNS) {
            real_t *const to = ghosts + (to_x + static_cast<uint32>(z * Shape::height + y / BY));
            for_numbers<0, COLUMNS>([&](auto j) INLINED {
                if (j.value == sent_x) {
#pragma unroll
                    for (int c = 0; c < BZ; ++c) {
#pragma unroll
                        for (int b = 0; b < BY; ++b) {
                            to[c * Shape::height + b * ROWS_OF_WARP] = rows[c][b].at[j.value];
                        }
                    }
                }
            });
        }
    }
}

/* Copies the ghosts from the group's own buffer to shared memory. */
template <typename Shape>
FUNCTION void load_ghosts(const box_t<Shape> &box, real_t *cells, const real_t *own) {
    for_numbers<0, FACES>([&](auto number) INLINED {
        constexpr int face = decltype(number)::value;
        typedef box_pieces_t<Shape, face> pieces;
        if (box.sent_to[face] == NO_MESSAGES) {
            return;
        }
        real_t *to = cells + (Shape::in_plane(face, pieces::first()) + Shape::to_ghost(face));
        const real_t *from = own + (Shape::first_message(face) + pieces::first());
#pragma unroll
        for (int32 i = 0; i < pieces::of_item; ++i) {
            copy_where<pieces::cells * sizeof(real_t)>(pieces::there(i) ? 1u : 0u, to + pieces::further(i),
                                                       from + i * pieces::step);
        }
    });
    commit_copies();
    await_copies<0>();
}

#endif
