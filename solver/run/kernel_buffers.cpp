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
std::size_t fields_in(FieldSize size, FieldSizes sizes) {
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

/// Of a field that begins with zeros, or with initial values that are set later.
std::size_t bytes_of(const KernelField &field, FieldSizes sizes) {
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
                                         const std::vector<KernelBuffer> &given, FieldSizes sizes) {
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
                        int dimensions, bool convective, FieldSizes sizes) {
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
