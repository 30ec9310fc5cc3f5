/* Explicit stepping in 2D of a field that stays on the chip, in wide tiles: each warp holds R rows of STRIP_COLUMNS columns,
 * COLUMNS neighbouring ones a lane, for the length of a launch; two groups share a multiprocessor, so that one computes
 * while the other waits for its ring or for its own warps. Coefficients are uniform.
 *
 * A step goes up through the rows of a warp: differences across northern faces are kept for the row that follows, columns meet by
 * shuffles. The first and the last row of a warp lie on the chip twice, for odd and for even steps, where the warps beside
 * read them: one group barrier a step. Of the other rows those that registers have no room for lie there too.
 *
 * A cell costs 7 operations. Where a window ends at a side of the grid, those of its last column and those of its first
 * or last row have a diagonal and a source, two operations more. */

template <typename Physics, int R>
struct wide_field_t {
    enum { ring = WIDE_RING, items = HELD_ITEMS, groups_of_unit = 2, always_fits = 0 };
    typedef wide_tile_t<R> tile_t;
    typedef wide_chip_t<Physics, R> chip_t;

    chip_t *chip;
    row_t kept[R]; /* those in registers */
    uint32 odd;    /* which of the edges are of this step */
    uint32 fits;   /* no terms but at sides */

    template <typename Self>
    FUNCTION_MEMBER static uint32 hold(const Self *self, word_t *words, chip_t *chip) {
        return self->run.parameters->uniform ? hold_field<wide_field_t>(self, words, chip) : 0u;
    }
    FUNCTION_MEMBER const Physics &physics() const { return chip->constants.physics; }
    /* This warp's first or last row is at a side. */
    FUNCTION_MEMBER bool side_south() const { return item_index() < 32u && chip->tile.y.at_lower; }
    FUNCTION_MEMBER bool side_north() const {
        return item_index() >= HELD_ITEMS - 32u && chip->tile.y.at_upper;
    }
    FUNCTION_MEMBER bool side_east() const { return lane_of_warp() == 31 && chip->tile.side_x(); }
    /* Where row r lies: -1 in registers. */
    FUNCTION_MEMBER static constexpr int middle_row(int r) {
        return chip_t::middle_rows > 0 && r % 2 == 0 && r / 2 <= chip_t::middle_rows ? r / 2 - 1 : -1;
    }
    FUNCTION_MEMBER static constexpr bool in_registers(int r) {
        return r != 0 && r != R - 1 && middle_row(r) < 0;
    }
    FUNCTION_MEMBER static uint32 part_of_lane() {
        return static_cast<uint32>(lane_of_warp()) * part_of<real_t>::columns;
    }
    FUNCTION_MEMBER real_t *edge(uint32 of_odd, int upper) const {
        return chip->edges[of_odd][item_index() / 32u][upper] + part_of_lane();
    }
    FUNCTION_MEMBER real_t *middle(int row) const {
        return chip->middle + (item_index() / 32u * chip_t::middle_rows + row) * STRIP_COLUMNS +
               part_of_lane();
    }
    FUNCTION_MEMBER real_t *on_chip(int r, uint32 of_odd) const {
        return r == 0 ? edge(of_odd, 0) : r == R - 1 ? edge(of_odd, 1) : middle(middle_row(r));
    }
    FUNCTION_MEMBER real_t *on_chip(int r) const { return on_chip(r, odd); }
    FUNCTION_MEMBER row_t row(int r) const { return in_registers(r) ? kept[r] : load_row(on_chip(r), 32); }
    FUNCTION_MEMBER void set_row(int r, const row_t &values, uint32 of_odd) {
        if (in_registers(r)) {
            kept[r] = values;
        } else {
            store_row(on_chip(r, of_odd), values, 32);
        }
    }

