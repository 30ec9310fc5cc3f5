/* Terms of the formula besides u in a sweep through planes of a uniform problem. A plane is finished when it is advanced; it
 * opens when it begins to wait for the plane above. There are two kinds:
 *
 *   finishing_numbers_t, opening_numbers_t   away from sides, without sigma and sources: two numbers each
 *   finishing_sides_t, opening_sides_t       at sides: diagonals and scales come from a table in shared memory, by the sides that a
 *                                            cell lies at; sources are copied there plane by plane for as many steps as a plane makes
 *
 * Beyond sides that are not periodic u is zero, and no flux leaves the grid. */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_TERMS_3D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_TERMS_3D_H

#include "kernels/resident/physics.h"
#include "kernels/resident/tile_3d.h"
#include "kernels/resident/zero_term.h"

typedef struct {
    real_t t_x, t_y, t_z, factor;
} numbers_3d_t;

struct finishing_numbers_t {
    real_t t_z, factor;
    FUNCTION_MEMBER void begin_row(int) {}
    FUNCTION_MEMBER real_t above() const { return t_z; }
    FUNCTION_MEMBER real_t scale(int) const { return factor; }
    FUNCTION_MEMBER zero_term_t diagonal(int) const { return {}; }
    FUNCTION_MEMBER zero_term_t source(int) const { return {}; }
};
struct opening_numbers_t {
    real_t t_x, t_y, t_z;
    FUNCTION_MEMBER real_t west(int) const { return t_x; }
    FUNCTION_MEMBER real_t east(real_t flux) const { return flux; }
    FUNCTION_MEMBER real_t south(int) const { return t_y; }
    FUNCTION_MEMBER real_t below() const { return t_z; }
};

/* Indexed by table_place. */
typedef struct {
    entry_t usual[64], last[64]; /* last: for the last step of a sweep */
} entries_t;

/* What the cells of a warp have in common, if there are sources and sigma only next to sides. WARP_INNER: none is at a side of x
 * or y. WARP_WITH_ENDS: those at a side are first or last columns of lanes. WARP_WITH_ROWS: those at a side are whole rows.
 * WARP_ANY: anything else. */
enum { WARP_ANY = 0, WARP_WITH_ENDS = 1, WARP_WITH_ROWS = 2, WARP_INNER = 3 };

/* The sides that an item's cells of a tile lie at, and which of these cells have a neighbour there; packed in one register. */
struct sides_of_lane_t {
    uint32 bits;

    enum { PLACES_X = 0, PLACES_Y = 8, WESTS = 16, SOUTHS = 20, EAST = 25, ALIKE = 26, ROWS_AT_SIDES = 28 };
    FUNCTION_MEMBER uint32 place_x(int j) const { return bits >> (PLACES_X + 2 * j) & 3u; }
    FUNCTION_MEMBER uint32 place_y(int r) const { return bits >> (PLACES_Y + 2 * r) & 3u; }
    FUNCTION_MEMBER bool has_west(int j) const { return (bits >> (WESTS + j) & 1u) != 0u; }
    FUNCTION_MEMBER bool has_east() const { return (bits >> EAST & 1u) != 0u; }
    /* r = ROWS_3D: the row north of the last one. */
    FUNCTION_MEMBER bool has_south(int r) const { return (bits >> (SOUTHS + r) & 1u) != 0u; }
    /* Bit r: a cell of row r lies at a side of x or y. */
    FUNCTION_MEMBER uint32 rows_at_sides() const { return bits >> ROWS_AT_SIDES; }
    /* Returns what the warp's cells have in common: WARP_INNER ... */
    FUNCTION_MEMBER uint32 alike() const { return bits >> ALIKE & 3u; }
    FUNCTION_MEMBER bool inner() const { return alike() == WARP_INNER; }
};

/* Returns the sources of row r of this item; `sources` points to those of its first row. They are zero, and were not copied,
 * unless `rows` has the bit of the row. */
FUNCTION part_t sources_of_row(uint32 rows, int r, const real_t *sources) {
    part_t b = {};
    if ((rows >> r & 1u) != 0u) {
        b = load_part(sources + r * TILE_COLUMNS);
    }
    return b;
}

struct finishing_sides_t {
    real_t t_z; /* of the faces to the arriving plane */
    sides_of_lane_t lane;
    const entry_t *entries; /* of the plane */
    const real_t *sources;  /* of this item in the plane */
    uint32 rows;            /* rows with sources */
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
    /* Flux through the last column's eastern face, as the next lane computed it. */
    FUNCTION_MEMBER real_t east(real_t flux) const { return lane.has_east() ? flux : (real_t)0; }
    FUNCTION_MEMBER real_t south(int r) const { return lane.has_south(r) ? t_y : (real_t)0; }
    FUNCTION_MEMBER real_t below() const { return t_z; }
};

FUNCTION sides_of_lane_t make_sides(const tiles_3d_t &tiles, int32 tile, bool plain) {
    uint32 bits = 0u, sides_x = 0u;
    /* Whether, in this lane: no column lies at a side; no row does; at most the outermost columns do, and the columns are all
     * inside the grid or all outside. */
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
            bits |= (sides_x | place) != 0u ? 1u << (sides_of_lane_t::ROWS_AT_SIDES + r) : 0u;
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
