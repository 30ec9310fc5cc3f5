/* What a relay of warps (kernels/resident/relay_2d.h) keeps on the chip: rings of rows of u and of what the formula needs
 * besides, copied from memory once for all its runners, and the rows that these hand on to each other.
 *
 *   u                                  AHEAD rows; runner 0 copies and reads them
 *   t of western, of southern faces,   ROWS_OF_RING rows each: from a row's arrival until the last runner is done with it, and AHEAD
 *   d, b, 1/D (Jacobi)                 rows more
 *   handed on                          2 rows from each runner to the next
 *
 * d and b are zero but beside sides in many problems: there alone they are copied, and nowhere in tiles without them.
 * Beyond sides that are not periodic there are zeros, which no flux leaves. */

/* Steps of a runner, runners of a relay; steps of a pass. */
#define RELAY_LEG 2
#define RELAY_RUNNERS 4
#define RELAY_STEPS (RELAY_LEG * RELAY_RUNNERS)
/* So many rows later than a runner does the next one meet a row. */
#define RELAY_LAG (RELAY_LEG + 1)

/* Of rows on the chip. */
enum { RELAY_U, RELAY_WEST, RELAY_SOUTH, RELAY_DIAGONAL, RELAY_SOURCE, RELAY_INVERSE };

template <typename Physics>
struct relay_chip_t {
    enum {
        AHEAD = 3,
        ROWS_OF_RING = (RELAY_RUNNERS - 1) * RELAY_LAG + RELAY_LEG + AHEAD + 1,
        KINDS = RELAY_INVERSE + (Physics::scaled ? 1 : 0),
        FIRST_HANDED = AHEAD + (KINDS - 1) * ROWS_OF_RING,
        ROWS = FIRST_HANDED + 2 * (RELAY_RUNNERS - 1)
    };
    real_t *part; /* this lane's in the first row */

    FUNCTION_MEMBER void begin(real_t *chip, uint32 relay) {
        part = chip + relay * (ROWS * STRIP_COLUMNS) +
               pinned(static_cast<uint32>(lane_of_warp()) * part_of<real_t>::columns);
    }
    FUNCTION_MEMBER real_t *row(int kind, uint32 slot) const {
        const uint32 first = kind == RELAY_U ? 0u : AHEAD + static_cast<uint32>(kind - 1) * ROWS_OF_RING;
        return part + (first + slot) * STRIP_COLUMNS;
    }
    /* What a runner hands on in a tick. */
    FUNCTION_MEMBER real_t *handed(uint32 runner, uint32 tick) const {
        return part + (FIRST_HANDED + 2u * runner + (tick & 1u)) * STRIP_COLUMNS;
    }
    /* The place in a ring some rows before. */
    FUNCTION_MEMBER static uint32 earlier(uint32 slot, uint32 rows) {
        return slot >= rows ? slot - rows : slot + ROWS_OF_RING - rows;
    }
};

/* Where a lane's columns lie, and what is asked of the grid in a march: copies that no store can change. */
struct lane_t {
    uint32 nx, ny, periodic_y;
    int32 column;
    int32 x; /* of the first column; -1: beyond a side */
    bool whole;
    bool at_side; /* a cell is beside a side of x */

    FUNCTION_MEMBER void begin(const run_parameters_t *grid, int32 first_column) {
        nx = pinned(grid->nx);
        ny = pinned(grid->ny);
        periodic_y = pinned(grid->periodic_y);
        column = pinned(first_column);
        x = pinned(wrapped(first_column, nx, grid->periodic_x));
        whole = nx % COLUMNS == 0u;
        at_side = false;
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            const int32 at = wrapped(first_column + j, nx, grid->periodic_x);
            at_side |= at == 0 || at + 1 == static_cast<int32>(nx);
        }
    }
    FUNCTION_MEMBER int32 y_of(int32 row) const {
        return wrapped(row, ny, periodic_y);
    }
    FUNCTION_MEMBER bool row_at_side(int32 y) const {
        return y == 0 || y + 1 == static_cast<int32>(ny);
    }
    FUNCTION_MEMBER void store(real_t *u, int32 row, const row_t &values, uint32 own) const {
        real_t *to = u + (static_cast<uint32>(row) * nx + static_cast<uint32>(column));
        if (whole) {
            if (own != 0u) {
                store_row(to, values);
            }
            return;
        }
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            if ((own >> j & 1u) != 0u) {
                to[j] = values.at[j];
            }
        }
    }
};

/* What the tables of a uniform problem say of a face or a cell. */
FUNCTION real_t from_table(const extent_t &grid, const real_t *table, int kind, int32 x, int32 y) {
    const uint32 side_x = at_side(static_cast<uint32>(x), grid.nx),
                 side_y = at_side(static_cast<uint32>(y), grid.ny);
    if (kind != RELAY_WEST && kind != RELAY_SOUTH) {
        return table[table_place(side_x, side_y, PLACE_Z)];
    }
    const uint32 side = kind == RELAY_WEST ? side_x : side_y;
    const uint32 periodic = kind == RELAY_WEST ? grid.periodic_x : grid.periodic_y;
    return (side & 1u) != 0u && (periodic == 0u || (side & 2u) != 0u) ? (real_t)0 : table[0];
}

