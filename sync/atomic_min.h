/* Atomic minimum of doubles through an order-preserving integer.
 *
 *   publishes     the value only; order of other memory comes from the last group's ticket
 *   edge          none (relaxed, device scope)
 *   called by     one item per group
 *   NaN policy    a NaN counts as minus infinity: it always wins and never looks converged */
#ifndef PERDURE_SYNC_ATOMIC_MIN_H
#define PERDURE_SYNC_ATOMIC_MIN_H

#include "sync/dialect.h"

#define ORDERED_MINUS_INFINITY ((int64)(-0x7ff0000000000000 - 1))
#define ORDERED_PLUS_INFINITY ((int64)0x7ff0000000000000)

/* Orders doubles as signed integers; -0.0 stands just below 0.0. */
FUNCTION int64 ordered_bits(double value) {
    if (value != value) {
        return ORDERED_MINUS_INFINITY;
    }
    const int64 bits = double_bits(value);
    return bits >= 0 ? bits : bits ^ (int64)0x7fffffffffffffff;
}

FUNCTION double ordered_value(int64 ordered) {
    return bits_double(ordered >= 0 ? ordered : ordered ^ (int64)0x7fffffffffffffff);
}

FUNCTION void atomic_min_double(GLOBAL int64 *word, double value) {
    min_int64(word, ordered_bits(value), ORDER_RELAXED, SCOPE_DEVICE);
}

#endif
