/* Words that carry a value and the step it belongs to, by the type of the value: 16 bytes for a double, 8 for a float. */
#ifndef PERDURE_KERNELS_RESIDENT_WORDS_H
#define PERDURE_KERNELS_RESIDENT_WORDS_H

#include "sync/epoch_word.h"

/* Before a group sends or looks for words, or meets the others: nothing, unless a test puts waits of random length here. */
#ifndef DELAY_HERE
#define DELAY_HERE() ((void)0)
#endif

/* For lambdas, which would otherwise stay calls where they are long, and what they share in memory. */
#define INLINED __attribute__((always_inline))
#define MEMBER __device__ __forceinline__

/* A where the condition holds, else B: NVRTC may have no headers of the standard library. */
template <bool CONDITION, typename A, typename B>
struct choice {
    typedef A type;
};
template <typename A, typename B>
struct choice<false, A, B> {
    typedef B type;
};

template <typename Real>
struct word_of;
template <>
struct word_of<double> {
    typedef epoch_word_t type;
};
template <>
struct word_of<float> {
    typedef uint64 type;
};

FUNCTION void send_word(epoch_word_t *words, uint32 cell, double value, uint32 epoch) {
    DELAY_HERE();
    store_epoch_word(words + cell, value, epoch);
}
FUNCTION void send_word(uint64 *words, uint32 cell, float value, uint32 epoch) {
    DELAY_HERE();
    store_epoch_float(words + cell, value, epoch);
}
FUNCTION epoch_word_t look_at_word(epoch_word_t *words, uint32 cell) {
    DELAY_HERE();
    return load_epoch_word(words + cell);
}
FUNCTION uint64 look_at_word(uint64 *words, uint32 cell) {
    DELAY_HERE();
    return load_uint64(words + cell, ORDER_RELAXED, SCOPE_DEVICE);
}
FUNCTION bool take_word(epoch_word_t seen, double *value, uint32 epoch) {
    *value = epoch_word_value(seen);
    return is_of_epoch(seen, epoch) != 0u;
}
/* take_word of one that was looked at long before. */
FUNCTION bool take_late_word(epoch_word_t seen, double *value, uint32 epoch) {
    *value = epoch_word_value(seen);
    return is_wholly_of_epoch(seen, epoch) != 0u;
}
FUNCTION bool take_word(uint64 seen, float *value, uint32 epoch) {
    *value = bits_float(static_cast<int32>(static_cast<uint32>(seen)));
    return static_cast<uint32>(seen >> 32) == epoch;
}
FUNCTION bool take_late_word(uint64 seen, float *value, uint32 epoch) {
    return take_word(seen, value, epoch);
}

/* The same for cells, which lie in memory as they are: when they are there flags tell (sync/step_flags.h). */
template <typename Real>
FUNCTION void send_word(Real *cells, uint32 cell, Real value, uint32) {
    DELAY_HERE();
    cells[cell] = value;
}
FUNCTION double look_at_word(double *cells, uint32 cell) {
    DELAY_HERE();
    return bits_double(static_cast<int64>(
        load_uint64(reinterpret_cast<uint64 *>(cells) + cell, ORDER_RELAXED, SCOPE_DEVICE)));
}
FUNCTION float look_at_word(float *cells, uint32 cell) {
    DELAY_HERE();
    return bits_float(static_cast<int32>(
        load_uint32(reinterpret_cast<uint32 *>(cells) + cell, ORDER_RELAXED, SCOPE_DEVICE)));
}
template <typename Real>
FUNCTION bool take_late_word(Real seen, Real *value, uint32) {
    *value = seen;
    return true;
}

#endif
