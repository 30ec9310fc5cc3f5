#include "tests/kernels/sample_problems.hpp"

#include <algorithm>
#include <utility>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/run/discretise.hpp"

namespace perdure::tests {

Grid box(const std::vector<std::int64_t> &shape) {
    Grid grid;
    grid.dimensions = static_cast<int>(shape.size());
    std::copy(shape.rbegin(), shape.rend(), grid.cells.begin());
    const std::int64_t longest = *std::max_element(shape.begin(), shape.end());
    grid.spacing.fill(1.0 / static_cast<double>(longest));
    return grid;
}

Grid face_grid(const Grid &grid, int side) {
    const int axis = side / 2;
    Grid faces = grid;
    faces.cells[axis] = 1;
    const double length = grid.spacing[axis] * static_cast<double>(grid.cells[axis]);
    faces.origin[axis] = grid.origin[axis] + (side % 2 == 0 ? 0.0 : length) - 0.5 * grid.spacing[axis];
    return faces;
}

Samples sample(const Grid &grid, const std::function<double(const Point &)> &function) {
    Samples samples;
    samples.values.clear();
    for (std::int64_t z = 0; z < grid.cells[2]; ++z) {
        for (std::int64_t y = 0; y < grid.cells[1]; ++y) {
            for (std::int64_t x = 0; x < grid.cells[0]; ++x) {
                samples.values.push_back(function({grid.centre(0, x), grid.centre(1, y), grid.centre(2, z)}));
            }
        }
    }
    return samples;
}

Samples random_samples(const Grid &grid, double low, double high, std::mt19937_64 &random) {
    std::uniform_real_distribution<double> value(low, high);
    return sample(grid, [&](const Point &) { return value(random); });
}

Kinds all_sides(SideKind kind) {
    Kinds kinds;
    kinds.fill(kind);
    return kinds;
}

Kinds mixed_sides(int dimensions) {
    Kinds kinds{SideKind::value, SideKind::exchange, SideKind::flux,
                SideKind::value, SideKind::flux,     SideKind::flux};
    kinds[2 * dimensions - 1] = kinds[2 * dimensions - 2] = SideKind::periodic;
    return kinds;
}

Kinds random_sides(std::mt19937_64 &random) {
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    Kinds kinds{};
    for (int axis = 0; axis < 3; ++axis) {
        const bool periodic = below(3) == 0;
        for (const int side : {2 * axis, 2 * axis + 1}) {
            kinds[side] = periodic ? SideKind::periodic : below(2) == 0 ? SideKind::value : SideKind::flux;
        }
    }
    return kinds;
}

namespace {

bool takes_coefficient(const BoundaryCondition &condition) {
    return std::any_of(condition.inputs.begin(), condition.inputs.end(),
                       [](const SideInput &input) { return input.slot == SideInput::Slot::coefficient; });
}

}  // namespace

Problem random_problem(const std::vector<std::int64_t> &shape, const Kinds &kinds, Coefficients coefficients,
                       std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid = box(shape);
    const Grid &grid = problem.grid;
    problem.only_field().f = random_samples(grid, -10.0, 10.0, random);
    problem.only_field().initial = random_samples(grid, -1.0, 1.0, random);
    bool anchored = false;
    for (int number = 0; number < 2 * grid.dimensions; ++number) {
        const Grid faces = face_grid(grid, number);
        Side &side = problem.only_field().sides[number];
        side.kind = kinds[number];
        side.values = random_samples(faces, -1.0, 1.0, random);
        anchored = anchored || can_fix_level(type_of(side));
        if (takes_coefficient(condition_of(side.kind))) {
            side.coefficient.values = {1.5};
            if (coefficients != Coefficients::uniform) {
                side.coefficient = random_samples(faces, 0.0, 3.0, random);
            }
        }
    }
    problem.only_field().a.values = {1.25};
    problem.only_field().sigma.values = {anchored ? 0.0 : 0.5};
    if (coefficients != Coefficients::uniform) {
        problem.only_field().a = random_samples(grid, 0.1, 2.0, random);
        problem.only_field().sigma = random_samples(grid, anchored ? 0.0 : 0.2, 0.8, random);
    }
    if (coefficients == Coefficients::microstructure) {
        problem.only_field().sigma.values = {0.0};
        std::bernoulli_distribution solid(0.33);
        for (double &a : problem.only_field().a.values) {
            a = solid(random) ? 0.0 : a;
        }
    }
    return problem;
}

Problem with_coefficients(const Problem &problem, const std::vector<std::int64_t> &shape,
                          Coefficients coefficients, std::uint64_t seed) {
    Kinds kinds{};
    for (std::size_t side = 0; side < kinds.size(); ++side) {
        kinds[side] = problem.only_field().sides[side].kind;
    }
    Problem other = random_problem(shape, kinds, coefficients, seed);
    other.only_field().in_time = problem.only_field().in_time;
    return other;
}

std::vector<Problem> steady_problems(const std::vector<std::int64_t> &shape) {
    std::vector<Problem> problems;
    const int dimensions = static_cast<int>(shape.size());
    std::vector<Kinds> sides{mixed_sides(dimensions)};
    for (const BoundaryCondition *const condition : all_boundary_conditions()) {
        sides.push_back(all_sides(condition->kind));
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
        problems.push_back(random_problem(shape, sides[i], Coefficients::uniform, 100 + i));
        problems.push_back(random_problem(shape, sides[i], Coefficients::variable, 200 + i));
    }
    problems.push_back(random_problem(shape, sides[0], Coefficients::microstructure, 300));
    return problems;
}

Problem with_velocity(Problem problem, Convection convection, double speed, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    problem.only_field().convective = true;
    problem.only_field().convection = convection;
    for (int axis = 0; axis < problem.grid.dimensions; ++axis) {
        problem.only_field().velocity[axis].values = {axis == 0 ? speed : -0.5 * speed};
        if (!problem.only_field().a.uniform()) {
            problem.only_field().velocity[axis] = random_samples(problem.grid, -speed, speed, random);
        }
    }
    return problem;
}

Problem as_heat(Problem problem) {
    problem.only_field().in_time = true;
    problem.only_field().f_time_factor = "1 + t * t";
    if (problem.only_field().sides[0].kind != SideKind::periodic) {
        problem.only_field().sides[0].time_factor = "cos(3 * t)";
    }
    return problem;
}

TimeConfig some_steps(const Problem &problem, double steps) {
    const double stable = discretise<double>(problem.grid, problem.only_field(),
                                             find_active_cells(problem.grid, problem.only_field()))
                              .stable_time_step;
    const double step = std::min(stable, 1.0);
    TimeConfig time;
    time.step = 0.8 * step;
    time.end = steps * 0.8 * step;
    time.snapshot_times = {0.27 * time.end, 0.7 * time.end};
    return time;
}

}  // namespace perdure::tests
