/* The column of an item in a resident run of conjugate gradients: where its cells lie, and A u in them.
 *
 * Shared memory per product: 2 values of u a cell in 2D and 4 in 3D besides the one that the next cell uses again. */

#define RESIDENT_SOLVER template <uint32 DIMENSIONS, bool UNIFORM, uint32 COLUMN>

RESIDENT_SOLVER struct resident_column_t : resident_box_t<DIMENSIONS, UNIFORM> {
    /* Longer columns leave no registers for w. */
    static constexpr bool KEEPS_W = COLUMN <= 16u;
    /* Cells with no branch between them. */
    static constexpr uint32 TOGETHER = 4u;

    using base = resident_box_t<DIMENSIONS, UNIFORM>;
    using base::A;
    using base::common;
    using base::grid;
    using base::tile;

    column_t column;
    real_t r[COLUMN], w[KEEPS_W ? COLUMN : 1u];

    MEMBER bool has(uint32 k) const { return k < column.count; }
    /* Beyond the end of the column: its last cell. */
    MEMBER uint32 within(uint32 k) const { return k < column.count ? k : column.count - 1u; }
    MEMBER uint32 cell(uint32 k) const { return column.cell + within(k) * column.step; }
    MEMBER uint32 slot(uint32 k) const { return column.slot + within(k) * column.slot_step; }

    /* Ends of the grid lie at ends of columns alone. */
    MEMBER diagonals_t diagonals_of(uint32 k) const {
        if (!UNIFORM) {
            return {A.diagonal[cell(k)], A.inverse_diagonal[cell(k)]};
        }
        return common->diagonals[k == 0u                  ? column.first_place
                                 : k + 1u == column.count ? column.last_place
                                                          : column.place];
    }
    MEMBER real_t inverse(uint32 k) const { return diagonals_of(k).inverse; }

    MEMBER conductances_t conductances_of(uint32 k) const {
        if (UNIFORM) {
            return base::conductances;
        }
        const uint32 at = column.last + within(k);
        const uint32 behind =
            DIMENSIONS == 3u ? upper(at, grid->nz, grid->periodic_z) : upper(at, grid->ny, grid->periodic_y);
        const uint32 next = cell(k) + (behind - at) * column.step;
        stencil_t s;
        s.cell[CENTRE] = cell(k);
        s.cell[EAST] = cell(k) + column.east;
        s.cell[NORTH] = DIMENSIONS == 3u ? cell(k) + column.north : next;
        s.cell[ABOVE] = next;
        return conductances_at(&A, grid, &s);
    }

    /* use(k, there) for every cell of the column; r[k] and w[k] are its own. TOGETHER cells have no branch between
     * them, so that they are under way at once: those beyond the end of the column come as well, not `there`. */
    template <bool OFTEN = true, typename Use>
    MEMBER void for_each_cell(const Use &use) {
        if (OFTEN && column.count == COLUMN) {
            column.count = COLUMN; /* code for full columns alone: without tests */
            for_cells_from<0u>(use);
        } else {
            for_cells_from<0u>(use);
        }
    }
    template <uint32 FROM, typename Use>
    MEMBER void for_cells_from(const Use &use) {
        if constexpr (FROM < COLUMN) {
            if (!has(FROM)) {
                return;
            }
#pragma unroll
            for (uint32 i = 0; i < TOGETHER; ++i) {
                use(FROM + i, has(FROM + i));
            }
            for_cells_from<FROM + TOGETHER>(use);
        }
    }

    /* use(k, there, u, A u, conductances, diagonals), u the field in the tile. */
    template <bool OFTEN = true, typename Use>
    MEMBER void for_each_product(Use use) {
        real_t before = tile[column.slot - column.slot_step], centre = tile[column.slot];
        for_each_cell<OFTEN>([&](uint32 k, bool there) INLINED {
            const uint32 at = slot(k);
            const real_t after = tile[at + column.slot_step];
            neighbourhood_t u;
            u.at[CENTRE] = centre;
            u.at[WEST] = tile[at - 1u];
            u.at[EAST] = tile[at + 1u];
            u.at[SOUTH] = DIMENSIONS == 3u ? tile[at - common->box.row] : before;
            u.at[NORTH] = DIMENSIONS == 3u ? tile[at + common->box.row] : after;
            u.at[BELOW] = DIMENSIONS == 3u ? before : (real_t)0;
            u.at[ABOVE] = DIMENSIONS == 3u ? after : (real_t)0;
            const conductances_t t = conductances_of(k);
            const diagonals_t d = diagonals_of(k);
            use(k, there, centre, apply_stencil(d.diagonal, &t, &u, DIMENSIONS), t, d);
            before = centre;
            centre = after;
        });
    }

    /* The next iteration finds where its cells are anew: otherwise the compiler keeps the address of every cell of
     * the column from one to the next, more than there are registers. */
    MEMBER void forget_addresses() {
        asm volatile(""
                     : "+r"(column.cell), "+r"(column.step), "+r"(column.slot), "+r"(column.slot_step),
                       "+r"(column.count), "+r"(column.place), "+r"(column.first_place),
                       "+r"(column.last_place));
    }
};
