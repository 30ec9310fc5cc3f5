/* The dialect in OpenCL C. With acquire/release at device scope (OpenCL 3.0 features) it uses those; without
 * (PERDURE_LEGACY_ATOMICS: OpenCL 1.2, and NVIDIA's OpenCL 3.0) an atomic between two fences orders the same.
 */
#ifndef PERDURE_SYNC_DIALECT_OPENCL_H
#define PERDURE_SYNC_DIALECT_OPENCL_H

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#if defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define KERNEL __kernel
#define FUNCTION static inline
#define GLOBAL __global
#define LOCAL __local
#define PARAMETERS const run_parameters_t

typedef uint uint32;
typedef ulong uint64;
typedef long int64;
typedef double sum_t;

#define POLLS_PER_LOOK 1024u

FUNCTION uint32 group_index(void) {
    return (uint32)get_group_id(0);
}
FUNCTION uint32 group_count(void) {
    return (uint32)get_num_groups(0);
}
FUNCTION uint32 item_index(void) {
    return (uint32)get_local_id(0);
}
FUNCTION uint32 group_size(void) {
    return (uint32)get_local_size(0);
}
FUNCTION void group_barrier(void) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
FUNCTION void lane_barrier(uint32 stride) {
    (void)stride;
    barrier(CLK_LOCAL_MEM_FENCE);
}

#if defined(PERDURE_LEGACY_ATOMICS)

/* PERDURE_NVIDIA is the compute capability: acquire/release fences came with 7, membar.gl orders more. */
#if defined(PERDURE_NVIDIA)
#if PERDURE_NVIDIA >= 7
FUNCTION void device_fence(void) {
    __asm volatile("fence.acq_rel.gpu;" ::: "memory");
}
#else
FUNCTION void device_fence(void) {
    __asm volatile("membar.gl;" ::: "memory");
}
#endif
FUNCTION uint32 load_relaxed(volatile GLOBAL uint32 *word) {
    return *word;
}
#else
FUNCTION void device_fence(void) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
FUNCTION uint32 load_relaxed(volatile GLOBAL uint32 *word) {
    return atomic_or(word, 0u);
}
#endif

FUNCTION uint32 fetch_add_acq_rel(volatile GLOBAL uint32 *word, uint32 value) {
    device_fence();
    const uint32 before = atomic_add(word, value);
    device_fence();
    return before;
}
FUNCTION uint32 load_acquire(volatile GLOBAL uint32 *word) {
    const uint32 value = load_relaxed(word);
    device_fence();
    return value;
}
FUNCTION void store_relaxed(volatile GLOBAL uint32 *word, uint32 value) {
    (void)atomic_xchg(word, value);
}
FUNCTION uint32 compare_exchange_acq_rel(volatile GLOBAL uint32 *word, uint32 expected, uint32 value) {
    device_fence();
    const uint32 before = atomic_cmpxchg(word, expected, value);
    device_fence();
    return before;
}

#else

FUNCTION uint32 fetch_add_acq_rel(volatile GLOBAL uint32 *word, uint32 value) {
    return atomic_fetch_add_explicit((volatile GLOBAL atomic_uint *)word, value, memory_order_acq_rel,
                                     memory_scope_device);
}
FUNCTION uint32 load_acquire(volatile GLOBAL uint32 *word) {
    return atomic_load_explicit((volatile GLOBAL atomic_uint *)word, memory_order_acquire,
                                memory_scope_device);
}
FUNCTION uint32 load_relaxed(volatile GLOBAL uint32 *word) {
    return atomic_load_explicit((volatile GLOBAL atomic_uint *)word, memory_order_relaxed,
                                memory_scope_device);
}
FUNCTION void store_relaxed(volatile GLOBAL uint32 *word, uint32 value) {
    atomic_store_explicit((volatile GLOBAL atomic_uint *)word, value, memory_order_relaxed,
                          memory_scope_device);
}
FUNCTION uint32 compare_exchange_acq_rel(volatile GLOBAL uint32 *word, uint32 expected, uint32 value) {
    (void)atomic_compare_exchange_strong_explicit((volatile GLOBAL atomic_uint *)word, &expected, value,
                                                  memory_order_acq_rel, memory_order_acquire,
                                                  memory_scope_device);
    return expected;
}

#endif

FUNCTION void fetch_min_uint32(volatile GLOBAL uint32 *word, uint32 value) {
    (void)atomic_min(word, value);
}
FUNCTION void fetch_min_int64(volatile GLOBAL int64 *word, int64 value) {
    (void)atom_min(word, value);
}

/* Host-visible memory is coherent where a device has it at all (fine-grained SVM): volatile accesses reach
 * it. */
FUNCTION uint32 system_load(volatile GLOBAL uint32 *word) {
    return *word;
}
FUNCTION void system_store(volatile GLOBAL uint32 *word, uint32 value) {
    *word = value;
}
FUNCTION void system_store_64(volatile GLOBAL uint64 *word, uint64 value) {
    *word = value;
}

/* OpenCL C has no clock: waits are bounded by a count of polls, which the host calibrates. */
FUNCTION uint64 wait_clock(uint64 polls) {
    return polls;
}
FUNCTION void wait_pause(uint64 polls) {
    (void)polls;
}
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

#endif
