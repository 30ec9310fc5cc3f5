#include "solver/hdf5/field_statistics.hpp"

#include <cmath>

#include "solver/hdf5/read_slabs.hpp"

namespace perdure::hdf5 {

namespace {

/// Takes every `stride`-th value in. Returns the sum of those that are numbers.
double take_in(std::span<const double> values, std::size_t stride, FieldStatistics &of) {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); i += stride) {
        const double value = values[i];
        ++of.values;
        if (std::isnan(value)) {
            ++of.not_a_number;
            continue;
        }
        sum += value;
        of.smallest = std::fmin(of.smallest, value);  // fmin and fmax pass over NaN
        of.largest = std::fmax(of.largest, value);
    }
    return sum;
}

}  // namespace

std::vector<FieldStatistics> field_statistics(const OpenDataset &source, std::size_t components,
                                              std::int64_t from) {
    std::vector<FieldStatistics> result(components);
    std::vector<double> sums(components);
    for_each_slab<double>(
        source,
        [&](std::span<const double> slab, std::int64_t /*first*/) {
            for (std::size_t i = 0; i < components && i < slab.size(); ++i) {
                sums[i] += take_in(slab.subspan(i), components, result[i]);
            }
        },
        from);
    for (std::size_t i = 0; i < components; ++i) {
        result[i].mean = sums[i] / static_cast<double>(result[i].values - result[i].not_a_number);
    }
    return result;
}

FirstAndLast first_and_last(const OpenDataset &source) {
    FirstAndLast result;
    for_each_slab<double>(source, [&](std::span<const double> slab, std::int64_t first) {
        if (first == 0) {
            result.first = slab.front();
        }
        result.last = slab.back();
        result.count += static_cast<std::int64_t>(slab.size());
    });
    return result;
}

}  // namespace perdure::hdf5
