/* What the formula needs besides u, for a strip of columns, in three kinds:
 *
 *   inner_terms_t      no side near, uniform coefficients, no sigma, no source: three numbers
 *   side_terms_t       uniform coefficients: diagonals and scales by where a cell lies among the sides, sources kept on the
 *                      chip for the steps that a row makes
 *   variable_terms_t   of terms_variable_2d.h: every cell has its own
 *
 * All copy and store rows too. Beyond sides that are not periodic they find zeros, which no flux leaves. */

/* Of memory on the chip each warp has: rows of u copied ahead of its march, behind each a row of sources; then what it keeps. */
#define ROWS_AHEAD 3
#define ROWS_COPIED (2 * ROWS_AHEAD)

/* `rows`: of each warp. */
FUNCTION real_t *chip_of_warp(real_t *chip, uint32 rows) {
    return chip + item_index() / 32u * rows * STRIP_COLUMNS;
}
/* This lane's place in a row copied ahead. */
FUNCTION real_t *row_ahead(real_t *of_warp, int32 slot) {
    return of_warp + 2u * static_cast<uint32>(slot) * STRIP_COLUMNS +
           static_cast<uint32>(lane_of_warp()) * part_of<real_t>::columns;
}

/* In 2D every cell lies at both sides of the third axis. */
#define PLACE_Z 3u

/* Rows that a warp keeps on the chip, ROWS_KEPT of each kind; a lane reads what it has written itself. */
#define ROWS_KEPT LEVELS
/* Of a uniform problem: sources, and a row for a table. */
#define ROWS_OF_UNIFORM (ROWS_COPIED + ROWS_KEPT + 1)

struct inner_terms_t {
    enum { LEVELS_AT_ONCE = 4, ROWS_OF_WARP = ROWS_OF_UNIFORM };
    uint32 nx;
    uint32 column;
    real_t conductance_x, conductance_y, usual, last;

    FUNCTION_MEMBER void copy(const real_t *u, int32 row, real_t *to) const {
        copy_row(to, u + row * nx + column, true);
    }
    FUNCTION_MEMBER void store(real_t *u, int32 row, const row_t &values, uint32 own) const {
        if (own != 0u) { /* all columns of a lane or none */
            store_row(u + row * nx + column, values);
        }
    }

    struct fetched_t {};
    FUNCTION_MEMBER fetched_t fetch(int32, uint32) const { return {}; }
    FUNCTION_MEMBER void keep(int32, uint32, const real_t *, const fetched_t &) const {}

    struct row_terms_t {
        real_t conductance_x, conductance_y, factor;
        FUNCTION_MEMBER real_t east(int) const { return conductance_x; }
        FUNCTION_MEMBER real_t north(int) const { return conductance_y; }
        FUNCTION_MEMBER real_t scale(int) const { return factor; }
        FUNCTION_MEMBER nothing_t diagonal(int) const { return {}; }
        FUNCTION_MEMBER nothing_t source(int) const { return {}; }
    };
    FUNCTION_MEMBER row_terms_t at(int32, bool is_last) const {
        return {conductance_x, conductance_y, is_last ? last : usual};
    }
};

/* What is asked of the grid in a march: copies that no store can change. */
typedef struct {
    uint32 nx, ny;
    uint32 periodic_x, periodic_y;
} extent_t;

/* A strip with sides near, or of any shape: where its columns and rows lie. */
struct strip_t {
    extent_t grid;
    int32 x[COLUMNS];       /* -1: beyond a side */
    bool whole;             /* a lane's columns are neighbours in memory, aligned, and all inside or none */
    uint32 last_with_north; /* of the rows that have a northern neighbour; as numbers without a sign */

    FUNCTION_MEMBER void begin(const run_parameters_t *run, int32 column) {
        grid = {run->nx, run->ny, run->periodic_x, run->periodic_y};
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            x[j] = pinned(wrapped(column + j, grid.nx, grid.periodic_x));
        }
        whole = grid.nx % COLUMNS == 0u;
        last_with_north = pinned(grid.periodic_y || grid.ny < 2u ? 0xffffffffu : grid.ny - 2u);
    }
    /* First cell of a row, -1 where there is none. */
    FUNCTION_MEMBER int32 begin_of(int32 row) const {
        const int32 y = wrapped(row, grid.ny, grid.periodic_y);
        return y < 0 ? -1 : y * static_cast<int32>(grid.nx);
    }
    FUNCTION_MEMBER bool has_north(int32 row) const {
        return static_cast<uint32>(row) <= last_with_north;
    }
    FUNCTION_MEMBER int32 east_of(int j) const {
        return x[j] < 0 ? -1 : wrapped(x[j] + 1, grid.nx, grid.periodic_x);
    }
    FUNCTION_MEMBER void copy(const real_t *field, int32 begin, real_t *to) const {
        if (whole) {
            const bool there = begin >= 0 && x[0] >= 0;
            copy_row(to, field + (there ? begin + x[0] : 0), there);
            return;
        }
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            const bool there = begin >= 0 && x[j] >= 0;
            copy_async<sizeof(real_t)>(to + place_in_row(j, part_of<real_t>::columns),
                                       field + (there ? begin + x[j] : 0), there);
        }
    }
    FUNCTION_MEMBER row_t load(const real_t *field, int32 begin) const {
        row_t values = {};
        if (begin >= 0 && whole) {
            if (x[0] >= 0) {
                values = load_row(field + begin + x[0]);
            }
        } else if (begin >= 0) {
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) {
                values.at[j] = x[j] < 0 ? (real_t)0 : field[begin + x[j]];
            }
        }
        return values;
    }
    FUNCTION_MEMBER void store(real_t *u, int32 row, const row_t &values, uint32 own) const {
        real_t *to = u + static_cast<uint32>(row) * grid.nx;
        if (whole) {
            if (own != 0u) {
                store_row(to + x[0], values);
            }
            return;
        }
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            if ((own >> j & 1u) != 0u) {
                to[x[j]] = values.at[j];
            }
        }
    }
};

