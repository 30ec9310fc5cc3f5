/* Explicit stepping in 3D of a field that stays on the chip: each group holds a box and its ghosts in shared memory for the
 * length of a launch. Two groups share a multiprocessor, so that one computes while the other waits for its ghosts.
 * Coefficients are uniform; terms are zero but at sides.
 *
 *   u(n+1) = u(n) + scale (b - A u(n)), each step:
 *     cells at faces go to the neighbours as words; ghosts are looked for
 *     rows of a lane, south to north, plane by plane: fluxes to north and to above are kept for the rows that follow,
 *       columns meet by shuffles; new rows stay in registers
 *     group barrier; rows to shared memory; group barrier
 *
 * 13 operations a cell, 3 more in the outermost columns of a row, where x may end, and in rows at sides of y and z; fluxes
 * between lanes' blocks are computed twice: 17 in all in boxes of 32 x 16 x 16, whose 8192 cells send 2560 words a step.
 * Three group barriers a step. */

template <typename Physics>
struct box_constants_t {
    Physics physics;
    real_t t_x, t_y, t_z, scale; /* inside */
};

template <typename Physics, typename Shape>
struct box_chip_t {
    real_t cells[Shape::cells];
    entry_t entries[64];
    sum_t lanes[LANE_ROWS * LANES]; /* of checks */
    /* Here, lest they and what follows from them fill registers from step to step. */
    box_t<Shape> box;
    box_constants_t<Physics> constants;
};

template <typename Physics, int WARPS, int BY, int BZ>
struct box_field_t {
    enum { ring = 1, items = 32 * WARPS, groups_of_unit = WARPS > 8 ? 1 : 2 };
    typedef box_shape<WARPS, BY, BZ> shape;
    typedef box_chip_t<Physics, shape> chip_t;

    chip_t *chip;
    uint32 fits; /* no terms but at sides */

    FUNCTION_MEMBER static int32 lane_of_row() { return lane_of_warp() % LANES_OF_ROW; }
    FUNCTION_MEMBER static int32 first_y() { return lane_of_warp() / LANES_OF_ROW * BY; }
    FUNCTION_MEMBER static int32 first_z() { return static_cast<int32>(item_index() / 32u) * BZ; }
    FUNCTION_MEMBER real_t *row(int c, int b) const {
        return chip->cells + shape::place(first_z(), first_y(), 0) + shape::place(c - 1, b - 1, 0);
    }
    FUNCTION_MEMBER static row_t row_on_chip(const real_t *row) {
        return load_row(row + lane_of_row() * part_of<real_t>::columns, LANES_OF_ROW);
    }
    FUNCTION_MEMBER static uint32 words_of_turn(const run_parameters_t *) {
        return group_count() * shape::words;
    }

    FUNCTION_MEMBER void begin(const run_t *run, const operator_t &A, const Physics &what, uint32,
                               chip_t *on_chip) {
        chip = on_chip;
        const real_t factor = what.factor(0u);
        for (uint32 place = item_index(); place < 64u; place += group_size()) {
            chip->entries[place] = {A.diagonal[place], what.scale(factor, place)};
        }
        if (item_index() == 0u) {
            chip->box.begin(run->parameters);
            chip->constants = {what, A.face_x[0], A.face_y[0], A.face_z[0],
                               what.scale(factor, table_place(0u, 0u, 0u))};
        }
        group_barrier();
        const bool nothing = find_terms(what) && A.diagonal[table_place(0u, 0u, 0u)] == (real_t)0;
        fits = group_all(run->verdict, nothing ? 1u : 0u);
    }
    /* Sources at the sides go to the chip: true when there are none elsewhere. */
    FUNCTION_MEMBER bool find_terms(const Physics &what) {
        constexpr int32 cells = BOX_COLUMNS * shape::height * shape::depth;
        const box_t<shape> &box = chip->box;
        bool nothing = true;
        for (int32 i = static_cast<int32>(item_index()); i < cells; i += shape::items) {
            const int32 x = i % BOX_COLUMNS, y = i / BOX_COLUMNS % shape::height;
            const int32 z = i / BOX_COLUMNS / shape::height;
            const bool at[FACES] = {x == 0 && box.x.at_lower, x + 1 == BOX_COLUMNS && box.x.at_upper,
                                    y == 0 && box.y.at_lower, y + 1 == shape::height && box.y.at_upper,
                                    z == 0 && box.z.at_lower, z + 1 == shape::depth && box.z.at_upper};
            const real_t b = what.source(0u, box.cell(z, y, x));
            bool side = false;
#pragma unroll
            for (int face = 0; face < FACES; ++face) {
                if (at[face]) {
                    const int32 first = face < 2   ? shape::place(z, y, 0)
                                        : face < 4 ? shape::place(z, 0, shape::in_row(x))
                                                   : shape::place(0, y, shape::in_row(x));
                    chip->cells[first + shape::to_ghost(face)] = b;
                }
                side = side || at[face];
            }
            nothing = nothing & (side | (b == (real_t)0));
        }
        return nothing;
    }