    FUNCTION_MEMBER void begin(const run_t *run, const operator_t &A, const Physics &what, uint32,
                               chip_t *on_chip) {
        chip = on_chip;
        odd = 0u;
        if (item_index() == 0u) {
            chip->tile.begin(run->parameters);
            wide_constants_t<Physics> *constants = &chip->constants;
            const real_t factor = what.factor(0u);
            const uint32 x = static_cast<uint32>(chip->tile.x_of(STRIP_COLUMNS - 1));
            const uint32 inside = table_place(0u, 0u, PLACE_Z);
            const uint32 beside = table_place(at_side(x, chip->tile.nx), 0u, PLACE_Z);
            chip->layout = find_layout(chip->tile);
            constants->physics = what;
            constants->t_x = A.face_x[0];
            constants->t_y = A.face_y[0];
            constants->scale = what.scale(factor, inside);
            constants->d_beside = A.diagonal[beside];
            constants->scale_beside = what.scale(factor, beside);
        }
        if (item_index() < TILES_AROUND) {
            chip->around[item_index()] = tile_around(run->parameters, static_cast<int32>(item_index()));
        }
        group_barrier();
        chip->rim[item_index()] = find_rim(chip->tile);
        const bool nothing = find_terms(A, what) && A.diagonal[table_place(0u, 0u, PLACE_Z)] == (real_t)0;
        fits = group_all(run->verdict, nothing ? 1u : 0u);
    }
    /* Terms at the sides go to the chip: true when there are no sources elsewhere. */
    FUNCTION_MEMBER bool find_terms(const operator_t &A, const Physics &what) {
        const real_t factor = what.factor(0u);
        const tile_t &tile = chip->tile;
        for (int32 i = static_cast<int32>(item_index()); i < 2 * STRIP_COLUMNS; i += HELD_ITEMS) {
            const int32 upper = i / STRIP_COLUMNS, column = i % STRIP_COLUMNS;
            const uint32 x = static_cast<uint32>(tile.x_of(column));
            const uint32 y = static_cast<uint32>(tile.y_of(upper ? tile_t::rows - 1 : 0));
            const uint32 place = table_place(at_side(x, tile.nx), at_side(y, tile.ny), PLACE_Z);
            constexpr int32 part = part_of<real_t>::columns;
            const int32 at = place_in_row(column % COLUMNS, part) + column / COLUMNS * part;
            chip->diagonals[upper][at] = A.diagonal[place];
            chip->sources[upper][at] = what.source(0u, y * tile.nx + x);
            chip->scales[upper][at] = what.scale(factor, place);
        }
        for (int32 i = static_cast<int32>(item_index()); i < (HELD_WARPS + 1) * R; i += HELD_ITEMS) {
            chip->side_sources[i] =
                i < tile_t::rows ? what.source(0u, tile.cell(i, STRIP_COLUMNS - 1)) : (real_t)0;
        }
        bool nothing = true;
#pragma unroll 2
        for (int r = 0; r < R; ++r) {
            const int32 row = tile_t::row_of_warp(r);
            const bool side = (row == 0 && tile.y.at_lower) || (row + 1 == tile_t::rows && tile.y.at_upper);
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) {
                const int32 column = tile_t::column_of_lane(j);
                const bool known = side || (column + 1 == STRIP_COLUMNS && tile.side_x());
                nothing = nothing & (known | (what.source(0u, tile.cell(row, column)) == (real_t)0));
            }
        }
        return nothing;
    }

    FUNCTION_MEMBER void load(const real_t *from) {
        const tile_t &tile = chip->tile;
#pragma unroll
        for (int r = 0; r < R; ++r) {
            row_t values;
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) { /* -0 becomes 0 */
                values.at[j] = from[tile.cell(tile_t::row_of_warp(r), tile_t::column_of_lane(j))] + (real_t)0;
            }
            set_row(r, values, odd);
        }
        group_barrier();
    }
    /* of(cell, value) for all own cells. */
    template <typename Of>
    FUNCTION_MEMBER void for_each_own(Of of) const {
        const tile_t &tile = chip->tile;
#pragma unroll
        for (int r = 0; r < R; ++r) {
            const int32 place = tile_t::row_of_warp(r);
            const row_t values = row(r);
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) {
                const int32 column = tile_t::column_of_lane(j);
                if (tile.owns_row(place) && tile.owns_column(column)) {
                    of(tile.cell(place, column), values.at[j]);
                }
            }
        }
    }
    FUNCTION_MEMBER void renew_sources(const operator_t &, const run_parameters_t *, uint32) {}
    FUNCTION_MEMBER side_row_terms_t<Physics> side_terms(int r, real_t factor, real_t t_y) const {
        const int upper = r == 0 ? 0 : 1;
        return {t_y, factor, load_row(chip->diagonals[upper] + part_of_lane(), 32),
                load_row(chip->sources[upper] + part_of_lane(), 32),
                load_row(chip->scales[upper] + part_of_lane(), 32)};
    }
    /* of(r, terms, u, north, across, &from_south) for all rows: what advance_row takes. Beyond a side of y a row's neighbour is the
     * row itself: no flux. */
    template <typename Of>
    FUNCTION_MEMBER void for_each_row(uint32 step, Of of) {
        const wide_constants_t<Physics> &constants = chip->constants;
        const bool at_south = side_south(), at_north = side_north(), at_east = side_east();
        const bool first = item_index() < 32u, last = item_index() >= HELD_ITEMS - 32u;
        const real_t t_x = constants.t_x, t_y = constants.t_y;
        const real_t factor = Physics::scaled ? constants.scale : constants.physics.factor(step);
        wide_row_terms_t<Physics> terms;
        terms.t_x = t_x;
        terms.t_last = at_east ? (real_t)0 : t_x;
        terms.t_y = t_y;
        terms.d_last = at_east ? constants.d_beside : (real_t)0;
        terms.factor = factor;
        terms.factor_last = Physics::scaled && at_east ? constants.scale_beside : factor;
        const real_t *b_last =
            chip->side_sources + (at_east ? item_index() / 32u : static_cast<uint32>(HELD_WARPS)) * R;
        const row_t south = load_row(first ? edge(odd, 0) : edge(odd, 1) - 2 * STRIP_COLUMNS, 32);
        const row_t beyond = load_row(last ? edge(odd, 1) : edge(odd, 0) + 2 * STRIP_COLUMNS, 32);
        row_t u = row(0), from_south;
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            from_south.at[j] = FACE_DIFFERENCE(south.at[j], u.at[j]);
        }
