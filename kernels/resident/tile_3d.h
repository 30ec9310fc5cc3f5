/* Tiles of three-dimensional grids that a group marches through, plane by plane along z, and how they are shared out.
 *
 * A tile is TILE_COLUMNS x TILE_ROWS cells of every plane: lanes of COLUMNS_3D columns, what one load takes, and ROWS_3D rows;
 * half a warp (float32) or a warp (float64) spans a row. The group's warps are STEPS_3D runners, each of which has all of the
 * tile: one step of a relay (kernels/resident/relay_3d.h). A march of T steps spoils T cells on every side, which neighbours
 * compute too: own_x x own_y cells are a tile's own.
 *
 * Planes of all tiles are dealt out in order, so that every group has as much to do: a range of planes of one tile costs
 * PLANES_BESIDE planes more than it stores, and tiles at sides SIDE_COST_3D / INNER_COST times an inner one. */

enum {
    COLUMNS_3D = 16 / sizeof(real_t),
    ROWS_3D = 4,
    WARPS_3D = 8, /* of a runner */
    STEPS_3D = 3, /* of a march: runners */
    TILE_COLUMNS = 64,
    LANES_ACROSS = TILE_COLUMNS / COLUMNS_3D,
    ITEMS_OF_RUNNER = 32 * WARPS_3D,
    TILE_ROWS = ITEMS_OF_RUNNER / LANES_ACROSS * ROWS_3D,
    ITEMS_3D = STEPS_3D * ITEMS_OF_RUNNER,
    RING_X = (STEPS_3D + COLUMNS_3D - 1) / COLUMNS_3D * COLUMNS_3D, /* lanes stay whole */
    RING_IS_SECTORS = RING_X * sizeof(real_t) % 32 == 0 ? 1 : 0,
    PLANES_BESIDE =
        3 * STEPS_3D - 1 /* STEPS_3D before and behind, and until the last runner has its first one */
};
/* As measured, in parts of what a plane of an inner tile takes. Before a range has its first plane, time passes as for
 * PLANES_OF_START more. */
enum { INNER_COST = 10, SIDE_COST_3D = 15, PLANES_OF_START = 3 };

typedef row_of<real_t, COLUMNS_3D> part_t;

FUNCTION part_t load_part(const real_t *from) {
    part_t part;
    unpack(part.at, *reinterpret_cast<const part_of<real_t>::type *>(from));
    return part;
}
FUNCTION void store_part(real_t *to, const part_t &part) {
    *reinterpret_cast<part_of<real_t>::type *>(to) = pack(part.at);
}

/* Planes first .. end - 1 of a tile. */
typedef struct {
    int32 tile, first, end;
} range_t;

/* Where dealing out stands. */
typedef struct {
    int32 tile, plane;
} dealt_t;

struct deal_t {
    int32 own_x, own_y; /* of a tile */
    int32 nx, ny, nz;
    uint32 periodic_x, periodic_y;
    int32 strips_x, tiles;
    int32 budget;  /* of each group */
    dealt_t begin; /* of this one */