    FUNCTION_MEMBER void load(const real_t *from) {
        const box_t<shape> &box = chip->box;
        for_each_cell([&](uint32 cell, real_t &value) {
            value = from[cell] + (real_t)0; /* no -0 */
        });
        for (int face = 0; face < FACES; ++face) {
            if (box.sent_to[face] != NO_WORDS) {
                for (int32 m = static_cast<int32>(item_index()); m < shape::cells_of_face(face);
                     m += shape::items) {
                    chip->cells[shape::in_plane(face, m) + shape::to_ghost(face)] =
                        from[box.ghost(face, m)] + (real_t)0;
                }
            }
        }
        group_barrier();
    }
    /* of(cell, value) for the box's cells, some of which may be another box's too. */
    template <typename Of>
    FUNCTION_MEMBER void for_each_cell(Of of) const {
        constexpr int32 cells = BOX_COLUMNS * shape::height * shape::depth;
#pragma unroll 4
        for (int32 i = static_cast<int32>(item_index()); i < cells; i += shape::items) {
            const int32 x = i % BOX_COLUMNS, y = i / BOX_COLUMNS % shape::height;
            const int32 z = i / BOX_COLUMNS / shape::height;
            of(chip->box.cell(z, y, x), chip->cells[shape::place(z, y, shape::in_row(x))]);
        }
    }
    template <typename Of>
    FUNCTION_MEMBER void for_each_own(Of of) const {
        for_each_cell([&](uint32 cell, real_t value) { of(cell, value); });
    }
    FUNCTION_MEMBER void renew_sources(const operator_t &, const run_parameters_t *, uint32) {}

