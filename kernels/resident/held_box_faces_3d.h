/* How the ghosts of a large box of doubles are filled: each box has a place in memory for all its ghosts, face by face, where whoever
 * owns the cells stores them; flags say of which step they are (sync/step_flags.h). Words take twice the
 * bytes and have every item look for 20 of its own. Where there is less to pass, they are faster: they need no fence. */

/* What an item stores and loads: of each face every items-th piece, from its own number on. Across x a piece is one cell, else as
 * many as lie together on the chip and take 16 bytes. */
template <typename Shape, int FACE>
struct box_pieces_t {
    static constexpr int32 cells = FACE < 2 ? 1 : static_cast<int32>(part_of<real_t>::columns);
    static constexpr int32 count = Shape::cells_of_face(FACE) / cells;
    static constexpr int32 of_item = (count + Shape::items - 1) / Shape::items;
    static constexpr int32 step = Shape::items * cells; /* from one of an item's pieces to the next */
    static_assert(step % BOX_COLUMNS == 0 && step % Shape::height == 0, "whole rows");

    FUNCTION_MEMBER static int32 first() { return static_cast<int32>(item_index()) * cells; }
    FUNCTION_MEMBER static bool there(int32 i) {
        return (i + 1) * Shape::items <= count || i * Shape::items + static_cast<int32>(item_index()) < count;
    }
    /* Of piece i, from the first one, on the chip. */
    FUNCTION_MEMBER static constexpr int32 further(int32 i) {
        return Shape::in_plane(FACE, i * step) - Shape::in_plane(FACE, 0);
    }
};

template <typename Shape>
FUNCTION void store_faces(const box_t<Shape> &box, const real_t *cells, real_t *ghosts) {
    DELAY_HERE();
    for_numbers<0, FACES>([&](auto number) INLINED {
        constexpr int face = decltype(number)::value;
        typedef box_pieces_t<Shape, face> pieces;
        if (box.sent_to[face] == NO_WORDS) {
            return;
        }
        const real_t *from = cells + (Shape::in_plane(face, pieces::first()) + box.to_sent[face]);
        real_t *to = ghosts + (box.sent_to[face] + pieces::first());
#pragma unroll
        for (int32 i = 0; i < pieces::of_item; ++i) {
            if (pieces::there(i)) {
                const real_t *piece = from + pieces::further(i);
                if constexpr (face < 2) {
                    to[i * pieces::step] = *piece;
                } else {
                    typedef part_of<real_t>::type part_t;
                    *reinterpret_cast<part_t *>(to + i * pieces::step) =
                        *reinterpret_cast<const part_t *>(piece);
                }
            }
        }
    });
}

/* From the group's own place. */
template <typename Shape>
FUNCTION void load_ghosts(const box_t<Shape> &box, real_t *cells, const real_t *own) {
    for_numbers<0, FACES>([&](auto number) INLINED {
        constexpr int face = decltype(number)::value;
        typedef box_pieces_t<Shape, face> pieces;
        if (box.sent_to[face] == NO_WORDS) {
            return;
        }
        real_t *to = cells + (Shape::in_plane(face, pieces::first()) + Shape::to_ghost(face));
        const real_t *from = own + (Shape::first_word(face) + pieces::first());
#pragma unroll
        for (int32 i = 0; i < pieces::of_item; ++i) {
            copy_where<pieces::cells * sizeof(real_t)>(pieces::there(i) ? 1u : 0u, to + pieces::further(i),
                                                       from + i * pieces::step);
        }
    });
    commit_copies();
    await_copies<0>();
}
