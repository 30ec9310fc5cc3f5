/* How the ring of a wide tile is filled. Own cells next to the ring are gathered on the chip, sent by all items as words
 * (sync/epoch_word.h) to their cells' places, what belongs into the ring is received into the same places on the chip and
 * taken from there: rows of the window and, beside own rows, columns. */

#define RIM_ROWS (2 * WIDE_RING)

/* Of WIDE_RING places from `lower` and as many from `upper` on: which of them `place` is, -1: none. */
FUNCTION int32 slot_among(int32 place, int32 lower, int32 upper) {
    const uint32 low = static_cast<uint32>(place - lower), high = static_cast<uint32>(place - upper);
    return low < WIDE_RING    ? static_cast<int32>(low)
           : high < WIDE_RING ? static_cast<int32>(high) + WIDE_RING
                              : -1;
}

template <int R>
struct rim_t {
    real_t rows[RIM_ROWS][STRIP_COLUMNS];
    real_t columns[HELD_WARPS * R][RIM_ROWS];
};

/* Of the rim's places those that an item sends and receives: rows first .. first + 3 of the lower and of the upper
 * edge, in `rim` at 0 .. 3 and 4 .. 7. Own cells when sending, cells of the ring otherwise. */
template <int R, bool SENDS>
struct rim_list_t {
    enum { columns_at_once = 128, rows_at_once = 32 };
    enum { of_rows = RIM_ROWS * STRIP_COLUMNS / HELD_ITEMS };
    enum { of_columns = (HELD_WARPS * R + rows_at_once - 1) / rows_at_once };
    enum { count = of_rows + of_columns };
    const wide_tile_t<R> tile; /* a copy: stores of words do not change it */

    /* The place in a window of the rim's place 0 .. 7. */
    FUNCTION_MEMBER static int32 place(const window_t &window, int32 slot) {
        const int32 inwards = SENDS ? 0 : -WIDE_RING;
        return slot < WIDE_RING ? window.begin + inwards + slot
                                : window.end - WIDE_RING - inwards + slot - WIDE_RING;
    }
    /* The cell of this item's word `i`, -1 where it has none. */
    FUNCTION_MEMBER int32 cell(int i) const {
        constexpr int32 beside = SENDS ? 0 : WIDE_RING;
        const int32 item = static_cast<int32>(item_index());
        const bool of_row = i < of_rows;
        const int32 y = of_row ? place(tile.y, row_slot(i)) : row(i);
        const int32 x = of_row ? item % STRIP_COLUMNS : place(tile.x, item % RIM_ROWS);
        const bool there = of_row ? lies_in(x, tile.x.begin - beside, tile.x.end + beside) &&
                                        lies_in(y, 0, wide_tile_t<R>::rows)
                                  : tile.owns_row(y) && lies_in(x, 0, STRIP_COLUMNS);
        return there ? static_cast<int32>(tile.cell(y, x)) : -1;
    }
    FUNCTION_MEMBER static int32 row_slot(int i) {
        return i * (HELD_ITEMS / STRIP_COLUMNS) + static_cast<int32>(item_index()) / STRIP_COLUMNS;
    }
    FUNCTION_MEMBER static int32 row(int i) {
        return (i - of_rows) * rows_at_once + static_cast<int32>(item_index()) / RIM_ROWS;
    }
    FUNCTION_MEMBER static real_t *at(rim_t<R> *rim, int i) {
        const int32 item = static_cast<int32>(item_index());
        if (i < of_rows) {
            constexpr int32 part = part_of<real_t>::columns;
            const int32 column = item % STRIP_COLUMNS;
            return &rim->rows[row_slot(i)][place_in_row(column % COLUMNS, part) + column / COLUMNS * part];
        }
        return &rim->columns[row(i)][item % RIM_ROWS];
    }
};

template <int R>
FUNCTION void clear_rim(const wide_tile_t<R> &tile, word_t *words, uint32 cells) {
    const rim_list_t<R, true> list = {tile};
    for (int i = 0; i < list.count; ++i) {
        const int32 cell = list.cell(i);
        if (cell >= 0) {
            send_word(words, static_cast<uint32>(cell), (real_t)0, 0u);
            send_word(words + cells, static_cast<uint32>(cell), (real_t)0, 0u);
        }
    }
}

template <int R>
FUNCTION void send_rim(const wide_tile_t<R> &tile, rim_t<R> *rim, word_t *words, uint32 epoch) {
    const rim_list_t<R, true> list = {tile};
#pragma unroll
    for (int i = 0; i < list.count; ++i) {
        const int32 cell = list.cell(i);
        if (cell >= 0) {
            send_word(words, static_cast<uint32>(cell), *list.at(rim, i), epoch);
        }
    }
}

/* This item's words FIRST .. END - 1, looked for all at once: 1 when they are there, 0 when the wait was abandoned. */
template <int FIRST, int END, int R>
FUNCTION uint32 receive_words(const wide_tile_t<R> &tile, rim_t<R> *rim, word_t *words, uint32 epoch,
                              const run_t *run) {
    const rim_list_t<R, false> list = {tile};
    wait_t wait = {0, 0, 0, 0};
    int32 cell[END - FIRST];
    uint32 missing = 0u;
#pragma unroll
    for (int i = 0; i < END - FIRST; ++i) {
        cell[i] = list.cell(FIRST + i);
        missing |= cell[i] >= 0 ? 1u << i : 0u;
    }
    while (missing != 0u) {
        word_t seen[END - FIRST];
#pragma unroll
        for (int i = 0; i < END - FIRST; ++i) {
            if ((missing >> i & 1u) != 0u) {
                seen[i] = look_at_word(words, static_cast<uint32>(cell[i]));
            }
        }
#pragma unroll
        for (int i = 0; i < END - FIRST; ++i) {
            real_t value;
            if ((missing >> i & 1u) != 0u && take_word(seen[i], &value, epoch)) {
                *list.at(rim, FIRST + i) = value;
                missing &= ~(1u << i);
            }
        }
        if (missing != 0u && !keep_waiting(&wait, run->sync, 0u, epoch, run->parameters->wait_limit)) {
            return 0u;
        }
    }
    return 1u;
}

template <int R>
FUNCTION uint32 receive_rim(const wide_tile_t<R> &tile, rim_t<R> *rim, word_t *words, uint32 epoch,
                            const run_t *run) {
    typedef rim_list_t<R, false> list_t;
    return receive_words<0, list_t::of_rows>(tile, rim, words, epoch, run) &
           receive_words<list_t::of_rows, list_t::count>(tile, rim, words, epoch, run);
}