    FUNCTION_MEMBER box_sides_t find_sides() const {
        const box_t<shape> &box = chip->box;
        const int32 row_in_warp = lane_of_warp() / LANES_OF_ROW;
        const uint32 warp = __shfl_sync(ALL_LANES, item_index() / 32u, 0);
        const bool west = lane_of_row() == 0, east = lane_of_row() + 1 == LANES_OF_ROW;
        return {west,
                east,
                west && box.x.at_lower,
                east && box.x.at_upper,
                row_in_warp == 0 && box.y.at_lower,
                row_in_warp + 1 == ROWS_OF_WARP && box.y.at_upper,
                warp == 0u && box.z.at_lower,
                warp + 1u == WARPS && box.z.at_upper};
    }
    /* The formula's terms of row b of plane c, which lies at sides y and z. */
    FUNCTION_MEMBER row_terms_3d_t side_terms(const box_sides_t &at, int c, int b, uint32 y, uint32 z,
                                              const ends_terms_t &inner) const {
        const uint32 place = table_place(0u, y, z);
        row_terms_3d_t terms = {inner.t_y,
                                inner.t_z,
                                entry(place + (at.at_west ? 1u : 0u), inner.factor),
                                entry(place, inner.factor),
                                entry(place + (at.at_east ? 2u : 0u), inner.factor),
                                row_t{}};
        const int32 to_source = (z & 1u)   ? -shape::plane
                                : (z & 2u) ? shape::plane
                                : (y & 1u) ? -shape::row
                                : (y & 2u) ? shape::row
                                           : 0;
        const row_t sources = row_on_chip(row(c, b) + to_source);
        const row_t none = {{inner.b_first, (real_t)0, (real_t)0, inner.b_last}};
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            terms.b.at[j] = to_source != 0 ? sources.at[j] : none.at[j];
        }
        return terms;
    }

    /* Where a row's neighbour lies beyond a side, it is the row itself: no flux. */
    FUNCTION_MEMBER void advance_once(uint32 step) {
        const box_constants_t<Physics> &constants = chip->constants;
        const box_sides_t at = find_sides();
        const bool south_rows = chip->box.y.at_lower, north_rows = chip->box.y.at_upper; /* of some lanes */
        ends_terms_t terms;
        terms.t_x = constants.t_x;
        terms.t_y = constants.t_y;
        terms.t_z = constants.t_z;
        terms.factor = Physics::scaled ? constants.scale : constants.physics.factor(step);
        terms.first = terms.last = {(real_t)0, terms.factor};
        if (at.at_west) {
            terms.first = entry(1u, terms.factor);
        }
        if (at.at_east) {
            terms.last = entry(2u, terms.factor);
        }
        const bool ends = chip->box.x.at_lower || chip->box.x.at_upper; /* in some lanes */
        const int32 source = at.east ? shape::ghost_east : shape::ghost_west;
        const int32 beside = at.at_west   ? shape::in_row(0)
                             : at.at_east ? shape::in_row(BOX_COLUMNS - 1)
                                          : source;
        row_t next[BZ][BY], here[BZ], south_flux[BZ];
#pragma unroll
        for (int c = 0; c < BZ; ++c) {
            here[c] = row_on_chip(row(c, 0));
            south_flux[c] = fluxes(terms.t_y, row_on_chip(row(c, at.at_south ? 0 : -1)), here[c]);
        }
#pragma unroll
        for (int b = 0; b < BY; ++b) {
            const bool southmost = b == 0, northmost = b + 1 == BY;
            row_t below_flux = fluxes(terms.t_z, row_on_chip(row(at.at_below ? 0 : -1, b)), here[0]);
#pragma unroll
            for (int c = 0; c < BZ; ++c) {
                const bool lowest = c == 0, topmost = c + 1 == BZ;
                const row_t north = row_on_chip(row(c, northmost && at.at_north ? b : b + 1));
                const row_t above =
                    topmost ? row_on_chip(row(at.at_above ? c : c + 1, b)) : here[(c + 1) % BZ];
                const across_t<COLUMNS> across = fluxes_in_row(at, terms.t_x, here[c], row(c, b)[beside]);
                const real_t b_end = ends ? row(c, b)[source] : (real_t)0;
                terms.b_first = at.at_west ? b_end : (real_t)0;
                terms.b_last = at.at_east ? b_end : (real_t)0;
                const uint32 y = (southmost && at.at_south ? 1u : 0u) | (northmost && at.at_north ? 2u : 0u);
                const uint32 z = (lowest && at.at_below ? 1u : 0u) | (topmost && at.at_above ? 2u : 0u);
                if (z != 0u || (southmost && south_rows) || (northmost && north_rows)) {
                    next[c][b] = advance_row_3d(side_terms(at, c, b, y, z, terms), here[c], north, above,
                                                across, &south_flux[c], &below_flux);
                } else {
                    next[c][b] =
                        advance_row_3d(terms, here[c], north, above, across, &south_flux[c], &below_flux);
                }
                here[c] = north;
            }
        }
        group_barrier();
#pragma unroll
        for (int c = 0; c < BZ; ++c) {
#pragma unroll
            for (int b = 0; b < BY; ++b) {
                store_row(row(c, b) + lane_of_row() * part_of<real_t>::columns, next[c][b], LANES_OF_ROW);
            }
        }
        group_barrier();
    }
    FUNCTION_MEMBER entry_t entry(uint32 place, real_t factor) const {
        return {chip->entries[place].diagonal, Physics::scaled ? chip->entries[place].scale : factor};
    }

    FUNCTION_MEMBER void clear_words(word_t *words, uint32 turn) const {
        clear_ghosts<shape>(words, turn);
    }
    /* 1 to all when the ghosts are there. */
    FUNCTION_MEMBER uint32 exchange(word_t *words, uint32 odd, uint32 epoch, const run_t *run) {
        word_t *turn = words + odd * words_of_turn(run->parameters);
        word_t *own = turn + (group_index() * shape::words + item_index());
        send_faces(chip->box, chip->cells, turn, epoch);
        return group_verdict(run->verdict, receive_ghosts(chip->box, chip->cells, own, epoch, run));
    }
};

/* Steps n .. until - 1, in a function of its own, whose registers hold nothing but what steps need: 1 when all were made.
 * `fresh`: ghosts are those of step n. */
template <typename Field>
static __device__ __noinline__ uint32 hold_boxes(typename Field::chip_t *chip, word_t *words,
                                                 const run_t *run, uint32 n, uint32 until, uint32 exchanges,
                                                 uint32 fresh) {
    Field field;
    field.chip = chip;
#pragma unroll 1
    for (; n < until; ++n) {
        if (!fresh && !field.exchange(words, exchanges++ & 1u, n, run)) {
            return 0u;
        }
        field.advance_once(n);
        fresh = 0u;
    }
    return 1u;
}

/* As hold_on of any field. */
template <typename Physics, int WARPS, int BY, int BZ>
FUNCTION uint32 hold_on(box_field_t<Physics, WARPS, BY, BZ> *field, word_t *words, const run_t *run,
                        stepping_t *at, uint32 until, uint32 *fresh) {
    if (at->n >= until) {
        return 1u;
    }
    const uint32 passed = hold_boxes<box_field_t<Physics, WARPS, BY, BZ>>(field->chip, words, run, at->n,
                                                                          until, at->exchanges, *fresh);
    at->exchanges += until - at->n - *fresh;
    at->n = until;
    *fresh = 0u;
    return passed;
}
