/* What the formula needs besides u where coefficients differ from cell to cell: fetched from memory when a row comes in, kept
 * on the chip for the steps that it makes. */

template <typename Physics>
struct variable_terms_t {
    enum {
        DIAGONAL,
        SOURCE,
        SCALE,
        CONDUCTANCE_X = SCALE + (Physics::scaled ? 1 : 0),
        CONDUCTANCE_Y,
        ALL_KINDS
    };
    enum { LEVELS_AT_ONCE = 1, ROWS_OF_WARP = ROWS_COPIED + ALL_KINDS * ROWS_KEPT };

    strip_t strip;
    operator_t A;
    Physics physics;
    real_t *kept;
    int32 east[COLUMNS]; /* -1: beyond a side */
    real_t usual, last;

    /* The parts of all lanes lie side by side, so that no two meet in a bank. */
    FUNCTION_MEMBER real_t *kept_row(int kind, int32 row) const {
        return kept + (kind * ROWS_KEPT + (row & (ROWS_KEPT - 1))) * STRIP_COLUMNS;
    }
    /* of_warp: of chip_of_warp(); n: the first of `steps` steps. */
    FUNCTION_MEMBER void begin(const run_parameters_t *run, const operator_t *of, const Physics &what,
                               real_t *of_warp, int32 column, uint32 n, uint32 steps) {
        strip.begin(run, column);
        A = *of;
        physics = what;
        kept = of_warp + ROWS_COPIED * STRIP_COLUMNS +
               pinned(static_cast<uint32>(lane_of_warp()) * part_of<real_t>::columns);
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            east[j] = strip.east_of(j);
        }
        usual = pinned(physics.factor(n));
        last = pinned(physics.factor(n + steps - 1u));
    }
    FUNCTION_MEMBER void copy(const real_t *u, int32 row, real_t *to) const {
        strip.copy(u, strip.begin_of(row), to);
    }
    FUNCTION_MEMBER void store(real_t *u, int32 row, const row_t &values, uint32 own) const {
        strip.store(u, row, values, own);
    }

    struct fetched_t {
        row_t row[ALL_KINDS];
    };
    FUNCTION_MEMBER fetched_t fetch(int32 row, uint32 n) const {
        const int32 begin = strip.begin_of(row);
        fetched_t fetched;
        fetched.row[DIAGONAL] = strip.load(A.diagonal, begin);
        fetched.row[SOURCE] = strip.load(physics.b, begin);
        if (physics.sourced()) {
            fetched.row[SOURCE] = changed_sources(physics, strip, n, begin);
        }
        fetched.row[CONDUCTANCE_Y] =
            strip.load(A.face_y, strip.has_north(row) ? strip.begin_of(row + 1) : -1);
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            if (Physics::scaled) {
                const bool inside = begin >= 0 && strip.x[j] >= 0;
                fetched.row[SCALE].at[j] = inside ? physics.scale(usual, begin + strip.x[j]) : (real_t)0;
            }
            fetched.row[CONDUCTANCE_X].at[j] =
                begin < 0 || east[j] < 0 ? (real_t)0 : A.face_x[begin + east[j]];
        }
        return fetched;
    }
    FUNCTION_MEMBER void keep(int32 row, uint32, const real_t *, const fetched_t &fetched) const {
#pragma unroll
        for (int kind = 0; kind < ALL_KINDS; ++kind) {
            store_row(kept_row(kind, row), fetched.row[kind], 32);
        }
    }

    struct row_terms_t {
        row_t t_x, t_y, d, b, scales;
        real_t factor;
        FUNCTION_MEMBER real_t east(int j) const { return t_x.at[j]; }
        FUNCTION_MEMBER real_t north(int j) const { return t_y.at[j]; }
        FUNCTION_MEMBER real_t scale(int j) const { return Physics::scaled ? scales.at[j] : factor; }
        FUNCTION_MEMBER real_t diagonal(int j) const { return d.at[j]; }
        FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
    };
    /* is_last: of the steps of the march */
    FUNCTION_MEMBER row_terms_t at(int32 row, bool is_last) const {
        row_terms_t terms = {load_row(kept_row(CONDUCTANCE_X, row), 32),
                             load_row(kept_row(CONDUCTANCE_Y, row), 32),
                             load_row(kept_row(DIAGONAL, row), 32),
                             load_row(kept_row(SOURCE, row), 32),
                             {},
                             is_last ? last : usual};
        if (Physics::scaled) {
            terms.scales = load_row(kept_row(SCALE, row), 32);
        }
        return terms;
    }
};

/* Of memory on the chip that a warp needs. */
template <typename Physics>
FUNCTION uint32 kept_bytes(const Physics &, const run_parameters_t *grid) {
    const uint32 rows = static_cast<uint32>(grid->uniform ? side_terms_t<Physics>::ROWS_OF_WARP
                                                          : variable_terms_t<Physics>::ROWS_OF_WARP);
    return rows * (STRIP_COLUMNS * static_cast<uint32>(sizeof(real_t)));
}
