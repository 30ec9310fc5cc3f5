// Reads a dataset slab by slab, so that memory stays bounded whatever the dataset's size.
#pragma once

#include <cstdint>
#include <functional>
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

/// Values of one index along the slowest dimension.
std::int64_t slice_of(const OpenDataset &source);

/// Calls use(first index, how many) for slabs of the slowest dimension, in order, from the index `from` on.
void for_each_slab_of(const OpenDataset &source, std::int64_t from,
                      const std::function<void(std::int64_t, std::int64_t)> &use);

/// Reads all values into `to`.
void read_slabs(const OpenDataset &source, double *to);

/// Calls `use(values, index of the first of them)` in order for the dataset from the slowest index `from` on. Number: double
/// or std::int64_t.
template <typename Number>
void for_each_slab(const OpenDataset &source,
                   const std::function<void(std::span<const Number>, std::int64_t)> &use,
                   std::int64_t from = 0) {
    std::vector<Number> values;
    for_each_slab_of(source, from, [&](std::int64_t first, std::int64_t count) {
        values.resize(static_cast<std::size_t>(count * slice_of(source)));
        read_slab(source, first, count, native_type<Number>(), values.data());
        use(values, first * slice_of(source));
    });
}

}  // namespace perdure::hdf5
