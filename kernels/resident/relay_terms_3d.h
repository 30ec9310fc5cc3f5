/* What the formula needs besides u in a march through planes of a uniform problem, of the plane that makes its step and of the one
 * that opens, in two kinds:
 *
 *   finishing_numbers_t, opening_numbers_t   no side near, no sigma, no source: two numbers each
 *   finishing_sides_t, opening_sides_t       diagonals and scales by where a cell lies among the sides, from a table on the chip;
 *                                            sources are copied there plane by plane for the steps that the plane makes
 *
 * Beyond sides that are not periodic there are zeros in u, which no flux leaves. */

typedef struct {
    real_t t_x, t_y, t_z, factor;
} numbers_3d_t;

struct finishing_numbers_t {
    real_t t_z, factor;
    FUNCTION_MEMBER void begin_row(int) {}
    FUNCTION_MEMBER real_t above() const { return t_z; }
    FUNCTION_MEMBER real_t scale(int) const { return factor; }
    FUNCTION_MEMBER nothing_t diagonal(int) const { return {}; }
    FUNCTION_MEMBER nothing_t source(int) const { return {}; }
};
struct opening_numbers_t {
    real_t t_x, t_y, t_z;
    FUNCTION_MEMBER real_t west(int) const { return t_x; }
    FUNCTION_MEMBER real_t east(real_t flux) const { return flux; }
    FUNCTION_MEMBER real_t south(int) const { return t_y; }
    FUNCTION_MEMBER real_t below() const { return t_z; }
};

/* By table_place. */
typedef struct {
    entry_t usual[64], last[64]; /* last: in the last step of a march */
} entries_t;

/* Of an item's cells in a tile, in one register: among which sides they lie, and which of them have a neighbour there. */
struct sides_of_lane_t {
    uint32 bits;

    enum { PLACES_X = 0, PLACES_Y = 8, WESTS = 16, SOUTHS = 20, EAST = 29, ROWS_DIFFER = 30, INNER = 31 };
    FUNCTION_MEMBER uint32 place_x(int j) const { return bits >> (PLACES_X + 2 * j) & 3u; }
    FUNCTION_MEMBER uint32 place_y(int r) const { return bits >> (PLACES_Y + 2 * r) & 3u; }
    FUNCTION_MEMBER bool has_west(int j) const { return (bits >> (WESTS + j) & 1u) != 0u; }
    FUNCTION_MEMBER bool has_east() const { return (bits >> EAST & 1u) != 0u; }
    /* r = ROWS_3D: the row north of the last. */
    FUNCTION_MEMBER bool has_south(int r) const { return (bits >> (SOUTHS + r) & 1u) != 0u; }
    /* A row of the warp lies at a side of y. */
    FUNCTION_MEMBER bool rows_differ() const { return (bits >> ROWS_DIFFER & 1u) != 0u; }
    /* None of the warp's cells lies at a side of x or y, or has a source or sigma. */
    FUNCTION_MEMBER bool inner() const { return (bits >> INNER) != 0u; }
};

