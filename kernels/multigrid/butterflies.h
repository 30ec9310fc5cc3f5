/* Discrete Fourier transforms of m complex numbers a line, in place, all lines of a block at a time (Cooley and Tukey, An
 * Algorithm for the Machine Calculation of Complex Fourier Series, Math. Comp. 19, 1965; the order of the passes is that of
 * Gentleman and Sande, Fast Fourier Transforms - for Fun and Profit, AFIPS 29, 1966).
 *
 *   there   length l = m; in each pass, of radix R, with stride s = l / R, for each set of l numbers and each offset o < s:
 *             z[o + q s] = (sum over p of z[o + p s] exp(-2 pi i p q / R)) exp(-2 pi i o q / l),   q < R;   then l = s
 *           number k ends in a place that the digits of k say backwards, where it stays
 *   back    the passes in reverse order, each turned first, then summed; exp(+...) instead of exp(-...), which is the same
 *           with real and imaginary parts exchanged. Not divided by m
 *
 * m = 2^a 3^b 5^c, passes of radix 3 and 5 first. A line's numbers lie in its group's memory (hierarchy.h: spread). Bytes of memory: turns alone, about
 * 2 m of them. Operations: about 5 m log2 m. Group barriers: one behind each pass. */
#ifndef PERDURE_KERNELS_MULTIGRID_BUTTERFLIES_H
#define PERDURE_KERNELS_MULTIGRID_BUTTERFLIES_H

#include "kernels/multigrid/lines.h"

#define MOST_RADIX 8u

FUNCTION complex_t added(complex_t a, complex_t b) {
    const complex_t c = {a.re + b.re, a.im + b.im};
    return c;
}
FUNCTION complex_t subtracted(complex_t a, complex_t b) {
    const complex_t c = {a.re - b.re, a.im - b.im};
    return c;
}
/* a z + b w */
FUNCTION complex_t combined(cycle_t a, complex_t z, cycle_t b, complex_t w) {
    const complex_t c = {MULTIPLY_ADD(a, z.re, b * w.re), MULTIPLY_ADD(a, z.im, b * w.im)};
    return c;
}
/* By exp(-i pi / 2), by exp(-i pi / 4). */
FUNCTION complex_t quarter_turned(complex_t z) {
    const complex_t c = {z.im, -z.re};
    return c;
}
FUNCTION complex_t eighth_turned(complex_t z) {
    const cycle_t half_root = (cycle_t)0.70710678118654752440;
    const complex_t c = {half_root * (z.re + z.im), half_root * (z.im - z.re)};
    return c;
}
FUNCTION complex_t multiplied(complex_t z, complex_t by) {
    const complex_t c = {MULTIPLY_ADD(z.re, by.re, -(z.im * by.im)), MULTIPLY_ADD(z.re, by.im, z.im * by.re)};
    return c;
}
FUNCTION complex_t conjugate(complex_t z) {
    const complex_t c = {z.re, -z.im};
    return c;
}

/* In place, numbers `step` apart. */
FUNCTION void transform_2(complex_t *z, uint32 step) {
    const complex_t sum = added(z[0], z[step]);
    z[step] = subtracted(z[0], z[step]);
    z[0] = sum;
}

FUNCTION void transform_3(complex_t *z) {
    const complex_t sum = added(z[1], z[2]);
    const complex_t middle = combined((cycle_t)1, z[0], (cycle_t)-0.5, sum);
    const complex_t apart = quarter_turned(subtracted(z[1], z[2]));
    const cycle_t sine = (cycle_t)0.86602540378443864676;
    z[0] = added(z[0], sum);
    z[1] = combined((cycle_t)1, middle, sine, apart);
    z[2] = combined((cycle_t)1, middle, -sine, apart);
}

FUNCTION void transform_4(complex_t *z, uint32 step) {
    transform_2(z, 2u * step);
    transform_2(z + step, 2u * step);
    const complex_t even = z[0], odd = quarter_turned(z[3u * step]), last = z[2u * step];
    z[2u * step] = subtracted(even, z[step]);
    z[0] = added(even, z[step]);
    z[step] = added(last, odd);
    z[3u * step] = subtracted(last, odd);
}

FUNCTION void transform_5(complex_t *z) {
    const cycle_t cosine_1 = (cycle_t)0.30901699437494742410, cosine_2 = (cycle_t)-0.80901699437494742410;
    const cycle_t sine_1 = (cycle_t)0.95105651629515357212, sine_2 = (cycle_t)0.58778525229247312917;
    const complex_t sum_1 = added(z[1], z[4]), sum_2 = added(z[2], z[3]);
    const complex_t apart_1 = subtracted(z[1], z[4]), apart_2 = subtracted(z[2], z[3]);
    const complex_t middle_1 = added(z[0], combined(cosine_1, sum_1, cosine_2, sum_2));
    const complex_t middle_2 = added(z[0], combined(cosine_2, sum_1, cosine_1, sum_2));
    const complex_t beside_1 = quarter_turned(combined(sine_1, apart_1, sine_2, apart_2));
    const complex_t beside_2 = quarter_turned(combined(sine_2, apart_1, -sine_1, apart_2));
    z[0] = added(z[0], added(sum_1, sum_2));
    z[1] = added(middle_1, beside_1);
    z[2] = added(middle_2, beside_2);
    z[3] = subtracted(middle_2, beside_2);
    z[4] = subtracted(middle_1, beside_1);
}

