/* A relay: the warps of a group in teams, each of which marches through a tile together.
 *
 *   rows from memory -> runner 0: LEG steps -> runner 1: LEG steps -> ... -> rows after RELAY_STEPS steps
 *
 * In a tick every runner takes in one row, lets those before it make its steps, and hands on the row that has made all of
 * them, through memory on the chip; the next runner takes it in the tick after. What differs from cell to cell is copied
 * to the chip once for all runners, and each reads it once for all its steps: a row's conductances move on in registers with
 * the row, level by level.
 *
 *   runner r, in tick k:  row  = k - r (LEG + 1)
 *                         u    = r == 0 ? u(row) from memory : what runner r - 1 has handed on
 *                         for level 0 .. LEG - 1:  u(row - level) arrives as northern neighbour of u(row - level - 1),
 *                                                  which makes its step and becomes u
 *                         r last ? to memory : hand on u
 *                         copy a row AHEAD ticks ahead; wait for the copies of the next tick; meet the other runners
 *
 * Bytes on the chip per cell and step, read and written: (2 values / LEG + 2 t / LEG) sizeof(real_t). Barriers of a relay:
 * one a tick. What lacks a neighbour is wrong, as in kernels/resident/march_2d.h. */

#define RELAY_ITEMS (32 * RELAY_RUNNERS)

#if defined(__CUDACC__)
/* The warps of a relay meet; the barriers of a group are others. */
FUNCTION void relay_barrier(uint32 relay) {
    DELAY_HERE();
    asm volatile("bar.sync %0, %1;" : : "r"(relay + 1u), "n"(RELAY_ITEMS) : "memory");
}
#endif

/* What a row takes besides fluxes, of tiles with and without diagonals and sources. */
struct relay_terms_t {
    row_t d, b;
    row_t scales; /* scaled: 1/D */
    real_t factor;
    bool scaled;
    FUNCTION_MEMBER real_t diagonal(int j) const { return d.at[j]; }
    FUNCTION_MEMBER real_t source(int j) const { return b.at[j]; }
    FUNCTION_MEMBER real_t scale(int j) const { return scaled ? factor * scales.at[j] : factor; }
};
struct relay_inner_terms_t : relay_terms_t {
    FUNCTION_MEMBER nothing_t diagonal(int) const { return {}; }
    FUNCTION_MEMBER nothing_t source(int) const { return {}; }
};
template <typename Terms, typename Physics>
FUNCTION Terms terms_at(const relay_chip_t<Physics> &chip, uint32 slot, real_t factor) {
    Terms terms;
    terms.d = load_row(chip.row(RELAY_DIAGONAL, slot), 32);
    terms.b = load_row(chip.row(RELAY_SOURCE, slot), 32);
    terms.scaled = Physics::scaled != 0;
    if (Physics::scaled) {
        terms.scales = load_row(chip.row(RELAY_INVERSE, slot), 32);
    }
    terms.factor = factor;
    return terms;
}

/* Fluxes of a row as its cells see them: through western faces, and through the eastern face of this lane's last. */
struct relay_fluxes_t {
    row_t west;
    real_t east;
};
FUNCTION relay_fluxes_t fluxes_along(const row_t &west_faces, const row_t &u) {
    const real_t beyond = __shfl_up_sync(ALL_LANES, u.at[COLUMNS - 1], 1);
    relay_fluxes_t fluxes;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        fluxes.west.at[j] =
            FACE_FLUX(west_faces.at[j], u.at[j], j == 0 ? beyond : u.at[(j + COLUMNS - 1) % COLUMNS]);
    }
    fluxes.east = -__shfl_down_sync(ALL_LANES, fluxes.west.at[0], 1);
    return fluxes;
}

/* Sums of the fluxes of a row: `south` as its cells see it, `between` as those of the row north of it do. */
FUNCTION row_t balance_of(const relay_fluxes_t &along, const row_t &south, const row_t &between) {
    row_t balance;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        const real_t east = j + 1 < COLUMNS ? -along.west.at[(j + 1) % COLUMNS] : along.east;
        balance.at[j] = FLUX_BALANCE_2D(along.west.at[j], east, south.at[j], -between.at[j]);
    }
    return balance;
}

/* Where a runner is. */
typedef struct {
    uint32 relay, runner; /* in the group, in its relay */
    uint32 active;        /* steps of the pass */
} leg_t;

/* What becomes of a row: its next values, and where WATCHED b - A u is watched. */
template <bool WATCHED, typename Terms>
FUNCTION row_t next_row(const Terms &terms, const row_t &u, const row_t &balance, const tile_t &tile,
                        int32 row, int32 column, uint32 nx, residual_t *residual) {
    row_t next;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        if constexpr (WATCHED) {
            const real_t found = residual_at(terms, j, u.at[j], balance.at[j]);
            next.at[j] = EXPLICIT_STEP(u.at[j], terms.scale(j), found);
            if (row >= tile.first_row && row < tile.end_row && (tile.own >> j & 1u) != 0u) {
                residual->add(static_cast<uint32>(row) * nx + static_cast<uint32>(column + j), u.at[j], found,
                              terms.scale(j));
            }
        } else {
            next.at[j] = advance_cell(terms, j, u.at[j], balance.at[j]);
        }
    }
    return next;
}

