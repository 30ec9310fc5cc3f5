// The cells of a box within a dataset.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "solver/case_file/given_values.hpp"

namespace perdure {

/// Of values that begin at index `first` of the whole dataset, those in the box: use(values, index in the box of the first of them), a
/// row or less at a time. `shape`: of the box, slowest axis first.
void for_each_run_in_part(const DatasetPart &part, const std::vector<std::int64_t> &shape,
                          std::span<const std::int64_t> values, std::int64_t first,
                          const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use);

}  // namespace perdure
