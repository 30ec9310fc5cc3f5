/* What the formula needs besides u, for a strip of columns, in two kinds:
 *
 *   inner_terms_t   no side near, uniform coefficients, no sigma, no source: three numbers
 *   kept_terms_t    every cell has its own: fetched from memory when the row comes in, kept on the chip for the steps
 *                   that it makes
 *
 * Both load and store rows too. Beyond sides that are not periodic they find zeros, which no flux leaves. */

/* In 2D every cell lies at both sides of the third axis. */
#define PLACE_Z 3u

struct inner_terms_t {
    uint32 nx;
    uint32 column;
    real_t conductance_x, conductance_y, usual, last;

    FUNCTION_MEMBER row_t load(const real_t *u, int32 row) const { return load_row(u + row * nx + column); }
    FUNCTION_MEMBER void store(real_t *u, int32 row, const row_t &values, uint32 own) const {
        if (own != 0u) { /* all columns of a lane or none */
            store_row(u + row * nx + column, values);
        }
    }

    struct fetched_t {};
    FUNCTION_MEMBER fetched_t fetch(int32, uint32) const { return {}; }
    FUNCTION_MEMBER void keep(int32, const fetched_t &) const {}

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

/* Rows that a warp keeps on the chip, ROWS_KEPT of each kind; a lane reads what it has written itself. */
#define ROWS_KEPT LEVELS

/* What is asked of the grid in a march: copies that no store can change. */
typedef struct {
    uint32 nx, ny;
    uint32 periodic_x, periodic_y;
} extent_t;

/* VARIABLE: conductances are fields. */
template <typename Physics, bool VARIABLE>
struct kept_terms_t {
    enum {
        DIAGONAL,
        SOURCE,
        SCALE,
        CONDUCTANCE_X = SCALE + (Physics::scaled ? 1 : 0),
        CONDUCTANCE_Y,
        ALL_KINDS
    };
    enum { KINDS = VARIABLE ? ALL_KINDS : CONDUCTANCE_X };

    extent_t grid;
    operator_t A;
    Physics physics;
    real_t *kept;
    int32 x[COLUMNS], east[COLUMNS]; /* -1: beyond a side */
    bool whole;             /* a lane's columns are neighbours in memory, aligned, and all inside or none */
    uint32 last_with_north; /* of the rows that have a northern neighbour; as numbers without a sign */
    real_t t_x[COLUMNS], t_y, usual, last;

    /* First cell of a row, -1 where there is none. */
    FUNCTION_MEMBER int32 begin_of(int32 row) const {
        const int32 y = wrapped(row, grid.ny, grid.periodic_y);
        return y < 0 ? -1 : y * static_cast<int32>(grid.nx);
    }
    FUNCTION_MEMBER bool has_north(int32 row) const { return static_cast<uint32>(row) <= last_with_north; }
    /* The parts of all lanes lie side by side, so that no two meet in a bank. */
    FUNCTION_MEMBER real_t *kept_row(int kind, int32 row) const {
        return kept + (kind * ROWS_KEPT + (row & (ROWS_KEPT - 1))) * STRIP_COLUMNS;
    }
    FUNCTION_MEMBER row_t values_of(const real_t *field, int32 begin) const {
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
    FUNCTION_MEMBER row_t changed_sources(uint32 n, int32 begin) const {
        row_t values;
#pragma unroll 1
        for (int j = 0; j < COLUMNS; ++j) {
            values.at[j] = begin < 0 || x[j] < 0 ? (real_t)0 : physics.source(n, begin + x[j]);
        }
        return values;
    }
    /* `chip`: of this group; n: the first of `steps` steps. */
    FUNCTION_MEMBER void begin(const run_parameters_t *run, const operator_t *of, const Physics &what,
                               real_t *chip, int32 column, uint32 n, uint32 steps) {
        grid = {run->nx, run->ny, run->periodic_x, run->periodic_y};
        A = *of;
        physics = what;
        const uint32 place = item_index() / 32u * (KINDS * ROWS_KEPT * STRIP_COLUMNS) +
                             static_cast<uint32>(lane_of_warp()) * part_of<real_t>::columns;
        kept = chip + pinned(place);
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            x[j] = pinned(wrapped(column + j, grid.nx, grid.periodic_x));
            east[j] = x[j] < 0 ? -1 : wrapped(column + j + 1, grid.nx, grid.periodic_x);
            t_x[j] = pinned(east[j] >= 0 && !VARIABLE ? A.face_x[0] : (real_t)0);
        }
        whole = grid.nx % COLUMNS == 0u;
        last_with_north = pinned(grid.periodic_y || grid.ny < 2u ? 0xffffffffu : grid.ny - 2u);
        t_y = pinned(VARIABLE || (grid.ny < 2u && grid.periodic_y == 0u) ? (real_t)0 : A.face_y[0]);
        usual = pinned(physics.factor(n));
        last = pinned(physics.factor(n + steps - 1u));
    }

