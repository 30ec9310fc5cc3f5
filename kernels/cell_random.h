/* Random numbers by counting: that of a cell follows from the seed and the cell's index in the grid alone, so that it is the same on
 * every back end and for every division of the grid. */
#ifndef PERDURE_KERNELS_CELL_RANDOM_H
#define PERDURE_KERNELS_CELL_RANDOM_H

#include "sync/dialect.h"

/* 64 random bits: SplitMix64 (Steele, Lea, Flood 2014) of a counter. */
FUNCTION uint64 cell_random_bits(uint32 seed, uint64 cell) {
    uint64 bits = seed * (uint64)0x9E3779B97F4A7C15u + cell;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

/* In [0, 1), from as many of the upper bits as the type holds: in float32 the number of float64 rounded down. */
FUNCTION double cell_random_double(uint32 seed, uint64 cell) {
    return (double)(cell_random_bits(seed, cell) >> 11) * 0x1p-53;
}
FUNCTION float cell_random_float(uint32 seed, uint64 cell) {
    return (float)(cell_random_bits(seed, cell) >> 40) * 0x1p-24f;
}

#endif
