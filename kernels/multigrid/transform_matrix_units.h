/* The products of transform.h in double on the matrix units of a GPU, 16 x 8 x 8 at a time; CUDA alone.
 *
 * A warp forms a tile of 16 `fragments` rows by 16 `pairs` lanes. Which row, lane and term of the sum an item holds is
 * free as long as both operands agree: here such that each item reads and writes two neighbouring values at once, for
 * which products need an even number of cells along x and along their axis. Each sum adds its terms in an order of the
 * unit's own: the same in every run and execution model, not the order of other back ends. */
#ifndef PERDURE_KERNELS_MULTIGRID_TRANSFORM_MATRIX_UNITS_H
#define PERDURE_KERNELS_MULTIGRID_TRANSFORM_MATRIX_UNITS_H

#include "kernels/chunks.h"
#include "kernels/multigrid/level.h"
#include "kernels/multigrid/product.h"

#ifdef MATRIX_UNITS

#define FRAGMENT_ROWS 16u
#define PAIR_LANES 16u
/* Terms of a step. */
#define FRAGMENT_TERMS 8u
#define MOST_FRAGMENTS 2u
#define MOST_PAIRS 2u
#define MOST_DEPTH 4u
/* Neighbouring warps that take other cells with the same part of the matrix; the next ones take the same cells with other
 * parts of it, all of it before other cells are read. */
#define WARPS_BESIDE 4u

/* What the compiler knows of a warp's tile. */
typedef struct {
    uint32 fragments, pairs;
    uint32 depth; /* steps whose operands are loaded at once */
    uint32 along_x;
} warp_tile_kind_t;

/* Of an item: its place in a fragment, as the unit has it. */
typedef struct {
    uint32 quad, within;
} fragment_place_t;

FUNCTION fragment_place_t fragment_place(void) {
    const uint32 lane = item_index() % 32u;
    const fragment_place_t place = {lane / 4u, lane % 4u};
    return place;
}

