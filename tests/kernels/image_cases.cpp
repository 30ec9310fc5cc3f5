#include "tests/kernels/image_cases.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "solver/problem/sample_values.hpp"

namespace perdure::tests {

Case image_case(std::array<std::int64_t, 3> cells, const std::vector<double> &conductivities_of,
                std::vector<std::uint8_t> of_cell, bool periodic) {
    Case test_case;
    Config &config = test_case.config;
    Problem &problem = test_case.problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.dimensions = config.grid.dimensions = cells[2] > 1 ? 3 : 2;
    problem.grid.cells = cells;
    for (std::size_t i = 0; i < conductivities_of.size(); ++i) {
        problem.only_field().image.materials.push_back({static_cast<std::int64_t>(10 + i),
                                                        conductivities_of[i],
                                                        std::count(of_cell.begin(), of_cell.end(), i)});
    }
    problem.only_field().image.of_cell = std::move(of_cell);
    problem.only_field().a = conductivities(problem.only_field().image);
    config.a.kind = ValueSource::Kind::labels;
    config.effective.emplace();
    config.effective->axes.resize(static_cast<std::size_t>(problem.grid.dimensions));
    std::iota(config.effective->axes.begin(), config.effective->axes.end(), 0);
    config.effective->sides = periodic ? ImageSides::periodic : ImageSides::insulated;
    config.solver.preconditioner = Preconditioner::multigrid;
    config.solver.check_every = 1;
    config.solver.rtol = 1.0e-11;
    point_along(0, config);
    return test_case;
}

Case periodic_cell(std::array<std::int64_t, 3> cells, const std::vector<double> &conductivities_of,
                   std::vector<std::uint8_t> of_cell) {
    Case test_case = image_case(cells, conductivities_of, std::move(of_cell), true);
    test_case.config.effective->sides = ImageSides::periodic_cell;
    point_along(0, test_case.config);
    return test_case;
}

Problem problem_along(const Case &test_case, int axis) {
    PreparedCase prepared;
    prepared.config = test_case.config;
    prepared.problem = test_case.problem;
    turn_towards(axis, prepared);
    return prepared.problem;
}

Solution solve(const Case &test_case, Device &device) {
    PreparedCase prepared = prepare(test_case, device);
    return run_effective(prepared, Progress::Style::quiet);
}

std::vector<std::uint8_t> random_image(std::int64_t cells, int solid_percent, unsigned seed) {
    std::mt19937 generator(seed);
    std::vector<std::uint8_t> of_cell;
    for (std::int64_t i = 0; i < cells; ++i) {
        const auto draw = static_cast<int>(generator() % 100);
        of_cell.push_back(static_cast<std::uint8_t>(draw < solid_percent ? 2 : draw % 2));
    }
    return of_cell;
}

}  // namespace perdure::tests
