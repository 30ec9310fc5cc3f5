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
    return !samples.uniform() || cells == 1 ? samples.values.data()
                                            : expanded_.emplace_back(cells, samples[0]).data();
}

}  // namespace perdure::systems