    /* At sides that are not periodic there is no ring, but along x where own columns would begin within a sector of memory. */
    FUNCTION_MEMBER bool has_rings_x() const { return periodic_x || !RING_IS_SECTORS; }
    FUNCTION_MEMBER int32 first_x_of(int32 strip) const {
        return strip * own_x - (has_rings_x() ? RING_X : 0);
    }
    FUNCTION_MEMBER int32 first_y_of(int32 strip) const {
        return strip * own_y - (periodic_y ? STEPS_3D : 0);
    }
    FUNCTION_MEMBER int32 first_x(int32 tile) const { return first_x_of(tile % strips_x); }
    FUNCTION_MEMBER int32 first_y(int32 tile) const { return first_y_of(tile / strips_x); }
    FUNCTION_MEMBER bool owns_column(int32 first, int32 column) const {
        const bool behind_ring = column >= RING_X || (!has_rings_x() && first == 0);
        const bool before_ring =
            column < TILE_COLUMNS - RING_X || (!has_rings_x() && first + TILE_COLUMNS >= nx);
        return behind_ring && before_ring && first + column < nx;
    }
    FUNCTION_MEMBER bool owns_row(int32 first, int32 row) const {
        const bool behind_ring = row >= STEPS_3D || (!periodic_y && first == 0);
        const bool before_ring = row < TILE_ROWS - STEPS_3D || (!periodic_y && first + TILE_ROWS >= ny);
        return behind_ring && before_ring && first + row < ny;
    }
    /* No cell of it lies at a side of x or y. */
    FUNCTION_MEMBER bool is_inner_x(int32 strip) const {
        const int32 x = first_x_of(strip);
        return periodic_x || (x > 0 && x + TILE_COLUMNS < nx);
    }
    FUNCTION_MEMBER bool is_inner_y(int32 strip) const {
        const int32 y = first_y_of(strip);
        return periodic_y || (y > 0 && y + TILE_ROWS < ny);
    }
    FUNCTION_MEMBER bool is_inner(int32 tile) const {
        return is_inner_x(tile % strips_x) && is_inner_y(tile / strips_x);
    }
    /* The next range, of what is `left` of a budget; false: nothing. */
    FUNCTION_MEMBER bool next(dealt_t *at, int32 *left, range_t *range) const {
        if (at->tile >= tiles) {
            return false;
        }
        const int32 cost = is_inner(at->tile) ? INNER_COST : SIDE_COST_3D;
        const int32 affordable = (cost == INNER_COST ? *left / INNER_COST : *left / SIDE_COST_3D) -
                                 PLANES_BESIDE - PLANES_OF_START;
        if (affordable < 1) {
            return false;
        }
        const int32 planes = affordable < nz - at->plane ? affordable : nz - at->plane;
        *range = {at->tile, at->plane, at->plane + planes};
        *left -= (planes + PLANES_BESIDE + PLANES_OF_START) * cost;
        at->plane += planes;
        if (at->plane == nz) {
            at->plane = 0;
            ++at->tile;
        }
        return true;
    }
    /* What `groups` groups leave, each with its budget. */
    FUNCTION_MEMBER dealt_t after(uint32 groups) const {
        dealt_t at = {0, 0};
        for (uint32 group = 0; group < groups; ++group) {
            int32 left = budget;
            range_t range;
            while (next(&at, &left, &range)) {
            }
        }
        return at;
    }
};

/* The tiles of the grid, nothing dealt out yet. */
FUNCTION deal_t make_tiles(const run_parameters_t *grid) {
    deal_t deal;
    deal.own_x = TILE_COLUMNS - 2 * RING_X;
    deal.own_y = TILE_ROWS - 2 * STEPS_3D;
    deal.nx = static_cast<int32>(grid->nx);
    deal.ny = static_cast<int32>(grid->ny);
    deal.nz = static_cast<int32>(grid->nz);
    deal.periodic_x = grid->periodic_x;
    deal.periodic_y = grid->periodic_y;
    const int32 between_x = deal.nx - (deal.has_rings_x() ? 0 : 2 * RING_X);
    const int32 between_y = deal.ny - (deal.periodic_y ? 0 : 2 * STEPS_3D);
    deal.strips_x = between_x > deal.own_x ? divided_up(between_x, deal.own_x) : 1;
    deal.tiles = deal.strips_x * (between_y > deal.own_y ? divided_up(between_y, deal.own_y) : 1);
    return deal;
}

/* What all tiles cost at least: each in one range. */
FUNCTION float cost_of_tiles(const deal_t &deal) {
    int32 inner_x = 0, inner_y = 0;
    for (int32 strip = 0; strip < deal.strips_x; ++strip) {
        inner_x += deal.is_inner_x(strip) ? 1 : 0;
    }
    for (int32 strip = 0; strip < deal.tiles / deal.strips_x; ++strip) {
        inner_y += deal.is_inner_y(strip) ? 1 : 0;
    }
    const int32 side = SIDE_COST_3D, less = SIDE_COST_3D - INNER_COST;
    const float inner = static_cast<float>(inner_x) * static_cast<float>(inner_y);
    const float cost =
        static_cast<float>(side) * static_cast<float>(deal.tiles) - static_cast<float>(less) * inner;
    return cost * static_cast<float>(deal.nz + PLANES_BESIDE + PLANES_OF_START);
}

