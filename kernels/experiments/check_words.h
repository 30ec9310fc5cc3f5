/* What the kernels that check reductions and exchanges share with whoever launches them. */
#ifndef PERDURE_KERNELS_EXPERIMENTS_CHECK_WORDS_H
#define PERDURE_KERNELS_EXPERIMENTS_CHECK_WORDS_H

#include "sync/dialect.h"

/* run_parameters_t::delay where all groups come. */
#define NO_GROUP 0xffffffffu

/* kernels/experiments/halo_check.h: edges of a group, words of an edge. */
#define RING_EDGES 2u
#define RING_WORDS 24u
enum { RING_FLOATS = 0, RING_DOUBLES = 1 };

/* Bit for bit, but all NaN are one. */
FUNCTION uint32 is_same_double(double a, double b) {
    return double_bits(a) == double_bits(b) || (a != a && b != b) ? 1u : 0u;
}

#endif
