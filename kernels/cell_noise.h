/* White noise by counting: that of a cell in a step follows from the seed, the cell's index in the grid and the number of the step
 * alone, so that it is the same in every stage, on every back end and for every division of the grid.
 *
 * Bits: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011) of the counter (cell, step, 0, 0)
 * and the key (seed, 0). A normal number from them: the inverse of the normal distribution (Wichura, Algorithm AS 241, Applied Statistics 37
 * (1988) 477), relative error 1e-15, by operations that have the same bits everywhere. */
#ifndef PERDURE_KERNELS_CELL_NOISE_H
#define PERDURE_KERNELS_CELL_NOISE_H

#include "sync/dialect.h"

typedef struct {
    uint32 word[4];
} philox_block_t;

FUNCTION philox_block_t philox(philox_block_t counter, uint32 key_0, uint32 key_1) {
    for (uint32 round = 0; round < 10u; ++round) {
        const uint64 product_0 = (uint64)0xD2511F53u * counter.word[0];
        const uint64 product_1 = (uint64)0xCD9E8D57u * counter.word[2];
        counter.word[0] = (uint32)(product_1 >> 32) ^ counter.word[1] ^ key_0;
        counter.word[1] = (uint32)product_1;
        counter.word[2] = (uint32)(product_0 >> 32) ^ counter.word[3] ^ key_1;
        counter.word[3] = (uint32)product_0;
        key_0 += 0x9E3779B9u;
        key_1 += 0xBB67AE85u;
    }
    return counter;
}

/* Of a normal number from 2^-53 to 1/2. log((1 + s) / (1 - s)) = 2 (s + s^3 / 3 + s^5 / 5 ..), |s| < 0.172. */
FUNCTION double log_of_probability(double p) {
    const uint64 bits = (uint64)double_bits(p);
    double exponent = (double)(int32)(bits >> 52) - 1023.0;
    double mantissa = bits_double((int64)((bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u));
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        exponent += 1.0;
    }
    const double s = (mantissa - 1.0) / (mantissa + 1.0), square = s * s;
    double sum = 0.0;
    for (int32 odd = 21; odd > 0; odd -= 2) {
        sum = sum * square + 1.0 / (double)odd;
    }
    return exponent * 0.6931471805599453 + 2.0 * s * sum;
}

/* x with the probability p of a smaller normal number, 0 < p < 1. */
FUNCTION double inverse_of_normal_distribution(double p) {
    const double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q *
               (((((((2509.0809287301227 * r + 33430.57558358813) * r + 67265.7709270087) * r +
                    45921.95393154987) *
                       r +
                   13731.69376550946) *
                      r +
                  1971.5909503065513) *
                     r +
                 133.14166789178438) *
                    r +
                3.3871328727963665) /
               (((((((5226.495278852854 * r + 28729.085735721943) * r + 39307.89580009271) * r +
                    21213.794301586597) *
                       r +
                   5394.196021424751) *
                      r +
                  687.1870074920579) *
                     r +
                 42.31333070160091) *
                    r +
                1.0);
    }
    double r = sqrt(-log_of_probability(q < 0.0 ? p : 1.0 - p));
    double x;
    if (r <= 5.0) {
        r -= 1.6;
        x = (((((((0.0007745450142783414 * r + 0.022723844989269184) * r + 0.2417807251774506) * r +
                 1.2704582524523684) *
                    r +
                3.6478483247632045) *
                   r +
               5.769497221460691) *
                  r +
              4.630337846156546) *
                 r +
             1.4234371107496835) /
            (((((((1.0507500716444169e-09 * r + 0.0005475938084995345) * r + 0.015198666563616457) * r +
                 0.14810397642748008) *
                    r +
                0.6897673349851) *
                   r +
               1.6763848301838038) *
                  r +
              2.053191626637759) *
                 r +
             1.0);
    } else {
        r -= 5.0;
        x = (((((((2.0103343992922881e-07 * r + 2.7115555687434876e-05) * r + 0.0012426609473880784) * r +
                 0.026532189526576124) *
                    r +
                0.29656057182850487) *
                   r +
               1.7848265399172913) *
                  r +
              5.463784911164114) *
                 r +
             6.657904643501103) /
            (((((((2.0442631033899397e-15 * r + 1.421511758316446e-07) * r + 1.8463183175100548e-05) * r +
                 0.0007868691311456133) *
                    r +
                0.014875361290850615) *
                   r +
               0.1369298809227358) *
                  r +
              0.599832206555888) *
                 r +
             1.0);
    }
    return q < 0.0 ? -x : x;
}

/* Of mean 0 and variance 1; in float32 the number of float64, rounded. */
FUNCTION double cell_noise(uint32 seed, uint32 cell, uint32 step) {
    const philox_block_t counter = {{cell, step, 0u, 0u}};
    const philox_block_t random = philox(counter, seed, 0u);
    const uint64 whole = ((uint64)random.word[0] << 20) | (random.word[1] >> 12);
    return inverse_of_normal_distribution(((double)whole + 0.5) * 0x1p-52);
}

#endif
