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

/* ACTIVE steps of a tile. Of the rows that come in first, nothing right goes on to where a neighbour was missing; what
 * leaves before row first_row is not stored. */
template <int ACTIVE, typename Terms>
FUNCTION void march(const Terms &terms, const tile_t &tile, real_t *of_warp, const real_t *from, real_t *to) {
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
                const row_t next = advance_row(terms.at(row - level - 1, level + 1 == ACTIVE), waiting[level],
                                               u, across[i], &south_flux[level]);
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