/* Of the even and of the odd ones, then both together. */
FUNCTION void transform_8(complex_t *z) {
    transform_4(z, 2u);
    transform_4(z + 1, 2u);
    const complex_t odd[4] = {z[1], eighth_turned(z[3]), quarter_turned(z[5]),
                              quarter_turned(eighth_turned(z[7]))};
    const complex_t even[4] = {z[0], z[2], z[4], z[6]};
    for (uint32 k = 0; k < 4u; ++k) {
        z[k] = added(even[k], odd[k]);
        z[k + 4u] = subtracted(even[k], odd[k]);
    }
}

FUNCTION void turn_all(complex_t *z, GLOBAL const complex_t *turns, uint32 stride, uint32 radix) {
    complex_t turn[MOST_RADIX];
    for (uint32 q = 1; q < radix; ++q) {
        turn[q] = turns[(q - 1u) * stride];
    }
    for (uint32 q = 1; q < radix; ++q) {
        z[q] = multiplied(z[q], turn[q]);
    }
}

FUNCTION complex_t exchanged(complex_t z) {
    const complex_t c = {z.im, z.re};
    return c;
}

/* A pass; the compiler knows the radix. */
FUNCTION void butterflies(LOCAL complex_t *numbers, const block_t *block, const pass_t *pass,
                          GLOBAL const complex_t *turns, uint32 radix, uint32 back) {
    const uint32 stride = pass->stride.divisor;
    uint32 step[MOST_RADIX];
    for (uint32 q = 0; q < radix; ++q) {
        step[q] = spread(q * stride, block->gap[0], block->gap[1]) * block->place_step;
    }
    ROLLED
    for (uint32 index = item_index(); index < pass->butterflies.divisor << block->log2_lines;
         index += group_size()) {
        const in_block_t at = in_block(block, index, pass->butterflies);
        const uint32 set = divide(at.number, pass->stride), offset = at.number - set * stride;
        const uint32 first = number_at(block, at.line, set * radix * stride + offset);
        complex_t z[MOST_RADIX];
        for (uint32 q = 0; q < radix; ++q) {
            z[q] = numbers[first + step[q]];
        }
        if (back) {
            for (uint32 q = 0; q < radix; ++q) {
                z[q] = exchanged(z[q]);
            }
            if (stride > 1u) {
                turn_all(z, turns + offset, stride, radix);
            }
        }
        if (radix == 8u) {
            transform_8(z);
        } else if (radix == 5u) {
            transform_5(z);
        } else if (radix == 4u) {
            transform_4(z, 1u);
        } else if (radix == 3u) {
            transform_3(z);
        } else {
            transform_2(z, 1u);
        }
        if (back) {
            for (uint32 q = 0; q < radix; ++q) {
                z[q] = exchanged(z[q]);
            }
        } else if (stride > 1u) {
            turn_all(z, turns + offset, stride, radix);
        }
        for (uint32 q = 0; q < radix; ++q) {
            numbers[first + step[q]] = z[q];
        }
    }
}

#define PASS_OF_RADIX(name, radix)                                                                     \
    SEPARATE_PART void name(LOCAL const transform_t *t, LOCAL const pass_t *shared_pass,               \
                            LOCAL complex_t *given, uint32 back) {                                     \
        LAUNCH_MEMORY(complex_t, numbers, given);                                                      \
        const block_t block = t->block;                                                                \
        const pass_t pass = *shared_pass;                                                              \
        butterflies(numbers, &block, &pass, (GLOBAL const complex_t *)(t->tables + pass.turns), radix, \
                    back);                                                                             \
    }
PASS_OF_RADIX(pass_of_radix_2, 2u)
PASS_OF_RADIX(pass_of_radix_3, 3u)
PASS_OF_RADIX(pass_of_radix_4, 4u)
PASS_OF_RADIX(pass_of_radix_5, 5u)
PASS_OF_RADIX(pass_of_radix_8, 8u)

FUNCTION void do_pass(LOCAL const transform_t *t, LOCAL const pass_t *pass, LOCAL complex_t *numbers,
                      uint32 back) {
    const uint32 radix = pass->radix;
    if (radix == 8u) {
        pass_of_radix_8(t, pass, numbers, back);
    } else if (radix == 5u) {
        pass_of_radix_5(t, pass, numbers, back);
    } else if (radix == 4u) {
        pass_of_radix_4(t, pass, numbers, back);
    } else if (radix == 3u) {
        pass_of_radix_3(t, pass, numbers, back);
    } else {
        pass_of_radix_2(t, pass, numbers, back);
    }
}

#endif
