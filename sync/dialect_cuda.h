/* The dialect in CUDA: a group is a thread block. */
#ifndef PERDURE_SYNC_DIALECT_CUDA_H
#define PERDURE_SYNC_DIALECT_CUDA_H

/* A program that asks for no cooperative barrier is not compiled with its headers, which NVRTC may not have and which take half a second. */
#if defined(PERDURE_COOPERATIVE_BARRIER)
#include <cooperative_groups.h>
#endif

/* More items than lanes would find nothing to do; fewer leave each item more registers. */
#define KERNEL __global__ __launch_bounds__(LANES)
/* Experiments and benchmarks run in groups of any size. */
#define WIDE_KERNEL __global__ __launch_bounds__(1024)
#define FUNCTION static __device__ __forceinline__
#define CELL_FUNCTION FUNCTION
#define HOST_FUNCTION static __host__ __device__ __forceinline__
#define GLOBAL
/* Before a variable of a group; and before what a pointer leads to, which is the same memory as any other. */
#define LOCAL_MEMORY __shared__
#define LOCAL
#if defined(PERDURE_ENSEMBLE) /* those of a member: kernels/ensemble.h */
#define PARAMETERS const run_parameters_t &
#else
#define PARAMETERS const __grid_constant__ run_parameters_t
#endif

typedef unsigned int uint32;
typedef unsigned long long uint64;
typedef int int32;
typedef long long int64;
typedef double sum_t;
typedef uint32 index_t; /* of a cell */

#define POLLS_PER_LOOK 256u
/* Into the second level alone: the first has no room for rows that nobody reads yet. */
#define PREFETCH(pointer) asm volatile("prefetch.global.L2 [%0];" ::"l"(pointer))
#define LANES_BEFORE_ROWS 1
#define COPIED_WHILE_RUNNING
#define MULTIPLY_ADD(a, b, c) fma((a), (b), (c))
#define FUSED(a, b, c) fused((a), (b), (c))
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define MATRIX_UNITS
#endif
/* Before a loop: a short one, so that what follows it is fetched already. */
#define ROLLED _Pragma("unroll 1")
#define UNROLLED _Pragma("unroll")

/* A launch over several devices is one on each at the same time, whose groups are numbered device after device. */
#if defined(PERDURE_SEVERAL_DEVICES)
typedef struct {
    uint32 index, count;
    uint32 groups;             /* of all */
    uint32 own_first, own_end; /* cells of the grid that lie in its own memory for certain */
    uint32 pad;
    double begin, end; /* its part of what devices share */
} device_place_t;
__constant__ device_place_t perdure_device; /* set before each launch */
FUNCTION uint32 device_index() {
    return perdure_device.index;
}
FUNCTION uint32 device_count() {
    return perdure_device.count;
}
FUNCTION uint32 group_count() {
    return perdure_device.groups;
}
FUNCTION double begin_of_own_part() {
    return perdure_device.begin;
}
FUNCTION double end_of_own_part() {
    return perdure_device.end;
}
FUNCTION uint32 may_be_prefetched(uint32 cell) {
    return cell >= perdure_device.own_first && cell < perdure_device.own_end;
}
#else
FUNCTION uint32 device_index() {
    return 0u;
}
FUNCTION uint32 device_count() {
    return 1u;
}
FUNCTION uint32 group_count() {
    return gridDim.x;
}
FUNCTION double begin_of_own_part() {
    return 0.0;
}
FUNCTION double end_of_own_part() {
    return 1.0;
}
FUNCTION uint32 may_be_prefetched(uint32) {
    return 1u;
}
#endif
FUNCTION uint32 first_group_of(uint32 device);
FUNCTION uint32 group_index() {
    return first_group_of(device_index()) + blockIdx.x;
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
FUNCTION uint32 group_verdict(uint32 *, uint32 passed) {
    return static_cast<uint32>(__syncthreads_and(static_cast<int>(passed)));
}
FUNCTION uint32 group_all(uint32 *, uint32 condition) {
    return static_cast<uint32>(__syncthreads_and(static_cast<int>(condition)));
}
/* Below a warp's width only the first warp takes part. */
FUNCTION void lane_barrier(uint32 stride) {
    if (stride >= 32) {
        __syncthreads();
    } else {
        __syncwarp();
    }
}

/* The value of the lane `stride` further on, among the 32 of a warp. */
#define LANE_SHIFT
FUNCTION double shift_lanes(double value, uint32 stride) {
    return __shfl_down_sync(0xffffffffu, value, stride);
}

/* CUDA's own grid barrier; its wait has no limit. */
#if defined(PERDURE_COOPERATIVE_BARRIER)
#define COOPERATIVE_BARRIER() cooperative_groups::this_grid().sync()
#endif

FUNCTION uint64 global_nanoseconds() {
    uint64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
FUNCTION uint64 wait_clock(uint64) {
    return global_nanoseconds();
}
FUNCTION void wait_pause(uint64) {}
#define CYCLES
FUNCTION uint32 cycles() {
    uint32 now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
    return now;
}
FUNCTION void delay_first_poll(uint32 count) {
    const uint32 begin = cycles();
    while (cycles() - begin < count) {
    }
}
FUNCTION double device_seconds() {
    return 1.0e-9 * static_cast<double>(global_nanoseconds());
}

FUNCTION double fused(double a, double b, double c) {
    return fma(a, b, c);
}
FUNCTION float fused(float a, float b, float c) {
    return fmaf(a, b, c);
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
FUNCTION int32 float_bits(float value) {
    return __float_as_int(value);
}
FUNCTION float bits_float(int32 bits) {
    return __int_as_float(bits);
}

#endif
