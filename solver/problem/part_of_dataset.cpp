#include "solver/problem/part_of_dataset.hpp"

#include <algorithm>

namespace perdure {
namespace {

/// Index in the box of the row that is number `row` in the whole, or -1: it lies outside.
std::int64_t row_in_box(const DatasetPart &part, const std::vector<std::int64_t> &shape, std::int64_t row) {
    std::int64_t index = 0, stride = 1;
    for (std::size_t axis = shape.size() - 1; axis-- > 0; row /= part.whole[axis]) {
        const std::int64_t at = row % part.whole[axis] - part.from[axis];
        if (at < 0 || at >= shape[axis]) {
            return -1;
        }
        index += at * stride;
        stride *= shape[axis];
    }
    return index;
}

}  // namespace

void for_each_run_in_part(const DatasetPart &part, const std::vector<std::int64_t> &shape,
                          std::span<const std::int64_t> values, std::int64_t first,
                          const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use) {
    const std::int64_t length = part.whole.back(), last = first + static_cast<std::int64_t>(values.size());
    for (std::int64_t row = first / length; row * length < last; ++row) {
        const std::int64_t in_box = row_in_box(part, shape, row);
        const std::int64_t begin = std::max(first, row * length + part.from.back());
        const std::int64_t end = std::min(last, row * length + part.from.back() + shape.back());
        if (in_box >= 0 && begin < end) {
            use(values.subspan(static_cast<std::size_t>(begin - first),
                               static_cast<std::size_t>(end - begin)),
                in_box * shape.back() + begin - row * length - part.from.back());
        }
    }
}

}  // namespace perdure