struct finishing_sides_t {
    /* Sources of a row: four accesses would meet in the same banks, for two fewer registers wait. */
    enum { AT_ONCE = COLUMNS_3D > 2 };
    real_t t_z; /* between the plane and the one that arrives */
    sides_of_lane_t lane;
    const entry_t *entries; /* of the places of the plane */
    const real_t *sources;  /* of this item in the plane */
    entry_t of_row[COLUMNS_3D];
    const real_t *sources_of_row;
    part_t b;
    FUNCTION_MEMBER void begin_row(int r) {
        sources_of_row = sources + r * TILE_COLUMNS;
        if constexpr (AT_ONCE) {
            b = load_part(sources_of_row);
        }
        if (r == 0 || lane.rows_differ()) {
#pragma unroll
            for (int j = 0; j < COLUMNS_3D; ++j) {
                of_row[j] = entries[table_place(lane.place_x(j), lane.place_y(r), 0u)];
            }
        }
    }
    FUNCTION_MEMBER real_t above() const {
        return t_z;
    }
    FUNCTION_MEMBER real_t scale(int j) const {
        return of_row[j].scale;
    }
    FUNCTION_MEMBER real_t diagonal(int j) const {
        return of_row[j].diagonal;
    }
    FUNCTION_MEMBER real_t source(int j) const {
        if constexpr (AT_ONCE) {
            return b.at[j];
        } else {
            return sources_of_row[j];
        }
    }
};
struct opening_sides_t {
    real_t t_x, t_y, t_z;
    sides_of_lane_t lane;
    FUNCTION_MEMBER real_t west(int j) const { return lane.has_west(j) ? t_x : (real_t)0; }
    /* Through the last column's eastern face, as the lane behind finds it. */
    FUNCTION_MEMBER real_t east(real_t flux) const { return lane.has_east() ? flux : (real_t)0; }
    FUNCTION_MEMBER real_t south(int r) const { return lane.has_south(r) ? t_y : (real_t)0; }
    FUNCTION_MEMBER real_t below() const { return t_z; }
};

FUNCTION sides_of_lane_t make_sides(const tiles_3d_t &tiles, int32 tile, bool plain) {
    uint32 bits = 0u;
    bool inner = plain, at_side_y = false;
#pragma unroll
    for (int j = 0; j < COLUMNS_3D; ++j) {
        const int32 x = column_of(tiles, tile, j);
        const uint32 place = at_side(static_cast<uint32>(x), static_cast<uint32>(tiles.nx));
        bits |= place << (sides_of_lane_t::PLACES_X + 2 * j);
        bits |= x >= 0 && (tiles.periodic_x || x > 0) ? 1u << (sides_of_lane_t::WESTS + j) : 0u;
        bits |= j + 1 == COLUMNS_3D && x >= 0 && (tiles.periodic_x || x + 1 < tiles.nx)
                    ? 1u << sides_of_lane_t::EAST
                    : 0u;
        inner = inner && x >= 0 && (place == 0u || (tiles.periodic_x && tiles.nx > 1));
    }
#pragma unroll
    for (int r = 0; r <= ROWS_3D; ++r) {
        const int32 y = row_of_grid(tiles, tile, r);
        const uint32 place = at_side(static_cast<uint32>(y), static_cast<uint32>(tiles.ny));
        at_side_y = at_side_y || (r < ROWS_3D && place != 0u);
        bits |= r < ROWS_3D ? place << (sides_of_lane_t::PLACES_Y + 2 * r) : 0u;
        bits |= y >= 0 && (tiles.periodic_y || y > 0) ? 1u << (sides_of_lane_t::SOUTHS + r) : 0u;
        inner = inner && (r == ROWS_3D || (y >= 0 && (place == 0u || (tiles.periodic_y && tiles.ny > 1))));
    }
    bits |= __all_sync(ALL_LANES, inner) != 0 ? 1u << sides_of_lane_t::INNER : 0u;
    bits |= __any_sync(ALL_LANES, at_side_y) != 0 ? 1u << sides_of_lane_t::ROWS_DIFFER : 0u;
    return {bits};
}

/* Rows of a lane with a cell at a side of x or y, all their columns, as bits of stand_t. */
FUNCTION uint32 beside_sides(sides_of_lane_t sides) {
    const bool at_side_x = (sides.bits >> sides_of_lane_t::PLACES_X & ((1u << 2 * COLUMNS_3D) - 1u)) != 0u;
    uint32 cells = 0u;
#pragma unroll
    for (int r = 0; r < ROWS_3D; ++r) {
        cells |= at_side_x || sides.place_y(r) != 0u ? ((1u << COLUMNS_3D) - 1u) << (COLUMNS_3D * r) : 0u;
    }
    return cells;
}
