/* The dialect in OpenCL C 1.2 to 3.0. */
#ifndef PERDURE_SYNC_DIALECT_OPENCL_H
#define PERDURE_SYNC_DIALECT_OPENCL_H

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#if defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define KERNEL __kernel
#define WIDE_KERNEL __kernel
/* PoCL 3.1 miscompiles functions with group barriers that are called from two places. */
#define FUNCTION static inline __attribute__((always_inline))
#define CELL_FUNCTION FUNCTION
#define HOST_FUNCTION FUNCTION
#define PREFETCH(pointer) prefetch(pointer, 1)
#define LANES_BEFORE_ROWS 0
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define FUSED(a, b, c) fma((a), (b), (c))
#define GLOBAL __global
#define LOCAL_MEMORY __local
#define LOCAL __local
#define PARAMETERS const run_parameters_t

typedef uint uint32;
typedef ulong uint64;
typedef int int32;
typedef long int64;
typedef double sum_t;
typedef uint32 index_t; /* of a cell */

#define POLLS_PER_LOOK 1024u
#define ROLLED
#define UNROLLED

FUNCTION uint32 device_index(void) {
    return 0u;
}
FUNCTION uint32 device_count(void) {
    return 1u;
}
FUNCTION double begin_of_own_part(void) {
    return 0.0;
}
FUNCTION double end_of_own_part(void) {
    return 1.0;
}
FUNCTION uint32 may_be_prefetched(uint32 cell) {
    (void)cell;
    return 1u;
}
FUNCTION uint32 group_index(void) {
    return (uint32)get_group_id(0);
}
FUNCTION uint32 group_count(void) {
    return (uint32)get_num_groups(0);
}
#if defined(PERDURE_ONE_ITEM)
/* A program for groups of one item, as on host threads: compilers that turn items into loops (PoCL) take ten times as
 * long for the barriers, which then do nothing. */
FUNCTION uint32 item_index(void) {
    return 0u;
}
FUNCTION uint32 group_size(void) {
    return 1u;
}
FUNCTION void group_barrier(void) {}
FUNCTION uint32 group_verdict(LOCAL uint32 *word, uint32 passed) {
    (void)word;
    return passed;
}
FUNCTION uint32 group_all(LOCAL uint32 *word, uint32 condition) {
    (void)word;
    return condition;
}
FUNCTION void lane_barrier(uint32 stride) {
    (void)stride;
}
#else
FUNCTION uint32 item_index(void) {
    return (uint32)get_local_id(0);
}
FUNCTION uint32 group_size(void) {
    return (uint32)get_local_size(0);
}
FUNCTION void group_barrier(void) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
FUNCTION uint32 group_verdict(LOCAL uint32 *word, uint32 passed) {
    if (item_index() == 0u) {
        *word = passed;
    }
    group_barrier();
    return *word;
}
FUNCTION uint32 group_all(LOCAL uint32 *word, uint32 condition) {
    if (!condition) {
        *word = 0u;
    }
    group_barrier();
    return *word;
}
FUNCTION void lane_barrier(uint32 stride) {
    (void)stride;
    barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

/* OpenCL C has no clock: waits are bounded by a count of polls, which the host calibrates. */
FUNCTION uint64 wait_clock(uint64 polls) {
    return polls;
}
FUNCTION void wait_pause(uint64 polls) {
    (void)polls;
}
#if defined(PERDURE_NVIDIA)
#define CYCLES
FUNCTION uint32 cycles(void) {
    uint32 now;
    __asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
    return now;
}
FUNCTION void delay_first_poll(uint32 count) {
    const uint32 begin = cycles();
    while (cycles() - begin < count) {
    }
}
#else
FUNCTION void delay_first_poll(uint32 count) {
    (void)count;
}
#endif
FUNCTION double device_seconds(void) {
    return (double)NAN;
}

FUNCTION uint32 multiply_high(uint32 a, uint32 b) {
    return mul_hi(a, b);
}
FUNCTION int64 double_bits(double value) {
    return as_long(value);
}
FUNCTION double bits_double(int64 bits) {
    return as_double(bits);
}
#if defined(PERDURE_NVIDIA)
#define LANE_SHIFT
FUNCTION double shift_lanes(double value, uint32 stride) {
    uint2 halves = as_uint2(value);
    __asm volatile("shfl.sync.down.b32 %0, %0, %1, 0x1f, 0xffffffff;" : "+r"(halves.x) : "r"(stride));
    __asm volatile("shfl.sync.down.b32 %0, %0, %1, 0x1f, 0xffffffff;" : "+r"(halves.y) : "r"(stride));
    return as_double(halves);
}
#endif
FUNCTION int32 float_bits(float value) {
    return as_int(value);
}
FUNCTION float bits_float(int32 bits) {
    return as_float(bits);
}

#endif