template <typename Physics>
FUNCTION row_t changed_sources(const Physics &physics, const strip_t &strip, uint32 n, int32 begin) {
    row_t values;
#pragma unroll 1
    for (int j = 0; j < COLUMNS; ++j) {
        values.at[j] = begin < 0 || strip.x[j] < 0 ? (real_t)0 : physics.source(n, begin + strip.x[j]);
    }
    return values;
}

/* Of a cell of a uniform problem, by its sides of x and y. */
struct alignas(2 * sizeof(real_t)) side_entry_t {
    real_t diagonal, scale;
};
#define SIDE_ENTRIES 16u

template <typename Physics>
struct side_terms_t {
    enum { LEVELS_AT_ONCE = 2, ROWS_OF_WARP = ROWS_OF_UNIFORM };

    strip_t strip;
    Physics physics;
    real_t *kept;
    const side_entry_t *entries;
    uint32 side_x[COLUMNS];
    real_t t_x[COLUMNS], t_y, usual, last;

    FUNCTION_MEMBER real_t *kept_row(int32 row) const {
        return kept + (row & (ROWS_KEPT - 1)) * STRIP_COLUMNS;
    }

    /* of_warp: of chip_of_warp(); n: the first of `steps` steps. */
    FUNCTION_MEMBER void begin(const run_parameters_t *run, const operator_t *A, const Physics &what,
                               real_t *of_warp, int32 column, uint32 n, uint32 steps) {
        strip.begin(run, column);
        physics = what;
        real_t *own = of_warp + ROWS_COPIED * STRIP_COLUMNS;
        auto *table = reinterpret_cast<side_entry_t *>(own + ROWS_KEPT * STRIP_COLUMNS);
        kept = own + pinned(static_cast<uint32>(lane_of_warp()) * part_of<real_t>::columns);
        entries = table;
        usual = pinned(physics.factor(n));
        last = pinned(physics.factor(n + steps - 1u));
        for (uint32 sides = static_cast<uint32>(lane_of_warp()); sides < SIDE_ENTRIES; sides += 32u) {
            const uint32 place = table_place(sides & 3u, sides >> 2, PLACE_Z);
            table[sides] = {A->diagonal[place], physics.scale(usual, place)};
        }
        __syncwarp();
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            t_x[j] = pinned(strip.east_of(j) >= 0 ? A->face_x[0] : (real_t)0);
            side_x[j] = pinned(at_side(static_cast<uint32>(strip.x[j]), strip.grid.nx));
        }
        t_y = pinned(strip.grid.ny < 2u && strip.grid.periodic_y == 0u ? (real_t)0 : A->face_y[0]);
    }

    FUNCTION_MEMBER void copy(const real_t *u, int32 row, real_t *to) const {
        const int32 begin = strip.begin_of(row);
        strip.copy(u, begin, to);
        strip.copy(physics.b, begin, to + STRIP_COLUMNS);
    }
    FUNCTION_MEMBER void store(real_t *u, int32 row, const row_t &values, uint32 own) const {
        strip.store(u, row, values, own);
    }
    struct fetched_t {};
    FUNCTION_MEMBER fetched_t fetch(int32, uint32) const {
        return {};
    }
    FUNCTION_MEMBER void keep(int32 row, uint32 n, const real_t *copied, const fetched_t &) const {
        row_t sources = load_row(copied + STRIP_COLUMNS, 32);
        if (physics.sourced()) {
            sources = changed_sources(physics, strip, n, strip.begin_of(row));
        }
        store_row(kept_row(row), sources, 32);
    }

    struct row_terms_t {
        const side_terms_t &of;
        const side_entry_t *entries;
        row_t b;
        real_t t_y, factor;
        FUNCTION_MEMBER real_t east(int j) const { return of.t_x[j]; }
        FUNCTION_MEMBER real_t north(int) const { return t_y; }
        FUNCTION_MEMBER real_t scale(int j) const {
            return Physics::scaled ? entries[of.side_x[j]].scale : factor;
        }
        FUNCTION_MEMBER real_t diagonal(int j) const { return entries[of.side_x[j]].diagonal; }
        FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
    };
    /* is_last: of the steps of the march */
    FUNCTION_MEMBER row_terms_t at(int32 row, bool is_last) const {
        const int32 y = wrapped(row, strip.grid.ny, strip.grid.periodic_y);
        return {*this, entries + 4u * at_side(static_cast<uint32>(y), strip.grid.ny),
                load_row(kept_row(row), 32), strip.has_north(row) ? t_y : (real_t)0, is_last ? last : usual};
    }
};
