/* The dialect on host threads, in C99 and in C++: a group is one thread, all atomics are the compiler's. */
#ifndef PERDURE_SYNC_DIALECT_HOST_H
#define PERDURE_SYNC_DIALECT_HOST_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "sync/group_context.h"

#define KERNEL
#define WIDE_KERNEL
#define FUNCTION static inline
#define HOST_FUNCTION FUNCTION
#define CELL_FUNCTION static inline __attribute__((always_inline))
#define GLOBAL
#define LOCAL_MEMORY
#define LOCAL
#define PARAMETERS const run_parameters_t

typedef uint32_t uint32;
typedef uint64_t uint64;
typedef int32_t int32;
typedef int64_t int64;
typedef double sum_t;
typedef int32_t index_t;
#define VECTORISED _Pragma("GCC ivdep")

#define POLLS_PER_LOOK 16u
#define ROLLED
#define UNROLLED
/* The processor sees regular accesses coming by itself. */
#define PREFETCH(pointer) ((void)(pointer))
#define LANES_BEFORE_ROWS 0
#define TIMED_ON_REQUEST
#define COPIED_WHILE_RUNNING
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#if defined(__cplusplus)
#define FUSED(a, b, c) fused((a), (b), (c))
FUNCTION double fused(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}
FUNCTION float fused(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}
#else
#define FUSED(a, b, c) \
    __builtin_choose_expr(sizeof((a) * (b)) == sizeof(float), __builtin_fmaf, __builtin_fma)((a), (b), (c))
#endif

FUNCTION uint32 group_index(void) {
    return perdure_group.index;
}
FUNCTION uint32 group_count(void) {
    return perdure_group.count;
}
FUNCTION uint32 device_count(void) {
    return perdure_device_count;
}
FUNCTION uint32 device_index(void) {
    return perdure_group.index * perdure_device_count / perdure_group.count;
}
FUNCTION double begin_of_own_part(void) {
    return (double)device_index() / (double)device_count();
}
FUNCTION double end_of_own_part(void) {
    return (double)(device_index() + 1u) / (double)device_count();
}
FUNCTION uint32 may_be_prefetched(uint32 cell) {
    (void)cell;
    return 1;
}
FUNCTION uint32 item_index(void) {
    return 0;
}
FUNCTION uint32 group_size(void) {
    return 1;
}
FUNCTION void group_barrier(void) {}
FUNCTION uint32 group_verdict(uint32 *word, uint32 passed) {
    (void)word;
    return passed;
}
FUNCTION uint32 group_all(uint32 *word, uint32 condition) {
    (void)word;
    return condition;
}
FUNCTION void lane_barrier(uint32 stride) {
    (void)stride;
}

FUNCTION uint64 host_nanoseconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64)now.tv_sec * 1000000000u + (uint64)now.tv_nsec;
}
FUNCTION uint64 wait_clock(uint64 polls) {
    (void)polls;
    return host_nanoseconds();
}
/* More threads than processors must let each other run; who has yielded for long has nobody to wait for but a thread
 * that does not get a processor, and leaves it his. */
FUNCTION void wait_pause(uint64 polls) {
    if (polls > 16384) {
        const struct timespec nap = {0, 50000};
        (void)nanosleep(&nap, 0);
    } else if (polls > 256) {
        (void)sched_yield();
    } else {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
}
FUNCTION void delay_first_poll(uint32 count) {
    (void)count;
}
FUNCTION double device_seconds(void) {
    return 1.0e-9 * (double)host_nanoseconds();
}

FUNCTION uint32 multiply_high(uint32 a, uint32 b) {
    return (uint32)(((uint64)a * b) >> 32);
}
FUNCTION int64 double_bits(double value) {
    int64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
FUNCTION double bits_double(int64 bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
FUNCTION int32 float_bits(float value) {
    int32 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
FUNCTION float bits_float(int32 bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
