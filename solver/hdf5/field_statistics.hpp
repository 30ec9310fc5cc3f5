// Computes statistics of a dataset, slab by slab.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "solver/hdf5/open_dataset.hpp"

namespace perdure::hdf5 {

/// Of the values of a component that are numbers; NaN where there is none.
struct FieldStatistics {
    double smallest = std::numeric_limits<double>::quiet_NaN();
    double largest = std::numeric_limits<double>::quiet_NaN();
    double mean = std::numeric_limits<double>::quiet_NaN();
    std::int64_t values = 0;  // all, NaN included
    std::int64_t not_a_number = 0;
};

/// Of the part of a dataset whose slowest index is `from` or larger, for each of the components of its fastest axis; with one component
/// the dataset has no such axis.
std::vector<FieldStatistics> field_statistics(const OpenDataset &source, std::size_t components,
                                              std::int64_t from = 0);

/// First and last value in the dataset's order.
struct FirstAndLast {
    std::int64_t count = 0;
    double first = std::numeric_limits<double>::quiet_NaN();
    double last = std::numeric_limits<double>::quiet_NaN();
};

FirstAndLast first_and_last(const OpenDataset &source);

}  // namespace perdure::hdf5
