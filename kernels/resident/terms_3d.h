/* What the formula needs besides u in a march through planes of a uniform problem, in two kinds:
 *
 *   inner_3d_t     no side near, uniform coefficients, no sigma, no source: five numbers
 *   uniform_3d_t   diagonals and scales by where a cell lies among the sides, from a table on the chip; sources are copied
 *                  there plane by plane for the steps that the plane makes
 *
 * Beyond sides that are not periodic they find zeros in u, which no flux leaves. */

typedef struct {
    real_t t_x, t_y, t_z, factor;
} numbers_t;

struct level_numbers_t {
    numbers_t of;
    FUNCTION_MEMBER real_t east(int, int) const { return of.t_x; }
    FUNCTION_MEMBER real_t north(int, int) const { return of.t_y; }
    FUNCTION_MEMBER real_t south(int) const { return of.t_y; }
    FUNCTION_MEMBER real_t above(int, int) const { return of.t_z; }
    FUNCTION_MEMBER real_t scale(int, int) const { return of.factor; }
    FUNCTION_MEMBER nothing_t diagonal(int, int) const { return {}; }
    FUNCTION_MEMBER nothing_t source(int, int) const { return {}; }
};
struct inner_3d_t {
    real_t t_x, t_y, t_z, usual, last;
    FUNCTION_MEMBER level_numbers_t at(int32, bool is_last) const {
        return {{t_x, t_y, t_z, is_last ? last : usual}};
    }
};

/* By table_place. */
typedef struct {
    entry_t usual[64], last[64]; /* last: in the last step of a march */
} entries_t;

template <int T>
struct uniform_chip_t {
    enum { B_SLOTS = T + 2 };
    march_chip_t<T> march;
    plane_on_chip_t b[B_SLOTS];
    entries_t entries;
};

template <int T>
struct uniform_3d_t {
    enum { B_SLOTS = uniform_chip_t<T>::B_SLOTS };
    inner_3d_t inner;
    const real_t *b;
    uint32 layer, nz, periodic_z;
    uint32 tile_is_inner;
    real_t t_x[PAIR];
    uint32 norths,
        places_y; /* of row r: whether it has a northern neighbour, bit r + 1, and its sides, from bit 2 r + 2 on */
    uint32 place_x[PAIR];
    int32 begin; /* the first plane that comes in */
    uniform_chip_t<T> *chip;

    /* No plane z - T .. z - 1 lies at a side. */
    FUNCTION_MEMBER bool is_inner(int32 z) const {
        return tile_is_inner && (periodic_z || (z > T && z < static_cast<int32>(nz)));
    }
    FUNCTION_MEMBER uint32 slot_of(int32 z) const { return static_cast<uint32>(z - begin) % B_SLOTS; }
    FUNCTION_MEMBER void fetch(int32 z, const stand_t &stand) const {
        if (!tile_is_inner || (!periodic_z && (z < T || z + T >= static_cast<int32>(nz)))) {
            copy_plane(b, wrapped(z, nz, periodic_z), layer, stand, &chip->b[slot_of(z)]);
        }
    }

    struct level_t {
        const uniform_3d_t &of;
        const entry_t *entries; /* of the places of the plane */
        const real_t (*sources)[TILE_COLUMNS];
        real_t t_above;
        FUNCTION_MEMBER real_t north_of(int row) const {
            return (of.norths >> (row + 1) & 1u) != 0u ? of.inner.t_y : (real_t)0;
        }
        FUNCTION_MEMBER const entry_t &entry(int r, int j) const {
            return entries[of.place_x[j] + 4u * (of.places_y >> (2 * (r + 1)) & 3u)];
        }
        FUNCTION_MEMBER real_t east(int, int j) const { return of.t_x[j]; }
        FUNCTION_MEMBER real_t north(int r, int) const { return north_of(r); }
        FUNCTION_MEMBER real_t south(int) const { return north_of(-1); }
        FUNCTION_MEMBER real_t above(int, int) const { return t_above; }
        FUNCTION_MEMBER real_t scale(int r, int j) const { return entry(r, j).scale; }
        FUNCTION_MEMBER real_t diagonal(int r, int j) const { return entry(r, j).diagonal; }
        FUNCTION_MEMBER real_t source(int r, int j) const {
            return sources[item_index() / 32u * ROWS_3D + r][lane_of_warp() * PAIR + j];
        }
    };
    FUNCTION_MEMBER level_t at(int32 z, bool is_last) const {
        const int32 in_grid = wrapped(z, nz, periodic_z);
        const bool has_above = in_grid >= 0 && (periodic_z || in_grid + 1 < static_cast<int32>(nz));
        const entry_t *entries = is_last ? chip->entries.last : chip->entries.usual;
        return {*this, entries + table_place(0u, 0u, at_side(static_cast<uint32>(in_grid), nz)),
                chip->b[slot_of(z)], has_above ? inner.t_z : (real_t)0};
    }
};

template <int T>
FUNCTION uniform_3d_t<T> make_uniform_terms(const deal_t &deal, const range_t &range, const inner_3d_t &inner,
                                            const real_t *b, const run_parameters_t *grid, bool plain,
                                            uniform_chip_t<T> *chip) {
    uniform_3d_t<T> terms;
    terms.inner = inner;
    terms.b = b;
    terms.layer = grid->layer.divisor;
    terms.nz = grid->nz;
    terms.periodic_z = grid->periodic_z;
    terms.tile_is_inner = plain && deal.is_inner(range.tile) ? 1u : 0u;
    terms.begin = range.first - T;
    terms.chip = chip;
#pragma unroll
    for (int j = 0; j < PAIR; ++j) {
        const int32 x = column_of(deal, range.tile, j);
        const bool has_east = x >= 0 && (deal.periodic_x || x + 1 < deal.nx);
        terms.t_x[j] = pinned(has_east ? inner.t_x : (real_t)0);
        terms.place_x[j] = pinned(at_side(static_cast<uint32>(x), grid->nx));
    }
    terms.norths = terms.places_y = 0u;
#pragma unroll
    for (int r = -1; r < ROWS_3D; ++r) {
        const int32 y = row_of_grid(deal, range.tile, r);
        terms.norths |= y >= 0 && (deal.periodic_y || y + 1 < deal.ny) ? 1u << (r + 1) : 0u;
        terms.places_y |= at_side(static_cast<uint32>(y), grid->ny) << (2 * (r + 1));
    }
    terms.norths = pinned(terms.norths);
    terms.places_y = pinned(terms.places_y);
    return terms;
}
