// Systems stepped by the reference against what is known of their solutions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solver/failure.hpp"
#include "tests/solver/reference/system_of_texts.hpp"

namespace perdure::system_test {
namespace {

using reference::step_system;

double order(double coarse, double fine) {
    return std::log2(coarse / fine);
}

// Largest error of one field that starts as `exact` at t = 0, after `count` steps to t = end.
double error_of(const Grid &grid, const SystemConfig &system, int count, double end,
                const std::function<Function(double t)> &exact) {
    const Values start = sample(grid, exact(0.0));
    const Values steps(count, end / count);
    return largest_difference(step_system(grid, system, {}, {start}, rk4, steps, 0.0)[0].values,
                              sample(grid, exact(end)));
}

TEST(StepSystem, HeatDecaysToSecondOrderInSpaceAndFourthInTime) {
    SystemConfig system;
    system.parameters = {{"D", 0.1}};
    add_field(system, "u", "D*lap(u)");
    const auto with_rate = [](double rate) {
        return [rate](double t) {
            return [rate, t](double x, double y, double) {
                return std::exp(-rate * t) * std::sin(2 * pi * x) * std::cos(4 * pi * y);
            };
        };
    };
    const auto error_in_space = [&](std::int64_t n) {
        return error_of(make_grid({n, n}), system, 100, 0.05, with_rate(0.1 * 20 * pi * pi));
    };
    EXPECT_NEAR(order(error_in_space(32), error_in_space(64)), 2.0, 0.1);
    // What the differences of that wave are exactly: the rest is due to time.
    const auto wave = [](double k, double h) { return std::pow(2 * std::sin(k * h / 2) / h, 2); };
    const double rate = 0.1 * (wave(2 * pi, 1.0 / 8) + wave(4 * pi, 1.0 / 8));
    const auto error_in_time = [&](int count) {
        return error_of(make_grid({8, 8}), system, count, 0.4, with_rate(rate));
    };
    EXPECT_NEAR(order(error_in_time(64), error_in_time(128)), 4.0, 0.1);
    EXPECT_LT(error_in_time(128), 1e-7);
}

// cos(x) decays with rate 1 where du/dn = 0 at x = 0 and tan(1) (0 - u) at x = 1; sin(3 y) with 9 where u = 0 at y = 0 and du/dn is
// given at y = 1.
TEST(StepSystem, SidesOfEachKindConvergeToSecondOrder) {
    const auto error = [](std::int64_t n, bool solid) {
        SystemConfig system;
        system.parameters = {{"c", std::tan(1.0)}};
        const std::string along_z = solid ? "*cos(2*pi*z)" : "";
        const std::string rate = solid ? "10 + 4*pi^2" : "10";
        add_field(system, "u", "lap(u)").sides = {
            flux("0"),  exchange("c", "0"),
            value("0"), flux("3*cos(3*y)*cos(x)*exp(-(" + rate + ")*t)" + along_z),
            periodic(), periodic()};
        const double decay = solid ? 10 + 4 * pi * pi : 10.0;
        const auto exact = [=](double t) {
            return [=](double x, double y, double z) {
                return std::exp(-decay * t) * std::cos(x) * std::sin(3 * y) *
                       (solid ? std::cos(2 * pi * z) : 1.0);
            };
        };
        const Grid grid = solid ? make_grid({n, n + n / 2, n}) : make_grid({n, n + n / 2});
        return error_of(grid, system, static_cast<int>(n * n), 0.05, exact);
    };
    EXPECT_NEAR(order(error(8, false), error(16, false)), 2.0, 0.15);
    EXPECT_NEAR(order(error(4, true), error(8, true)), 2.0, 0.3);
}

TEST(StepSystem, SidesFollowTheTimeOfEachStage) {
    SystemConfig system;
    system.parameters = {{"two", 2.0}};
    add_part(system, "slope", "x + two*y - z");
    add_field(system, "u", "lap(u) + slope").sides = {
        value("t*slope"), flux("t"), exchange("5", "t*(slope - 2/5)"),
        value("slope*t"), flux("t"), flux("-t")};
    const auto error = error_of(make_grid({4, 3, 5}), system, 100, 1.0, [](double t) {
        return [t](double x, double y, double z) { return t * (x + 2 * y - z); };
    });
    EXPECT_LT(error, 1e-12);
}

TEST(StepSystem, SideFormulasTakeFieldsAndCoefficientsOfTheCellBesideTheSide) {
    const Grid grid = make_grid({2, 2});
    SystemConfig system;
    system.coefficients.emplace_back("a", ValueSource{});
    add_field(system, "u", "dxx(u)").sides = {
        flux("-u^2*v"), exchange("u", "a + x"), flux("0"), flux("0"), flux("0"), flux("0")};
    add_field(system, "v", "0", flux("0"));
    const Values u =
        step_system(grid, system, {{5, 6, 7, 8}}, {{1, 2, 3, 4}, {3, 4, 5, 6}}, euler, {1.0}, 0.0)[0].values;
    // Beyond x-: 3 - h 9 * 5; beyond x+: coefficient 4, values 8 + 1.
    const double h = 0.5, below = 3 - h * 45, above = (4 * (1 - h * 2) + h * 36) / (1 + h * 2);
    EXPECT_DOUBLE_EQ(u[2], 3 + (4 - 2 * 3 + below) / (h * h));
    EXPECT_DOUBLE_EQ(u[3], 4 + (3 - 2 * 4 + above) / (h * h));
}

TEST(StepSystem, GrayScottWithoutDifferencesIsAnOrdinaryEquation) {
    SystemConfig system;
    system.parameters = {{"F", 0.04}, {"k", 0.06}};
    add_part(system, "r", "u*v^2");
    add_field(system, "u", "2e-5*lap(u) - r + F*(1 - u)");
    add_field(system, "v", "1e-5*lap(v) + r - (F + k)*v");
    const Grid grid = make_grid({4, 3});
    const auto rate = [](const std::array<double, 2> &w) {
        const double r = w[0] * w[1] * w[1];
        return std::array<double, 2>{-r + 0.04 * (1 - w[0]), r - 0.1 * w[1]};
    };
    std::array<double, 2> fine{0.5, 0.25};
    const double dt = 40.0 / 4000;
    for (int step = 0; step < 4000; ++step) {
        const auto at = [&](double s, const std::array<double, 2> &k) {
            return rate({fine[0] + s * dt * k[0], fine[1] + s * dt * k[1]});
        };
        const auto k1 = rate(fine), k2 = at(0.5, k1), k3 = at(0.5, k2), k4 = at(1.0, k3);
        for (int i = 0; i < 2; ++i) {
            fine[i] += dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
        }
    }
    const auto error = [&](int count) {
        const reference::Answers answers = step_system(grid, system, {}, {Values(12, 0.5), Values(12, 0.25)},
                                                       rk4, Values(count, 40.0 / count), 7.0);
        return std::max(largest_difference(answers[0].values, Values(12, fine[0])),
                        largest_difference(answers[1].values, Values(12, fine[1])));
    };
    EXPECT_NEAR(order(error(20), error(40)), 4.0, 0.2);
    EXPECT_LT(error(400), 1e-11);
}

TEST(StepSystem, AdvectionMovesByCellsAndKeepsMass) {
    const Grid grid = make_grid({8, 6}, {8.0, 6.0});
    const Values start = sample(grid, [](double x, double y, double) { return std::exp(-x) + y * y; });
    const auto advect = [&](const std::string &rate, double dt, int count) {
        SystemConfig system;
        add_field(system, "u", rate);
        return step_system(grid, system, {}, {start}, euler, Values(count, dt), 0.0)[0].values;
    };
    const auto moved = [&](std::int64_t dx, std::int64_t dy) {
        Values values(start.size());
        for (std::int64_t i = 0; i < grid.count(); ++i) {
            values[grid.index((i % 8 + dx + 8) % 8, (i / 8 + dy + 6) % 6, 0)] = start[i];
        }
        return values;
    };
    // A step of one cell moves exactly one cell.
    EXPECT_LT(largest_difference(advect("-upwind((2, 0), u)", 0.5, 3), moved(3, 0)), 1e-12);
    EXPECT_LT(largest_difference(advect("-upwind((0*x, -2), u)", 0.5, 2), moved(0, -2)), 1e-12);
    // With a constant speed Rusanov's fluxes are those of upwind differences; along y half the speed times h is left as diffusion.
    EXPECT_LT(largest_difference(advect("conserve(-2*u, 0; 2)", 0.5, 1),
                                 advect("-upwind((-2, 0), u) + dyy(u)", 0.5, 1)),
              1e-12);
    // With the speeds of the waves themselves the flux of Harten, Lax and van Leer is upwind in both directions.
    EXPECT_LT(largest_difference(advect("conserve(-2*u, u; (-2, 1), (-2, 1))", 0.2, 2),
                                 advect("-upwind((-2, 1), u)", 0.2, 2)),
              1e-12);
    // Fluxes of a nonlinear law sum to zero over the cells.
    for (const char *const speeds :
         {"abs(u) + 0.3*u^2", "abs(u) + 0.3*u^2, minmod", "(0, -0.3*u^2), (u, 0), minmod"}) {
        const Values after = advect(fmt::format("conserve(u^2/2, -u^3/10; {})", speeds), 0.001, 50);
        double change = 0.0, total = 0.0;
        for (std::size_t i = 0; i < start.size(); ++i) {
            change += after[i] - start[i];
            total += start[i];
        }
        EXPECT_GT(largest_difference(after, start), 0.1);
        EXPECT_LT(std::abs(change), 1e-14 * total);
    }
}

/// On an axis of one cell the coefficient beyond the sides is not known.
TEST(StepSystem, WhereNothingDiffersNothingFlowsWhateverTheCoefficient) {
    const Grid grid = make_grid({1, 8});
    SystemConfig system;
    add_field(system, "u", "div((1 + dx(u))*grad(y))").sides = {flux("0"), flux("0"), flux("0"), flux("0")};
    const Values start = sample(grid, [](double, double y, double) { return std::exp(y); });
    EXPECT_LT(largest_difference(step_system(grid, system, {}, {start}, euler, {0.1}, 0.0)[0].values, start),
              1e-12);
}

TEST(StepSystem, LimitedSlopesAreExactWhereAFieldGrowsEvenlyAndNoneAtExtremes) {
    const Grid grid = make_grid({6, 5}, {6.0, 5.0});
    SystemConfig system;
    add_field(system, "u", "conserve(u^2, x*u; 3, minmod)");
    const auto rate = [&](const Function &start, std::int64_t cell) {
        const Values values = sample(grid, start);
        return step_system(grid, system, {}, {values}, euler, {1.0}, 0.0)[0].values[cell] - values[cell];
    };
    EXPECT_NEAR(rate([](double x, double y, double) { return x + 2 * y; }, grid.index(2, 2, 0)),
                -2 * 7.5 - 2 * 2.5, 1e-12);
    // u = 1, 2, 1 about a cell: its own faces have u = 2, those of its neighbours 1; f = u^2 gives (F- - F+) = -3/2 jump of u times 2.
    const auto peak = [](double x, double, double) { return x == 2.5 ? 2.0 : 1.0; };
    EXPECT_NEAR(rate(peak, grid.index(2, 2, 0)), -3.0, 1e-12);
}

// u'' = lap(u) of a wave of wavenumber k turns by the angle phi with sin(phi / 2) = omega dt / 2 in each step.
TEST(StepSystem, LeapfrogTurnsWavesByTheAngleOfItsDispersionRelation) {
    const Grid grid = make_grid({16, 4});
    SystemConfig system;
    add_field(system, "v", "lap(u)");
    add_field(system, "u", "v");
    const Values shape = sample(grid, [](double x, double, double) { return std::cos(2 * pi * x); });
    const double dt = 0.02, omega = 2 * std::sin(pi / 16) * 16, angle = 2 * std::asin(omega * dt / 2);
    const int count = 1000;
    const Values u = reference::step_system_leapfrog(grid, system, {}, {Values(shape.size()), shape}, {0},
                                                     Values(count, dt), 0.0)[1]
                         .values;
    Values exact = shape;
    for (double &value : exact) {
        value *= std::cos(count * angle);
    }
    EXPECT_LT(largest_difference(u, exact), 1e-11);
}

TEST(StepSystem, LeapfrogIsOfSecondOrderWithForcesThatVaryInTime) {
    const Grid grid = make_grid({2, 2});
    SystemConfig system;
    add_field(system, "u", "v");
    add_field(system, "v", "-u + cos(2*t)");  // u = (cos t - cos 2t) / 3
    const auto error = [&](int count) {
        const Values u = reference::step_system_leapfrog(grid, system, {}, {Values(4), Values(4)}, {1},
                                                         Values(count, 2.0 / count), 0.0)[0]
                             .values;
        return std::abs(u[3] - (std::cos(2.0) - std::cos(4.0)) / 3);
    };
    EXPECT_NEAR(order(error(20), error(40)), 2.0, 0.05);
}

TEST(StepSystem, TableausThatAreNotExplicitAreRefused) {
    SystemConfig system;
    add_field(system, "u", "-u");
    const Grid grid = make_grid({2, 2});
    const reference::Tableau implicit_euler{{{1.0}}, {1.0}, {1.0}};
    EXPECT_THROW(step_system(grid, system, {}, {Values(4, 1.0)}, implicit_euler, {0.1}, 0.0), Failure);
}

}  // namespace
}  // namespace perdure::system_test
