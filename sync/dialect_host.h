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
#define FUNCTION static inline
#define GLOBAL
#define LOCAL
#define PARAMETERS const run_parameters_t

typedef uint32_t uint32;
typedef uint64_t uint64;
typedef int64_t int64;
typedef double sum_t;

#define POLLS_PER_LOOK 16u

FUNCTION uint32 group_index(void) {
    return perdure_group.index;
}
FUNCTION uint32 group_count(void) {
    return perdure_group.count;
}
FUNCTION uint32 item_index(void) {
    return 0;
}
FUNCTION uint32 group_size(void) {
    return 1;
}
FUNCTION void group_barrier(void) {}
FUNCTION void lane_barrier(uint32 stride) {
    (void)stride;
}

FUNCTION uint32 fetch_add_acq_rel(uint32 *word, uint32 value) {
    return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
}
FUNCTION uint32 load_acquire(uint32 *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
FUNCTION uint32 load_relaxed(uint32 *word) {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}
FUNCTION void store_relaxed(uint32 *word, uint32 value) {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
FUNCTION uint32 compare_exchange_acq_rel(uint32 *word, uint32 expected, uint32 value) {
    (void)__atomic_compare_exchange_n(word, &expected, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return expected;
}
FUNCTION void fetch_min_uint32(uint32 *word, uint32 value) {
    uint32 seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (value < seen &&
           !__atomic_compare_exchange_n(word, &seen, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}
FUNCTION void fetch_min_int64(int64 *word, int64 value) {
    int64 seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (value < seen &&
           !__atomic_compare_exchange_n(word, &seen, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

FUNCTION uint32 system_load(uint32 *word) {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}
FUNCTION void system_store(uint32 *word, uint32 value) {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
FUNCTION void system_store_64(uint64 *word, uint64 value) {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
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
/* More threads than processors must let each other run. */
FUNCTION void wait_pause(uint64 polls) {
    if (polls > 256) {
        (void)sched_yield();
    } else {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
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

#endif
