/* Tiles of a grid in 2D, for relays of warps (kernels/resident/relay_2d.h) that march through them.
 *
 * Strips of columns are cut into segments of rows, one tile a relay as near as that goes. Those at a side take side_cost times
 * as long a row as inner ones, and are as much shorter. Strips lie so that the first cell of a row is a lane's first column
 * and the last one a lane's last: the last strip lies as far back as that takes and leaves so much less to the one before it. */

/* Rows first_row .. end_row - 1 of a tile, from step n on. The same in all lanes but for `own`. */
typedef struct {
    int32 first_row, end_row;
    uint32 n;
    uint32 own; /* bit j: this lane's column j is the tile's own */
} tile_t;

typedef struct {
    uint32 workers; /* of the launch */
    uint32 worker;  /* this one */
    int32 depth;    /* columns and rows that a tile takes in beside its own */
    float side_cost;
    uint32 tiles;
    int32 strips, own_columns;
    int32 first_inner, inner_strips; /* those at no side of x */
    int32 segments;                  /* how often each of these is cut */
    bool sides_of_y;
    int32 rows, end_rows; /* of their segments; of the first and the last of these */
    int32 side_rows;      /* of the segments of the other strips */
    uint32 end_pieces;    /* 1: rows at sides of y are pieces of their own */
} tiling_t;

/* Rows of a tile at a side that take as long as `rows` of an inner one. */
FUNCTION int32 rows_at_side(const tiling_t *tiling, int32 rows) {
    const int32 beside = 2 * tiling->depth;
    const int32 found = static_cast<int32>(static_cast<float>(rows + beside) / tiling->side_cost) - beside;
    const int32 fewest = rows < 1 ? 1 : rows < tiling->depth ? rows : tiling->depth;
    return found < fewest ? fewest : found;
}

/* Rows at a side of y that are marched through on their own, where the rest of such a tile is an inner one. */
FUNCTION int32 end_piece(const tiling_t *tiling) {
    return tiling->depth + 1;
}
/* Rows of an inner tile that such a piece and one more march take longer than it has rows. */
FUNCTION int32 cost_of_end_piece(const tiling_t *tiling) {
    const int32 rows = end_piece(tiling), beside = 3 * tiling->depth;
    return static_cast<int32>(static_cast<float>(rows + beside) * tiling->side_cost) + beside - rows;
}

/* `segments` of each inner strip: those at its ends are shorter. */
FUNCTION void cut(tiling_t *tiling, int32 ny, int32 segments) {
    const int32 guess = divided_up(ny, segments), of_piece = cost_of_end_piece(tiling);
    tiling->segments = segments;
    tiling->rows = tiling->end_rows = guess;
    const int32 shorter = rows_at_side(tiling, guess);
    tiling->end_pieces = guess - of_piece > shorter ? 1u : 0u;
    if (tiling->sides_of_y && segments > 2) {
        const int32 with_pieces = divided_up(ny + 2 * of_piece, segments);
        tiling->end_rows = tiling->end_pieces ? with_pieces - of_piece : shorter;
        tiling->rows = divided_up(ny - 2 * tiling->end_rows, segments - 2);
    }
    tiling->side_rows = rows_at_side(tiling, tiling->rows);
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
    tiling.first_inner = grid->periodic_x ? 0 : 1;
    tiling.inner_strips = tiling.strips > 2 * tiling.first_inner ? tiling.strips - 2 * tiling.first_inner : 0;
    tiling.sides_of_y = grid->periodic_y == 0u;
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
    uint32 inner;   /* 1: no side of x near; after a first look: no source and no sigma either */
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
        return tiling->first_inner + index % tiling->inner_strips;
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
    const int32 own_columns = tiling->own_columns, depth = tiling->depth;
    const bool moved = nx >= STRIP_COLUMNS; /* the last strip */
    const bool is_last = strip + 1 == tiling->strips;
    const int32 begin = moved && is_last ? nx - own_columns : strip * own_columns;
    const int32 usual_end = begin + own_columns, before_last = nx - own_columns;
    const int32 end = moved && !is_last && usual_end > before_last ? before_last
                      : usual_end < nx                             ? usual_end
                                                                   : nx;
    const int32 first = begin - depth;
    place.tile.n = 0u;
    place.tile.own = 0u;
    place.column = first + lane_of_warp() * COLUMNS;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        const int32 x = place.column + j;
        place.tile.own |= x >= begin && x < end ? 1u << j : 0u;
    }
    const bool no_side_x = grid->periodic_x || (first > 0 && end + depth < nx);
    place.inner = no_side_x && (!grid->periodic_y || ny > 1) ? 1u : 0u;
    place.sourced = 1u;
    return place;
}

/* The part of a tile from `row` on that is marched through at once, in `piece`; the row behind it. Of a piece, `inner` means no
 * side of y near either. */
FUNCTION int32 next_piece(const tiling_t *tiling, const run_parameters_t *grid, const place_t *place,
                          int32 row, place_t *piece) {
    const int32 ny = static_cast<int32>(grid->ny), end_row = place->tile.end_row;
    const int32 first_inner = end_piece(tiling), end_inner = ny - first_inner;
    *piece = *place;
    piece->tile.first_row = row;
    if (place->inner && tiling->sides_of_y) {
        const bool apart = tiling->end_pieces != 0u && first_inner < end_inner;
        const int32 here = row < first_inner ? first_inner : row < end_inner ? end_inner : ny;
        piece->tile.end_row = apart && here < end_row ? here : end_row;
        piece->inner = row >= first_inner && piece->tile.end_row <= end_inner ? 1u : 0u;
    }
    return piece->tile.end_row;
}
