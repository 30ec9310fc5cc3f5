/* What the formula needs besides u in a march through planes of a uniform problem, of the plane that makes its step and of the one
 * that opens, in two kinds:
 *
 *   finishing_numbers_t, opening_numbers_t   no side near, no sigma, no source: two numbers each
 *   finishing_sides_t, opening_sides_t       diagonals and scales by where a cell lies among the sides, from a table on the chip;
 *                                            sources are copied there plane by plane for the steps that the plane makes
 *
 * Beyond sides that are not periodic there are zeros in u, which no flux leaves. */
#ifndef PERDURE_KERNELS_RESIDENT_RELAY_TERMS_3D_H
#define PERDURE_KERNELS_RESIDENT_RELAY_TERMS_3D_H

#include "kernels/resident/nothing.h"
#include "kernels/resident/physics.h"
#include "kernels/resident/tile_3d.h"

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

/* Cells of a warp, which have neither sources nor sigma but beside sides: none lies at a side of x or y; those that do are first and
 * last columns of lanes; whole rows; any may. */
enum { WARP_ANY = 0, WARP_WITH_ENDS = 1, WARP_WITH_ROWS = 2, WARP_INNER = 3 };

/* Of an item's cells in a tile, in one register: among which sides they lie, and which of them have a neighbour there. */
struct sides_of_lane_t {
    uint32 bits;

    enum { PLACES_X = 0, PLACES_Y = 8, WESTS = 16, SOUTHS = 20, EAST = 25, ALIKE = 26, BESIDE = 28 };
    FUNCTION_MEMBER uint32 place_x(int j) const { return bits >> (PLACES_X + 2 * j) & 3u; }
    FUNCTION_MEMBER uint32 place_y(int r) const { return bits >> (PLACES_Y + 2 * r) & 3u; }
    FUNCTION_MEMBER bool has_west(int j) const { return (bits >> (WESTS + j) & 1u) != 0u; }
    FUNCTION_MEMBER bool has_east() const { return (bits >> EAST & 1u) != 0u; }
    /* r = ROWS_3D: the row north of the last. */
    FUNCTION_MEMBER bool has_south(int r) const { return (bits >> (SOUTHS + r) & 1u) != 0u; }
    /* Bit r: a cell of row r lies at a side of x or y. */
    FUNCTION_MEMBER uint32 rows_beside() const { return bits >> BESIDE; }
    /* What the warp's cells have in common: WARP_INNER .. */
    FUNCTION_MEMBER uint32 alike() const { return bits >> ALIKE & 3u; }
    FUNCTION_MEMBER bool inner() const { return alike() == WARP_INNER; }
};

/* Sources of row r of this item, whose first one has them at `sources`; there are none, and nothing was copied, but where `rows` has
 * a bit. */
FUNCTION part_t sources_of_row(uint32 rows, int r, const real_t *sources) {
    part_t b = {};
    if ((rows >> r & 1u) != 0u) {
        b = load_part(sources + r * TILE_COLUMNS);
    }
    return b;
}

struct finishing_sides_t {
    real_t t_z; /* between the plane and the one that arrives */
    sides_of_lane_t lane;
    const entry_t *entries; /* of the places of the plane */
    const real_t *sources;  /* of this item in the plane */
    uint32 rows;            /* that have some */
    entry_t of_row[COLUMNS_3D];
    part_t b;
    FUNCTION_MEMBER void begin_row(int r) {
        b = sources_of_row(rows, r, sources);
#pragma unroll
        for (int j = 0; j < COLUMNS_3D; ++j) {
            of_row[j] = entries[table_place(lane.place_x(j), lane.place_y(r), 0u)];
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
        return b.at[j];
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
    uint32 bits = 0u, sides_x = 0u;
    /* Of the lane: no column, no row lies at a side; no other than the outermost columns does, and all or none are in the grid. */
    bool inner_x = true, inner_y = true, ends = true;
    const bool first_inside = column_of(tiles, tile, 0) >= 0;
#pragma unroll
    for (int j = 0; j < COLUMNS_3D; ++j) {
        const int32 x = column_of(tiles, tile, j);
        const uint32 place = at_side(static_cast<uint32>(x), static_cast<uint32>(tiles.nx));
        const uint32 allowed = (j == 0 ? 1u : 0u) | (j + 1 == COLUMNS_3D ? 2u : 0u);
        bits |= place << (sides_of_lane_t::PLACES_X + 2 * j);
        sides_x |= place;
        bits |= x >= 0 && (tiles.periodic_x || x > 0) ? 1u << (sides_of_lane_t::WESTS + j) : 0u;
        bits |= j + 1 == COLUMNS_3D && x >= 0 && (tiles.periodic_x || x + 1 < tiles.nx)
                    ? 1u << sides_of_lane_t::EAST
                    : 0u;
        inner_x = inner_x && x >= 0 && (place == 0u || (tiles.periodic_x && tiles.nx > 1));
        ends = ends && (x >= 0) == first_inside && (place & ~allowed) == 0u && !tiles.periodic_x;
    }
#pragma unroll
    for (int r = 0; r <= ROWS_3D; ++r) {
        const int32 y = row_of_grid(tiles, tile, r);
        const uint32 place = at_side(static_cast<uint32>(y), static_cast<uint32>(tiles.ny));
        if (r < ROWS_3D) {
            bits |= place << (sides_of_lane_t::PLACES_Y + 2 * r);
            bits |= (sides_x | place) != 0u ? 1u << (sides_of_lane_t::BESIDE + r) : 0u;
        }
        bits |= y >= 0 && (tiles.periodic_y || y > 0) ? 1u << (sides_of_lane_t::SOUTHS + r) : 0u;
        inner_y =
            inner_y && (r == ROWS_3D || (y >= 0 && (place == 0u || (tiles.periodic_y && tiles.ny > 1))));
    }
    inner_x = __all_sync(ALL_LANES, inner_x) != 0;
    inner_y = __all_sync(ALL_LANES, inner_y) != 0;
    ends = __all_sync(ALL_LANES, ends) != 0;
    const uint32 alike = !plain               ? WARP_ANY
                         : inner_x && inner_y ? WARP_INNER
                         : inner_y && ends    ? WARP_WITH_ENDS
                         : inner_x            ? WARP_WITH_ROWS
                                              : WARP_ANY;
    bits |= alike << sides_of_lane_t::ALIKE;
    return {bits};
}

#endif
