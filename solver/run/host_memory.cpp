#include "solver/run/host_memory.hpp"

#include <algorithm>

#include "solver/equations/equation.hpp"
#include "solver/run/assembler.hpp"
#include "solver/run/operator_in_parts.hpp"

namespace perdure {
namespace {

template <typename Values>
std::int64_t bytes_of(const Values &values) {
    return static_cast<std::int64_t>(values.size() * sizeof(values[0]));
}

std::int64_t sampled_bytes(const Field &field) {
    std::int64_t bytes = bytes_of(field.image.of_cell);
    for (const Samples *samples : {&field.a, &field.sigma, &field.capacity, &field.f, &field.initial,
                                   &field.velocity[0], &field.velocity[1], &field.velocity[2]}) {
        bytes += bytes_of(samples->values);
    }
    for (const Side &side : field.sides) {
        bytes += bytes_of(side.values.values) + bytes_of(side.coefficient.values);
    }
    return bytes;
}

/// A cell, of what is made for the device from a field and kept as a whole. `by_labels`: LaunchPlan::by_labels.
std::int64_t bytes_for_device(const Grid &grid, const Field &field, bool uniform, bool by_labels,
                              std::int64_t real_bytes) {
    std::int64_t values = field.f_time_factor.empty() ? 1 : 2;  // of b
    std::int64_t labels = 0;
    if (!uniform && by_labels) {
        values += 1;  // of the inverse diagonal
        labels = sizeof(std::uint8_t);
    } else if (!uniform && field.convective) {
        values += 2 + 2 * grid.dimensions;
    }
    values += field.capacity.uniform() ? 0 : 1;
    values += field.initial.uniform() && field.initial[0] == 0.0 ? 0 : 1;
    return values * real_bytes + labels;
}

/// That come from files, with the size that they have in memory.
std::int64_t values_read(const Config &config) {
    std::int64_t values = 0;
    for (const auto &[key, source] : values_of(config)) {
        values +=
            source->kind == ValueSource::Kind::dataset || source->kind == ValueSource::Kind::labels ? 1 : 0;
    }
    return values;
}

/// Values a cell of the fields that are written, of a vector three.
std::int64_t values_written(const Config &config) {
    const std::vector<std::string> written = written_fields(config);
    std::int64_t values = static_cast<std::int64_t>(written.size());
    constexpr std::int64_t more_components = 2;
    for (const DerivedField &derived : equation_of(config.type).derived) {
        values += std::count(written.begin(), written.end(), derived.name) * more_components;
    }
    return values;
}

}  // namespace

HostBytes host_bytes(const PreparedCase &prepared) {
    const Config &config = prepared.config;
    const Grid &grid = prepared.problem.grid;
    const std::vector<Field> &fields = prepared.problem.fields;
    const bool single = config.execution.precision == Precision::float32;
    const std::int64_t cells = grid.count();
    const std::int64_t real_bytes = single ? sizeof(float) : sizeof(double);
    bool uniform = true;
    std::int64_t sampled = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const ActiveCells &active = prepared.cells.at(i);
        uniform = uniform && Assembler(grid, fields[i], active).uniform();
        sampled += sampled_bytes(fields[i]) + bytes_of(active.active) + bytes_of(active.part);
    }
    std::int64_t for_device = 0;
    std::int64_t for_a_time = 0;
    for (const Field &field : fields) {
        if (field.is_of_image()) {  // the device makes its operator
            continue;
        }
        for_device += cells * bytes_for_device(grid, field, uniform, prepared.plan.by_labels, real_bytes);
        if (!uniform && !prepared.plan.by_labels && !field.convective) {
            for_a_time = (2 + grid.dimensions) * std::min(cells, values_of_part) * real_bytes;
        }
        if (single) {
            for_a_time =
                std::max(for_a_time, cells * std::int64_t{sizeof(double)});  // b before it is rounded
        }
    }
    for_device += for_a_time;
    const std::int64_t written = values_written(config) * cells * real_bytes;
    const std::int64_t answer =
        std::max(written, static_cast<std::int64_t>(fields.size()) * cells * real_bytes);
    return {values_read(config) * cells * std::int64_t{sizeof(double)} + written,
            sampled + std::max(for_device, answer)};
}

}  // namespace perdure
