/* Tiles of three-dimensional grids that a group marches through, plane by plane along z, and how they are shared out.
 *
 * A tile is TILE_COLUMNS x TILE_ROWS cells of every plane: 32 lanes of PAIR columns, WARPS_3D warps of ROWS_3D rows. A march of
 * T steps spoils T of them on every side, which neighbours compute too: own_x x own_y cells are its own.
 *
 * Planes of all tiles are dealt out in order, so that every group has as much to do: a range of planes of one tile costs 2 T
 * planes more than it stores, and tiles at sides SIDE_COST_3D / INNER_COST times an inner one. */

enum { PAIR = 2, TILE_COLUMNS = 32 * PAIR };
enum {
    WARPS_3D = sizeof(real_t) == 8 ? 8 : 12,
    ROWS_3D = 4,
    STEPS_3D = sizeof(real_t) == 8 ? 3 : 4 /* of a march */
};
enum { TILE_ROWS = WARPS_3D * ROWS_3D, ITEMS_3D = 32 * WARPS_3D };
enum { INNER_COST = 4, SIDE_COST_3D = 5 };

typedef row_of<real_t, PAIR> pair_t;

/* Planes first .. end - 1 of a tile. */
typedef struct {
    int32 tile, first, end;
} range_t;

/* Where dealing out stands. */
typedef struct {
    int32 tile, plane;
} dealt_t;

struct deal_t {
    int32 steps;
    int32 ring_x;       /* columns that neighbours own on either side: even, so that pairs stay whole */
    int32 own_x, own_y; /* of a tile */
    int32 nx, ny, nz;
    uint32 periodic_x, periodic_y;
    int32 strips_x, tiles;
    int32 budget;  /* of each group */
    dealt_t begin; /* of this one */

    FUNCTION_MEMBER int32 first_x(int32 tile) const { return tile % strips_x * own_x - ring_x; }
    FUNCTION_MEMBER int32 first_y(int32 tile) const { return tile / strips_x * own_y - steps; }
    /* No cell of it lies at a side of x or y. */
    FUNCTION_MEMBER bool is_inner_x(int32 strip) const {
        const int32 x = strip * own_x - ring_x;
        return periodic_x || (x > 0 && x + TILE_COLUMNS < nx);
    }
    FUNCTION_MEMBER bool is_inner_y(int32 strip) const {
        const int32 y = strip * own_y - steps;
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
        const int32 affordable = (cost == INNER_COST ? *left / INNER_COST : *left / SIDE_COST_3D) - 2 * steps;
        if (affordable < 1) {
            return false;
        }
        const int32 planes = affordable < nz - at->plane ? affordable : nz - at->plane;
        *range = {at->tile, at->plane, at->plane + planes};
        *left -= (planes + 2 * steps) * cost;
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

FUNCTION deal_t make_deal(const run_parameters_t *grid, int32 steps) {
    deal_t deal;
    deal.steps = steps;
    deal.ring_x = divided_up(steps, PAIR) * PAIR;
    deal.own_x = TILE_COLUMNS - 2 * deal.ring_x;
    deal.own_y = TILE_ROWS - 2 * steps;
    deal.nx = static_cast<int32>(grid->nx);
    deal.ny = static_cast<int32>(grid->ny);
    deal.nz = static_cast<int32>(grid->nz);
    deal.periodic_x = grid->periodic_x;
    deal.periodic_y = grid->periodic_y;
    deal.strips_x = divided_up(deal.nx, deal.own_x);
    deal.tiles = deal.strips_x * divided_up(deal.ny, deal.own_y);
    int32 inner_x = 0, inner_y = 0;
    for (int32 strip = 0; strip < deal.strips_x; ++strip) {
        inner_x += deal.is_inner_x(strip) ? 1 : 0;
    }
    for (int32 strip = 0; strip < deal.tiles / deal.strips_x; ++strip) {
        inner_y += deal.is_inner_y(strip) ? 1 : 0;
    }
    const float inner = static_cast<float>(inner_x) * static_cast<float>(inner_y);
    const float cost = SIDE_COST_3D * static_cast<float>(deal.tiles) - (SIDE_COST_3D - INNER_COST) * inner;
    deal.budget = static_cast<int32>(cost * static_cast<float>(deal.nz + 2 * steps) /
                                     static_cast<float>(group_count())) +
                  (2 * steps + 1) * SIDE_COST_3D;
    while (deal.after(group_count()).tile < deal.tiles) {
        deal.budget += deal.budget / 32 + 1;
    }
    deal.begin = deal.after(group_index());
    return deal;
}

/* Where a lane stands in a tile: bit PAIR r + j of a mask is its column j in its warp's row r. */
struct stand_t {
    uint32 x[PAIR];                    /* 0 where beyond a side */
    int32 first_row, wraps, nx, layer; /* rows from `wraps` on lie at the other end of the grid */
    uint32 inside, own;
    bool whole; /* pairs of columns are neighbours in memory, aligned, and both inside or none */

    FUNCTION_MEMBER static uint32 bit(int r, int j) { return 1u << (PAIR * r + j); }
    /* First cell of row r in its plane, were it inside. */
    FUNCTION_MEMBER int32 row(int r) const { return first_row + r * nx - (r >= wraps ? layer : 0); }
    FUNCTION_MEMBER uint32 cell(int r, int j) const { return static_cast<uint32>(row(r)) + x[j]; }
};

/* The grid's column of this lane's column j, and its row of the warp's row r; -1: beyond a side. */
FUNCTION int32 column_of(const deal_t &deal, int32 tile, int j) {
    return wrapped(deal.first_x(tile) + lane_of_warp() * PAIR + j, static_cast<uint32>(deal.nx),
                   deal.periodic_x);
}
FUNCTION int32 row_in_tile(int r) {
    return static_cast<int32>(item_index() / 32u) * ROWS_3D + r;
}
FUNCTION int32 row_of_grid(const deal_t &deal, int32 tile, int r) {
    return wrapped(deal.first_y(tile) + row_in_tile(r), static_cast<uint32>(deal.ny), deal.periodic_y);
}

FUNCTION stand_t make_stand(const deal_t &deal, int32 tile) {
    stand_t stand;
    stand.inside = stand.own = 0u;
    stand.whole = deal.nx % PAIR == 0;
    stand.nx = deal.nx;
    stand.layer = deal.nx * deal.ny;
    stand.first_row = 0;
    stand.wraps = ROWS_3D;
#pragma unroll
    for (int r = ROWS_3D - 1; r >= 0; --r) {
        const int32 y = row_of_grid(deal, tile, r), in_tile = row_in_tile(r);
        stand.first_row = y < 0 ? stand.first_row : (y - r) * deal.nx;
        stand.wraps = deal.periodic_y && y == 0 && r > 0 ? r : stand.wraps;
        const bool own_row = in_tile >= deal.steps && in_tile < TILE_ROWS - deal.steps &&
                             deal.first_y(tile) + in_tile < deal.ny;
#pragma unroll
        for (int j = 0; j < PAIR; ++j) {
            const int32 x = column_of(deal, tile, j), column = lane_of_warp() * PAIR + j;
            stand.x[j] = static_cast<uint32>(x < 0 ? 0 : x);
            const bool own = own_row && column >= deal.ring_x && column < TILE_COLUMNS - deal.ring_x &&
                             deal.first_x(tile) + column < deal.nx;
            stand.inside |= y >= 0 && x >= 0 ? stand.bit(r, j) : 0u;
            stand.own |= own ? stand.bit(r, j) : 0u;
        }
    }
    return stand;
}