#pragma unroll
        for (int r = 0; r < R; ++r) {
            const row_t north = r + 1 < R ? row(r + 1) : beyond;
            terms.b_last = b_last[r];
            across_t<COLUMNS> across;
            fluxes_across<1>([&](int) { return terms; }, &u, &across);
            if ((r == 0 && at_south) || (r == R - 1 && at_north)) {
                of(r, side_terms(r, factor, t_y), u, north, across, &from_south);
            } else {
                of(r, terms, u, north, across, &from_south);
            }
            u = north;
        }
    }
    FUNCTION_MEMBER void advance_once(uint32 step) {
        for_each_row(step, [&](int r, const auto &terms, const row_t &u, const row_t &north,
                               const across_t<COLUMNS> &across, row_t *from_south) INLINED {
            set_row(r, advance_row(terms, u, north, across, from_south), 1u - odd);
        });
        odd = 1u - odd;
        group_barrier();
    }
    /* b - A u of the own cells. */
    FUNCTION_MEMBER void watch_residual(uint32 n, const run_parameters_t *grid, residual_t *residual) {
        const tile_t &tile = chip->tile;
        residual->begin(grid, chip->constants.scale);
        for_each_row(n, [&](int r, const auto &terms, const row_t &u, const row_t &north,
                            const across_t<COLUMNS> &across, row_t *from_south) INLINED {
            const row_t found = advance_row(residual_of(terms), u, north, across, from_south);
            const int32 place = tile_t::row_of_warp(r);
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) {
                const int32 column = tile_t::column_of_lane(j);
                if (tile.owns_row(place) && tile.owns_column(column)) {
                    residual->add(tile.cell(place, column), u.at[j], found.at[j], terms.scale(j));
                }
            }
        });
    }
    FUNCTION_MEMBER void advance(uint32 n, uint32 steps) {
        for (uint32 step = n; step < n + steps; ++step) {
            advance_once(step);
        }
    }
    /* Half of the two copies of the grid and the flags. */
    FUNCTION_MEMBER static uint32 words_of_turn(const run_parameters_t *grid) {
        return (grid->cells + group_count() * STEP_FLAG_WORDS + 1u) / 2u;
    }
    FUNCTION_MEMBER uint32 *flags(word_t *words) const {
        return reinterpret_cast<uint32 *>(words + chip->tile.nx * chip->tile.ny);
    }
    FUNCTION_MEMBER void clear_words(word_t *words, uint32, uint32 n) const {
        if (item_index() == 0u) {
            flags(words)[group_index() * STEP_FLAG_WORDS] = n;
        }
    }
    template <int LAYOUT>
    FUNCTION_MEMBER uint32 exchange_by(real_t *copy, uint32 *flags, uint32 epoch, const run_t *run) {
        store_rim<LAYOUT>(*this, chip->tile, chip->rim[item_index()].sent, copy);
        DELAY_HERE();
        const uint32 passed = exchange_step(flags, chip->around, TILES_AROUND, epoch, run->verdict, run->sync,
                                            run->parameters->wait_limit);
        DELAY_HERE();
        load_ring<LAYOUT>(this, chip->tile, chip->rim[item_index()].received, copy);
        return passed;
    }
    /* 1 to all when the ring is there. */
    FUNCTION_MEMBER uint32 exchange(word_t *words, uint32 of_odd, uint32 epoch, const run_t *run) {
        real_t *copy = reinterpret_cast<real_t *>(words) + of_odd * (chip->tile.nx * chip->tile.ny);
        const int32 layout = chip->layout;
        const uint32 passed = layout == EASTWARD   ? exchange_by<EASTWARD>(copy, flags(words), epoch, run)
                              : layout == WESTWARD ? exchange_by<WESTWARD>(copy, flags(words), epoch, run)
                                                   : exchange_by<SCATTERED>(copy, flags(words), epoch, run);
        group_barrier();
        return passed;
    }
};
