/* A march through a tile: rows come in one by one, and each makes ACTIVE time steps on its way out.
 *
 * Level l holds the row that has made l steps and waits for its northern neighbour. A row that arrives there
 * lets the one before it go on to level l + 1 and takes its place:
 *
 *     rows from memory ->  level 0  ->  level 1  ->  ...  ->  rows after ACTIVE steps, ACTIVE rows behind
 *
 * A tile is a warp's alone: one strip of STRIP_COLUMNS columns, lanes exchange edges by shuffles, nobody waits
 * for anybody. What lacks a neighbour is wrong, one column and one row more with every step: a tile takes in LEVELS
 * columns on each side and ACTIVE rows before and behind its own, which its neighbours compute too. */

/* Rows first_row .. end_row - 1 of a tile, from step n on. The same in all lanes but for `own`. */
typedef struct {
    int32 first_row, end_row;
    uint32 n;
    uint32 own; /* bit j: this lane's column j is the tile's own */
} tile_t;

/* What a march does in a step of a row: advance it, */
struct advancing_t {
    template <typename Terms>
    FUNCTION_MEMBER row_t advance(const Terms &terms, int32, const row_t &u, const row_t &north,
                                  const across_t<COLUMNS> &across, row_t *south_flux) const {
        return advance_row(terms, u, north, across, south_flux);
    }
};
/* or besides watch b - A u of the tile's own cells, in a march of one step. */
struct watching_t {
    residual_t *residual;
    const tile_t &tile;
    int32 first_cell, nx; /* of this lane's columns in row 0 */
    template <typename Terms>
    FUNCTION_MEMBER row_t advance(const Terms &terms, int32 row, const row_t &u, const row_t &north,
                                  const across_t<COLUMNS> &across, row_t *south_flux) const {
        const row_t found = advance_row(residual_of(terms), u, north, across, south_flux);
        row_t next;
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            next.at[j] = EXPLICIT_STEP(u.at[j], terms.scale(j), found.at[j]);
            if (row >= tile.first_row && row < tile.end_row && (tile.own >> j & 1u) != 0u) {
                residual->add(static_cast<uint32>(first_cell + row * nx + j), u.at[j], found.at[j],
                              terms.scale(j));
            }
        }
        return next;
    }
};

/* ACTIVE steps of a tile. Of the rows that come in first, nothing right goes on to where a neighbour was missing; what
 * leaves before row first_row is not stored. */
template <int ACTIVE, typename Terms, typename Doing>
FUNCTION void march(const Terms &terms, const tile_t &tile, real_t *of_warp, const real_t *from, real_t *to,
                    const Doing &doing) {
    constexpr int at_once = ACTIVE < Terms::LEVELS_AT_ONCE ? ACTIVE : Terms::LEVELS_AT_ONCE;
    const int32 begin = tile.first_row - ACTIVE, end = pinned(tile.end_row + ACTIVE);
    const int32 first_row = pinned(tile.first_row);
    const uint32 own = pinned(tile.own), n = pinned(tile.n);
    row_t waiting[ACTIVE] = {}, south_flux[ACTIVE] = {};
    for (int32 row = 0; row < ROWS_AHEAD - 1; ++row) {
        terms.copy(from, begin + row, row_ahead(of_warp, row));
        commit_copies();
    }
    int32 slot = 0;
    typename Terms::fetched_t terms_ahead = terms.fetch(begin, n);
#pragma unroll 1
    for (int32 row = begin; row < end; ++row) {
        await_copies<ROWS_AHEAD - 2>();
        const real_t *copied = row_ahead(of_warp, slot); /* by this lane itself */
        row_t u = load_row(copied, 32);
        if (row + ROWS_AHEAD - 1 < end) {
            terms.copy(from, row + ROWS_AHEAD - 1, row_ahead(of_warp, slot == 0 ? ROWS_AHEAD - 1 : slot - 1));
        }
        commit_copies();
        slot = slot + 1 < ROWS_AHEAD ? slot + 1 : 0;
        /* Only what has arrived is kept: row r is not needed before it waits for row r + 1. */
        const int32 following = row + 1 < end ? row + 1 : row;
#pragma unroll
        for (int first = 0; first < ACTIVE; first += at_once) {
            across_t<COLUMNS> across[at_once];
            fluxes_across<at_once>(
                [&](int i) { return terms.at(row - first - i - 1, first + i + 1 == ACTIVE); },
                waiting + first, across);
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const int level = first + i;
                const row_t next =
                    doing.advance(terms.at(row - level - 1, level + 1 == ACTIVE), row - level - 1,
                                  waiting[level], u, across[i], &south_flux[level]);
                waiting[level] = u;
                u = next;
            }
        }
        terms.keep(row, n, copied, terms_ahead);
        terms_ahead = terms.fetch(following, n);
        if (row - ACTIVE >= first_row) {
            terms.store(to, row - ACTIVE, u, own);
        }
    }
}
