/* What the formula needs besides u in a relay (kernels/resident/relay_2d.h), level by level of a runner with COUNT of them:
 *
 *   relay_fields_t         coefficients that differ from cell to cell: read once from rings on the chip, moved on with the rows
 *   relay_numbers_t        uniform ones, in a tile with no side near, without sigma and sources: three numbers
 *   relay_side_numbers_t   uniform ones elsewhere: d and scales from a table by the sides that a cell lies at, b from its ring
 *
 * at(i, row, slot, is_last): of the row that waits at level i, while one arrives whose place in the rings is `slot`; west(i, j):
 * of its western faces; south(i, j, row): of the southern faces of the row that waits there once one has arrived; east(flux):
 * through the lane's last face, if there is a cell behind it; move_on(i): the row that was to arrive there has; settle(slot): all
 * have. */

/* Of a lane's columns: a side of x that is not periodic behind them. */
FUNCTION bool is_last_of_row(const run_parameters_t *grid, int32 column) {
    return column + COLUMNS == static_cast<int32>(grid->nx) && grid->periodic_x == 0u;
}

template <int COUNT, typename Physics, bool WITHOUT_SOURCES>
struct relay_fields_t {
    enum { UNIFORM = 0, INNER = WITHOUT_SOURCES };
    typedef relay_chip_t<Physics, false> chip_t;
    chip_t chip;
    row_t west_faces[COUNT], south_faces[COUNT];
    row_t arriving; /* southern faces of the row that a level takes in */
    real_t usual, last;
    bool ends; /* the lane's last cell is the row's */

    struct row_terms_t {
        const row_t &north_faces;
        row_t d, b, inverse;
        real_t factor;
        FUNCTION_MEMBER real_t north(int j) const { return north_faces.at[j]; }
        FUNCTION_MEMBER auto diagonal(int j) const { return unless_inner(d.at[j]); }
        FUNCTION_MEMBER auto source(int j) const { return unless_inner(b.at[j]); }
        FUNCTION_MEMBER real_t scale(int j) const {
            return Physics::scaled ? factor * inverse.at[j] : factor;
        }

      private:
        FUNCTION_MEMBER static auto unless_inner(real_t value) {
            if constexpr (INNER) {
                return nothing_t{};
            } else {
                return value;
            }
        }
    };

    FUNCTION_MEMBER void begin(const chip_t &rows, const Physics &, const operator_t *,
                               const run_parameters_t *grid, int32 column, real_t usual_factor,
                               real_t last_factor) {
        chip = rows;
        ends = is_last_of_row(grid, column);
        usual = pinned(usual_factor);
        last = pinned(last_factor);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            west_faces[i] = {};
            south_faces[i] = {};
        }
    }
    FUNCTION_MEMBER real_t west(int i, int j) const {
        return west_faces[i].at[j];
    }
    FUNCTION_MEMBER real_t south(int i, int j, int32) const {
        return south_faces[i].at[j];
    }
    FUNCTION_MEMBER real_t east(real_t flux) const {
        return !INNER && ends ? (real_t)0 : flux;
    }
    FUNCTION_MEMBER void arrive(uint32 slot) {
        arriving = load_row(chip.row(RELAY_SOUTH, slot), 32);
    }
    FUNCTION_MEMBER row_terms_t at(int i, int32, uint32 slot, bool is_last) const {
        row_terms_t terms = {arriving, {}, {}, {}, is_last ? last : usual};
        const uint32 of_row = chip_t::earlier(slot, static_cast<uint32>(i) + 1u);
        if (!INNER) {
            terms.d = load_row(chip.row(RELAY_DIAGONAL, of_row), 32);
            terms.b = load_row(chip.row(RELAY_SOURCE, of_row), 32);
        }
        if (Physics::scaled) {
            terms.inverse = load_row(chip.row(RELAY_INVERSE, of_row), 32);
        }
        return terms;
    }
    FUNCTION_MEMBER void move_on(int i) {
        const row_t before = south_faces[i];
        south_faces[i] = arriving;
        arriving = before;
    }
    FUNCTION_MEMBER void settle(uint32 slot) {
#pragma unroll
        for (int i = COUNT - 1; i > 0; --i) {
            west_faces[i] = west_faces[i - 1];
        }
        west_faces[0] = load_row(chip.row(RELAY_WEST, slot), 32);
    }
};

/* Nothing moves. */
template <typename Physics>
struct relay_uniform_t {
    enum { UNIFORM = 1 };
    typedef relay_chip_t<Physics, true> chip_t;
    FUNCTION_MEMBER void arrive(uint32) {}
    FUNCTION_MEMBER void move_on(int) {}
    FUNCTION_MEMBER void settle(uint32) {}
};

template <int COUNT, typename Physics>
struct relay_numbers_t : relay_uniform_t<Physics> {
    enum { INNER = 1 };
    using typename relay_uniform_t<Physics>::chip_t;
    real_t t_x, t_y, usual, last;

