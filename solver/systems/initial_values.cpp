#include "solver/systems/initial_values.hpp"

namespace perdure::systems {

InitialValues::InitialValues(const System &system, const Grid &grid, const std::vector<Field> &initial,
                             const std::vector<Samples> &coefficients, double start_time) {
    context_.grid = &grid;
    context_.time = start_time;
    for (const auto &[name, number] : system.parameters) {
        context_.parameters.push_back(number);
    }
    for (const Field &field : initial) {
        context_.fields.push_back(in_each_cell(field.initial));
    }
    for (const Samples &samples : coefficients) {
        context_.coefficients.push_back(in_each_cell(samples));
    }
}

const double *InitialValues::in_each_cell(const Samples &samples) {
    const auto cells = static_cast<std::size_t>(context_.grid->count());
    if (samples.values.size() == cells && samples.labels.empty()) {
        return samples.values.data();
    }
    std::vector<double> &expanded = expanded_.emplace_back(cells);
    for (std::size_t i = 0; i < cells; ++i) {
        expanded[i] = samples[static_cast<std::int64_t>(i)];
    }
    return expanded.data();
}

}  // namespace perdure::systems
