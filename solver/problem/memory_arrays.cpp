#include "solver/problem/memory_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include "solver/failure.hpp"
#include "solver/problem/in_parallel.hpp"

namespace perdure {
namespace {

std::vector<MemoryArray> &arrays_of_process() {
    static std::vector<MemoryArray> arrays;
    return arrays;
}

/// Converted in pieces that stay in a cache.
template <std::integral Number>
void pass_on_labels(const std::string &place, std::span<const Number> values,
                    const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use) {
    constexpr std::int64_t at_once = 4096;
    in_parallel(static_cast<std::int64_t>(values.size()), [&](std::int64_t begin, std::int64_t end) {
        std::array<std::int64_t, at_once> labels{};
        for (; begin < end; begin += at_once) {
            const std::int64_t count = std::min(at_once, end - begin);
            for (std::int64_t i = 0; i < count; ++i) {
                const Number value = values[begin + i];
                if (std::cmp_greater(value, std::numeric_limits<std::int64_t>::max())) {
                    throw Failure(ExitCode::bad_input,
                                  fmt::format("{} holds {}, which is too large for a label", place,
                                              static_cast<std::uint64_t>(value)));
                }
                labels[i] = static_cast<std::int64_t>(value);
            }
            use({labels.data(), static_cast<std::size_t>(count)}, begin);
        }
    });
}

}  // namespace

MemoryArrays::MemoryArrays(std::vector<MemoryArray> arrays) {
    arrays_of_process() = std::move(arrays);
}

MemoryArrays::~MemoryArrays() {
    arrays_of_process().clear();
}

const MemoryArray &MemoryArrays::find(const std::string &name) {
    const auto &arrays = arrays_of_process();
    const auto found = std::find_if(arrays.begin(), arrays.end(),
                                    [&](const MemoryArray &array) { return array.name == name; });
    if (found == arrays.end()) {
        throw Failure(ExitCode::bad_input,
                      fmt::format("there is no array '{}': this case was written by a Python program that "
                                  "passed its arrays in memory; pass the array again, or name a file",
                                  name));
    }
    return *found;
}

std::string place_of(const MemoryArray &array) {
    return fmt::format("array '{}'", array.name);
}

LargeVector<double> values_of(const MemoryArray &array) {
    return std::visit(
        [](const auto &values) {
            LargeVector<double> converted(values.size());
            in_parallel(static_cast<std::int64_t>(values.size()), [&](std::int64_t begin, std::int64_t end) {
                std::transform(values.begin() + begin, values.begin() + end, converted.begin() + begin,
                               [](auto value) { return static_cast<double>(value); });
            });
            return converted;
        },
        array.values);
}

void for_each_label_of(const MemoryArray &array,
                       const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use) {
    std::visit(
        [&]<typename Number>(const std::span<const Number> &values) {
            if constexpr (std::is_integral_v<Number>) {
                pass_on_labels(place_of(array), values, use);
            } else {
                throw Failure(ExitCode::bad_input,
                              fmt::format("{} holds floating-point numbers, but labels must be integers",
                                          place_of(array)));
            }
        },
        array.values);
}

}  // namespace perdure
