// The heat equation with a capacity, by explicit steps.
#include <algorithm>
#include <cmath>

#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::heat_capacity_test {
namespace {

std::vector<double> reference_of(const PreparedCase &prepared) {
    return prepared.plan.method->reference(prepared.problem, step_sizes(time_segments(prepared)))
        .front()
        .values;
}

/// Two layers of one conductivity along x, the left one of capacity 1 and the right one of capacity 4, each of 8 cells.
Problem two_layers() {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    Field &field = problem.only_field();
    field.in_time = true;
    problem.grid = box({3, 16});
    field.a.values = {1.0};
    field.capacity = sample(problem.grid, [](const Point &x) { return x[0] < 0.5 ? 1.0 : 4.0; });
    return problem;
}

class HeatCapacity : public OnEachBackEnd {};

// Where the equation is divided by c cell by cell, a wall of a = 1 and 1/4 has 0.8 in its middle.
TEST_P(HeatCapacity, DoesNotChangeWhereAWallSettles) {
    Case wall{.config = {}, .problem = two_layers()};
    Field &field = wall.problem.only_field();
    field.sides[0].kind = field.sides[1].kind = SideKind::value;
    field.sides[0].values.values = {1.0};
    wall.config.time.emplace().end = 12.0;
    for (const auto &device : devices()) {
        const Solution solution = run(wall, *device);
        for (std::int64_t x = 0; x < 16; ++x) {
            EXPECT_NEAR(value_at(solution.fields.front().values, x), 1.0 - wall.problem.grid.centre(0, x),
                        1.0e-10)
                << x;
        }
        EXPECT_NEAR(
            0.5 * (value_at(solution.fields.front().values, 7) + value_at(solution.fields.front().values, 8)),
            0.5, 1.0e-12);
    }
}

// Insulated, a cold left layer and a right one of 1 and four times the capacity keep the heat 4 of 5.
TEST_P(HeatCapacity, WeighsWhatLayersHold) {
    Case wall{.config = {}, .problem = two_layers()};
    wall.problem.only_field().initial =
        sample(wall.problem.grid, [](const Point &x) { return x[0] < 0.5 ? 0.0 : 1.0; });
    wall.config.time.emplace().end = 12.0;
    for (const auto &device : devices()) {
        const Solution solution = run(wall, *device);
        for (std::int64_t cell = 0; cell < wall.problem.grid.count(); ++cell) {
            ASSERT_NEAR(value_at(solution.fields.front().values, cell), 0.8, 1.0e-10) << cell;
        }
    }
}

TEST_P(HeatCapacity, AgreesWithTheReference) {
    std::mt19937_64 random(3);
    for (const auto &device : devices()) {
        for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::microstructure}) {
            for (const bool varied : {false, true}) {
                Case of{.config = {},
                        .problem = as_heat(random_problem({9, 7, 12}, mixed_sides(3), coefficients, 8))};
                Samples &capacity = of.problem.only_field().capacity;
                capacity.values = {2.3};
                if (varied) {
                    capacity = random_samples(of.problem.grid, 0.5, 5.0, random);
                }
                of.config.time = some_steps(of.problem, 30.0);
                const PreparedCase prepared = prepare(of, *device);
                const Solution solution = run_case(prepared, Progress::Style::quiet, [](const Solution &) {});
                EXPECT_LT(compare(solution.fields.front().values, reference_of(prepared)).max_relative,
                          1.0e-13);
            }
        }
    }
}

// A capacity of 2 with all else twice as large is the same equation; powers of two leave no rounding.
TEST_P(HeatCapacity, ThatIsTheSameEverywhereDividesTheEquation) {
    Case plain{.config = {},
               .problem = as_heat(random_problem({14, 19}, mixed_sides(2), Coefficients::uniform, 4))};
    plain.config.time = some_steps(plain.problem, 20.0);
    Case doubled = plain;
    Field &field = doubled.problem.only_field();
    field.capacity.values = {2.0};
    for (Samples *const samples : {&field.a, &field.sigma, &field.f}) {
        for (double &value : samples->values) {
            value *= 2.0;
        }
    }
    for (Side &side : field.sides) {
        side.coefficient.values.front() *= 2.0;
        for (double &value : side.values.values) {
            value *= side.kind == SideKind::flux ? 2.0 : 1.0;
        }
    }
    for (const auto &device : devices()) {
        EXPECT_TRUE(same_bits(run(doubled, *device), run(plain, *device)));
    }
}

// Explicit Euler is stable up to 2 / the largest row of A / c, which here is the lighter layer's.
TEST(HeatCapacityLimit, IsThatOfTheLightestCell) {
    const Problem problem = two_layers();
    const auto limit = [](const Problem &of) {
        return discretise<double>(of, find_active_cells(of)).front().stable_time_step;
    };
    const double of_light = limit(problem);
    Problem light = problem;
    light.only_field().capacity.values = {1.0};
    EXPECT_EQ(of_light, limit(light));
    light.only_field().capacity.values = {4.0};
    EXPECT_EQ(limit(light), 4.0 * of_light);
}

PERDURE_ON_EACH_BACK_END(HeatCapacity);

}  // namespace
}  // namespace perdure::tests::heat_capacity_test
