/* Rows of cells that a warp keeps in registers: COLUMNS neighbouring cells a lane. */
#ifndef PERDURE_KERNELS_RESIDENT_ROW_H
#define PERDURE_KERNELS_RESIDENT_ROW_H

#include "kernels/resident/async_copy.h"
#include "kernels/resident/tiling.h"

#define FUNCTION_MEMBER __device__ __forceinline__

#define ALL_LANES 0xffffffffu

template <typename Real, int N = COLUMNS>
struct row_of {
    Real at[N];
};

FUNCTION int32 lane_of_warp() {
    return static_cast<int32>(item_index() % 32u);
}

#if defined(__CUDACC__)
/* Returns the same value but hides its origin from the compiler, so that it stays in its register instead of being recomputed in
 * every step. */
FUNCTION int32 pinned(int32 value) {
    asm volatile("" : "+r"(value));
    return value;
}
FUNCTION uint32 pinned(uint32 value) {
    asm volatile("" : "+r"(value));
    return value;
}
template <typename Type>
FUNCTION Type *pinned(Type *value) {
    asm volatile("" : "+l"(value));
    return value;
}
/* The same for a pointer; also tells the compiler that it points to global memory. */
template <typename Type>
FUNCTION Type *in_memory(Type *pointer) {
    Type *const same = pinned(pointer);
    __builtin_assume(__isGlobal(same));
    return same;
}
FUNCTION float pinned(float value) {
    asm volatile("" : "+f"(value));
    return value;
}
FUNCTION double pinned(double value) {
    asm volatile("" : "+d"(value));
    return value;
}

/* Returns the value, which must be the same in all lanes, all of which call this. It tells the compiler that the value is uniform
 * in the warp: results that depend on it are computed once a warp, and branches on it need no reconvergence. */
FUNCTION int32 same_in_warp(int32 value) {
    return __reduce_max_sync(ALL_LANES, value);
}
FUNCTION uint32 same_in_warp(uint32 value) {
    return __reduce_max_sync(ALL_LANES, value);
}

/* Loads a part that a step reads once, bypassing the L1 cache, where it would not stay. */
FUNCTION float4 part_from_l2(const float4 *part) {
    return __ldcg(part);
}
FUNCTION double2 part_from_l2(const double2 *part) {
    return __ldcg(part);
}

/* Declares the dynamic shared memory of the launch. */
#define SHARED_BYTES(name) extern __shared__ __align__(16) unsigned char name[]

/* Returns the bytes of dynamic shared memory of a group. */
FUNCTION uint32 chip_bytes() {
    uint32 bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
}
#endif

/* A part: what a lane loads or stores at once, 16 bytes. */
template <typename Real>
struct part_of;
template <>
struct part_of<double> {
    typedef double2 type;
    enum { columns = 2 };
};
template <>
struct part_of<float> {
    typedef float4 type;
    enum { columns = 4 };
};
FUNCTION void unpack(double *to, double2 part) {
    to[0] = part.x;
    to[1] = part.y;
}
FUNCTION void unpack(float *to, float4 part) {
    to[0] = part.x;
    to[1] = part.y;
    to[2] = part.z;
    to[3] = part.w;
}
FUNCTION double2 pack(const double *from) {
    return make_double2(from[0], from[1]);
}
FUNCTION float4 pack(const float *from) {
    return make_float4(from[0], from[1], from[2], from[3]);
}

/* Loads a lane's columns; `stride` is the distance between parts, in parts. */
template <int N = COLUMNS, typename Real>
FUNCTION row_of<Real, N> load_row(const Real *from, int stride = 1) {
    const auto *parts = reinterpret_cast<const typename part_of<Real>::type *>(from);
    row_of<Real, N> row;
#pragma unroll
    for (int j = 0; j < N / part_of<Real>::columns; ++j) {
        unpack(row.at + j * part_of<Real>::columns, parts[j * stride]);
    }
    return row;
}
/* The same from global memory, through the L2 only. */
template <typename Real>
FUNCTION row_of<Real> load_row_from_l2(const Real *from, int stride) {
    const auto *parts = reinterpret_cast<const typename part_of<Real>::type *>(from);
    row_of<Real> row;
#pragma unroll
    for (int j = 0; j < COLUMNS / part_of<Real>::columns; ++j) {
        unpack(row.at + j * part_of<Real>::columns, part_from_l2(parts + j * stride));
    }
    return row;
}
/* Position of column j of a lane in a row in shared memory whose parts are 32 apart. */
FUNCTION int place_in_row(int j, int part) {
    return j / part * (32 * part) + j % part;
}
template <int N, typename Real>
FUNCTION void copy_row(Real *to, const Real *from, bool there) {
    constexpr int part = part_of<Real>::columns;
#pragma unroll
    for (int j = 0; j < N; j += part) {
        copy_async<16, (N > part)>(to + place_in_row(j, part), from + j, there);
    }
}
/* The same for columns that are not aligned. */
template <int N, typename Real>
FUNCTION void copy_columns(Real *to, const Real *from, bool there) {
#pragma unroll
    for (int j = 0; j < N; ++j) {
        copy_async<sizeof(Real)>(to + place_in_row(j, part_of<Real>::columns), from + j, there);
    }
}
template <typename Real, int N>
FUNCTION void store_row(Real *to, const row_of<Real, N> &row, int stride = 1) {
    auto *parts = reinterpret_cast<typename part_of<Real>::type *>(to);
#pragma unroll
    for (int j = 0; j < N / part_of<Real>::columns; ++j) {
        parts[j * stride] = pack(row.at + j * part_of<Real>::columns);
    }
}

/* Returns i wrapped into 0 .. n - 1 along a periodic axis; -1 beyond the ends of another axis. */
FUNCTION int32 wrapped(int32 i, uint32 n, uint32 periodic) {
    const int32 cells = static_cast<int32>(n);
    if (i >= 0 && i < cells) {
        return i;
    }
    if (!periodic) {
        return -1;
    }
    if (i + cells >= 0 && i < 2 * cells) {
        return i < 0 ? i + cells : i - cells;
    }
    return ((i % cells) + cells) % cells;
}

#endif
