#include "solver/run/kernel_buffers.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "sync/grid_sync.h"

namespace perdure {
namespace {

/// The arguments that a field stands for.
std::vector<std::string> arguments_of(const KernelField &field) {
    const std::string name = field.name;
    return field.has_copies() ? std::vector<std::string>{name + "_even", name + "_odd"}
                              : std::vector<std::string>{name};
}

/// How many values for each cell are in what is as large as fields of the problem and rates that a step keeps say.
std::size_t fields_in(FieldSize size, const FieldSizes &sizes) {
    switch (size) {
        case FieldSize::fields:
            return sizes.fields;
        case FieldSize::stages:
            return sizes.rates > 0 ? sizes.fields : 0;
        case FieldSize::rates:
            return sizes.rates * sizes.fields;
        default:
            return 0;
    }
}

/// What phases change cell by cell. Coefficients are made before them.
bool is_shared_by_cells(const KernelField &field) {
    const std::array by_cells{FieldSize::cells, FieldSize::cells_if_varied, FieldSize::fields,
                              FieldSize::stages, FieldSize::rates};
    return field.role != FieldRole::input && std::ranges::count(by_cells, field.size) > 0;
}

/// The bytes of a value for one cell, of a buffer that has arrays of values for all cells; 0: it has none.
std::size_t bytes_of_cell(const KernelField &field, const std::string &name, const FieldSizes &sizes) {
    const std::array of_coefficients{FieldSize::coefficient, FieldSize::coefficient_3d, FieldSize::convective,
                                     FieldSize::convective_3d};
    const std::array of_fields{FieldSize::cells, FieldSize::cells_if_varied, FieldSize::fields,
                               FieldSize::stages, FieldSize::rates};
    const std::array<std::string_view, 2> given_for_cells{"capacity", "coefficients"};
    const bool has_values = std::ranges::count(of_fields, field.size) > 0 ||
                            (sizes.varied && std::ranges::count(of_coefficients, field.size) > 0) ||
                            std::ranges::count(given_for_cells, name) > 0;
    return field.size == FieldSize::bytes ? 1 : has_values ? sizes.value_bytes : 0;
}

/// KernelBuffer::held of an argument with so many bytes.
std::vector<ByteRange> held_ranges(std::size_t bytes, std::size_t of_cell, const FieldSizes &sizes) {
    const std::size_t array = of_cell * (sizes.cells_bytes / sizes.value_bytes);
    std::vector<ByteRange> held;
    if (array == 0 || bytes % array != 0) {
        return held;  // what differs from cell to cell elsewhere is one number here
    }
    for (std::size_t begin = 0; begin < bytes; begin += array) {
        for (const CellRange &range : sizes.held) {
            held.push_back({begin + static_cast<std::size_t>(range.first) * of_cell,
                            static_cast<std::size_t>(range.count) * of_cell});
        }
    }
    return held;
}

/// Of a field that begins with zeros, or with initial values that are set later.
std::size_t bytes_of(const KernelField &field, const FieldSizes &sizes) {
    const bool is_read = field.role == FieldRole::input || field.role == FieldRole::changed;
    if (!is_read && field.size == FieldSize::cells) {
        return sizes.cells_bytes;
    }
    if (!is_read && field.size == FieldSize::cells_if_varied) {
        return sizes.varied ? sizes.cells_bytes : 0;
    }
    if (!is_read && fields_in(field.size, sizes) > 0) {
        return fields_in(field.size, sizes) * sizes.cells_bytes;
    }
    if (field.size == FieldSize::stages || field.size == FieldSize::rates) {
        return 0;
    }
    throw std::logic_error(std::string("nothing is given for the kernel's argument ") + field.name);
}

}  // namespace

std::vector<KernelBuffer> kernel_buffers(std::span<const KernelField> fields,
                                         const std::vector<KernelBuffer> &given, const FieldSizes &sizes) {
    std::vector<KernelBuffer> buffers;
    for (const KernelField &field : fields) {
        for (const std::string &name : arguments_of(field)) {
            const auto found = std::find_if(given.begin(), given.end(),
                                            [&](const KernelBuffer &buffer) { return buffer.name == name; });
            buffers.push_back(found != given.end() ? *found : KernelBuffer{name, bytes_of(field, sizes)});
            buffers.back().among_ranks =
                is_shared_by_cells(field) ? AmongRanks::cells : buffers.back().among_ranks;
            for (std::size_t i = 0; i < fields_in(field.size, sizes); ++i) {
                buffers.back().arrays.push_back(i * sizes.cells_bytes);
            }
            if (!sizes.held.empty()) {
                buffers.back().held =
                    held_ranges(buffers.back().bytes, bytes_of_cell(field, name, sizes), sizes);
            }
        }
    }
    return buffers;
}

KernelBuffer in_halves(const std::string &name, std::size_t bytes) {
    KernelBuffer buffer{name, bytes};
    buffer.arrays = {0, bytes / 2};
    return buffer;
}

ArgumentRange answer_arguments(std::span<const KernelField> fields, std::size_t answer) {
    ArgumentRange range;
    std::size_t before = 0;
    for (const KernelField &field : fields) {
        range.count = arguments_of(field).size();
        range.holds_all = field.is_answer() && field.size == FieldSize::fields;
        if (range.holds_all || (field.is_answer() && before++ == answer)) {
            return range;
        }
        range.first += range.count;
    }
    throw std::logic_error("no field of the kernel ends with that answer");
}

std::vector<KernelBuffer> preparation_buffers(int groups) {
    return {{"control", sizeof(control_t)},
            {.name = "sync",
             .bytes = grid_sync_bytes(static_cast<std::uint32_t>(groups)),
             .read_behind_launch = true},
            {.name = "state", .bytes = sizeof(run_state_t), .read_behind_launch = true},
            {"partials", sizeof(double)}};
}

FieldCount count_fields(std::span<const KernelField> fields, std::span<const std::string_view> unused,
                        int dimensions, bool convective, const FieldSizes &sizes) {
    FieldCount count;
    for (const KernelField &field : fields) {
        const bool is_there = (field.size != FieldSize::coefficient_3d || dimensions == 3) &&
                              (field.size != FieldSize::convective || convective) &&
                              (field.size != FieldSize::convective_3d || (convective && dimensions == 3));
        for (const std::string &name : arguments_of(field)) {
            if (!is_there || field.size == FieldSize::given ||
                std::find(unused.begin(), unused.end(), name) != unused.end()) {
                continue;
            }
            if (field.size == FieldSize::fields || field.size == FieldSize::stages ||
                field.size == FieldSize::rates) {
                count.always += static_cast<std::int64_t>(fields_in(field.size, sizes));
                continue;
            }
            ++(field.size == FieldSize::bytes   ? count.bytes
               : field.size == FieldSize::cells ? count.always
                                                : count.varied);
        }
    }
    return count;
}

}  // namespace perdure
