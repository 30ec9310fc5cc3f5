/* Explicit stepping in 2D of an on-chip field in wide tiles: each warp keeps R rows of STRIP_COLUMNS columns, COLUMNS
 * neighbouring ones a lane, for the length of a launch. Two groups share a multiprocessor, so that one computes while the other
 * waits for its ring or for its own warps. The terms of the formula besides u belong to Chip (wide_chip_t, wide_varied_chip_t).
 *
 * A step goes up through the rows of a warp. Differences across northern faces are kept for the next row; neighbouring columns
 * are exchanged by shuffles. The first and the last row of a warp lie in shared memory twice, for odd and for even steps, where
 * the neighbouring warps read them: one group barrier a step. Other rows lie there too if registers do not suffice.
 *
 * Operations: 7 a cell. At a side of x the last column of every lane, and at a side of y the first or last row, have a diagonal
 * and a source: two operations more. */
#ifndef PERDURE_KERNELS_RESIDENT_WIDE_2D_H
#define PERDURE_KERNELS_RESIDENT_WIDE_2D_H

#include "kernels/resident/on_chip_kernels_2d.h"
#include "kernels/resident/wide_exchange_2d.h"
#include "sync/step_flags.h"

template <typename Chip>
struct wide_field_t {
    enum {
        ring = WIDE_RING,
        items = ON_CHIP_ITEMS,
        groups_of_unit = 2,
        always_fits = 0,
        R = Chip::rows_of_warp
    };
    /* Computes the fluxes along x of the next row while the current row is advanced; float32 has registers for that. */
    static constexpr bool AHEAD = Chip::uniform != 0 && sizeof(real_t) == 4;
    /* Tiles at no side of x have code of their own, and the last step before an exchange sends rows as it makes them, unless
     * columns are scattered in memory. Long columns in float32 gain nothing by either. */
    static constexpr bool SEPARATE_CODE = sizeof(real_t) == 8 || R < 8;
    /* Two values take the place of a message. */
    static constexpr uint32 MESSAGES_OF_TERMS = Chip::values_in_memory / 2;
    typedef wide_tile_t<R> tile_t;
    typedef Chip chip_t;
    typedef typename Chip::physics_t physics_t;

    chip_t *chip;
    row_t kept[R]; /* rows in registers */
    uint32 odd;    /* which of the edges belong to this step */
    uint32 fits;   /* 1: terms only at sides */

    /* Returns 0 if the field does not fit; nothing has been done then. */
    template <typename Self>
    FUNCTION_MEMBER static uint32 run_field(const Self *self, message_t *messages, chip_t *chip) {
        return (self->run.parameters->uniform != 0u) == (Chip::uniform != 0)
                   ? run_on_chip<wide_field_t>(self, messages, chip)
                   : 0u;
    }
    FUNCTION_MEMBER static int32 warp() { return static_cast<int32>(item_index() / 32u); }
    /* Whether this warp's first or last row is at a side. */
    FUNCTION_MEMBER bool side_south() const { return item_index() < 32u && chip->tile.y.at_lower; }
    FUNCTION_MEMBER bool side_north() const {
        return item_index() >= ON_CHIP_ITEMS - 32u && chip->tile.y.at_upper;
    }
    FUNCTION_MEMBER bool side_east() const { return lane_of_warp() == 31 && chip->tile.side_x(); }
    /* Returns the index of row r among the middle rows in shared memory, -1 if it lies elsewhere. */
    FUNCTION_MEMBER static constexpr int middle_row(int r) {
        return chip_t::middle_rows > 0 && r % 2 == 0 && r / 2 <= chip_t::middle_rows ? r / 2 - 1 : -1;
    }
    FUNCTION_MEMBER static constexpr bool in_registers(int r) {
        return r != 0 && r != R - 1 && middle_row(r) < 0;
    }
    FUNCTION_MEMBER static uint32 part_of_lane() {
        return static_cast<uint32>(lane_of_warp()) * part_of<real_t>::columns;
    }
    /* Row at an edge of this warp or of a neighbouring one. */
    FUNCTION_MEMBER real_t *edge(uint32 of_odd, int upper, int32 neighbour = 0) const {
        return chip->edge(of_odd, warp() + neighbour, upper) + part_of_lane();
    }
    FUNCTION_MEMBER real_t *middle(int row) const { return chip->middle(warp(), row) + part_of_lane(); }
    FUNCTION_MEMBER real_t *chip_row(int r, uint32 of_odd) const {
        return r == 0 ? edge(of_odd, 0) : r == R - 1 ? edge(of_odd, 1) : middle(middle_row(r));
    }
    FUNCTION_MEMBER real_t *chip_row(int r) const { return chip_row(r, odd); }
    FUNCTION_MEMBER row_t row(int r) const { return in_registers(r) ? kept[r] : load_row(chip_row(r), 32); }
    FUNCTION_MEMBER void set_row(int r, const row_t &values, uint32 of_odd) {
        if (in_registers(r)) {
            kept[r] = values;
        } else {
            store_row(chip_row(r, of_odd), values, 32);
        }
    }

