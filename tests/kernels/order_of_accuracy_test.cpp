// Manufactured solutions: second order in space for every kind of side, first order in time.
#include <cmath>
#include <numbers>

#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::order_of_accuracy_test {
namespace {

constexpr double pi = std::numbers::pi;

// u = 1 + product of sin(k x_d + phase_d), a = 2 + sin(k (x + y + z) + 0.7), in the unit box; both have
// period 2 pi / k.
struct Manufactured {
    int dimensions = 2;
    double k = 2.2;
    double sigma = 0.0;
    double h = 1.7;  // of exchange sides
    Point phase{0.3, 0.6, 0.4};
    bool convective = false;
    Convection convection = Convection::central;

    [[nodiscard]] double wave(const Point &x, int derivative_axis = -1) const {
        double product = 1.0;
        for (int axis = 0; axis < dimensions; ++axis) {
            const double angle = k * x[axis] + phase[axis];
            product *= axis == derivative_axis ? k * std::cos(angle) : std::sin(angle);
        }
        return product;
    }
    [[nodiscard]] double angle_of_a(const Point &x) const {
        return k * (x[0] + x[1] + (dimensions == 3 ? x[2] : 0.0)) + 0.7;
    }
    [[nodiscard]] double u(const Point &x) const { return 1.0 + wave(x); }
    [[nodiscard]] double a(const Point &x) const { return 2.0 + std::sin(angle_of_a(x)); }
    [[nodiscard]] double f(const Point &x) const {
        double gradients = 0.0;
        for (int axis = 0; axis < dimensions; ++axis) {
            gradients += k * std::cos(angle_of_a(x)) * wave(x, axis);
        }
        double convection_term = 0.0;
        for (int axis = 0; axis < dimensions && convective; ++axis) {
            convection_term += v(x, axis) * wave(x, axis);
        }
        return a(x) * dimensions * k * k * wave(x) - gradients + convection_term + sigma * u(x);
    }
    [[nodiscard]] double v(const Point &x, int axis) const {
        return 3.0 * std::cos(k * x[(axis + 1) % dimensions] + 0.4 * axis) + 1.0;
    }
    [[nodiscard]] double side_value(SideKind kind, const Point &x, int side) const {
        const double flux = a(x) * wave(x, side / 2) * (side % 2 == 0 ? -1.0 : 1.0);
        switch (kind) {
            case SideKind::flux:
                return flux;
            case SideKind::exchange:
                return u(x) + flux / h;
            default:
                return u(x);
        }
    }
};

Manufactured manufactured_for(const Kinds &kinds, int dimensions) {
    Manufactured exact;
    exact.dimensions = dimensions;
    exact.sigma = 0.8;
    for (int side = 0; side < 2 * dimensions; ++side) {
        if (kinds[side] == SideKind::periodic) {
            exact.k = 2.0 * pi;
        }
        if (kinds[side] == SideKind::value) {
            exact.sigma = 0.0;
        }
    }
    return exact;
}

// n cells along x and z, a quarter more along y.
Problem manufacture(const Manufactured &exact, const Kinds &kinds, std::int64_t n) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    Grid &grid = problem.grid;
    grid.dimensions = exact.dimensions;
    grid.cells = {n, n + n / 4, exact.dimensions == 3 ? n : 1};
    for (int axis = 0; axis < exact.dimensions; ++axis) {
        grid.spacing[axis] = 1.0 / static_cast<double>(grid.cells[axis]);
    }
    problem.only_field().a = sample(grid, [&](const Point &x) { return exact.a(x); });
    problem.only_field().f = sample(grid, [&](const Point &x) { return exact.f(x); });
    problem.only_field().sigma.values = {exact.sigma};
    problem.only_field().convective = exact.convective;
    problem.only_field().convection = exact.convection;
    for (int axis = 0; axis < exact.dimensions && exact.convective; ++axis) {
        problem.only_field().velocity[axis] = sample(grid, [&](const Point &x) { return exact.v(x, axis); });
    }
    for (int number = 0; number < 2 * exact.dimensions; ++number) {
        Side &side = problem.only_field().sides[number];
        side.kind = kinds[number];
        side.coefficient.values = {exact.h};
        side.values = sample(face_grid(grid, number),
                             [&](const Point &x) { return exact.side_value(side.kind, x, number); });
    }
    return problem;
}

