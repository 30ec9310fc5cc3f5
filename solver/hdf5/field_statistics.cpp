#include "solver/hdf5/field_statistics.hpp"

#include <cmath>

#include "solver/hdf5/read_slabs.hpp"

namespace perdure::hdf5 {

FieldStatistics field_statistics(const OpenDataset &source, std::int64_t from) {
    FieldStatistics result;
    double sum = 0.0;
    for_each_slab<double>(
        source,
        [&](std::span<const double> slab, std::int64_t /*first*/) {
            double slab_sum = 0.0;
            for (const double value : slab) {
                if (std::isnan(value)) {
                    ++result.not_a_number;
                    continue;
                }
                slab_sum += value;
                result.smallest = std::fmin(result.smallest, value);  // fmin and fmax pass over NaN
                result.largest = std::fmax(result.largest, value);
            }
            sum += slab_sum;
            result.values += static_cast<std::int64_t>(slab.size());
        },
        from);
    result.mean = sum / static_cast<double>(result.values - result.not_a_number);
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
