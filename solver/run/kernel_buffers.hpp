// Builds the buffers of a kernel from the list of its fields.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/methods/kernel_fields.hpp"

namespace perdure {

/// What of a problem decides how large fields are.
struct FieldSizes {
    std::size_t cells_bytes = 0;       // of a field with a value for each cell
    std::size_t value_bytes = 1;       // of one of them
    bool varied = false;               // coefficients differ from cell to cell
    std::size_t fields = 1;            // of the problem
    std::size_t rates = 0;             // of each that a step keeps
    std::vector<CellRange> held = {};  // KernelCall::held_cells
};

/// A buffer for each argument that `fields` stand for, in their order: what is `given` under the argument's name, else zeros.
/// Throws std::logic_error where a field that the kernel reads, or whose size the host says, is not given.
std::vector<KernelBuffer> kernel_buffers(std::span<const KernelField> fields,
                                         const std::vector<KernelBuffer> &given, const FieldSizes &sizes);

/// The arguments that stand for a field, by position.
struct ArgumentRange {
    std::size_t first = 0;
    std::size_t count = 1;   // 2 of a field with copies
    bool holds_all = false;  // the answers of all fields, one behind the other
};

/// Those of the field that ends with the answer of the problem's field number `answer`: answers stand in the order of the
/// problem's fields. Throws std::logic_error where there is none.
ArgumentRange answer_arguments(std::span<const KernelField> fields, std::size_t answer = 0);

/// What a kernel with PREPARATION_FIELDS alone is given, by name.
std::vector<KernelBuffer> preparation_buffers(int groups);

/// Fields of a value for each cell: those that every problem needs, and those that it needs where coefficients vary.
struct FieldCount {
    std::int64_t always = 0;
    std::int64_t varied = 0;
    std::int64_t bytes = 0;  // of each cell, besides
};

/// `unused`: arguments that stay empty; `sizes`: fields and rates count.
FieldCount count_fields(std::span<const KernelField> fields, std::span<const std::string_view> unused,
                        int dimensions, bool convective, const FieldSizes &sizes = {});

/// Of two arrays of equal size, as for odd and for even exchanges.
KernelBuffer in_halves(const std::string &name, std::size_t bytes);

}  // namespace perdure
