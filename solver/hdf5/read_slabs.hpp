// Reads a dataset slab by slab, so that memory stays bounded whatever the dataset's size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "solver/hdf5/open_dataset.hpp"

namespace perdure::hdf5 {

/// Indices along the slowest dimension that one slab holds: whole chunks where that stays reasonable.
std::int64_t slab_thickness(const OpenDataset &source);

/// Reads the slab [first, first + thickness) of the slowest dimension, converted to the memory type, into
/// `values`. Throws Failure(bad_input) when an integer does not fit the memory type, Error when the file is
/// damaged.
void read_slab(const OpenDataset &source, std::int64_t first, std::int64_t thickness, hid_t memory_type,
               void *values);

/// Calls `use(values, index of the first of them)` in order for the dataset from the slowest index `from` on. Number: double
/// or std::int64_t.
template <typename Number>
void for_each_slab(const OpenDataset &source,
                   const std::function<void(std::span<const Number>, std::int64_t)> &use,
                   std::int64_t from = 0) {
    const std::int64_t slices = source.shape.empty() ? 1 : source.shape.front();
    const std::int64_t slice = source.shape.empty()
                                   ? 1
                                   : std::accumulate(source.shape.begin() + 1, source.shape.end(),
                                                     std::int64_t{1}, std::multiplies<>());
    const std::int64_t thickness = slab_thickness(source);
    std::vector<Number> values;
    for (std::int64_t first = from; first < slices && slice > 0; first += thickness) {
        const std::int64_t count = std::min(thickness, slices - first);
        values.resize(static_cast<std::size_t>(count * slice));
        read_slab(source, first, count, native_type<Number>(), values.data());
        use(values, first * slice);
    }
}

}  // namespace perdure::hdf5
