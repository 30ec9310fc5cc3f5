/* Fills the ring of a wide tile. Groups store own cells that lie in the rings of others in a copy of the grid in memory, each at
 * its place, and load their rings from there; flags tell the step (sync/step_flags.h). There are two copies, for odd and for even
 * exchanges.
 *
 * Epoch-tagged messages (sync/epoch_word.h) would arrive half a microsecond sooner, but every item would poll its own and spread
 * them over the chip: at 2048 x 2048 that took a quarter longer. */
#ifndef PERDURE_KERNELS_RESIDENT_WIDE_EXCHANGE_2D_H
#define PERDURE_KERNELS_RESIDENT_WIDE_EXCHANGE_2D_H

#include "kernels/resident/masked_row.h"
#include "kernels/resident/wide_shape_2d.h"
#include "kernels/resident/wide_tile_2d.h"

/* Returns the group of tile i of the nine in and around this group's tile; -1 for the tile itself and beyond a side. */
FUNCTION int32 tile_around(const run_parameters_t *grid, int32 i) {
    const int32 tiles_x =
        wide_tiles_along(static_cast<int32>(grid->nx), grid->periodic_x != 0u, STRIP_COLUMNS);
    const int32 tiles_y = static_cast<int32>(group_count()) / tiles_x;
    const int32 index = static_cast<int32>(group_index());
    const int32 x = wrapped(index % tiles_x + i % 3 - 1, static_cast<uint32>(tiles_x), grid->periodic_x);
    const int32 y = wrapped(index / tiles_x + i / 3 - 1, static_cast<uint32>(tiles_y), grid->periodic_y);
    return x < 0 || y < 0 || i == TILES_AROUND / 2 ? -1 : y * tiles_x + x;
}

template <int R>
FUNCTION uint32 rows_between(int32 from, int32 to) {
    uint32 rows = 0u;
    for (int32 r = 0; r < R; ++r) {
        rows |= r >= from && r < to ? 1u << r : 0u;
    }
    return rows;
}
/* Finds the rows that an exchange stores and loads. Rings usually end where lanes do. If the neighbouring tile's lanes are shifted against those of this tile,
 * its ring covers columns of up to three lanes. */
template <int R>
FUNCTION rim_rows_t find_rim(const wide_tile_t<R> &tile) {
    const int32 lane = lane_of_warp(), first = wide_tile_t<R>::row_of_warp(0);
    const int32 begin = tile.x.begin / COLUMNS, end = divided_up(tile.x.end, COLUMNS);
    const int32 lanes = tile.nx % COLUMNS == 0u ? 1 : 3;
    const int32 south = tile.y.begin - first, north = tile.y.end - first;
    const uint32 own = rows_between<R>(south, north);
    const uint32 inner = rows_between<R>(south + WIDE_RING, north - WIDE_RING);
    const uint32 ring = rows_between<R>(south - WIDE_RING, north + WIDE_RING) & ~own;
    const bool is_own = lies_in(lane, begin, end), is_ring = lane == begin - 1 || lane == end;
    const bool is_edge = is_own && !lies_in(lane, begin + lanes, end - lanes);
    return {is_edge ? own : is_own ? own & ~inner : 0u, is_ring ? own | ring : is_own ? ring : 0u};
}

/* Layout of a lane's columns in memory: contiguous from west to east, contiguous from east to west, or scattered; scattered rows
 * need not be equidistant either. */
enum { EASTWARD = 0, WESTWARD = 1, SCATTERED = 2 };

template <int R>
FUNCTION int32 find_layout(const wide_tile_t<R> &tile) {
    const int32 ny = static_cast<int32>(tile.ny);
    const bool inside = tile.y.first >= 0 && tile.y.first + wide_tile_t<R>::rows <= ny;
    return !inside || tile.nx % COLUMNS != 0u ? SCATTERED : tile.column_step > 0 ? EASTWARD : WESTWARD;
}

/* Returns the address of the lane's columns of the warp's first row in a copy of the grid; of the whole row if they are
 * scattered. */
