/* Where the columns of a lane lie in the grid, and a copy of the grid's extents, which no store can change.
 *
 *   columns_t   columns that may be scattered
 *   lane_t      columns that are neighbours in memory, all inside the grid or all outside. This holds if the grid is as wide as a strip
 *               or its rows are whole lanes (kernels/resident/tiles_2d.h); other grids are not planned */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_COLUMNS_2D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_COLUMNS_2D_H

#include "kernels/parameters.h"
#include "kernels/real_type.h"
#include "kernels/resident/row.h"

typedef struct {
    uint32 nx, ny;
    uint32 periodic_x, periodic_y;
} extent_t;

template <int N>
struct columns_t {
    extent_t grid;
    int32 x[N]; /* -1: beyond a side */

    FUNCTION_MEMBER void begin(const run_parameters_t *run, int32 column) {
        grid = {run->nx, run->ny, run->periodic_x, run->periodic_y};
#pragma unroll
        for (int j = 0; j < N; ++j) {
            x[j] = wrapped(column + j, grid.nx, grid.periodic_x);
        }
    }
    /* Returns the first cell of a row, -1 if the row does not exist. */
    FUNCTION_MEMBER int32 begin_of(int32 row) const {
        const int32 y = wrapped(row, grid.ny, grid.periodic_y);
        return y < 0 ? -1 : y * static_cast<int32>(grid.nx);
    }
    FUNCTION_MEMBER row_of<real_t, N> load(const real_t *field, int32 begin) const {
        row_of<real_t, N> values;
#pragma unroll
        for (int j = 0; j < N; ++j) {
            values.at[j] = begin < 0 || x[j] < 0 ? (real_t)0 : field[begin + x[j]];
        }
        return values;
    }
};

/* A lane of N columns. ALIGNED: rows consist of whole parts, the unit of one load or store. */
template <bool ALIGNED, int N>
struct lane_t {
    uint32 nx, ny, periodic_y;
    int32 column;
    int32 x;      /* of the first column; -1: beyond a side, or across one, where the lane is not needed */
    bool at_side; /* whether a cell lies at a side of x that is not periodic */

    FUNCTION_MEMBER void begin(const run_parameters_t *grid, int32 first_column) {
        nx = same_in_warp(grid->nx);
        ny = same_in_warp(grid->ny);
        periodic_y = same_in_warp(grid->periodic_y);
        column = pinned(first_column);
        const int32 first = wrapped(first_column, nx, grid->periodic_x);
        x = pinned(first + N > static_cast<int32>(nx) ? -1 : first);
        at_side = false;
#pragma unroll
        for (int j = 0; j < N; ++j) {
            const int32 at = wrapped(first_column + j, nx, grid->periodic_x);
            at_side |= grid->periodic_x == 0u && (at == 0 || at + 1 == static_cast<int32>(nx));
        }
    }
    FUNCTION_MEMBER int32 y_of(int32 row) const {
        return wrapped(row, ny, periodic_y);
    }
    FUNCTION_MEMBER bool row_at_side(int32 y) const {
        return periodic_y == 0u && (y == 0 || y + 1 == static_cast<int32>(ny));
    }
    FUNCTION_MEMBER void copy(real_t *to, const real_t *from, bool there) const {
        if constexpr (ALIGNED) {
            copy_row<N>(to, from, there);
        } else {
            copy_columns<N>(to, from, there);
        }
    }
    /* Stores column j if bit j of `own` is set. */
    FUNCTION_MEMBER void store(real_t *u, int32 row, const row_of<real_t, N> &values, uint32 own) const {
        constexpr int part = ALIGNED ? part_of<real_t>::columns : 1;
        real_t *to = u + (static_cast<uint32>(row) * nx + static_cast<uint32>(column));
        if (ALIGNED && own == (1u << N) - 1u) {
            store_row(to, values);
        } else if (own != 0u) {
#pragma unroll
            for (int j = 0; j < N; j += part) {
                if ((own >> j & 1u) != 0u) {
                    store_part_at<part>(to, values, j);
                }
            }
        }
    }

  private:
    template <int PART>
    FUNCTION_MEMBER static void store_part_at(real_t *to, const row_of<real_t, N> &values, int j) {
        if constexpr (PART == 1) {
            to[j] = values.at[j];
        } else {
            *reinterpret_cast<typename part_of<real_t>::type *>(to + j) = pack(values.at + j);
        }
    }
};

#endif
