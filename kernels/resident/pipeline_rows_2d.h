/* The data of a warp pipeline (kernels/resident/pipeline_2d.h) in shared memory: rings of rows of u and of the other terms,
 * copied from memory once for all stages, and the rows that stages hand on.
 *
 *   u                                  AHEAD + 1 rows; stage 0 copies and reads them
 *   b                                  ROWS_OF_RING rows: from the arrival of a row until the last stage has used it, and AHEAD more
 *   t of western, of southern faces,   as many rows each if coefficients differ from cell to cell; uniform coefficients are numbers,
 *   d, 1/D (Jacobi)                    with d and scales in a table by the sides that a cell lies at
 *   handed on                          2 rows from each stage to the next
 *
 * In many problems d and b are zero except next to sides. They are then copied only there, and not at all in tiles without sides.
 * Beyond sides that are not periodic the rings hold zeros, and no flux leaves the grid. */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_ROWS_2D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_ROWS_2D_H

#include "kernels/resident/physics.h"
#include "kernels/resident/pipeline_columns_2d.h"
#include "kernels/resident/tiles_2d.h"

/* Entries of the table, by sides of x and y. */
#define SIDE_ENTRIES 16u

template <typename Physics, bool UNIFORM>
struct pipeline_chip_t : pipeline_layout_t<UNIFORM, Physics::scaled != 0> {
    typedef pipeline_layout_t<UNIFORM, Physics::scaled != 0> layout_t;
    using layout_t::FIRST_HANDED, layout_t::KINDS, layout_t::NEEDED, layout_t::ROWS, layout_t::ROWS_OF_RING,
        layout_t::SLOTS_OF_U, layout_t::STAGES, layout_t::TABLE, layout_t::WIDTH;
    static_assert(KINDS <= 2 * STAGES, "a stage copies two kinds of rows at most");
    static_assert(NEEDED <= ROWS_OF_RING, "rows overtake each other");
    static_assert((SLOTS_OF_U & (SLOTS_OF_U - 1)) == 0, "places of u are found by a mask");
    static_assert(STAGES <= 2 * (STAGES - 1), "a row for the vote of each stage");
    real_t *part; /* this lane's part of the first row */

    FUNCTION_MEMBER static uint32 of_lane() {
        return static_cast<uint32>(lane_of_warp()) * part_of<real_t>::columns;
    }
    FUNCTION_MEMBER void begin(real_t *chip, uint32 pipeline) {
        part = chip + pipeline * (ROWS * WIDTH) + pinned(of_lane());
    }
    FUNCTION_MEMBER real_t *row(int kind, uint32 slot) const {
        const uint32 ring = UNIFORM ? 0u : static_cast<uint32>(kind - 1); /* uniform: b is the only ring */
        const uint32 first = kind == PIPELINE_U ? 0u : SLOTS_OF_U + ring * ROWS_OF_RING;
        return part + (first + slot) * WIDTH;
    }
    /* Returns the rows that a stage hands on. */
    FUNCTION_MEMBER real_t *handed(uint32 stage) const { return part + (FIRST_HANDED + 2u * stage) * WIDTH; }
    FUNCTION_MEMBER entry_t *table() const {
        return reinterpret_cast<entry_t *>(part - of_lane() + TABLE * WIDTH);
    }
    /* Return the next slot of a ring, and the slot of some rows earlier. */
    FUNCTION_MEMBER static uint32 later(uint32 slot) {
        if constexpr (UNIFORM) {
            return (slot + 1u) % ROWS_OF_RING;
        }
        return slot + 1u < ROWS_OF_RING ? slot + 1u : 0u;
    }
    FUNCTION_MEMBER static uint32 earlier(uint32 slot, uint32 rows) {
        if constexpr (UNIFORM) {
            return (slot - rows) % ROWS_OF_RING;
        }
        return slot >= rows ? slot - rows : slot + ROWS_OF_RING - rows;
    }
};

/* Returns the value of a face or a cell from the tables of a uniform problem. */
FUNCTION real_t from_table(const extent_t &grid, const real_t *table, int kind, int32 x, int32 y) {
    const uint32 side_x = at_side(static_cast<uint32>(x), grid.nx),
                 side_y = at_side(static_cast<uint32>(y), grid.ny);
    if (kind != PIPELINE_WEST && kind != PIPELINE_SOUTH) {
        return table[table_place(side_x, side_y, PLACE_Z)];
    }
    const uint32 side = kind == PIPELINE_WEST ? side_x : side_y;
    const uint32 periodic = kind == PIPELINE_WEST ? grid.periodic_x : grid.periodic_y;
    return (side & 1u) != 0u && (periodic == 0u || (side & 2u) != 0u) ? (real_t)0 : table[0];
}