    FUNCTION_MEMBER void begin(const run_t *run, const operator_t &A, const physics_t &what, uint32,
                               message_t *messages, chip_t *chip_row) {
        chip = chip_row;
        odd = 0u;
        if (item_index() == 0u) {
            chip->tile.begin(run->parameters);
            chip->layout = find_layout(chip->tile);
            chip->begin(A, what, messages);
        }
        if (item_index() < TILES_AROUND) {
            chip->around[item_index()] = tile_around(run->parameters, static_cast<int32>(item_index()));
        }
        group_barrier();
        chip->rim[item_index()] = find_rim(chip->tile);
        fits = group_all(run->verdict, chip->find_terms(A, what) ? 1u : 0u);
    }

    FUNCTION_MEMBER void load(const real_t *from) {
        const tile_t &tile = chip->tile;
#pragma unroll
        for (int r = 0; r < R; ++r) {
            row_t values;
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) { /* turns -0 into 0 */
                values.at[j] = from[tile.cell(tile_t::row_of_warp(r), tile_t::column_of_lane(j))] + (real_t)0;
            }
            set_row(r, values, odd);
        }
        group_barrier();
    }
    /* Calls of(cell, value) for all own cells. */
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
    /* Calls of(r, terms, u, north, across, &from_south), the arguments of advance_row, for all rows. Beyond a side of y a row is
     * its own neighbour, which means no flux. */
    template <bool SIDE_X, typename Of>
    FUNCTION_MEMBER void for_each_row(uint32 step, Of of) {
        const bool first = item_index() < 32u, last = item_index() >= ON_CHIP_ITEMS - 32u;
        auto terms = chip->template of_step<SIDE_X>(step, SIDE_X && side_east());
        const row_t south = load_row(first ? edge(odd, 0) : edge(odd, 1, -1), 32);
        row_t u = row(0), from_south;
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            from_south.at[j] = FACE_DIFFERENCE(south.at[j], u.at[j]);
        }
        const auto fluxes = [](const auto &of_row, const row_t &values) INLINED {
            across_t<COLUMNS> across;
            fluxes_across<1>([&](int) { return of_row; }, &values, &across);
            return across;
        };
        across_t<COLUMNS> next = {};
        if constexpr (AHEAD) {
            next = fluxes(terms.row(0), u);
        }
