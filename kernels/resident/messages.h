/* Epoch-tagged messages: a value with the number of its step in one word of memory, 16 bytes for a double, 8 for a float. */
#ifndef PERDURE_KERNELS_RESIDENT_MESSAGES_H
#define PERDURE_KERNELS_RESIDENT_MESSAGES_H

#include "sync/epoch_word.h"

/* Stands before a group sends or polls messages or waits at a barrier. It does nothing, unless a test inserts random delays here. */
#ifndef DELAY_HERE
#define DELAY_HERE() ((void)0)
#endif

/* INLINED: for lambdas; long ones would otherwise remain calls, with their captures in memory. */
#define INLINED __attribute__((always_inline))
#define MEMBER __device__ __forceinline__

/* A if the condition holds, otherwise B. NVRTC may have no headers of the standard library. */
template <bool CONDITION, typename A, typename B>
struct choice {
    typedef A type;
};
template <typename A, typename B>
struct choice<false, A, B> {
    typedef B type;
};

template <typename Real>
struct message_of;
template <>
struct message_of<double> {
    typedef epoch_word_t type;
};
template <>
struct message_of<float> {
    typedef uint64 type;
};

FUNCTION void send_message(epoch_word_t *messages, uint32 cell, double value, uint32 epoch) {
    DELAY_HERE();
    store_epoch_word(messages + cell, value, epoch);
}
FUNCTION void send_message(uint64 *messages, uint32 cell, float value, uint32 epoch) {
    DELAY_HERE();
    store_epoch_float(messages + cell, value, epoch);
}
FUNCTION epoch_word_t load_message(epoch_word_t *messages, uint32 cell) {
    DELAY_HERE();
    return load_epoch_word(messages + cell);
}
FUNCTION uint64 load_message(uint64 *messages, uint32 cell) {
    DELAY_HERE();
    return load_uint64(messages + cell, ORDER_RELAXED, SCOPE_DEVICE);
}
FUNCTION bool receive_message(epoch_word_t seen, double *value, uint32 epoch) {
    *value = epoch_word_value(seen);
    return is_of_epoch(seen, epoch) != 0u;
}
/* Like receive_message, for a message that was loaded long before. */
FUNCTION bool receive_late_message(epoch_word_t seen, double *value, uint32 epoch) {
    *value = epoch_word_value(seen);
    return is_wholly_of_epoch(seen, epoch) != 0u;
}
FUNCTION bool receive_message(uint64 seen, float *value, uint32 epoch) {
    *value = bits_float(static_cast<int32>(static_cast<uint32>(seen)));
    return static_cast<uint32>(seen >> 32) == epoch;
}
FUNCTION bool receive_late_message(uint64 seen, float *value, uint32 epoch) {
    return receive_message(seen, value, epoch);
}

/* The same functions for plain values, without epochs; flags tell when they have arrived (sync/step_flags.h). */
template <typename Real>
FUNCTION void send_message(Real *cells, uint32 cell, Real value, uint32) {
    DELAY_HERE();
    cells[cell] = value;
}
FUNCTION double load_message(double *cells, uint32 cell) {
    DELAY_HERE();
    return bits_double(static_cast<int64>(
        load_uint64(reinterpret_cast<uint64 *>(cells) + cell, ORDER_RELAXED, SCOPE_DEVICE)));
}
FUNCTION float load_message(float *cells, uint32 cell) {
    DELAY_HERE();
    return bits_float(static_cast<int32>(
        load_uint32(reinterpret_cast<uint32 *>(cells) + cell, ORDER_RELAXED, SCOPE_DEVICE)));
}
template <typename Real>
FUNCTION bool receive_late_message(Real seen, Real *value, uint32) {
    *value = seen;
    return true;
}

#endif