/* c = c + a b, a [16][8], b [8][8]: of an item rows quad and quad + 8, columns 2 within and 2 within + 1. */
FUNCTION void multiply_add_fragment(double *c, const double *a, const double *b) {
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

/* Operands of the next step, from an item's first value on. */
typedef struct {
    const double *rows, *lanes;
    uint64 row_stride, row_step, lane_step;
} operands_t;

FUNCTION operands_t operands_at(const product_t *p, uint32 first_row, uint32 first_lane,
                                fragment_place_t place, uint32 along_x) {
    operands_t at;
    at.row_stride = along_x ? p->row_stride : 1u;
    at.row_step = along_x ? 1u : p->row_step;
    at.lane_step = p->lane_step;
    at.rows = (const double *)p->rows + (first_row + place.quad * (along_x ? 1u : 2u)) * at.row_stride +
              2u * place.within * at.row_step;
    at.lanes = (const double *)p->lanes + first_lane + 2u * place.quad + 2u * place.within * at.lane_step;
    return at;
}

/* Terms 2 within and 2 within + 1: of rows quad and quad + 8 along x, of 2 quad and 2 quad + 1 across. */
FUNCTION void load_rows(double *a, const operands_t *at, uint32 fragment, uint32 along_x) {
    const double *from = at->rows + fragment * FRAGMENT_ROWS * at->row_stride;
    const double2 one = *(const double2 *)from;
    const double2 other = *(const double2 *)(from + (along_x ? 8u * at->row_stride : at->row_step));
    a[0] = one.x;
    a[1] = along_x ? other.x : one.y;
    a[2] = along_x ? one.y : other.x;
    a[3] = other.y;
}

/* The same terms of lanes 2 quad and 2 quad + 1, which belong to two fragments. */
FUNCTION void load_lanes(double *b, const operands_t *at, uint32 pair) {
    const double2 even = *(const double2 *)(at->lanes + pair * PAIR_LANES);
    const double2 odd = *(const double2 *)(at->lanes + pair * PAIR_LANES + at->lane_step);
    b[0] = even.x;
    b[1] = odd.x;
    b[2] = even.y;
    b[3] = odd.y;
}

typedef struct {
    double at[MOST_FRAGMENTS][MOST_PAIRS][8];
} warp_tile_t;

/* `depth` steps; where an item has no terms left they count for nothing. */
FUNCTION void add_steps(warp_tile_t *sum, operands_t *at, warp_tile_kind_t kind, uint32 depth, uint32 there) {
    double a[MOST_DEPTH][MOST_FRAGMENTS][4], b[MOST_DEPTH][MOST_PAIRS][4];
    UNROLLED
    for (uint32 d = 0; d < depth; ++d) {
        UNROLLED
        for (uint32 i = 0; i < 4u; ++i) {
            UNROLLED
            for (uint32 f = 0; f < kind.fragments; ++f) {
                a[d][f][i] = 0.0;
            }
            UNROLLED
            for (uint32 q = 0; q < kind.pairs; ++q) {
                b[d][q][i] = 0.0;
            }
        }
        if (there) {
            UNROLLED
            for (uint32 f = 0; f < kind.fragments; ++f) {
                load_rows(a[d][f], at, f, kind.along_x);
            }
            UNROLLED
            for (uint32 q = 0; q < kind.pairs; ++q) {
                load_lanes(b[d][q], at, q);
            }
        }
        at->rows += FRAGMENT_TERMS * at->row_step;
        at->lanes += FRAGMENT_TERMS * at->lane_step;
    }
    UNROLLED
    for (uint32 d = 0; d < depth; ++d) {
        UNROLLED
        for (uint32 f = 0; f < kind.fragments; ++f) {
            UNROLLED
            for (uint32 q = 0; q < kind.pairs; ++q) {
                multiply_add_fragment(sum->at[f][q], a[d][f], b[d][q]);
                multiply_add_fragment(sum->at[f][q] + 4, a[d][f], b[d][q] + 2);
            }
        }
    }
}

/* An item's first row and lane of a tile, and what other tiles do not have. */
typedef struct {
    uint32 row, lane;
    uint32 own_row, own_lane;
    GLOBAL cycle_t *to; /* of the layer */
} warp_place_t;

FUNCTION uint32 row_of(const warp_place_t *at, uint32 fragment, uint32 half, uint32 along_x) {
    return at->row + fragment * FRAGMENT_ROWS + half * (along_x ? 8u : 1u);
}
FUNCTION uint32 is_own(const warp_place_t *at, uint32 row, uint32 lane) {
    return row >= at->own_row && lane >= at->own_lane ? 1u : 0u;
}

/* Four neighbouring lanes of two rows of each fragment and pair. */
FUNCTION void store_warp_tile(const warp_tile_t *sum, const warp_place_t *at, uint32 lane_step,
                              warp_tile_kind_t kind) {
    UNROLLED
    for (uint32 f = 0; f < kind.fragments; ++f) {
        UNROLLED
        for (uint32 half = 0; half < 2u; ++half) {
            const uint32 row = row_of(at, f, half, kind.along_x);
            UNROLLED
            for (uint32 q = 0; q < kind.pairs; ++q) {
                const uint32 lane = at->lane + q * PAIR_LANES;
                const double *c = sum->at[f][q] + 2u * half;
                const double2 first = make_double2(c[0], c[4]), last = make_double2(c[1], c[5]);
                double2 *to = (double2 *)(at->to + (uint64)row * lane_step + lane);
                if (is_own(at, row, lane)) {
                    to[0] = first;
                }
                if (is_own(at, row, lane + 2u)) {
                    to[1] = last;
                }
            }
        }
    }
}

/* What the same item has stored. */
FUNCTION void divide_warp_tile(const product_t *p, const warp_place_t *at, warp_tile_kind_t kind) {
    ROLLED
    for (uint32 i = 0; i < 2u * kind.fragments * kind.pairs; ++i) {
        const uint32 row = row_of(at, i / (2u * kind.pairs), i / kind.pairs % 2u, kind.along_x);
        const uint32 first = at->lane + i % kind.pairs * PAIR_LANES;
        GLOBAL cycle_t *c = at->to + (uint64)row * p->lane_step;
        cycle_t quotient[4];
        UNROLLED
        for (uint32 k = 0; k < 4u; ++k) {
            quotient[k] =
                is_own(at, row, first + k) ? over_eigenvalue(p, row, first + k, c[first + k]) : (cycle_t)0;
        }
        UNROLLED
        for (uint32 k = 0; k < 4u; ++k) {
            if (is_own(at, row, first + k)) {
                c[first + k] = quotient[k];
            }
        }
    }
}

FUNCTION void warp_tiles(product_t p, warp_tile_kind_t kind, team_t team) {
    const uint32 tile_rows = FRAGMENT_ROWS * kind.fragments, tile_lanes = PAIR_LANES * kind.pairs;
    const uint32 strips = (p.lane_count + tile_lanes - 1u) / tile_lanes;
    const uint32 blocks = (p.row_count + tile_rows - 1u) / tile_rows;
    const uint32 warps = group_size() / 32u;
    const fragment_place_t place = fragment_place();
    GLOBAL const cycle_t *first_layer = p.lanes;
    const uint32 slow = kind.along_x ? blocks : strips, fast = kind.along_x ? strips : blocks;
    const uint32 beside = at_most(WARPS_BESIDE, slow), rounds = (slow + beside - 1u) / beside;
    for (uint32 tile = team.group * warps + item_index() / 32u; tile < p.layers * rounds * beside * fast;
         tile += team.groups * warps) {
        const uint32 turn = tile / beside, round = turn / fast, layer = round / rounds;
        const uint32 of_slow = (round - layer * rounds) * beside + (tile - turn * beside);
        const uint32 of_fast = turn - round * fast;
        if (of_slow >= slow) {
            continue;
        }
        const uint32 own_row = (kind.along_x ? of_slow : of_fast) * tile_rows;
        const uint32 own_lane = (kind.along_x ? of_fast : of_slow) * tile_lanes;
        const uint32 origin = layer * p.layer_cells;
        const uint32 first_row = at_most(own_row, p.row_count - tile_rows);
        const uint32 first_lane = at_most(own_lane, p.lane_count - tile_lanes);
        p.lanes = first_layer + origin;
        operands_t at = operands_at(&p, first_row, first_lane, place, kind.along_x);
        warp_tile_t sum;
        UNROLLED
        for (uint32 f = 0; f < MOST_FRAGMENTS; ++f) {
            UNROLLED
            for (uint32 q = 0; q < MOST_PAIRS; ++q) {
                UNROLLED
                for (uint32 i = 0; i < 8u; ++i) {
                    sum.at[f][q][i] = 0.0;
                }
            }
        }
        const uint32 together = kind.depth * FRAGMENT_TERMS;
        uint32 left = p.length;
        ROLLED
        for (; left >= together; left -= together) {
            add_steps(&sum, &at, kind, kind.depth, 1u);
        }
        ROLLED
        for (; left > 0u; left -= at_most(left, FRAGMENT_TERMS)) {
            add_steps(&sum, &at, kind, 1u, 2u * place.within < left ? 1u : 0u);
        }
        const warp_place_t own = {first_row + place.quad * (kind.along_x ? 1u : 2u),
                                  first_lane + 4u * place.within, own_row, own_lane, p.to + origin};
        store_warp_tile(&sum, &own, p.lane_step, kind);
        if (p.divide) {
            divide_warp_tile(&p, &own, kind);
        }
    }
}

SEPARATE_FUNCTION void large_warp_tiles_along_x(product_t p, team_t team) {
    const warp_tile_kind_t kind = {2u, 2u, 1u, 1u};
    warp_tiles(p, kind, team);
}
SEPARATE_FUNCTION void large_warp_tiles_across(product_t p, team_t team) {
    const warp_tile_kind_t kind = {2u, 2u, 1u, 0u};
    warp_tiles(p, kind, team);
}
SEPARATE_FUNCTION void small_warp_tiles_along_x(product_t p, team_t team) {
    const warp_tile_kind_t kind = {1u, 1u, MOST_DEPTH, 1u};
    warp_tiles(p, kind, team);
}
SEPARATE_FUNCTION void small_warp_tiles_across(product_t p, team_t team) {
    const warp_tile_kind_t kind = {1u, 1u, MOST_DEPTH, 0u};
    warp_tiles(p, kind, team);
}

/* 1 where this has formed the product. A rank that has a part of the lines decides as one that has all of them: a part is no smaller than what
 * is asked for here (solver/backends/host/rank_arrays.cpp). */
FUNCTION uint32 on_matrix_units(const product_t *p, uint32 along_x, team_t team) {
    const uint32 odd = p->length % 2u + p->lane_step % 2u + (along_x ? 0u : p->row_count % 2u);
    if (sizeof(cycle_t) != sizeof(double) || odd != 0u || group_size() % 32u != 0u ||
        p->row_count < FRAGMENT_ROWS || p->lane_count < PAIR_LANES) {
        return 0u;
    }
    const uint32 tiles =
        p->layers * (p->row_count / (2u * FRAGMENT_ROWS)) * (p->lane_count / (2u * PAIR_LANES));
    const uint32 large = p->row_count >= 2u * FRAGMENT_ROWS && p->lane_count >= 2u * PAIR_LANES &&
                         4u * tiles >= team.groups * (group_size() / 32u);
    if (along_x) {
        if (large) {
            large_warp_tiles_along_x(*p, team);
        } else {
            small_warp_tiles_along_x(*p, team);
        }
    } else if (large) {
        large_warp_tiles_across(*p, team);
    } else {
        small_warp_tiles_across(*p, team);
    }
    return 1u;
}

#endif

#endif
