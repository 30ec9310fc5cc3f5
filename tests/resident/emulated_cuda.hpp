// CUDA C++ on the host, as far as resident conjugate gradients and pipelines need it. Include it before any kernel text.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "tests/resident/emulated_items.hpp"

// The host's dialect, with groups and items of its own.
#define group_index host_group_index
#define group_count host_group_count
#define item_index host_item_index
#define group_size host_group_size
#define group_barrier host_group_barrier
#define group_verdict host_group_verdict
#define group_all host_group_all
#define lane_barrier host_lane_barrier
#define wait_pause host_wait_pause
#include "sync/dialect_host.h"
#undef group_index
#undef group_count
#undef item_index
#undef group_size
#undef group_barrier
#undef group_verdict
#undef group_all
#undef lane_barrier
#undef wait_pause
#undef VECTORISED
#undef TIMED_ON_REQUEST

inline std::uint32_t group_index() {
    return perdure::emulated::group->index;
}
inline std::uint32_t group_count() {
    return perdure::emulated::group->count;
}
inline std::uint32_t item_index() {
    return perdure::emulated::group->item;
}
inline std::uint32_t group_size() {
    return static_cast<std::uint32_t>(perdure::emulated::group->items.size());
}
inline void group_barrier() {
    perdure::emulated::group_barrier();
}
inline std::uint32_t group_verdict(std::uint32_t *, std::uint32_t passed) {
    return perdure::emulated::vote(passed);
}
inline std::uint32_t group_all(std::uint32_t *, std::uint32_t condition) {
    return perdure::emulated::vote(condition);
}
inline void lane_barrier(std::uint32_t) {
    perdure::emulated::group_barrier();
}
/// An item may wait for another one of its group.
inline void wait_pause(std::uint64_t polls) {
    host_wait_pause(polls);
    perdure::emulated::wait(perdure::emulated::State::runs);
}

#define LANE_SHIFT
inline double shift_lanes(double value, std::uint32_t stride) {
    return perdure::emulated::exchange(value, item_index() % 32 + stride);
}
inline double __shfl_xor_sync(unsigned, double value, std::uint32_t stride) {
    return perdure::emulated::exchange(value, (item_index() % 32) ^ stride);
}
template <typename Value>
Value __shfl_sync(unsigned, Value value, std::uint32_t lane) {
    return static_cast<Value>(perdure::emulated::exchange(static_cast<double>(value), lane));
}
template <typename Real>
Real __shfl_up_sync(unsigned, Real value, int distance, int width = 32) {
    return static_cast<Real>(perdure::emulated::shuffle(static_cast<double>(value), -distance, width));
}
template <typename Real>
Real __shfl_down_sync(unsigned, Real value, int distance, int width = 32) {
    return static_cast<Real>(perdure::emulated::shuffle(static_cast<double>(value), distance, width));
}
inline bool __all_sync(unsigned, bool condition) {
    bool all = true;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        all = perdure::emulated::exchange(condition ? 1.0 : 0.0, lane) != 0.0 && all;
    }
    return all;
}
inline bool __any_sync(unsigned all_lanes, bool condition) {
    return !__all_sync(all_lanes, !condition);
}
template <typename Word>
void atomicMin(Word *word, Word value) {
    *word = value < *word ? value : *word;
}
inline int __double2loint(double value) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(value));
}
inline int __double2hiint(double value) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 32);
}
inline double __hiloint2double(int high, int low) {
    return std::bit_cast<double>(std::uint64_t{static_cast<std::uint32_t>(high)} << 32 |
                                 static_cast<std::uint32_t>(low));
}
/// Barrier of the warps of a pipeline.
template <int Items>
void pipeline_barrier(std::uint32_t) {
    perdure::emulated::group->pipeline = Items;
    perdure::emulated::wait(perdure::emulated::State::at_pipeline_barrier);
}
inline void __syncwarp() {
    perdure::emulated::wait(perdure::emulated::State::at_warp_barrier);
}

struct double2 {
    double x, y;
};
inline double2 make_double2(double x, double y) {
    return {x, y};
}
struct float4 {
    float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}

/// Copies arrive as late as possible, when they are waited for, or at once. Values from beyond a side are zero.
template <int Bytes, bool Joined = false>
inline void copy_async(void *to, const void *from, std::uint32_t there) {
    std::vector<perdure::emulated::Batch> &batches = perdure::emulated::this_item().batches;
    if (batches.empty()) {
        batches.emplace_back();
    }
    const perdure::emulated::Copy copy = {static_cast<char *>(to),
                                          there != 0 ? static_cast<const char *>(from) : nullptr, Bytes};
    if (perdure::emulated::copies_arrive_at_once) {
        perdure::emulated::arrive(copy);
    } else {
        batches.back().push_back(copy);
    }
}
inline void prefetch_to_l2(const void * /*address*/) {}
inline void commit_copies() {
    perdure::emulated::this_item().batches.emplace_back();
}
template <int Left>
inline void await_copies() {
    perdure::emulated::await_batches(Left);
}

/// Stores a value, or a row of values.
template <typename Real, typename Value>
void store_where(std::uint32_t there, Real *to, const Value &value) {
    if (there != 0) {
        std::memcpy(to, &value, sizeof value);
    }
}
template <typename Real, typename Value>
void load_where(std::uint32_t there, Value *value, const Real *from) {
    if (there != 0) {
        std::memcpy(value, from, sizeof *value);
    }
}
template <int Bytes>
void copy_where(std::uint32_t there, void *to, const void *from) {
    if (there != 0) {
        copy_async<Bytes>(to, from, 1);
    }
}
template <typename Real>
Real moved(Real value) {
    return value;
}

/// A barrier packs missing arrivals, expected arrivals and the phase into one word.
template <typename Word>
void begin_split_barrier(Word *barrier, std::uint32_t warps) {
    *barrier = warps | warps << 16;
}
template <typename Word>
void end_split_barrier(Word *) {}
template <typename Word>
void arrive_at(Word *barrier) {
    __syncwarp();
    if (item_index() % 32 == 0 && (--*barrier & 0xffff) == 0) {
        const Word phase = *barrier >> 32;
        *barrier = (*barrier >> 16 & 0xffff) * 0x10001 | (phase + 1) << 32;
    }
}
template <typename Word>
void wait_at(Word *barrier, std::uint32_t parity) {
    for (std::uint64_t polls = 0; (*barrier >> 32 & 1) == parity; ++polls) {
        perdure::emulated::go_on_later(polls);
    }
    __syncwarp();
}

#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __shared__ static thread_local
#define SHARED_BYTES(name) \
    auto *name = reinterpret_cast<unsigned char *>(perdure::emulated::group->shared.data())

template <typename Value>
Value pinned(Value value) {
    return value;
}
template <typename Part>
Part part_from_l2(const Part *part) {
    return *part;
}
/// Aborts if the value differs between lanes; never returns if some lanes do not call it.
template <typename Value>
Value same_in_warp(Value value) {
    if (perdure::emulated::exchange(static_cast<double>(value), 0) != static_cast<double>(value)) {
        std::fputs("emulated: lanes of a warp differ in what is the same in all\n", stderr);
        std::abort();
    }
    return value;
}
template <typename Type>
Type *in_memory(Type *pointer) {
    return pointer;
}
[[noreturn]] inline void __trap() {
    std::fputs("emulated CUDA: __trap()\n", stderr);
    std::abort();
}
inline std::uint32_t chip_bytes() {
    return static_cast<std::uint32_t>((perdure::emulated::group->shared.size() - 1) * sizeof(double));
}