// Root of the mean of the squared errors.
double error_of(const Solution &solution, const Samples &exact) {
    double sum = 0.0;
    for (std::size_t i = 0; i < exact.values.size(); ++i) {
        const double error =
            value_at(solution.fields.front().values, static_cast<std::int64_t>(i)) - exact.values[i];
        sum += error * error;
    }
    return std::sqrt(sum / static_cast<double>(exact.values.size()));
}

/// OpenCL on processors takes long, and has the bits of host threads (AcrossBackEnds): there only sides of every kind at once.
std::vector<Kinds> kinds_of_sides(const Device &device, int dimensions) {
    std::vector<Kinds> sides{mixed_sides(dimensions)};
    const DeviceDescription description = device.description();
    if (description.gpu || description.backend == BackendChoice::host) {
        for (const SideKind kind :
             {SideKind::value, SideKind::flux, SideKind::exchange, SideKind::periodic}) {
            sides.push_back(all_sides(kind));
        }
    }
    return sides;
}

class OrderOfAccuracy : public OnEachBackEnd {
  protected:
    static void expect_second_order(Device &device, const Kinds &kinds, int dimensions) {
        for (const Preconditioner preconditioner : {Preconditioner::jacobi, Preconditioner::multigrid}) {
            expect_order(device, kinds, manufactured_for(kinds, dimensions), 2.0, 0.1, preconditioner);
        }
    }

    static void expect_order(Device &device, const Kinds &kinds, const Manufactured &exact, double order,
                             double within, Preconditioner preconditioner = Preconditioner::jacobi) {
        const int dimensions = exact.dimensions;
        const std::vector<std::int64_t> sizes =
            dimensions == 2 ? std::vector<std::int64_t>{16, 32, 64} : std::vector<std::int64_t>{16, 24, 32};
        std::vector<double> errors;
        for (const std::int64_t n : sizes) {
            Case test_case{{}, manufacture(exact, kinds, n)};
            test_case.config.execution.groups = device.description().gpu ? 0 : 1;  // beside other tests
            test_case.config.solver.rtol = 1.0e-12;
            test_case.config.solver.preconditioner = preconditioner;
            if (exact.convective) {
                test_case.config.solver.method = SolverMethod::bicgstab;
            }
            const Solution solution = run(test_case, device);
            EXPECT_TRUE(solution.report.stop == StopReason::converged_rtol ||
                        solution.report.stop == StopReason::accuracy_limit)
                << describe(solution.report.stop) << ": " << describe_case(test_case);
            errors.push_back(error_of(
                solution, sample(test_case.problem.grid, [&](const Point &x) { return exact.u(x); })));
        }
        const std::size_t last = sizes.size() - 1;
        const double ratio = static_cast<double>(sizes[last]) / static_cast<double>(sizes[last - 1]);
        EXPECT_NEAR(std::log(errors[last - 1] / errors[last]) / std::log(ratio), order, within)
            << dimensions << "D, x- " << name(kinds[0]) << ", x+ " << name(kinds[1]) << ", errors "
            << errors[0] << " " << errors[1] << " " << errors[2];
    }

    static void expect_order_of_convection(Convection convection, double order, double within) {
        for (const std::unique_ptr<Device> &device : devices()) {
            for (const int dimensions : {2, 3}) {
                for (const Kinds &kinds : kinds_of_sides(*device, dimensions)) {
                    Manufactured exact = manufactured_for(kinds, dimensions);
                    exact.convective = true;
                    exact.convection = convection;
                    expect_order(*device, kinds, exact, order, within);
                }
            }
        }
    }

    static void expect_second_order_on_all_sides(int dimensions) {
        for (const std::unique_ptr<Device> &device : devices()) {
            for (const Kinds &kinds : kinds_of_sides(*device, dimensions)) {
                expect_second_order(*device, kinds, dimensions);
            }
        }
    }
};

TEST_P(OrderOfAccuracy, IsTwoInTwoDimensions) {
    expect_second_order_on_all_sides(2);
}

