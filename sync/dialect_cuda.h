/* The dialect in CUDA: a group is a thread block; orders and scopes are those of the PTX memory model, by
 * libcu++. */
#ifndef PERDURE_SYNC_DIALECT_CUDA_H
#define PERDURE_SYNC_DIALECT_CUDA_H

#include <cuda/atomic>

/* More items than lanes would find nothing to do; fewer leave each item more registers. */
#define KERNEL __global__ __launch_bounds__(LANES)
#define FUNCTION static __device__ __forceinline__
#define GLOBAL
#define LOCAL __shared__
#define PARAMETERS const __grid_constant__ run_parameters_t

typedef unsigned int uint32;
typedef unsigned long long uint64;
typedef long long int64;
typedef double sum_t;

#define POLLS_PER_LOOK 256u

FUNCTION uint32 group_index() {
    return blockIdx.x;
}
FUNCTION uint32 group_count() {
    return gridDim.x;
}
FUNCTION uint32 item_index() {
    return threadIdx.x;
}
FUNCTION uint32 group_size() {
    return blockDim.x;
}
FUNCTION void group_barrier() {
    __syncthreads();
}
/* Below a warp's width only the first warp takes part. */
FUNCTION void lane_barrier(uint32 stride) {
    if (stride >= 32) {
        __syncthreads();
    } else {
        __syncwarp();
    }
}

template <typename Word>
using device_word = cuda::atomic_ref<Word, cuda::thread_scope_device>;
template <typename Word>
using system_word = cuda::atomic_ref<Word, cuda::thread_scope_system>;

FUNCTION uint32 fetch_add_acq_rel(uint32 *word, uint32 value) {
    return device_word<uint32>(*word).fetch_add(value, cuda::memory_order_acq_rel);
}
FUNCTION uint32 load_acquire(uint32 *word) {
    return device_word<uint32>(*word).load(cuda::memory_order_acquire);
}
FUNCTION uint32 load_relaxed(uint32 *word) {
    return device_word<uint32>(*word).load(cuda::memory_order_relaxed);
}
FUNCTION void store_relaxed(uint32 *word, uint32 value) {
    device_word<uint32>(*word).store(value, cuda::memory_order_relaxed);
}
FUNCTION uint32 compare_exchange_acq_rel(uint32 *word, uint32 expected, uint32 value) {
    device_word<uint32>(*word).compare_exchange_strong(expected, value, cuda::memory_order_acq_rel);
    return expected;
}
FUNCTION void fetch_min_uint32(uint32 *word, uint32 value) {
    device_word<uint32>(*word).fetch_min(value, cuda::memory_order_relaxed);
}
FUNCTION void fetch_min_int64(int64 *word, int64 value) {
    device_word<int64>(*word).fetch_min(value, cuda::memory_order_relaxed);
}

FUNCTION uint32 system_load(uint32 *word) {
    return system_word<uint32>(*word).load(cuda::memory_order_relaxed);
}
FUNCTION void system_store(uint32 *word, uint32 value) {
    system_word<uint32>(*word).store(value, cuda::memory_order_relaxed);
}
FUNCTION void system_store_64(uint64 *word, uint64 value) {
    system_word<uint64>(*word).store(value, cuda::memory_order_relaxed);
}

FUNCTION uint64 global_nanoseconds() {
    uint64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
FUNCTION uint64 wait_clock(uint64) {
    return global_nanoseconds();
}
FUNCTION void wait_pause(uint64) {}
FUNCTION double device_seconds() {
    return 1.0e-9 * static_cast<double>(global_nanoseconds());
}

FUNCTION uint32 multiply_high(uint32 a, uint32 b) {
    return __umulhi(a, b);
}
FUNCTION int64 double_bits(double value) {
    return __double_as_longlong(value);
}
FUNCTION double bits_double(int64 bits) {
    return __longlong_as_double(bits);
}

#endif