    FUNCTION_MEMBER row_t load(const real_t *u, int32 row) const {
        return values_of(u, begin_of(row));
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

    struct fetched_t {
        row_t row[KINDS];
    };
    FUNCTION_MEMBER fetched_t fetch(int32 row, uint32 n) const {
        const int32 y = wrapped(row, grid.ny, grid.periodic_y);
        const int32 begin = y < 0 ? -1 : y * static_cast<int32>(grid.nx);
        const uint32 side_y = at_side(static_cast<uint32>(y), grid.ny);
        fetched_t fetched;
        fetched.row[SOURCE] = values_of(physics.b, begin);
        if (physics.sourced()) {
            fetched.row[SOURCE] = changed_sources(n, begin);
        }
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            const bool inside = begin >= 0 && x[j] >= 0;
            const uint32 side_x = at_side(static_cast<uint32>(x[j]), grid.nx);
            const uint32 place = VARIABLE ? begin + x[j] : table_place(side_x, side_y, PLACE_Z);
            fetched.row[DIAGONAL].at[j] = inside ? A.diagonal[place] : (real_t)0;
            if (Physics::scaled) {
                fetched.row[SCALE].at[j] = inside ? physics.scale(usual, place) : (real_t)0;
            }
        }
        if (VARIABLE) {
            fetched.row[CONDUCTANCE_Y] = values_of(A.face_y, has_north(row) ? begin_of(row + 1) : -1);
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) {
                fetched.row[CONDUCTANCE_X].at[j] =
                    begin < 0 || east[j] < 0 ? (real_t)0 : A.face_x[begin + east[j]];
            }
        }
        return fetched;
    }
    FUNCTION_MEMBER void keep(int32 row, const fetched_t &fetched) const {
#pragma unroll
        for (int kind = 0; kind < KINDS; ++kind) {
            store_row(kept_row(kind, row), fetched.row[kind], 32);
        }
    }

    struct row_terms_t {
        row_t t_x, d, b, scales;
        row_t t_y;
        FUNCTION_MEMBER real_t east(int j) const { return t_x.at[j]; }
        FUNCTION_MEMBER real_t north(int j) const { return t_y.at[j]; }
        FUNCTION_MEMBER real_t scale(int j) const { return scales.at[j]; }
        FUNCTION_MEMBER real_t diagonal(int j) const { return d.at[j]; }
        FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
    };
    /* is_last: of the steps of the march */
    FUNCTION_MEMBER row_terms_t at(int32 row, bool is_last) const {
        row_terms_t terms;
        terms.d = load_row(kept_row(DIAGONAL, row), 32);
        terms.b = load_row(kept_row(SOURCE, row), 32);
        if (VARIABLE) {
            terms.t_x = load_row(kept_row(CONDUCTANCE_X, row), 32);
            terms.t_y = load_row(kept_row(CONDUCTANCE_Y, row), 32);
        }
        if (Physics::scaled) {
            terms.scales = load_row(kept_row(SCALE, row), 32);
        }
        const real_t north = has_north(row) ? t_y : (real_t)0;
        const real_t factor = is_last ? last : usual;
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            if (!VARIABLE) {
                terms.t_x.at[j] = t_x[j];
                terms.t_y.at[j] = north;
            }
            if (!Physics::scaled) {
                terms.scales.at[j] = factor;
            }
        }
        return terms;
    }
};

/* Of memory on the chip that a warp needs. */
template <typename Physics>
FUNCTION uint32 kept_bytes(const Physics &, const run_parameters_t *grid) {
    const uint32 kinds = grid->uniform ? static_cast<uint32>(kept_terms_t<Physics, false>::KINDS)
                                       : static_cast<uint32>(kept_terms_t<Physics, true>::KINDS);
    return kinds * (ROWS_KEPT * STRIP_COLUMNS * static_cast<uint32>(sizeof(real_t)));
}