TEST_P(OrderOfAccuracy, IsTwoInThreeDimensions) {
    expect_second_order_on_all_sides(3);
}

TEST_P(OrderOfAccuracy, OfConvectionIsTwoWithCentralDifferences) {
    expect_order_of_convection(Convection::central, 2.0, 0.1);
}

TEST_P(OrderOfAccuracy, OfConvectionIsOneUpwind) {
    expect_order_of_convection(Convection::upwind, 1.0, 0.15);
}

// sin(pi x) sin(pi y) with zero sides is an eigenvector of the discrete operator too.
Case decaying_mode(std::int64_t n, double end, double step) {
    Case test_case;
    Problem &problem = test_case.problem;
    problem.fields.emplace_back().name = "u";
    problem.only_field().in_time = true;
    problem.grid = box({n, n});
    problem.only_field().a.values = {1.0};
    problem.only_field().initial =
        sample(problem.grid, [](const Point &x) { return std::sin(pi * x[0]) * std::sin(pi * x[1]); });
    for (int side = 0; side < 4; ++side) {
        problem.only_field().sides[side].kind = SideKind::value;
    }
    test_case.config.time.emplace();
    test_case.config.time->end = end;
    test_case.config.time->step = step;
    return test_case;
}

double discrete_eigenvalue(std::int64_t n) {
    const double h = 1.0 / static_cast<double>(n);
    const double sine = std::sin(0.5 * pi * h);
    return 2.0 * 4.0 / (h * h) * sine * sine;
}

double error_of_decay(const Case &test_case, Device &device, double eigenvalue) {
    const double decay = std::exp(-eigenvalue * test_case.config.time->end);
    Samples exact = test_case.problem.only_field().initial;
    for (double &value : exact.values) {
        value *= decay;
    }
    return error_of(run(test_case, device), exact);
}

TEST_P(OrderOfAccuracy, OfHeatIsOneInTime) {
    constexpr std::int64_t n = 16;
    constexpr double end = 0.1;
    for (const std::unique_ptr<Device> &device : devices()) {
        std::vector<double> errors;
        for (const int steps : {128, 256, 512, 1024}) {
            errors.push_back(
                error_of_decay(decaying_mode(n, end, end / steps), *device, discrete_eigenvalue(n)));
        }
        for (std::size_t i = 1; i < errors.size(); ++i) {
            EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 1.0, 0.1) << "halving " << i;
        }
    }
}

TEST_P(OrderOfAccuracy, OfHeatIsTwoInSpaceWithStepsThatFollowTheSquareOfTheSpacing) {
    constexpr double end = 0.1;
    for (const std::unique_ptr<Device> &device : devices()) {
        std::vector<double> errors;
        for (const std::int64_t n : {8, 16, 32, 64}) {
            const double step = 0.2 / static_cast<double>(n * n);
            errors.push_back(error_of_decay(decaying_mode(n, end, step), *device, 2.0 * pi * pi));
        }
        EXPECT_NEAR(std::log2(errors[2] / errors[3]), 2.0, 0.1)
            << errors[0] << " " << errors[1] << " " << errors[2] << " " << errors[3];
    }
}

// Euler steps of an eigenvector multiply it by 1 - dt lambda: the answer is known but for rounding.
TEST_P(OrderOfAccuracy, OfHeatIsThatOfEulerStepsToRounding) {
    const Case test_case = decaying_mode(16, 0.1, 0.1 / 128);
    const double factor = std::pow(1.0 - 0.1 / 128 * discrete_eigenvalue(16), 128);
    for (const std::unique_ptr<Device> &device : devices()) {
        const Solution solution = run(test_case, *device);
        EXPECT_EQ(solution.report.iterations, 128);
        EXPECT_EQ(solution.report.stop, StopReason::complete);
        for (std::int64_t i = 0; i < test_case.problem.grid.count(); ++i) {
            ASSERT_NEAR(value_at(solution.fields.front().values, i),
                        factor * test_case.problem.only_field().initial[i], 1.0e-14)
                << "cell " << i;
        }
    }
}

PERDURE_ON_EACH_BACK_END(OrderOfAccuracy);

}  // namespace
}  // namespace perdure::tests::order_of_accuracy_test
