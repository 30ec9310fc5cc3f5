/* Sweeps one group through the layers of a tile: a group's part in a pass of streamed conjugate gradients (cg_streamed.h). */
#ifndef PERDURE_KERNELS_RESIDENT_CG_PLANE_SWEEP_H
#define PERDURE_KERNELS_RESIDENT_CG_PLANE_SWEEP_H

#include "kernels/resident/async_copy.h"
#include "kernels/resident/cg_streamed.h"

STREAMED struct plane_sweep_t {
    using solver_t = streamed_cg_t<DIMENSIONS, UNIFORM, WIDTH, HEIGHT, ITEMS>;
    using tiling = sweep_tiling_t<DIMENSIONS, WIDTH, HEIGHT, ITEMS>;
    static constexpr bool SOLID = tiling::SOLID;
    static constexpr uint32 CELLS = tiling::CELLS;

    const solver_t &cg;
    const int32 layers, start, step; /* start: the layer of the grid at which the sweep begins */
    sweep_tile_t tile;
    cell_map_t own; /* map of the first cell */
    uint32 count, places;
    uint32 old_at[OLD_LAYERS], new_at[NEW_LAYERS]; /* offsets of the layers in shared memory */
    ghost_map_t ghost;
    ring_map_t ring;
    real_t r[CELLS], x[CELLS], r_ghost; /* of the layer that needs them next */
    real_t r_made[CELLS];               /* r' of the layer whose p' was made last */

    MEMBER plane_sweep_t(const solver_t &solver, const range_t &range, uint32 backwards)
        : cg(solver),
          layers(range.layers),
          start(backwards ? range.first + range.layers - 1 : range.first),
          step(backwards ? -1 : 1),
          tile(solver.tiles.tile_of(range.tile)) {
        own = cg.tiles.own_map(tile, 0u);
        ghost = cg.tiles.ghost_of_item(tile);
        ring = cg.tiles.ring_of_item(tile);
        count = places = 0u;
#pragma unroll
        for (uint32 k = 0; k < CELLS; ++k) {
            count += tiling::has(tile, k) ? 1u : 0u;
            places |= cg.tiles.own_map(tile, k).place << 8u * k;
            r[k] = x[k] = r_made[k] = (real_t)0;
        }
        r_ghost = (real_t)0;
#pragma unroll
        for (uint32 i = 0; i < OLD_LAYERS; ++i) {
            old_at[i] = i * tiling::SLOTS;
        }
#pragma unroll
        for (uint32 i = 0; i < NEW_LAYERS; ++i) {
            new_at[i] = (OLD_LAYERS + i) * tiling::SLOTS;
        }
    }

    MEMBER bool there(uint32 k) const {
        return k < count;
    }
    MEMBER uint32 cell(uint32 k) const {
        return own.cell + k * (SOLID ? cg.grid->nx : ITEMS);
    }
    MEMBER uint32 slot(uint32 k) const {
        return own.slot + k * tiling::SLOT_STEP;
    }
    MEMBER cell_map_t map(uint32 k) const {
        if (!UNIFORM) {
            return cg.tiles.own_map(tile, k);
        }
        cell_map_t at = own;
        at.slot = slot(k);
        at.place = places >> 8u * k & 255u;
        return at;
    }
    MEMBER layer_t layer_at(int32 s) const {
        return cg.tiles.layer_at(start + s * step);
    }
    MEMBER bool is_own(int32 s) const {
        return s >= 0 && s < layers;
    }
    /* Layers in shared memory, counted from the layer of p that arrived last: p of layers -2 .. 2, p' of layers -3 .. -1. */
    MEMBER real_t *old_layer(int32 from_last) const {
        return cg.chip + old_at[from_last + RING];
    }
    MEMBER real_t *new_layer(int32 from_last) const {
        return cg.chip + new_at[from_last + NEW_LAYERS];
    }
    template <int32 COUNT>
    MEMBER static void rotate_by_one(uint32 (&at)[COUNT]) {
        const uint32 first = at[0];
#pragma unroll
        for (int32 i = 0; i + 1 < COUNT; ++i) {
            at[i] = at[i + 1];
        }
        at[COUNT - 1] = first;
    }

    MEMBER diagonals_t diagonals_of(const cell_map_t &at, const layer_t &layer) const {
        if (UNIFORM) {
            return cg.common->diagonals[at.place + layer.table_offset];
        }
        return {cg.A.diagonal[layer.base + at.cell], cg.A.inverse_diagonal[layer.base + at.cell]};
    }
    /* Conductances of a cell. In a backward sweep the two faces along the axis change places. */
    MEMBER conductances_t conductances_of(const cell_map_t &at, const layer_t &layer) const {
        if (UNIFORM) {
            return cg.conductances;
        }
        stencil_t s;
        s.cell[CENTRE] = layer.base + at.cell;
        s.cell[EAST] = s.cell[CENTRE] + at.east;
        s.cell[ABOVE] = layer.next_base + at.cell;
        s.cell[NORTH] = SOLID ? s.cell[CENTRE] + at.north : s.cell[ABOVE];
        conductances_t t = conductances_at(&cg.A, cg.grid, &s);
        const uint32 low = SOLID ? BELOW : SOUTH, high = SOLID ? ABOVE : NORTH;
        const real_t lower_face = t.face[low];
        t.face[low] = step < 0 ? t.face[high] : lower_face;
        t.face[high] = step < 0 ? lower_face : t.face[high];
        return t;
    }
    /* Returns A u of a cell; u lies in three layers in shared memory. */
    MEMBER real_t product(const real_t *before, const real_t *here, const real_t *behind,
                          const cell_map_t &at, const layer_t &layer, real_t diagonal) const {
        const real_t *const centre = here + at.slot;
        neighbourhood_t u;
        u.at[CENTRE] = *centre;
        u.at[WEST] = *(centre - 1);
        u.at[EAST] = *(centre + 1);
        u.at[SOUTH] = SOLID ? *(centre - tiling::PITCH) : before[at.slot];
        u.at[NORTH] = SOLID ? *(centre + tiling::PITCH) : behind[at.slot];
        u.at[BELOW] = SOLID ? before[at.slot] : (real_t)0;
        u.at[ABOVE] = SOLID ? behind[at.slot] : (real_t)0;
        const conductances_t t = conductances_of(at, layer);
        return apply_stencil(diagonal, &t, &u, DIMENSIONS);
    }

    /* Starts the copy of layer s of p to shared memory. Copies zeros in the first pass, when there is no p yet. */
    MEMBER void copy_ahead(int32 s, real_t *to) const {
        if (s < layers + RING) {
            const uint32 base = layer_at(s).base;
            const real_t *from = cg.p + base;
#pragma unroll
            for (uint32 k = 0; k < CELLS; ++k) {
                if (there(k)) {
                    copy_async<sizeof(real_t)>(to + slot(k), from + cell(k), !cg.fresh);
                }
            }
            if (ring.there) {
                copy_async<sizeof(real_t)>(to + ring.slot, from + ring.cell, !cg.fresh);
            }
        }
        commit_copies();
    }
    /* Loads r and x of layer s, which make_layer needs next. */
    MEMBER void load_ahead(int32 s) {
        const uint32 base = layer_at(s).base;
#pragma unroll
        for (uint32 k = 0; k < CELLS; ++k) {
            if (there(k)) {
                r[k] = cg.r[base + cell(k)];
            }
        }
        if (ghost.there) {
            r_ghost = cg.r[base + ghost.map.cell];
        }
        if (cg.advances_x && is_own(s)) {
#pragma unroll
            for (uint32 k = 0; k < CELLS; ++k) {
                if (there(k)) {
                    x[k] = cg.x[base + cell(k)];
                }
            }
        }
    }

    /* Makes r' and p' of layer s. p of layers s - 1, s and s + 1 has arrived. */
    MEMBER void make_layer(int32 s) {
        const layer_t layer = layer_at(s);
        const real_t *before = old_layer(-2), *here = old_layer(-1), *behind = old_layer(0);
        real_t *made = new_layer(-1);
        real_t p_made[CELLS];
#pragma unroll
        for (uint32 k = 0; k < CELLS; ++k) {
            const cell_map_t at = map(k);
            const diagonals_t d = diagonals_of(at, layer);
            const real_t w = product(before, here, behind, at, layer, d.diagonal), p = here[at.slot];
            x[k] = fma(cg.alpha, p, fma(cg.deferred, p - d.inverse * r[k], x[k]));
            r_made[k] = fma(-cg.alpha, w, r[k]);
            p_made[k] = fma(cg.beta, p, d.inverse * r_made[k]);
        }
        if (ghost.there) {
            const diagonals_t d = diagonals_of(ghost.map, layer);
            const real_t w = product(before, here, behind, ghost.map, layer, d.diagonal);
            made[ghost.slot] = fma(cg.beta, here[ghost.map.slot], d.inverse * fma(-cg.alpha, w, r_ghost));
        }
#pragma unroll
        for (uint32 k = 0; k < CELLS; ++k) {
            if (there(k)) {
                made[slot(k)] = p_made[k];
                if (is_own(s)) {
                    cg.r_next[layer.base + cell(k)] = r_made[k];
                    cg.p_next[layer.base + cell(k)] = p_made[k];
                }
                if (is_own(s) && cg.advances_x) {
                    cg.x[layer.base + cell(k)] = x[k];
                }
            }
        }
    }

    /* Adds the sums of layer s of p'. Its neighbour layers exist. */
    MEMBER void add_layer(int32 s, const real_t *r_here, uint32 check, sums_t *sums) const {
        const layer_t layer = layer_at(s);
        const real_t *here = new_layer(-2);
        const real_t *before = layer_at(s - 1).beyond ? here : new_layer(-3);
        const real_t *behind = layer_at(s + 1).beyond ? here : new_layer(-1);
#pragma unroll
        for (uint32 k = 0; k < CELLS; ++k) {
            const cell_map_t at = map(k);
            const diagonals_t d = diagonals_of(at, layer);
            /* a slot without a cell belongs to another item: do not read it */
            const real_t w = product(before, here, there(k) ? behind : here, at, layer, d.diagonal);
            const real_t v = d.inverse * r_here[k];
            if (there(k)) {
                sums->of[SUM_R_V] = fma((double)r_here[k], (double)v, sums->of[SUM_R_V]);
                sums->of[SUM_P_W] = fma((double)here[at.slot], (double)w, sums->of[SUM_P_W]);
                sums->of[SUM_W_V] = fma((double)w, (double)v, sums->of[SUM_W_V]);
                sums->of[SUM_W_MW] = fma((double)w, (double)(d.inverse * w), sums->of[SUM_W_MW]);
            }
        }
        if (check) {
#pragma unroll
            for (uint32 k = 0; k < CELLS; ++k) {
                add_to_check(cg.grid->norm, there(k) ? (double)r_here[k] : 0.0, sums);
            }
        }
    }

    MEMBER void run(uint32 check, sums_t *sums) {
        group_barrier(); /* shared memory is free */
#pragma unroll
        for (int32 ahead = 0; ahead < COPIED_AHEAD; ++ahead) {
            copy_ahead(ahead - RING, old_layer(ahead));
        }
#pragma unroll 1
        for (int32 s = -RING; s < layers + RING; ++s) {
            await_copies<COPIED_AHEAD - 1>();
            group_barrier(); /* layer s of p and layer s - 2 of p' have arrived */
            copy_ahead(s + COPIED_AHEAD, old_layer(COPIED_AHEAD));
            real_t r_here[CELLS];
#pragma unroll
            for (uint32 k = 0; k < CELLS; ++k) {
                r_here[k] = r_made[k];
            }
            if (s >= 0 && !layer_at(s - 1).beyond) {
                make_layer(s - 1);
            }
            if (s > -RING && s <= layers) {
                load_ahead(s);
            }
            if (s >= RING) {
                add_layer(s - RING, r_here, check, sums);
            }
            rotate_by_one(old_at);
            rotate_by_one(new_at);
        }
    }
};

#endif
