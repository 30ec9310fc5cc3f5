#include "solver/reference/assemble.hpp"
#include "solver/reference/excluded_cells.hpp"
#include "solver/reference/reference.hpp"

namespace perdure::reference {
Answers step_wave(const Problem &problem, const std::vector<double> &steps) {
    const Field &displacement = problem.fields.at(0);
    const Field &velocity = problem.fields.at(1);
    const Equations equations =
        restrict_to(assemble(problem.grid, displacement), find_evolving_cells(problem.grid, displacement));
    std::vector<double> middles(steps.size());
    double time = problem.start_time;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        middles[step] = time + 0.5 * steps[step];
        time += steps[step];
    }
    const SourcesInTime sources(equations, middles);
    Eigen::VectorXd u = gather(displacement.initial, equations.cells);
    Eigen::VectorXd v = gather(velocity.initial, equations.cells);
    const Eigen::ArrayXd damping = gather(velocity.sigma, equations.cells).array();
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const double dt = steps[step];
        u += 0.5 * dt * v;
        Eigen::VectorXd force = -(equations.matrix * u);
        sources.add_to(force, step);
        // (v' - v) / dt = force - damping (v' + v) / 2
        v = ((v.array() / dt - 0.5 * damping * v.array() + force.array()) / (1.0 / dt + 0.5 * damping))
                .matrix();
        u += 0.5 * dt * v;
    }
    Answers answers;
    for (const Eigen::VectorXd *const field : {&u, &v}) {
        Answer answer;
        answer.field = problem.fields[answers.size()].name;
        answer.solver = "Stoermer-Verlet";
        answer.unknowns = u.size();
        answer.values = scatter(*field, equations.cells, problem.grid.count());
        answers.push_back(std::move(answer));
    }
    return answers;
}

}  // namespace perdure::reference