/* With the least budget that leaves nothing: every item tries others, of those that all tiles in one range each need and more, for
 * what is left of a group's and for tiles that are shared. All items of all groups; `word`: of the group. */
FUNCTION deal_t make_deal(const run_parameters_t *grid, uint32 *word) {
    deal_t deal = make_tiles(grid);
    const uint32 least_budget = static_cast<uint32>(cost_of_tiles(deal) / static_cast<float>(group_count()));
    uint32 tried = least_budget + item_index();
    if (item_index() == 0u) {
        *word = 0x7fffffffu;
    }
    group_barrier();
    for (bool found = false; !found;) {
        deal.budget = static_cast<int32>(tried);
        found = deal.after(group_count()).tile >= deal.tiles;
        if (found) {
            atomicMin(word, tried);
        }
        tried += group_size();
    }
    group_barrier();
    deal.budget = static_cast<int32>(*word);
    deal.begin = deal.after(group_index());
    return deal;
}

/* Of this item in its runner's tile. */
FUNCTION int32 first_column_in_tile() {
    return static_cast<int32>(item_index() % LANES_ACROSS) * COLUMNS_3D;
}
FUNCTION int32 first_row_in_tile() {
    return static_cast<int32>(item_index() % ITEMS_OF_RUNNER / LANES_ACROSS) * ROWS_3D;
}

/* The grid's column of this lane's column j, and its row of the lane's row r; -1: beyond a side. */
FUNCTION int32 column_of(const deal_t &deal, int32 tile, int j) {
    return wrapped(deal.first_x(tile) + first_column_in_tile() + j, static_cast<uint32>(deal.nx),
                   deal.periodic_x);
}
FUNCTION int32 row_of_grid(const deal_t &deal, int32 tile, int r) {
    return wrapped(deal.first_y(tile) + first_row_in_tile() + r, static_cast<uint32>(deal.ny),
                   deal.periodic_y);
}

/* Where a lane stands in a tile: bit COLUMNS_3D r + j of a mask is its column j in its row r. */
struct stand_t {
    uint32 first[ROWS_3D];        /* cells of column 0 in their plane */
    uint32 along[COLUMNS_3D - 1]; /* cells from there to the others of a row */
    unsigned short inside, own;
    uint32 sides; /* kernels/resident/relay_terms_3d.h */

    FUNCTION_MEMBER static uint32 bit(int r, int j) { return 1u << (COLUMNS_3D * r + j); }
    FUNCTION_MEMBER uint32 cell(int r, int j) const { return first[r] + (j == 0 ? 0u : along[j - 1]); }
};

/* Columns are neighbours in memory, aligned, and all inside or none. */
FUNCTION bool lanes_are_whole(const deal_t &deal) {
    return deal.nx % COLUMNS_3D == 0;
}

/* All of it but its sides. */
FUNCTION void place_lane(const deal_t &deal, int32 tile, stand_t *stand) {
    const int32 first_x = column_of(deal, tile, 0), begin = first_x < 0 ? 0 : first_x;
    uint32 inside = 0u, own = 0u;
#pragma unroll
    for (int r = 0; r < ROWS_3D; ++r) {
        const int32 y = row_of_grid(deal, tile, r), in_tile = first_row_in_tile() + r;
        stand->first[r] = static_cast<uint32>((y < 0 ? 0 : y * deal.nx) + begin);
        const bool own_row = deal.owns_row(deal.first_y(tile), in_tile);
#pragma unroll
        for (int j = 0; j < COLUMNS_3D; ++j) {
            const int32 x = column_of(deal, tile, j), column = first_column_in_tile() + j;
            if (j > 0) {
                stand->along[(j + COLUMNS_3D - 1) % COLUMNS_3D] =
                    static_cast<uint32>((x < 0 ? begin : x) - begin);
            }
            const bool is_own = own_row && deal.owns_column(deal.first_x(tile), column);
            inside |= y >= 0 && x >= 0 ? stand_t::bit(r, j) : 0u;
            own |= is_own ? stand_t::bit(r, j) : 0u;
        }
    }
    stand->inside = static_cast<unsigned short>(inside);
    stand->own = static_cast<unsigned short>(own);
}
