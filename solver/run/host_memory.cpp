#include "solver/run/host_memory.hpp"

#include <algorithm>

#include "solver/equations/equation.hpp"
#include "solver/hdf5/encode_chunk.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/output/energy_bounds.hpp"
#include "solver/run/assembler.hpp"
#include "solver/run/initial_values.hpp"
#include "solver/run/later_needs.hpp"
#include "solver/run/operator_in_parts.hpp"

namespace perdure {
namespace {

constexpr std::int64_t bytes_of_double = sizeof(double);

template <typename Values>
std::int64_t bytes_of(const Values &values) {
    return static_cast<std::int64_t>(values.size() * sizeof(values[0]));
}

std::int64_t bytes_of(const Samples &samples) {
    return bytes_of(samples.values) + bytes_of(samples.labels);
}

/// All that a case gives of a field, and the cells that it takes part in. An image is its coefficient.
std::int64_t sampled_bytes(const Field &field, const ActiveCells &cells) {
    std::int64_t bytes = bytes_of(cells.part);
    for (const Samples *samples : {&field.a, &field.sigma, &field.capacity, &field.f, &field.initial,
                                   &field.velocity[0], &field.velocity[1], &field.velocity[2]}) {
        bytes += bytes_of(*samples);
    }
    for (const Side &side : field.sides) {
        bytes += bytes_of(side.values) + bytes_of(side.coefficient);
    }
    return bytes;
}

/// Of an image a byte says which faces a cell reaches, and one whether it takes part; where it repeats also its part, twice, and b.
std::int64_t bytes_of_cells(const Grid &grid, const Field &field, const ActiveCells &cells) {
    if (!field.is_of_image()) {
        return bytes_of(cells.active);
    }
    const std::int64_t of_parts = cells.pinned ? 2 * std::int64_t{sizeof(std::int32_t)} : 0;
    return grid.count() * (2 + of_parts);
}

/// Of an operator that is not uniform; by labels of inverse diagonals alone.
std::int64_t arrays_of_operator(const PreparedCase &prepared, const Field &field, bool uniform) {
    const int dimensions = prepared.problem.grid.dimensions;
    return uniform || prepared.problem.system || field.is_of_image() ? 0
           : prepared.plan.by_labels                                 ? 1
                                     : 2 + dimensions * (field.convective ? 2 : 1);
}

/// What is made for the device at once of a field whose operator is not uniform, and of arrays that have a value a cell anyway.
std::int64_t bytes_of_parts(const PreparedCase &prepared, const Field &field, bool uniform,
                            std::int64_t real_bytes) {
    const Grid &grid = prepared.problem.grid;
    const std::int64_t cells = grid.count();
    if (field.is_of_image()) {  // the device makes its operator, but b of what repeats, and of tensors
        const bool has_b = field.image.has_cross_terms() || field.falls_along >= 0 ||
                           prepared.config.effective->sides == ImageSides::periodic_cell;
        return has_b ? cells * bytes_of_double : 0;
    }
    return real_bytes * std::max(arrays_of_operator(prepared, field, uniform) * values_of_part(cells),
                                 values_of_single_part(cells));
}

/// What the device is given of a field.
std::int64_t bytes_given(const PreparedCase &prepared, const Field &field, bool uniform,
                         std::int64_t real_bytes) {
    const std::int64_t cells = prepared.problem.grid.count();
    const std::int64_t values = (prepared.problem.system ? 0 : 1) +  // of b, at least
                                arrays_of_operator(prepared, field, uniform) +
                                (field.capacity.uniform() ? 0 : 1) + (begins_with_zeros(field) ? 0 : 1);
    return values * cells * real_bytes;
}

/// Of the samples of a field, what stays during the run.
std::int64_t kept_bytes(const PreparedCase &prepared, std::size_t index) {
    const Field &field = prepared.problem.fields[index];
    const LaterNeeds needs = later_needs(prepared, index);
    if (field.is_of_image() || needs.all) {
        return sampled_bytes(field, prepared.cells[index]) - (needs.initial ? 0 : bytes_of(field.initial));
    }
    return bytes_of(prepared.cells[index].part) + (needs.a ? bytes_of(field.a) : 0) +
           (needs.initial ? bytes_of(field.initial) : 0);
}

/// That come from files, with the size that they have in memory.
std::int64_t bytes_read(const Config &config, std::int64_t cells) {
    std::int64_t bytes = 0;
    for (const auto &[key, source] : values_of(config)) {
        bytes += source->kind == ValueSource::Kind::dataset  ? cells * bytes_of_double
                 : source->kind == ValueSource::Kind::labels ? cells
                                                             : 0;
    }
    return bytes;
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

/// Values a cell of a solution: all fields of the problem, and what is made of them and written.
std::int64_t values_of_solution(const PreparedCase &prepared) {
    const std::vector<std::string> written = written_fields(prepared.config);
    std::int64_t values = static_cast<std::int64_t>(prepared.problem.fields.size());
    constexpr std::int64_t components = 3;
    for (const DerivedField &derived : equation_of(prepared.config.type).derived) {
        values += std::count(written.begin(), written.end(), derived.name) * components;
    }
    return values;
}

/// What takes the answer from the device to the file. `through_flow`: of the first field.
std::int64_t bytes_of_answer(const PreparedCase &prepared, bool through_flow, std::int64_t real_bytes) {
    const std::int64_t cells = prepared.problem.grid.count();
    if (!looks_at_fields(prepared, through_flow)) {
        return 0;
    }
    std::int64_t bytes = values_of_solution(prepared) * cells * real_bytes;
    if (prepared.config.time) {
        constexpr std::size_t most = 3;  // one is made, one waits, one is being written
        const std::size_t times = prepared.config.time->snapshot_times.size();
        bytes *= prepared.config.time->snapshot_every > 0
                     ? most
                     : static_cast<std::int64_t>(std::clamp<std::size_t>(times, 1, most));
    }
    std::int64_t meanwhile = 0;
    if (prepared.config.output.compression != Compression::none && !written_fields(prepared.config).empty()) {
        constexpr std::int64_t buffers = 4;  // of a thread: a chunk, shuffled, and two that wait for the file
        const std::int64_t field = cells * real_bytes;
        const auto chunk = static_cast<std::int64_t>(hdf5::most_bytes_of_chunks(field));
        meanwhile = buffers * std::min(field, chunk * static_cast<std::int64_t>(hdf5::encoding_threads()));
    }
    if ((through_flow || prepared.config.effective) && cells <= most_cells_to_bound) {
        constexpr std::int64_t bytes_to_bound = 21;  // a cell: flow_network.hpp, spanning_forest.hpp
        meanwhile = std::max(meanwhile, bytes_to_bound * cells);
    }
    return bytes + meanwhile;
}

}  // namespace

HostBytes host_bytes(const PreparedCase &prepared) {
    const Config &config = prepared.config;
    const Problem &problem = prepared.problem;
    const std::int64_t cells = problem.grid.count();
    const std::int64_t real_bytes =
        config.execution.precision == Precision::float32 ? sizeof(float) : sizeof(double);
    bool uniform = true;
    for (std::size_t i = 0; i < problem.fields.size(); ++i) {
        uniform = uniform && Assembler(problem.grid, problem.fields[i], prepared.cells.at(i)).uniform();
    }
    std::int64_t sampled = 0, kept = 0, parts = 0, of_cells = 0, given = 0;
    for (std::size_t i = 0; i < problem.fields.size(); ++i) {
        const Field &field = problem.fields[i];
        sampled += sampled_bytes(field, prepared.cells[i]);
        kept += kept_bytes(prepared, i);
        of_cells += bytes_of_cells(problem.grid, field, prepared.cells[i]);
        parts = std::max(parts, bytes_of_parts(prepared, field, uniform, real_bytes));
        given += bytes_given(prepared, field, uniform, real_bytes);
    }
    for (const Samples &samples : problem.coefficients) {
        sampled += bytes_of(samples);
        parts += cells * real_bytes;  // kernels read them all from one array
    }
    std::int64_t before = sampled + parts;
    if (prepared.selected.device->description().backend == BackendChoice::host) {
        // What the device is not given yet it has not fetched from the system either.
        const auto held = static_cast<std::int64_t>(prepared.plan.held_part * static_cast<double>(given));
        before -= std::min(before, std::max<std::int64_t>(prepared.plan.least_bytes - held, 0));
    }
    const bool through_flow = has_through_flow(problem.grid, problem.fields.front());
    const std::int64_t answer = bytes_of_answer(prepared, through_flow, real_bytes);
    return {bytes_read(config, cells) + values_written(config) * cells * real_bytes,
            of_cells + std::max(before, kept + answer)};
}

}  // namespace perdure
