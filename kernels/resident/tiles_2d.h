/* Tiles of a grid in 2D, for relays of warps (kernels/resident/relay_2d.h) that march through them: strips of columns, whose rows
 * are dealt out (kernels/resident/deal.h).
 *
 * A strip takes in STRIP_COLUMNS columns, of which DEPTH at each end are not its own. At sides of the grid they would lie beyond
 * it and are left out, but where own columns are whole lines of memory: they are to begin with one. Strips lie so that the first
 * cell of a row is a lane's first column and the last one a lane's last: the last strip lies as far back as that takes and leaves
 * so much less to the one before it. Strips at sides of x are stretches of one kind; of the others the rows at sides of y are
 * stretches of their own. */

/* Kinds of stretches. */
enum { INNER_ROWS = 0, ROWS_AT_Y = 1, ROWS_AT_X = 2 };

template <bool UNIFORM>
struct strips_t {
    enum {
        DEPTH = 8, /* columns and rows that a tile takes in beside its own: steps of a pass */
        KINDS = ROWS_AT_X + 1,
        /* and what the start takes, in lines, as measured */
        BESIDE = 3 * DEPTH + (sizeof(real_t) == 8 ? 22 : 6),
        OWN = STRIP_COLUMNS - 2 * DEPTH,
        OWN_IS_LINES = OWN * sizeof(real_t) % 128 == 0 ? 1 : 0,
        END = DEPTH + 1 /* rows of a stretch at a side of y */
    };
    int32 nx, ny;
    uint32 rings; /* 1: at sides of x as elsewhere */
    int32 strips;
    int32 first_inner, inner; /* strips at no side of x */
    int32 pieces;             /* stretches of each of these: 3, or 1 where y is periodic */

    FUNCTION_MEMBER int32 stretches() const { return strips - inner + inner * pieces; }
    FUNCTION_MEMBER range_t stretch(int32 index) const {
        const int32 of_inner = index - first_inner, behind = of_inner - inner * pieces;
        if (of_inner < 0 || behind >= 0) {
            return {of_inner < 0 ? index : first_inner + inner + behind, 0, ny, ROWS_AT_X};
        }
        if (pieces == 1) {
            return {first_inner + of_inner, 0, ny, INNER_ROWS};
        }
        const int32 strip = first_inner + of_inner / 3, piece = of_inner % 3;
        if (piece == 1) {
            return {strip, END, ny - END, INNER_ROWS};
        }
        const int32 first = piece == 0 ? 0 : ny - END;
        return {strip, first, first + END, ROWS_AT_Y};
    }
    FUNCTION_MEMBER int32 lines_of(int32 kind) const {
        return kind == ROWS_AT_X ? ny : kind == ROWS_AT_Y ? END : pieces == 1 ? ny : ny - 2 * END;
    }
    /* As measured (kernels/resident/README.md). */
    FUNCTION_MEMBER static int32 cost_of(int32 kind) {
        constexpr bool wide = sizeof(real_t) == 8;
        constexpr int32 at_y = UNIFORM ? (wide ? 38 : 51) : wide ? 40 : 41;
        constexpr int32 at_x = UNIFORM ? (wide ? 52 : 69) : wide ? 44 : 42;
        return kind == INNER_ROWS ? 32 : kind == ROWS_AT_Y ? at_y : at_x;
    }
    /* The first column that a strip takes in, those that are its own. */
    FUNCTION_MEMBER int32 column_of(int32 strip) const {
        const int32 back = nx - STRIP_COLUMNS + (rings ? DEPTH : 0);
        const int32 usual = strip * OWN - (rings ? DEPTH : 0);
        return strip + 1 == strips && nx >= STRIP_COLUMNS ? back : usual;
    }
    FUNCTION_MEMBER int32 begin_of(int32 strip) const { return strip == 0 ? 0 : column_of(strip) + DEPTH; }
    FUNCTION_MEMBER int32 end_of(int32 strip) const {
        const int32 usual = begin_of(strip) + (strip == 0 && !rings ? OWN + DEPTH : OWN);
        const int32 last = begin_of(strips - 1);
        return strip + 1 == strips ? nx : usual < last ? usual : last;
    }
};

/* Where sides of both axes lie far from each other, strips between have rows that no side is near. */
template <bool UNIFORM>
FUNCTION strips_t<UNIFORM> make_strips(const run_parameters_t *grid) {
    strips_t<UNIFORM> made;
    made.nx = static_cast<int32>(grid->nx);
    made.ny = static_cast<int32>(grid->ny);
    made.rings = grid->periodic_x || made.OWN_IS_LINES ? 1u : 0u;
    made.strips = tiles_along(made.nx, made.OWN, made.rings ? 0 : made.DEPTH);
    const bool far = grid->periodic_y ? made.ny > 1 : made.ny > 2 * made.END;
    const int32 at_x = grid->periodic_x ? 0 : 2;
    made.first_inner = far ? at_x / 2 : made.strips;
    made.inner = far && made.strips > at_x ? made.strips - at_x : 0;
    made.pieces = grid->periodic_y ? 1 : 3;
    return made;
}

/* Rows first_row .. end_row - 1 of a tile, from step n on. The same in all lanes but for `own`. */
typedef struct {
    int32 first_row, end_row;
    uint32 n;
    uint32 own; /* bit j: this lane's column j is the tile's own */
} tile_t;

/* Where a relay is: a range of rows, the first column of this lane. */
typedef struct {
    tile_t tile;
    int32 column;
    uint32 inner;   /* 1: no side near, no source and no sigma */
    uint32 sourced; /* 1: sources or sigma elsewhere than beside sides */
} place_t;

template <bool UNIFORM>
FUNCTION place_t place_of(const strips_t<UNIFORM> &strips, const range_t &range, uint32 n, uint32 sourced) {
    const int32 begin = strips.begin_of(range.tile), end = strips.end_of(range.tile);
    place_t place;
    place.tile = {range.first, range.end, n, 0u};
    place.column = strips.column_of(range.tile) + lane_of_warp() * COLUMNS;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        const int32 x = place.column + j;
        place.tile.own |= x >= begin && x < end ? 1u << j : 0u;
    }
    place.inner = range.kind == INNER_ROWS && sourced == 0u ? 1u : 0u;
    place.sourced = sourced;
    return place;
}
