/* Real lines x of n cells, n = 4, 8, 12, ..., as m = n / 2 complex numbers, and what their Fourier transform is made into:
 * the modes of the axis (Strang, The Discrete Cosine Transform, SIAM Review 41, 1999), i, k = 0 .. n-1, to sqrt(2 / n):
 *
 *   no flux                cos((i + 1/2) k pi / n)              DCT-II    1 / sqrt(n) for k = 0
 *   values                 sin((i + 1/2) (k + 1) pi / n)        DST-II    that of x_i (-1)^i, modes backwards
 *   no flux, then value    cos((i + 1/2) (k + 1/2) pi / n)      DCT-IV
 *   value, then no flux    sin((i + 1/2) (k + 1/2) pi / n)      DST-IV    that of x backwards, but for signs
 *   periodic               cos and sin of 2 pi i k / n
 *
 * The first two and the last (Makhoul, A Fast Cosine Transform in One and Two Dimensions, IEEE Trans. ASSP 28, 1980):
 *
 *   v = x_0, x_2, ..., x_3, x_1; periodic: v = x      z_j = v_2j + i v_(2j+1)      Z = transform of z
 *   S = Z_k + conj Z_(m-k),  P = -i exp(-2 pi i k / n) (Z_k - conj Z_(m-k))        so that (S + P) / 2 is v's number k
 *   modes      real and imaginary part of  a_k (S + P)  and of the conjugate of  exp(i pi / 4) a_k (S - P),
 *              a_k = exp(-i pi k / 2n) / sqrt(2 n);  periodic: both 1 / sqrt(2 n)
 *   k = 0      sum and difference of the parts of Z_0, to sqrt(n); with it  2 a_(m/2) conj Z_(m/2)
 *
 * These four make a unit. The transforms of one side each:
 *
 *   z_j = (x_2j + i x_(n-1-2j)) exp(-i pi (4 j + 1) / 4n)
 *   modes      real and imaginary part of  sqrt(2 / n) exp(-i pi k / n) Z_k,  in the place of k
 *
 * Way back: the transposed of each step, in reverse order. Where modes are stored: [4][units] or [2][m], in which order
 * eigenvalues are too; order and sign of modes are of no account otherwise.
 *
 * Tables (solver/run/fast_transform_tables.hpp), complex: [3][units], exp(-2 pi i k / n) and both factors, and the places of
 * both numbers; or [2][m], factors before by j, after by place. */
#ifndef PERDURE_KERNELS_MULTIGRID_REAL_MODES_H
#define PERDURE_KERNELS_MULTIGRID_REAL_MODES_H

#include "kernels/multigrid/butterflies.h"
#include "kernels/multigrid/level.h"

FUNCTION uint32 cell_of(const transform_t *t, const origin_t *at, uint32 line, uint32 cell) {
    return at->first_cell + cell * t->cell_step + line * t->line_step;
}
FUNCTION uint32 is_there(const transform_t *t, const origin_t *at, uint32 line) {
    return at->first_line + line < t->end_of_lines ? 1u : 0u;
}

/* Of the other axes, of a line. */
FUNCTION cycle_t sum_of_eigenvalues(const transform_t *t, const origin_t *origin, uint32 line) {
    const uint32 at = at_most(origin->first_line + line, t->end_of_lines - 1u);
    if (!t->three) {
        return t->of_x[at];
    }
    const uint32 y = divide(at, t->row);
    return t->of_x[at - y * t->row.divisor] + t->of_y[y];
}

/* By the eigenvalues of two modes; 0 where nothing fixes the constant. */
FUNCTION complex_t over(complex_t modes, cycle_t re, cycle_t im) {
    const complex_t c = {re > (cycle_t)0 ? modes.re / re : (cycle_t)0,
                         im > (cycle_t)0 ? modes.im / im : (cycle_t)0};
    return c;
}

/* Two modes, stored `apart` cells from each other. */
FUNCTION complex_t stored_modes(const transform_t *t, const origin_t *at, uint32 line, uint32 mode,
                                uint32 apart) {
    complex_t modes = {(cycle_t)0, (cycle_t)0};
    if (is_there(t, at, line)) {
        modes.re = t->from[cell_of(t, at, line, mode)];
        modes.im = t->from[cell_of(t, at, line, mode + apart)];
    }
    return modes;
}
FUNCTION void store_modes(const transform_t *t, const origin_t *at, uint32 line, uint32 mode, uint32 apart,
                          complex_t modes) {
    if (is_there(t, at, line)) {
        const uint32 first =
            t->block.across ? at->first_line + line : 0u; /* of the lines along the last axis */
        array_of_line(t, first + mode * t->cell_step)[cell_of(t, at, line, mode)] = modes.re;
        array_of_line(t, first + (mode + apart) * t->cell_step)[cell_of(t, at, line, mode + apart)] =
            modes.im;
    }
}

/* Sum and difference of two parts. */
FUNCTION complex_t first_modes(complex_t z, cycle_t factor) {
    const complex_t c = {factor * (z.re + z.im), factor * (z.re - z.im)};
    return c;
}