/* Fills a row of a tile from these tables. A separate function, since it is long and rarely called. */
template <int N>
static __device__ __noinline__ void copy_from_table(const run_parameters_t *grid, int32 column, int32 row,
                                                    const real_t *table, real_t *to, int kind) {
    columns_t<N> columns;
    columns.begin(grid, column);
    const int32 y = wrapped(row, grid->ny, grid->periodic_y);
    for (int j = 0; j < N; ++j) {
        to[place_in_row(j, part_of<real_t>::columns)] =
            y < 0 || columns.x[j] < 0 ? (real_t)0 : from_table(columns.grid, table, kind, columns.x[j], y);
    }
}

/* Copies rows of one kind, one after the other, for all stages. */
struct pipeline_copy_t {
    const real_t *field;
    real_t *ring;
    int kind;
    uint32 slot, slots;
    bool only_next_to_sides; /* copies only cells next to sides */

    template <typename Chip, typename Physics>
    FUNCTION_MEMBER void begin(const Chip &chip, const Physics &physics, const operator_t *A, const real_t *u,
                               int of_kind, bool sourced) {
        kind = of_kind;
        switch (kind) {
            case PIPELINE_U:
                field = u;
                break;
            case PIPELINE_SOURCE:
                field = physics.b;
                break;
            case PIPELINE_WEST:
                field = A->face_x;
                break;
            case PIPELINE_SOUTH:
                field = A->face_y;
                break;
            case PIPELINE_DIAGONAL:
                field = A->diagonal;
                break;
            default:
                field = A->inverse_diagonal;
        }
        ring = chip.row(kind, 0u);
        slot = 0u;
        slots = kind == PIPELINE_U ? Chip::SLOTS_OF_U : Chip::ROWS_OF_RING;
        only_next_to_sides = !sourced && (kind == PIPELINE_DIAGONAL || kind == PIPELINE_SOURCE);
    }
    FUNCTION_MEMBER real_t *next() {
        real_t *to = ring + slot * pipeline_config_t<false>::WIDTH;
        slot = slot + 1 < slots ? slot + 1 : 0u;
        return to;
    }
    template <typename Lane>
    FUNCTION_MEMBER void copy(const Lane &lane, int32 row) {
        const int32 y = lane.y_of(row);
        const bool there =
            y >= 0 && lane.x >= 0 && (!only_next_to_sides || lane.at_side || lane.row_at_side(y));
        lane.copy(next(), field + (there ? y * static_cast<int32>(lane.nx) + lane.x : 0), there);
    }
};

/* The sides that a tile may touch. Away from them it has no sources. */
enum { NO_SIDES, SIDES_OF_X, ALL_SIDES };

/* The copies of a stage: stage r copies rows of kinds r and r + STAGES, as far as the tile needs them. */
template <typename Physics, bool UNIFORM, int SIDES>
struct pipeline_copies_t {
    typedef pipeline_chip_t<Physics, false> chip_t;
    const run_parameters_t *grid;
    pipeline_copy_t one, other;
    bool tabled;
    uint32 count;      /* number of kinds */
    int32 first, rows; /* first row that the pipeline takes in; number of rows */

    FUNCTION_MEMBER static bool needed(int kind) {
        return kind < chip_t::KINDS &&
               !(SIDES == NO_SIDES && (kind == PIPELINE_DIAGONAL || kind == PIPELINE_SOURCE));
    }
    template <typename Lane>
    FUNCTION_MEMBER pipeline_copies_t(const chip_t &chip, const Physics &physics, const operator_t *A,
                                      const run_parameters_t *parameters, const work_t *work, const Lane &,
                                      const real_t *u, uint32 stage, int32 first_row, int32 all_rows)
        : grid(parameters), first(first_row), rows(all_rows) {
        const int kind = static_cast<int>(stage), second_kind = kind + chip_t::STAGES;
        tabled = grid->uniform != 0u;
        one.begin(chip, physics, A, u, needed(kind) ? kind : second_kind, work->sourced != 0u);
        other.begin(chip, physics, A, u, second_kind, work->sourced != 0u);
        count = (needed(kind) ? 1u : 0u) + (needed(second_kind) ? 1u : 0u);
    }
    /* Starts one batch of copies: a row of each kind, counted from the first; none behind the last row. Call it once for each
     * row, in order. */
    template <typename Lane>
    FUNCTION_MEMBER void copy(const Lane &lane, int32 row) {
        if (row < rows && count > 0u) {
            copy_kind(lane, one, first + row);
            if (count > 1u) {
                copy_kind(lane, other, first + row);
            }
        }
        commit_copies();
    }