#pragma unroll
        for (int r = 0; r < R; ++r) {
            const row_t north = r + 1 < R ? row(r + 1) : load_row(last ? edge(odd, 1) : edge(odd, 0, 1), 32);
            const auto &of_row = terms.row(r);
            const across_t<COLUMNS> across = AHEAD ? next : fluxes(of_row, u);
            if (AHEAD && r + 1 < R) {
                next = fluxes(of_row, north); /* conductances across x are the same in all rows */
            }
            if ((r == 0 && side_south()) || (r == R - 1 && side_north())) {
                of(r, terms.side(r == 0 ? 0 : 1), u, north, across, &from_south);
            } else {
                of(r, of_row, u, north, across, &from_south);
            }
            u = north;
        }
    }
    /* Makes one step; calls made(r, values) for each row. */
    template <bool SIDE_X, typename Made>
    FUNCTION_MEMBER void advance_once(uint32 step, Made made) {
        for_each_row<SIDE_X>(step, [&](int r, const auto &terms, const row_t &u, const row_t &north,
                                       const across_t<COLUMNS> &across, row_t *from_south) INLINED {
            const row_t values = advance_row(terms, u, north, across, from_south);
            set_row(r, values, 1u - odd);
            made(r, values);
        });
        odd = 1u - odd;
        group_barrier();
    }
    /* Makes one step and stores rows that other groups need in a copy of the grid. */
    template <bool SIDE_X, int LAYOUT>
    FUNCTION_MEMBER void advance_and_send(uint32 step, real_t *copy) {
        const uint32 sent = chip->rim[item_index()].sent, nx = chip->tile.nx;
        real_t *row = first_row_of_copy<LAYOUT>(chip->tile, copy);
        DELAY_HERE();
        advance_once<SIDE_X>(step, [&](int r, const row_t &values) INLINED {
            store_where(sent & 1u << r, row, LAYOUT == WESTWARD ? reversed(values) : values);
            row = pinned(row + nx);
        });
    }
    template <bool SIDE_X>
    FUNCTION_MEMBER void advance_in(uint32 n, uint32 steps, message_t *messages, uint32 of_odd) {
        const int32 layout = chip->layout;
        const bool sends = SEPARATE_CODE && of_odd != NOT_SENT && layout != SCATTERED;
        const uint32 last = n + steps - 1u;
#pragma unroll 1
        for (uint32 step = n; step != last + (sends ? 0u : 1u); ++step) {
            advance_once<SIDE_X>(step, [](int, const row_t &) INLINED {});
        }
        if (sends && SIDE_X && layout == WESTWARD) {
            advance_and_send<SIDE_X, WESTWARD>(last, copy_of(messages, of_odd));
        } else if (sends) {
            advance_and_send<SIDE_X, EASTWARD>(last, copy_of(messages, of_odd));
        }
    }
    /* Adds b - A u of the own cells. */
    FUNCTION_MEMBER void watch_residual(uint32 n, const run_parameters_t *grid, residual_t *residual) {
        const tile_t &tile = chip->tile;
        residual->begin(grid, chip->scale);
        for_each_row<true>(n, [&](int r, const auto &terms, const row_t &u, const row_t &north,
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
    FUNCTION_MEMBER void advance(uint32 n, uint32 steps, message_t *messages, uint32 of_odd) {
        if (!SEPARATE_CODE || chip->tile.side_x()) {
            advance_in<true>(n, steps, messages, of_odd);
        } else {
            advance_in<false>(n, steps, messages, of_odd);
        }
    }
    /* Returns half the size of two copies of the grid and of the flags. */
    FUNCTION_MEMBER static uint32 messages_of_exchange(const run_parameters_t *grid) {
        return (grid->cells + group_count() * (STEP_FLAG_WORDS + MESSAGES_OF_TERMS) + 1u) / 2u;
    }
    FUNCTION_MEMBER static message_t *copies(message_t *messages) {
        return messages + group_count() * MESSAGES_OF_TERMS;
    }
    FUNCTION_MEMBER real_t *copy_of(message_t *messages, uint32 of_odd) const {
        return reinterpret_cast<real_t *>(copies(messages)) + of_odd * (chip->tile.nx * chip->tile.ny);
    }
    FUNCTION_MEMBER uint32 *flags(message_t *messages) const {
        return reinterpret_cast<uint32 *>(copies(messages) + chip->tile.nx * chip->tile.ny);
    }
    FUNCTION_MEMBER void clear_messages(message_t *messages, uint32, uint32 n) const {
        if (item_index() == 0u) {
            flags(messages)[group_index() * STEP_FLAG_WORDS] = n;
        }
    }
    template <int LAYOUT>
    FUNCTION_MEMBER uint32 exchange_by(real_t *copy, uint32 *flags, uint32 epoch, const run_t *run) {
        if constexpr (!SEPARATE_CODE || LAYOUT == SCATTERED) {
            store_rim<LAYOUT>(*this, chip->tile, chip->rim[item_index()].sent, copy);
        }
        DELAY_HERE();
        const uint32 passed = exchange_step(flags, chip->around, TILES_AROUND, epoch, run->verdict, run->sync,
                                            run->parameters->wait_limit);
        DELAY_HERE();
        load_ring<LAYOUT>(this, chip->tile, chip->rim[item_index()].received, copy);
        return passed;
    }
    /* Exchanges the ring. Returns 1 to all items when it has arrived, 0 if the wait was abandoned. */
    FUNCTION_MEMBER uint32 exchange(message_t *messages, uint32 of_odd, uint32 epoch, const run_t *run) {
        real_t *copy = copy_of(messages, of_odd);
        const int32 layout = chip->layout;
        const uint32 passed = layout == EASTWARD ? exchange_by<EASTWARD>(copy, flags(messages), epoch, run)
                              : layout == WESTWARD
                                  ? exchange_by<WESTWARD>(copy, flags(messages), epoch, run)
                                  : exchange_by<SCATTERED>(copy, flags(messages), epoch, run);
        group_barrier();
        return passed;
    }
};

#endif
