/* Minimum, maximum and sum of floating point numbers in one word; orders and scopes are those of atomics.h.
 *
 *   min_double max_double(word, value, order, scope)        on a GLOBAL int64 word in ordered bits
 *   min_float max_float(word, value, order, scope)          on a GLOBAL int32 word in ordered bits
 *   fetch_add_double add_double(word, value, order, scope)  on a GLOBAL double
 *   fetch_add_float add_float(word, value, order, scope)    on a GLOBAL float
 *
 *   publishes    the value; with ORDER_RELEASE also what this item wrote before
 *   observed by  whoever reads the word behind an edge: a barrier, the last group's ticket, an acquire
 *   edge         that of the order, as in sync/atomics.h; none with ORDER_RELAXED
 *   called by    any item
 *   valid in     memory; fetch_add_... returns the value before to the item that calls
 *   minimum      a NaN counts as minus infinity: it always wins and never looks converged
 *   maximum      a NaN counts as plus infinity: it always wins and never looks small
 *   both         -0.0 stands just below 0.0; infinities and subnormals in their places
 *   sum          as the addition of the type: a NaN stays
 *   progress     minimum, maximum: that of the integer forms. Sum: an instruction on NVIDIA; elsewhere a
 *                compare-and-swap loop, lock-free: a try fails only because another item's succeeded, so an
 *                item tries at most once per addition of the others, and waits for nobody
 *
 * A minimum starts at ORDERED_..PLUS_INFINITY, a maximum at ORDERED_..MINUS_INFINITY. Sums depend on the
 * order of the additions: nothing that must give the same bits again may use them. On NVIDIA, sums of floats
 * flush subnormals to zero. */
#ifndef PERDURE_SYNC_ATOMIC_FLOAT_H
#define PERDURE_SYNC_ATOMIC_FLOAT_H

#include "sync/dialect.h"

#define ORDERED_MINUS_INFINITY ((int64)(-0x7ff0000000000000 - 1))
#define ORDERED_PLUS_INFINITY ((int64)0x7ff0000000000000)
#define ORDERED_FLOAT_MINUS_INFINITY ((int32)(-0x7f800000 - 1))
#define ORDERED_FLOAT_PLUS_INFINITY ((int32)0x7f800000)

/* Orders doubles as signed integers, a NaN as minus infinity. */
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

/* The same for floats. */
FUNCTION int32 ordered_float_bits(float value) {
    if (value != value) {
        return ORDERED_FLOAT_MINUS_INFINITY;
    }
    const int32 bits = float_bits(value);
    return bits >= 0 ? bits : bits ^ (int32)0x7fffffff;
}
FUNCTION float ordered_float_value(int32 ordered) {
    return bits_float(ordered >= 0 ? ordered : ordered ^ (int32)0x7fffffff);
}

FUNCTION void min_double(GLOBAL int64 *word, double value, order_t order, scope_t scope) {
    min_int64(word, ordered_bits(value), order, scope);
}
FUNCTION void max_double(GLOBAL int64 *word, double value, order_t order, scope_t scope) {
    max_int64(word, value != value ? ORDERED_PLUS_INFINITY : ordered_bits(value), order, scope);
}
FUNCTION void min_float(GLOBAL int32 *word, float value, order_t order, scope_t scope) {
    min_int32(word, ordered_float_bits(value), order, scope);
}
FUNCTION void max_float(GLOBAL int32 *word, float value, order_t order, scope_t scope) {
    max_int32(word, value != value ? ORDERED_FLOAT_PLUS_INFINITY : ordered_float_bits(value), order, scope);
}

#if !defined(NATIVE_FLOAT_ADD)
FUNCTION double fetch_add_double(GLOBAL double *word, double value, order_t order, scope_t scope) {
    GLOBAL uint64 *bits = (GLOBAL uint64 *)word;
    uint64 seen = load_uint64(bits, ORDER_RELAXED, scope);
    for (;;) {
        const double before = bits_double((int64)seen);
        const uint64 found =
            compare_exchange_uint64(bits, seen, (uint64)double_bits(before + value), order, scope);
        if (found == seen) {
            return before;
        }
        seen = found;
    }
}
FUNCTION float fetch_add_float(GLOBAL float *word, float value, order_t order, scope_t scope) {
    GLOBAL uint32 *bits = (GLOBAL uint32 *)word;
    uint32 seen = load_uint32(bits, ORDER_RELAXED, scope);
    for (;;) {
        const float before = bits_float((int32)seen);
        const uint32 found =
            compare_exchange_uint32(bits, seen, (uint32)float_bits(before + value), order, scope);
        if (found == seen) {
            return before;
        }
        seen = found;
    }
}
FUNCTION void add_double(GLOBAL double *word, double value, order_t order, scope_t scope) {
    (void)fetch_add_double(word, value, order, scope);
}
FUNCTION void add_float(GLOBAL float *word, float value, order_t order, scope_t scope) {
    (void)fetch_add_float(word, value, order, scope);
}
#endif

#endif