  private:
    /* A problem that was expected to vary may turn out to be uniform. */
    template <typename Lane>
    FUNCTION_MEMBER void copy_kind(const Lane &lane, pipeline_copy_t &of, int32 row) const {
        if (!tabled || of.kind == PIPELINE_U || of.kind == PIPELINE_SOURCE) {
            of.copy(lane, row);
        } else {
            copy_from_table<chip_t::LANE_COLUMNS>(grid, lane.column, row, of.field, of.next(), of.kind);
        }
    }
};

/* The copies of uniform problems: stage 0 copies u; the last stage copies sources, if the tile has any. */
template <typename Physics, int SIDES>
struct pipeline_copies_t<Physics, true, SIDES> {
    typedef pipeline_chip_t<Physics, true> chip_t;
    real_t *ring;
    const unsigned char *from; /* address of row 0 */
    int32 rows;                /* 0 in stages that do not copy */
    int32 y, wrap_row;         /* y of row 0; the row at which `from` wraps around */
    uint32 row_bytes, last_slot;
    bool everywhere; /* copies everywhere, not only next to sides */
    bool lane_there; /* this lane copies in rows at no side of y */

    template <typename Lane>
    FUNCTION_MEMBER pipeline_copies_t(const chip_t &chip, const Physics &physics, const operator_t *,
                                      const run_parameters_t *, const work_t *work, const Lane &lane,
                                      const real_t *u, uint32 stage, int32 first_row, int32 all_rows) {
        const bool of_u = stage == 0u;
        const int32 nx = static_cast<int32>(lane.nx), ny = static_cast<int32>(lane.ny);
        y = lane.periodic_y ? wrapped(first_row, lane.ny, 1u) : first_row;
        wrap_row = lane.periodic_y ? ny - y : 0x7fffffff;
        const int32 x = lane.x < 0 ? 0 : lane.x; /* any column for lanes whose data are not needed */
        const real_t *field = of_u ? u : physics.b;
        from = reinterpret_cast<const unsigned char *>(pinned(field + (y * nx + x)));
        row_bytes = lane.nx * static_cast<uint32>(sizeof(real_t));
        ring = pinned(chip.row(of_u ? PIPELINE_U : PIPELINE_SOURCE, 0u));
        last_slot = (of_u ? chip_t::SLOTS_OF_U : chip_t::ROWS_OF_RING) - 1u;
        everywhere = of_u || same_in_warp(work->sourced) != 0u;
        lane_there = of_u ? lane.x >= 0 : lane.at_side;
        rows = of_u || (SIDES != NO_SIDES && stage + 1u == chip_t::STAGES) ? all_rows : 0;
    }
    /* As in the general template. */
    template <typename Lane>
    FUNCTION_MEMBER void copy(const Lane &lane, int32 row) {
        if (row < rows) {
            if (row == wrap_row) {
                from -= static_cast<size_t>(row_bytes) * lane.ny;
                y -= static_cast<int32>(lane.ny);
                wrap_row += static_cast<int32>(lane.ny);
            }
            const int32 at = y + row;
            const bool there = SIDES == NO_SIDES || (SIDES == SIDES_OF_X ? lane_there : is_there(lane, at));
            const size_t further = static_cast<size_t>(static_cast<uint32>(row)) * row_bytes;
            lane.copy(ring + (static_cast<uint32>(row) & last_slot) * chip_t::WIDTH,
                      reinterpret_cast<const real_t *>(from + further), there);
        }
        commit_copies();
    }

  private:
    template <typename Lane>
    FUNCTION_MEMBER bool is_there(const Lane &lane, int32 at) const {
        return static_cast<uint32>(at) < lane.ny && lane.x >= 0 &&
               (everywhere || lane.at_side || lane.row_at_side(at));
    }
};

#endif
