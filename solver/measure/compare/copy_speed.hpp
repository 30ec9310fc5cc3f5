// Measures the memory bandwidth of the device with kernels/bench/bench_copy.h.
#pragma once

#include <cstdint>

#include "solver/backends/backend.hpp"

namespace perdure::compare {

/// Bytes read and written per second while `bytes` are copied to as many others: the median of `launches` in the shape
/// of groups and tiles that is fastest; 0 when a stop was asked for. Throws Failure(device).
double copy_bytes_per_second(Device &device, std::int64_t bytes, int launches);

/// The same of ranks that each copy their part at the same time: as many times the speed of the slowest. All ranks call it.
double copy_speed_of_ranks(Device &device, std::int64_t bytes, int launches);

/// Of two arrays that no cache of the device holds.
std::int64_t more_than_a_cache(const DeviceDescription &device);

}  // namespace perdure::compare
