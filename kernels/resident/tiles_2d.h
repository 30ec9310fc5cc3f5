/* Tiles of a grid in 2D, for workers that march through them: warps (kernels/resident/streamed_2d.h) or relays of warps
 * (kernels/resident/relay_2d.h).
 *
 * Strips of columns are cut into segments of rows, one tile a worker as near as that goes. Those at a side take side_cost times
 * as long a row as inner ones, and are as much shorter. */

typedef struct {
    uint32 workers; /* of the launch: warps, or relays of them */
    uint32 worker;  /* this one, or NO_WARP */
    int32 depth;    /* columns and rows that a tile takes in beside its own */
    float side_cost;
    uint32 tiles;
    int32 strips, own_columns;
    int32 inner_strips, segments; /* all but the first and the last strip, and how often each is cut */
    int32 rows, end_rows;         /* of their segments; of the first and the last of these */
    int32 side_rows;              /* of the segments of the other strips */
} tiling_t;

/* Rows of a tile at a side that take as long as `rows` of an inner one. */
FUNCTION int32 rows_at_side(const tiling_t *tiling, int32 rows) {
    const int32 beside = 2 * tiling->depth;
    const int32 found = static_cast<int32>(static_cast<float>(rows + beside) / tiling->side_cost) - beside;
    const int32 fewest = rows < 1 ? 1 : rows < tiling->depth ? rows : tiling->depth;
    return found < fewest ? fewest : found;
}

/* `segments` of each inner strip: a short one at either end. */
FUNCTION void cut(tiling_t *tiling, int32 ny, int32 segments) {
    const int32 guess = divided_up(ny, segments);
    const bool even = tiling->side_cost == 1.0f;
    tiling->segments = segments;
    tiling->end_rows = even || segments < 3 ? guess : rows_at_side(tiling, guess);
    tiling->rows = segments < 3 ? guess : divided_up(ny - 2 * tiling->end_rows, segments - 2);
    tiling->side_rows = even ? guess : rows_at_side(tiling, tiling->rows);
    const int32 side_strips = tiling->strips - tiling->inner_strips;
    tiling->tiles = static_cast<uint32>(tiling->inner_strips * segments +
                                        side_strips * divided_up(ny, tiling->side_rows));
}

/* As many segments as there are workers for. */
FUNCTION tiling_t make_tiling(const run_parameters_t *grid, uint32 workers, uint32 worker, int32 depth,
                              float side_cost) {
    const int32 ny = static_cast<int32>(grid->ny);
    tiling_t tiling;
    tiling.workers = workers;
    tiling.worker = worker;
    tiling.depth = depth;
    tiling.side_cost = side_cost;
    tiling.own_columns = STRIP_COLUMNS - 2 * depth;
    tiling.strips = divided_up(static_cast<int32>(grid->nx), tiling.own_columns);
    tiling.inner_strips = tiling.strips > 2 ? tiling.strips - 2 : 0;
    int32 segments = static_cast<int32>(workers) / tiling.strips;
    segments = segments < 1 ? 1 : segments > ny ? ny : segments;
    cut(&tiling, ny, segments);
    while (tiling.tiles > workers && segments > 1) {
        cut(&tiling, ny, --segments);
    }
    return tiling;
}

/* Where a worker is: its tile, the first column of this lane. */
typedef struct {
    tile_t tile;
    int32 column;
    uint32 inner;   /* 1: no side near; after a first look: no source and no sigma either */
    uint32 sourced; /* 1: sources or sigma elsewhere than beside sides, as far as is known */
} place_t;

/* The strip and the rows of a tile. */
FUNCTION int32 strip_of(const tiling_t *tiling, int32 index, int32 ny, tile_t *tile) {
    const int32 of_inner = tiling->inner_strips * tiling->segments;
    if (index < of_inner) {
        const int32 segment = index / tiling->inner_strips;
        tile->first_row = segment == 0 ? 0 : tiling->end_rows + (segment - 1) * tiling->rows;
        tile->end_row = segment + 1 == tiling->segments ? ny : tiling->end_rows + segment * tiling->rows;
        tile->end_row = tile->end_row < ny ? tile->end_row : ny;
        return 1 + index % tiling->inner_strips;
    }
    const int32 side_strips = tiling->strips - tiling->inner_strips;
    const int32 segment = (index - of_inner) / side_strips;
    tile->first_row = segment * tiling->side_rows;
    tile->end_row = tile->first_row + tiling->side_rows < ny ? tile->first_row + tiling->side_rows : ny;
    return (index - of_inner) % side_strips == 0 ? 0 : tiling->strips - 1;
}

FUNCTION place_t place_of(const tiling_t *tiling, const run_parameters_t *grid, uint32 index) {
    const int32 ny = static_cast<int32>(grid->ny), nx = static_cast<int32>(grid->nx);
    place_t place;
    const int32 strip = strip_of(tiling, static_cast<int32>(index), ny, &place.tile);
    if (place.tile.first_row > place.tile.end_row) { /* a segment that nothing is left for */
        place.tile.first_row = place.tile.end_row;
    }
    const int32 own_columns = tiling->own_columns, depth = tiling->depth, first = strip * own_columns - depth;
    place.tile.n = 0u;
    place.tile.own = 0u;
    place.column = first + lane_of_warp() * COLUMNS;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        const int32 x = place.column + j;
        const bool own = x >= strip * own_columns && x < (strip + 1) * own_columns && x < nx;
        place.tile.own |= own ? 1u << j : 0u;
    }
    place.inner = first > 0 && first + STRIP_COLUMNS < nx && place.tile.first_row > depth &&
                          place.tile.end_row + depth < ny
                      ? 1u
                      : 0u;
    place.sourced = 1u;
    return place;
}