template <int LAYOUT, typename Real, int R>
FUNCTION Real *first_row_of_copy(const wide_tile_t<R> &tile, Real *copy) {
    const int32 y = tile.y_of(wide_tile_t<R>::row_of_warp(0));
    const int32 column = wide_tile_t<R>::column_of_lane(LAYOUT == WESTWARD ? COLUMNS - 1 : 0);
    return copy + (y * static_cast<int32>(tile.nx) + (LAYOUT == SCATTERED ? 0 : tile.x_of(column)));
}
/* Calls of(r, address) for each row, with the address of the lane's columns or, if they are scattered, of the row. The tile is
 * passed by value, so that stores to memory cannot change it. */
template <int LAYOUT, typename Real, int R, typename Of>
FUNCTION void for_each_row_of_copy(wide_tile_t<R> tile, Real *copy, Of of) {
    const int32 nx = static_cast<int32>(tile.nx), ny = static_cast<int32>(tile.ny);
    const int32 y = tile.y_of(wide_tile_t<R>::row_of_warp(0));
    Real *row = first_row_of_copy<LAYOUT>(tile, copy);
#pragma unroll
    for (int r = 0; r < R; ++r) {
        of(r, row);
        row = pinned(row + nx);
        if (LAYOUT == SCATTERED && y + r + 1 == ny) {
            row -= nx * ny;
        }
    }
}

/* Stores the cells that other groups need in a copy of the grid, unless a step has stored them already. Field:
 * kernels/resident/wide_2d.h. */
template <int LAYOUT, typename Field, int R>
FUNCTION void store_rim(const Field &field, const wide_tile_t<R> &tile, uint32 sent, real_t *copy) {
    const lane_columns_t columns = tile.columns_of_lane();
    DELAY_HERE();
    for_each_row_of_copy<LAYOUT>(tile, copy, [&](int r, real_t *row) INLINED {
        const uint32 there = sent & 1u << r;
        if (Field::in_registers(r) || there != 0u) {
            const row_t values = field.row(r);
            if constexpr (LAYOUT == SCATTERED) {
#pragma unroll
                for (int j = 0; j < COLUMNS; ++j) {
                    store_where(columns.own[j] ? there : 0u, row + columns.x[j], values.at[j]);
                }
            } else {
                store_where(there, row, LAYOUT == WESTWARD ? reversed(values) : values);
            }
        }
    });
}

/* Loads the ring from a copy of the grid. */
template <int LAYOUT, typename Field, int R>
FUNCTION void load_ring(Field *field, const wide_tile_t<R> &tile, uint32 received, const real_t *copy) {
    constexpr int part = part_of<real_t>::columns;
    const lane_columns_t columns = tile.columns_of_lane();
    for_each_row_of_copy<LAYOUT>(tile, copy, [&](int r, const real_t *row) INLINED {
        const uint32 there = received & 1u << r;
        if (Field::in_registers(r) && LAYOUT != SCATTERED) {
            load_where(there, &field->kept[r], row);
        } else if (LAYOUT == EASTWARD) {
#pragma unroll
            for (int j = 0; j < COLUMNS; j += part) {
                copy_where<16>(there, field->chip_row(r) + place_in_row(j, part), row + j);
            }
        } else {
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) {
                const real_t *from = row + (LAYOUT == SCATTERED ? columns.x[j] : COLUMNS - 1 - j);
                if (Field::in_registers(r)) {
                    load_where(there, &field->kept[r].at[j], from);
                } else {
                    copy_where<sizeof(real_t)>(there, field->chip_row(r) + place_in_row(j, part), from);
                }
            }
        }
    });
    if constexpr (LAYOUT == WESTWARD) {
#pragma unroll
        for (int r = 0; r < R; ++r) {
            if (Field::in_registers(r)) {
                reverse_where(received & 1u << r, &field->kept[r]);
            }
        }
    }
    commit_copies();
    await_copies<0>();
}

#endif
