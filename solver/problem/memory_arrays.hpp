// Arrays in memory that take the place of datasets in files, for programs that load perdure as a library.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "solver/problem/large_vector.hpp"

namespace perdure {

/// Values in C order, in memory that stays while a run reads it.
using ArrayValues =
    std::variant<std::span<const std::int8_t>, std::span<const std::int16_t>, std::span<const std::int32_t>,
                 std::span<const std::int64_t>, std::span<const std::uint8_t>, std::span<const std::uint16_t>,
                 std::span<const std::uint32_t>, std::span<const std::uint64_t>, std::span<const float>,
                 std::span<const double>>;

struct MemoryArray {
    std::string name;                 // that the case gives as `dataset`
    std::vector<std::int64_t> shape;  // slowest first
    ArrayValues values;
};

/// What a case gives as `file`. No file can have this name: /dev/null is no folder.
inline constexpr const char *memory_arrays_file = "/dev/null/arrays";

inline bool is_of_memory(const std::filesystem::path &file) {
    return file == memory_arrays_file;
}

/// While it lives these are the datasets of memory_arrays_file. One at a time.
class MemoryArrays {
  public:
    explicit MemoryArrays(std::vector<MemoryArray> arrays);
    MemoryArrays(const MemoryArrays &) = delete;
    MemoryArrays &operator=(const MemoryArrays &) = delete;
    ~MemoryArrays();

    /// Throws Failure(bad_input) where there is no such array.
    static const MemoryArray &find(const std::string &name);
};

/// "array 'problem.a'", for messages.
std::string place_of(const MemoryArray &array);

LargeVector<double> values_of(const MemoryArray &array);

/// use(labels, index of the first of them), in several threads at the same time and in any order. Throws Failure(bad_input) where the
/// array holds floating-point numbers, or one that is larger than labels can be.
void for_each_label_of(const MemoryArray &array,
                       const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use);

}  // namespace perdure