/* COUNT steps of the rows of a tile, the last of the pass or all of this runner; none where it is not needed. */
template <int COUNT, bool WATCHED, typename Terms, typename Physics>
FUNCTION void run_leg(const Physics &physics, const operator_t *A, const run_parameters_t *grid,
                      const place_t *place, const leg_t &leg, real_t *memory_on_chip, const real_t *from,
                      real_t *to, residual_t *residual) {
    typedef relay_chip_t<Physics> chip_t;
    const tile_t tile = place->tile;
    const int32 active = static_cast<int32>(leg.active), runner = static_cast<int32>(leg.runner);
    const int32 last_runner = divided_up(active, RELAY_LEG) - 1;
    const int32 begin = tile.first_row - active;    /* the first row that the relay takes in */
    const int32 left = active - runner * RELAY_LEG; /* steps from here to the end of the pass */
    const int32 late = runner * RELAY_LAG;
    /* The runner takes in rows from first_row - left to end_row + left - 1. */
    const int32 begin_tick = pinned(left > 0 ? tile.first_row - left - begin + late : 0);
    const int32 end_tick = pinned(left > 0 ? tile.end_row + left - begin + late : 0);
    const int32 ticks =
        pinned(tile.end_row + active - last_runner * RELAY_LEG - begin + last_runner * RELAY_LAG);
    const bool is_last = runner == last_runner;
    const real_t usual = pinned(physics.factor(tile.n)),
                 final = pinned(physics.factor(tile.n + leg.active - 1u));

    lane_t lane;
    lane.begin(grid, place->column);
    chip_t chip;
    chip.begin(memory_on_chip, leg.relay);
    relay_copies_t<Physics> copies;
    copies.begin(chip, physics, A, grid, place, from, leg.runner, begin, tile.end_row + active - begin);
    for (int32 row = 0; row < chip_t::AHEAD; ++row) {
        copies.next(physics, lane);
    }
    await_copies<chip_t::AHEAD - 1>();
    relay_barrier(leg.relay);
    int32 tick = 0;
    const auto meet_runners = [&] {
        copies.next(physics, lane);
        await_copies<chip_t::AHEAD - 1>();
        relay_barrier(leg.relay);
        ++tick;
    };
    while (tick < begin_tick) {
        meet_runners();
    }
    row_t waiting[COUNT] = {}, south[COUNT] = {}, west_faces[COUNT] = {}, south_faces[COUNT] = {};
    int32 row = begin + tick - late;
    uint32 slot = static_cast<uint32>(tick - late) % chip_t::ROWS_OF_RING;
    uint32 slot_of_u = static_cast<uint32>(tick) % chip_t::AHEAD;
#pragma unroll 2
    while (tick < end_tick) {
        row_t u = load_row(runner == 0 ? chip.row(RELAY_U, slot_of_u)
                                       : chip.handed(leg.runner - 1u, static_cast<uint32>(tick - 1)),
                           32);
        row_t faces = load_row(chip.row(RELAY_SOUTH, slot), 32);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            const Terms terms = terms_at<Terms>(chip, chip_t::earlier(slot, static_cast<uint32>(i) + 1u),
                                                is_last && i + 1 == COUNT ? final : usual);
            const relay_fluxes_t along = fluxes_along(west_faces[i], waiting[i]);
            row_t between;
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) {
                between.at[j] = FACE_FLUX(faces.at[j], u.at[j], waiting[i].at[j]);
            }
            const row_t next = next_row<WATCHED>(terms, waiting[i], balance_of(along, south[i], between),
                                                 tile, row - i - 1, place->column, grid->nx, residual);
            south[i] = between;
            waiting[i] = u;
            u = next;
            const row_t faces_before = south_faces[i];
            south_faces[i] = faces;
            faces = faces_before;
        }
#pragma unroll
        for (int i = COUNT - 1; i > 0; --i) {
            west_faces[i] = west_faces[i - 1];
        }
        west_faces[0] = load_row(chip.row(RELAY_WEST, slot), 32);
        if (!is_last) {
            store_row(chip.handed(leg.runner, static_cast<uint32>(tick)), u, 32);
        } else if (row - COUNT >= tile.first_row) {
            lane.store(to, row - COUNT, u, tile.own);
        }
        meet_runners();
        ++row;
        slot = slot + 1 < chip_t::ROWS_OF_RING ? slot + 1 : 0u;
        slot_of_u = slot_of_u + 1 < chip_t::AHEAD ? slot_of_u + 1 : 0u;
    }
    while (tick < ticks) {
        meet_runners();
    }
}