    struct row_terms_t {
        real_t t_y, factor;
        FUNCTION_MEMBER real_t north(int) const { return t_y; }
        FUNCTION_MEMBER nothing_t diagonal(int) const { return {}; }
        FUNCTION_MEMBER nothing_t source(int) const { return {}; }
        FUNCTION_MEMBER real_t scale(int) const { return factor; }
    };

    FUNCTION_MEMBER void begin(const chip_t &, const Physics &physics, const operator_t *A,
                               const run_parameters_t *, int32, real_t usual_factor, real_t last_factor) {
        const uint32 inside = table_place(0u, 0u, PLACE_Z);
        t_x = pinned(A->face_x[0]);
        t_y = pinned(A->face_y[0]);
        usual = pinned(physics.scale(usual_factor, inside));
        last = pinned(physics.scale(last_factor, inside));
    }
    FUNCTION_MEMBER real_t west(int, int) const { return t_x; }
    FUNCTION_MEMBER real_t south(int, int, int32) const { return t_y; }
    FUNCTION_MEMBER real_t east(real_t flux) const { return flux; }
    FUNCTION_MEMBER row_terms_t at(int, int32, uint32, bool is_last) const {
        return {t_y, is_last ? last : usual};
    }
};

/* The first cell of a row is a lane's first column, the last one a lane's last. */
template <int COUNT, typename Physics>
struct relay_side_numbers_t : relay_uniform_t<Physics> {
    enum { INNER = 0 };
    using typename relay_uniform_t<Physics>::chip_t;
    const real_t *sources;        /* the ring */
    const entry_t *entries;       /* by sides of x, four for each kind of sides of y */
    uint32 first_side, last_side; /* of the first and the last column */
    uint32 ny, rows_with_north;   /* as numbers without a sign */
    real_t t_first, t_x, t_y, usual, last;

    struct row_terms_t {
        const relay_side_numbers_t &of;
        const entry_t *entries;
        row_t b;
        real_t t_y, factor;
        FUNCTION_MEMBER real_t north(int) const { return t_y; }
        FUNCTION_MEMBER real_t diagonal(int j) const { return entry(j).diagonal; }
        FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
        FUNCTION_MEMBER real_t scale(int j) const { return Physics::scaled ? entry(j).scale : factor; }
        FUNCTION_MEMBER const entry_t &entry(int j) const {
            return entries[j == 0 ? of.first_side : j + 1 == COLUMNS ? of.last_side : 0u];
        }
    };

    FUNCTION_MEMBER void begin(const chip_t &chip, const Physics &physics, const operator_t *A,
                               const run_parameters_t *grid, int32 column, real_t usual_factor,
                               real_t last_factor) {
        sources = chip.row(RELAY_SOURCE, 0u);
        entries = chip.table() + (grid->periodic_y && grid->ny == 1u ? 12u : 0u);
        usual = pinned(usual_factor);
        last = pinned(last_factor);
        t_x = pinned(A->face_x[0]);
        t_y = pinned(A->face_y[0]);
        for (uint32 at = static_cast<uint32>(lane_of_warp()); at < SIDE_ENTRIES; at += 32u) {
            const uint32 place = table_place(at & 3u, at >> 2, PLACE_Z);
            chip.table()[at] = {A->diagonal[place], physics.scale(usual, place)};
        }
        const int32 x = wrapped(column, grid->nx, grid->periodic_x);
        const bool first_cell = x == 0 && grid->periodic_x == 0u;
        t_first = pinned(first_cell || x < 0 ? (real_t)0 : t_x);
        first_side = pinned(first_cell ? 1u : 0u);
        last_side = pinned(is_last_of_row(grid, column) ? 2u : 0u);
        /* Rows of a periodic axis are all alike. */
        ny = pinned(grid->periodic_y ? 0u : grid->ny);
        rows_with_north = pinned(grid->periodic_y ? 0xffffffffu : grid->ny - 1u);
    }
    FUNCTION_MEMBER real_t west(int, int j) const { return j == 0 ? t_first : t_x; }
    FUNCTION_MEMBER real_t south(int, int, int32 row) const { return north_of(row - 1); }
    FUNCTION_MEMBER real_t north_of(int32 row) const {
        const uint32 y = static_cast<uint32>(row);
        return y < rows_with_north || rows_with_north == 0xffffffffu ? t_y : (real_t)0;
    }
    FUNCTION_MEMBER real_t east(real_t flux) const { return last_side != 0u ? (real_t)0 : flux; }
    FUNCTION_MEMBER row_terms_t at(int i, int32 row, uint32 slot, bool is_last) const {
        const uint32 y = static_cast<uint32>(row), place = chip_t::earlier(slot, static_cast<uint32>(i) + 1u);
        const uint32 side = ny == 0u ? 0u : at_side(y, ny);
        return {*this, entries + 4u * side, load_row(sources + place * STRIP_COLUMNS, 32), north_of(row),
                is_last ? last : usual};
    }
};

template <int COUNT, typename Physics>
using relay_inner_fields_t = relay_fields_t<COUNT, Physics, true>;
template <int COUNT, typename Physics>
using relay_all_fields_t = relay_fields_t<COUNT, Physics, false>;