/* The copy of a row whose columns are no aligned part of one, of sources that change from step to step, and of a problem
 * that turns out to be uniform. Apart, since it is long and rare. */
template <typename Physics>
static __device__ __noinline__ void copy_anyhow(const Physics physics, const run_parameters_t *grid, uint32 n,
                                                int32 column, int32 row, const real_t *field, real_t *to,
                                                int kind) {
    strip_t strip;
    strip.begin(grid, column);
    const int32 begin = strip.begin_of(row), y = wrapped(row, grid->ny, grid->periodic_y);
    if (kind == RELAY_SOURCE && physics.sourced()) {
        store_row(to, changed_sources(physics, strip, n, begin), 32);
    } else if (kind == RELAY_U || kind == RELAY_SOURCE || grid->uniform == 0u) {
        strip.copy(field, begin, to);
    } else {
        for (int j = 0; j < COLUMNS; ++j) {
            to[place_in_row(j, part_of<real_t>::columns)] =
                begin < 0 || strip.x[j] < 0 ? (real_t)0 : from_table(strip.grid, field, kind, strip.x[j], y);
        }
    }
}

/* Rows that a runner copies for all, one after the other. */
struct relay_copy_t {
    const real_t *field;
    real_t *ring;
    int kind;
    uint32 slot, slots;
    bool beside_sides; /* only there */

    template <typename Chip, typename Physics>
    FUNCTION_MEMBER void begin(const Chip &chip, const Physics &physics, const operator_t *A, const real_t *u,
                               int of_kind, bool sourced) {
        kind = of_kind;
        switch (kind) {
            case RELAY_U:
                field = u;
                break;
            case RELAY_WEST:
                field = A->face_x;
                break;
            case RELAY_SOUTH:
                field = A->face_y;
                break;
            case RELAY_DIAGONAL:
                field = A->diagonal;
                break;
            case RELAY_SOURCE:
                field = physics.b;
                break;
            default:
                field = A->inverse_diagonal;
        }
        ring = chip.row(kind, 0u);
        slot = 0u;
        slots = kind == RELAY_U ? Chip::AHEAD : Chip::ROWS_OF_RING;
        beside_sides = !sourced && (kind == RELAY_DIAGONAL || kind == RELAY_SOURCE);
    }
    FUNCTION_MEMBER real_t *next() {
        real_t *to = ring + slot * STRIP_COLUMNS;
        slot = slot + 1 < slots ? slot + 1 : 0u;
        return to;
    }
    /* Where it is a quick copy. */
    FUNCTION_MEMBER void copy(const lane_t &lane, int32 row) {
        const int32 y = lane.y_of(row);
        const bool there = y >= 0 && lane.x >= 0 && (!beside_sides || lane.at_side || lane.row_at_side(y));
        copy_row(next(), field + (there ? y * static_cast<int32>(lane.nx) + lane.x : 0), there);
    }
};

/* The kinds of rows that runner r copies: r and r + RELAY_RUNNERS, as far as the tile needs them. */
template <typename Physics>
struct relay_copies_t {
    const run_parameters_t *grid;
    const place_t *place;
    relay_copy_t one, other;
    bool quick;
    uint32 count; /* of kinds */
    int32 row, left;

    FUNCTION_MEMBER static bool needed(int kind, bool inner) {
        return kind < relay_chip_t<Physics>::KINDS &&
               !(inner && (kind == RELAY_DIAGONAL || kind == RELAY_SOURCE));
    }
    FUNCTION_MEMBER void begin(const relay_chip_t<Physics> &chip, const Physics &physics, const operator_t *A,
                               const run_parameters_t *parameters, const place_t *where, const real_t *u,
                               uint32 runner, int32 first, int32 rows) {
        grid = parameters;
        place = where;
        const bool inner = place->inner != 0u;
        quick = grid->nx % COLUMNS == 0u && grid->uniform == 0u && physics.sourced() == 0u;
        const int kind = static_cast<int>(runner);
        const bool first_needed = needed(kind, inner), second_needed = needed(kind + RELAY_RUNNERS, inner);
        one.begin(chip, physics, A, u, first_needed ? kind : kind + RELAY_RUNNERS, place->sourced != 0u);
        other.begin(chip, physics, A, u, kind + RELAY_RUNNERS, place->sourced != 0u);
        count = (first_needed ? 1u : 0u) + (second_needed ? 1u : 0u);
        row = first;
        left = rows;
    }
    /* One lot: a row of each kind, or nothing. */
    FUNCTION_MEMBER void next(const Physics &physics, const lane_t &lane) {
        if (left > 0 && count > 0u) {
            if (quick) {
                one.copy(lane, row);
                if (count > 1u) {
                    other.copy(lane, row);
                }
            } else {
                const uint32 n = place->tile.n;
                copy_anyhow(physics, grid, n, lane.column, row, one.field, one.next(), one.kind);
                if (count > 1u) {
                    copy_anyhow(physics, grid, n, lane.column, row, other.field, other.next(), other.kind);
                }
            }
            ++row;
            --left;
        }
        commit_copies();
    }
};
static_assert(RELAY_INVERSE < 2 * RELAY_RUNNERS, "a runner copies two kinds of rows at most");
