#include "solver/reference/assemble.hpp"
#include "solver/reference/excluded_cells.hpp"
#include "solver/reference/reference.hpp"

namespace perdure::reference {

Answer step_heat(const Grid &grid, const Field &field, const std::vector<double> &steps, double start) {
    const Equations equations = restrict_to(assemble(grid, field), find_evolving_cells(grid, field));
    const auto n = static_cast<Eigen::Index>(equations.cells.size());
    std::vector<double> times(steps.size(), start);
    for (std::size_t step = 1; step < steps.size(); ++step) {
        times[step] = times[step - 1] + steps[step - 1];
    }
    const SourcesInTime sources(equations, times);
    Eigen::VectorXd u = gather(field.initial, equations.cells);
    const Eigen::ArrayXd capacity = gather(field.capacity, equations.cells).array();
    Eigen::VectorXd rate(n);
    for (std::size_t step = 0; step < steps.size(); ++step) {
        rate.noalias() = -(equations.matrix * u);
        sources.add_to(rate, step);
        u.array() += steps[step] * rate.array() / capacity;
    }
    Answer answer;
    answer.solver = "explicit Euler";
    answer.unknowns = n;
    answer.values = scatter(u, equations.cells, grid.count());
    return answer;
}

}  // namespace perdure::reference
