/* The cells of an item in an on-chip run of conjugate gradients: where they lie, and A u in them. Cell i is row i % ROWS of level
 * i / ROWS.
 *
 * Shared-memory reads per product: 2 values of u a cell in 2D; in 3D 4, or 3 if two rows are neighbours; plus one that the next
 * level reuses. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_COLUMN_H
#define PERDURE_KERNELS_RESIDENT_CG_COLUMN_H

#include "kernels/resident/cg_halo.h"

/* COUNT cells of an item from number FIRST on. The code has no branch between them, so that their latencies overlap. */
template <uint32 FIRST, uint32 COUNT>
struct batch_t {
    static constexpr uint32 first = FIRST;
    static constexpr uint32 count = COUNT;
};

/* Does nothing before a batch: the default of for_each_product. */
struct no_prologue_t {
    template <typename Batch>
    MEMBER int operator()(Batch) const {
        return 0;
    }
};

RESIDENT_SOLVER struct resident_column_t : resident_box_t<DIMENSIONS, UNIFORM, CELLS, KEEPS_W, FULL> {
    using base = resident_box_t<DIMENSIONS, UNIFORM, CELLS, KEEPS_W, FULL>;
    using base::A;
    using base::common;
    using base::grid;
    using base::LEVELS;
    using base::ROWS;
    using base::tile;

    /* Cells of a batch: FEW if each needs many registers, MANY if each needs few. */
    static constexpr uint32 FEW = CELLS > 16u ? 8u : 4u, MANY = RESIDENT_BATCH(CELLS);
    /* Strides in the tile: along y, and along the column. */
    static constexpr uint32 ROW = TILE_ROW(DIMENSIONS), STEP = DIMENSIONS == 3u ? TILE_LAYER : ROW;

    typename base::cells_t column;
    real_t r[CELLS], w[KEEPS_W ? CELLS : 1u];

    /* has: whether cell k of a batch exists. slot: where it lies in the tile; valid even if the cell does not exist. */
    template <typename Batch>
    MEMBER bool has(Batch, uint32 k) const {
        return (Batch::first + k) / ROWS < column.levels(k % ROWS);
    }
    template <typename Batch>
    MEMBER uint32 slot(Batch, uint32 k) const {
        return column.slot + (Batch::first + k) / ROWS * STEP + k % ROWS * ROW;
    }
    /* level, row, cell: where cell k lies in the grid. A cell that does not exist is replaced by one of the last level. */
    template <typename Batch>
    MEMBER uint32 level(Batch batch, uint32 k) const {
        return has(batch, k) ? (Batch::first + k) / ROWS : column.levels(0u) - 1u;
    }
    template <typename Batch>
    MEMBER uint32 row(Batch batch, uint32 k) const {
        return has(batch, k) ? k % ROWS : 0u;
    }
    template <typename Batch>
    MEMBER uint32 cell(Batch batch, uint32 k) const {
        return column.cell + level(batch, k) * column.step + row(batch, k) * grid->nx;
    }

    /* Loads the diagonals of the next level; on entry d holds those of the previous level. Only the first and the last level of a
     * column can lie at an end of the grid, so a uniform problem loads little. */
    template <typename Batch>
    MEMBER void find_diagonals(Batch batch, uint32 k, diagonals_t (&d)[ROWS]) const {
        const uint32 level = (Batch::first + k) / ROWS;
#pragma unroll
        for (uint32 row = 0; row < ROWS; ++row) {
            if (!UNIFORM) {
                d[row] = {A.diagonal[cell(batch, k + row)], A.inverse_diagonal[cell(batch, k + row)]};
                continue;
            }
            const diagonals_t *const inner = common->diagonals + column.place[row];
            if (level <= 1u) {
                d[row] = inner[level == 0u ? column.first_table_offset : 0u];
            }
            if (level != 0u && level + 1u == column.levels(0u)) {
                d[row] = inner[column.last_table_offset];
            }
        }
    }

    template <typename Batch>
    MEMBER conductances_t conductances_of(Batch batch, uint32 k) const {
        if (UNIFORM) {
            return base::conductances;
        }
        const uint32 at = column.last + level(batch, k), here = cell(batch, k);
        const uint32 behind =
            DIMENSIONS == 3u ? upper(at, grid->nz, grid->periodic_z) : upper(at, grid->ny, grid->periodic_y);
        const uint32 next = here + (behind - at) * column.step;
        stencil_t s;
        s.cell[CENTRE] = here;
        s.cell[EAST] = here + column.east;
        s.cell[NORTH] = DIMENSIONS == 3u ? here + column.north[row(batch, k)] : next;
        s.cell[ABOVE] = next;
        return conductances_at(&A, grid, &s);
    }

    /* Calls use(batch) for the item's cells, COUNT at a time. */
    template <uint32 COUNT, uint32 FIRST = 0u, typename Use>
    MEMBER void for_each_batch(const Use &use) {
        if constexpr (FIRST < CELLS) {
            if (FIRST / ROWS >= column.found[0]) {
                return;
            }
            use(batch_t<FIRST, COUNT>());
            for_each_batch<COUNT, FIRST + COUNT>(use);
        }
    }

    /* A field in a tile, visited level by level along the column. */
    struct walk_t {
        const real_t *field;
        real_t centre[ROWS], from_behind[ROWS]; /* differences to the previous level */
    };
    MEMBER walk_t walk_through(const real_t *field) const {
        walk_t walk = {field, {}, {}};
#pragma unroll
        for (uint32 row = 0; row < ROWS; ++row) {
            const uint32 at = column.slot + row * ROW;
            walk.centre[row] = field[at];
            walk.from_behind[row] = FACE_DIFFERENCE(walk.centre[row], field[at - STEP]);
        }
        return walk;
    }

    /* Computes u and A u of the level that begins with cell k of a batch. d: diagonals of its rows; t: conductances of the batch. */
    template <typename Batch>
    MEMBER void next_products(Batch batch, uint32 k, walk_t &walk, const conductances_t (&t)[FEW],
                              const diagonals_t (&d)[ROWS], real_t (&u)[FEW], real_t (&product)[FEW]) const {
        const real_t *const field = walk.field;
        [[maybe_unused]] real_t from_north = (real_t)0;
        real_t after[ROWS];
#pragma unroll
        for (uint32 row = 0; row < ROWS; ++row) {
            after[row] = field[slot(batch, k + row) + STEP];
        }
#pragma unroll
        for (uint32 row = 0; row < ROWS; ++row) {
            const uint32 at = slot(batch, k + row);
            const real_t here = walk.centre[row];
            const real_t *const f = t[k + row].face;
            const real_t west = FACE_FLUX(f[WEST], here, field[at - 1u]);
            const real_t east = FACE_FLUX(f[EAST], here, field[at + 1u]);
            const real_t from_ahead = FACE_DIFFERENCE(here, after[row]);
            real_t balance;
            if constexpr (DIMENSIONS == 3u) {
                const real_t from_south = row > 0u ? -from_north : FACE_DIFFERENCE(here, field[at - ROW]);
                from_north = FACE_DIFFERENCE(here, row + 1u < ROWS ? walk.centre[row + 1u] : field[at + ROW]);
                balance = FLUX_BALANCE_BUT_ABOVE(west, east, f[SOUTH], from_south, f[NORTH], from_north,
                                                 f[BELOW], walk.from_behind[row]);
                balance = WITH_FLUX(balance, f[ABOVE], from_ahead);
            } else {
                balance = FLUX_BALANCE_2D(west, east, f[SOUTH], walk.from_behind[row], f[NORTH], from_ahead);
            }
            walk.from_behind[row] = -from_ahead;
            u[k + row] = here;
            product[k + row] = STENCIL(d[row].diagonal, here, balance);
        }
#pragma unroll
        for (uint32 row = 0; row < ROWS; ++row) {
            walk.centre[row] = after[row];
        }
    }

    /* Calls use(batch, begun, u, A u, conductances, diagonals) with arrays of FEW for the item's cells. u is the field in a tile.
     * begun: the result of begin(batch), which is called first. */
    template <typename Begin, typename Use>
    MEMBER void for_each_product(const real_t *field, const Begin &begin, const Use &use) {
        walk_t walk = walk_through(field);
        diagonals_t of_rows[ROWS] = {};
        for_each_batch<FEW>([&](auto batch) INLINED {
            const auto begun = begin(batch);
            real_t u[FEW], product[FEW];
            conductances_t t[FEW];
            diagonals_t d[FEW];
#pragma unroll
            for (uint32 k = 0; k < FEW; k += ROWS) {
                this->find_diagonals(batch, k, of_rows);
#pragma unroll
                for (uint32 row = 0; row < ROWS; ++row) {
                    t[k + row] = this->conductances_of(batch, k + row);
                    d[k + row] = of_rows[row];
                }
                this->next_products(batch, k, walk, t, of_rows, u, product);
            }
            use(batch, begun, u, product, t, d);
        });
    }

    /* Makes the compiler recompute addresses in the next iteration. Otherwise it keeps the address of every cell of the column in
     * registers, more than there are. */
    MEMBER void forget_addresses() {
        asm volatile(""
                     : "+r"(column.cell), "+r"(column.step), "+r"(column.slot), "+r"(column.found[0]),
                       "+r"(column.place[0]), "+r"(column.rim_x), "+r"(column.rim_y[0]),
                       "+r"(column.rim_y[ROWS - 1u]));
        if (!FULL) {
            asm volatile("" : "+r"(column.found[ROWS - 1u]));
        }
    }
};

#endif