/* A unit: where it is, what it is turned by, and its four modes. */
typedef struct {
    in_block_t at;
    uint32 first;       /* 1: of k = 0 */
    uint32 here, there; /* numbers */
    complex_t turn, factor, other_factor;
    complex_t modes, other_modes;
} unit_modes_t;

FUNCTION unit_modes_t unit_modes_at(const transform_t *t, const origin_t *origin, uint32 index, uint32 way) {
    const uint32 units = t->units.divisor;
    unit_modes_t u;
    u.at = in_block(&t->block, index, t->units);
    u.first = u.at.number == 0u ? 1u : 0u;
    u.here = t->places[2u * u.at.number];
    u.there = t->places[2u * u.at.number + 1u];
    u.turn = t->turns[u.at.number];
    u.factor = t->turns[units + u.at.number];
    u.other_factor = t->turns[2u * units + u.at.number];
    if (way == FROM_MODES) {
        u.modes = stored_modes(t, origin, u.at.line, u.at.number, units);
        u.other_modes = stored_modes(t, origin, u.at.line, 2u * units + u.at.number, units);
    }
    return u;
}

FUNCTION void modes_of_unit(LOCAL complex_t *numbers, const transform_t *t, const origin_t *origin,
                            unit_modes_t *u, uint32 way) {
    const uint32 units = t->units.divisor;
    const uint32 here = number_at(&t->block, u->at.line, u->here);
    const uint32 there = number_at(&t->block, u->at.line, u->there);
    if (way != FROM_MODES) {
        const complex_t z = numbers[here], w = conjugate(numbers[there]);
        const complex_t sum = added(z, w), apart = multiplied(quarter_turned(subtracted(z, w)), u->turn);
        u->modes = u->first ? first_modes(z, u->factor.re) : multiplied(added(sum, apart), u->factor);
        u->other_modes = multiplied(u->first ? w : subtracted(sum, apart), u->other_factor);
        u->other_modes.im = u->first ? u->other_modes.im : -u->other_modes.im;
    }
    if (way == TO_MODES) {
        store_modes(t, origin, u->at.line, u->at.number, units, u->modes);
        store_modes(t, origin, u->at.line, 2u * units + u->at.number, units, u->other_modes);
        return;
    }
    if (way == THERE_AND_BACK) {
        const cycle_t others = sum_of_eigenvalues(t, origin, u->at.line);
        GLOBAL const cycle_t *own = t->own + u->at.number;
        u->modes = over(u->modes, others + own[0], others + own[units]);
        u->other_modes = over(u->other_modes, others + own[2u * units], others + own[3u * units]);
    }
    u->other_modes.im = u->first ? u->other_modes.im : -u->other_modes.im;
    const complex_t v = multiplied(u->modes, conjugate(u->factor));
    const complex_t w = multiplied(u->other_modes, conjugate(u->other_factor));
    const complex_t sum = added(v, w);
    const complex_t apart = quarter_turned(multiplied(subtracted(v, w), conjugate(u->turn)));
    numbers[here] = u->first ? first_modes(u->modes, u->factor.re) : subtracted(sum, apart);
    numbers[there] = conjugate(u->first ? w : added(sum, apart));
}

SEPARATE_PART void modes_of_units(LOCAL const transform_t *shared, LOCAL complex_t *given, uint32 way,
                                  origin_t origin) {
    LAUNCH_MEMORY(complex_t, numbers, given);
    const transform_t t = *shared;
    const uint32 count = t.units.divisor << t.block.log2_lines;
    ROLLED
    for (uint32 index = item_index(); index < count; index += 2u * group_size()) {
        const uint32 next = index + group_size(); /* what both read of memory is under way at once */
        unit_modes_t one = unit_modes_at(&t, &origin, index, way);
        unit_modes_t other = unit_modes_at(&t, &origin, next < count ? next : index, way);
        modes_of_unit(numbers, &t, &origin, &one, way);
        if (next < count) {
            modes_of_unit(numbers, &t, &origin, &other, way);
        }
    }
}

SEPARATE_PART void modes_of_numbers(LOCAL const transform_t *shared, LOCAL complex_t *given, uint32 way,
                                    origin_t origin) {
    LAUNCH_MEMORY(complex_t, numbers, given);
    const transform_t t = *shared;
    const uint32 count = t.numbers.divisor;
    ROLLED
    for (uint32 index = item_index(); index < count << t.block.log2_lines; index += group_size()) {
        const in_block_t at = in_block(&t.block, index, t.numbers);
        const uint32 here = number_at(&t.block, at.line, at.number);
        const complex_t factor = t.turns[count + at.number];
        complex_t modes = way == FROM_MODES ? stored_modes(&t, &origin, at.line, at.number, count)
                                            : multiplied(numbers[here], factor);
        if (way == TO_MODES) {
            store_modes(&t, &origin, at.line, at.number, count, modes);
            continue;
        }
        if (way == THERE_AND_BACK) {
            const cycle_t others = sum_of_eigenvalues(&t, &origin, at.line);
            modes = over(modes, others + t.own[at.number], others + t.own[count + at.number]);
        }
        numbers[here] = multiplied(modes, conjugate(factor));
    }
}

#endif
