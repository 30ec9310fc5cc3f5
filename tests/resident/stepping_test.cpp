// Resident stepping gives the bits of the phases: fields, histories and stop reasons. Norms of Jacobi are added group by group.
#include <cmath>
#include <random>

#include "tests/kernels/sample_problems.hpp"
#include "tests/resident/terms_inside.hpp"

namespace perdure::tests::stepping_test {
namespace {

constexpr int draws = 80;

/// Like same_bits, but sums may have been added in another order, with D u rounded to real_t.
testing::AssertionResult same_but_for_sums(const Solution &phases, Solution resident) {
    const auto near = [](double one, double other, double bound) {
        return std::abs(one - other) <= bound * std::abs(other) || (std::isnan(one) && std::isnan(other));
    };
    constexpr double rounding = 1.0e-12;
    const double rounding_of_floor =
        std::holds_alternative<LargeVector<float>>(phases.fields.front().values) ? 1.0e-6 : 1.0e-12;
    if (!near(resident.report.residual, phases.report.residual, rounding) ||
        !near(resident.report.accuracy_floor, phases.report.accuracy_floor, rounding_of_floor)) {
        return testing::AssertionFailure()
               << "residual " << resident.report.residual << " and " << phases.report.residual
               << ", accuracy floor " << resident.report.accuracy_floor << " and "
               << phases.report.accuracy_floor;
    }
    resident.report.residual = phases.report.residual;
    resident.report.accuracy_floor = phases.report.accuracy_floor;
    auto &history = resident.report.history;
    for (std::size_t i = 0; i < std::min(history.size(), phases.report.history.size()); ++i) {
        if (near(history[i].residual, phases.report.history[i].residual, rounding)) {
            history[i].residual = phases.report.history[i].residual;
        }
    }
    return same_bits(phases, resident);
}

class ResidentStepping : public OnEachBackEnd {
  protected:
    static void compare(Case test_case) {
        for (const std::unique_ptr<Device> &device : devices()) {
            test_case.config.execution.model = ExecutionModel::persistent;
            const std::vector<Solution> phases = run_snapshots(test_case, *device);
            test_case.config.execution.model = ExecutionModel::resident;
            const std::vector<Solution> resident = run_snapshots(test_case, *device);
            const std::string what = device->description().name + ": " + describe_case(test_case);
            ASSERT_EQ(phases.size(), resident.size()) << what;
            for (std::size_t i = 0; i < phases.size(); ++i) {
                ASSERT_TRUE(test_case.problem.only_field().in_time
                                ? same_bits(phases[i], resident[i])
                                : same_but_for_sums(phases[i], resident[i]))
                    << what;
            }
            EXPECT_LE(resident.back().report.launches, static_cast<std::int64_t>(resident.size())) << what;
        }
    }

    /// Any shape from one to some hundred cells a side, any sides and coefficients.
    struct Draw {
        std::vector<std::int64_t> shape;
        Kinds kinds{};
        Coefficients coefficients{};
        std::uint64_t seed = 0;
        Config config;
    };
    static Draw draw_settings(std::mt19937_64 &random, int dimensions) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        Draw drawn;
        drawn.shape = {1 + below(below(3) == 0 ? 9 : 300), 1 + below(below(3) == 0 ? 9 : 700)};
        if (dimensions == 3) {
            drawn.shape = {1 + below(below(3) == 0 ? 9 : 60), 1 + below(below(3) == 0 ? 9 : 110),
                           1 + below(below(3) == 0 ? 9 : 170)};
        }
        for (int axis = 0; axis < 3; ++axis) {
            const bool periodic = below(3) == 0;
            for (const int side : {2 * axis, 2 * axis + 1}) {
                constexpr std::array<SideKind, 3> ends{SideKind::flux, SideKind::value, SideKind::exchange};
                drawn.kinds[side] = periodic ? SideKind::periodic : ends[below(3)];
            }
        }
        drawn.seed = random();
        drawn.coefficients = static_cast<Coefficients>(below(3));
        drawn.config.execution.precision = below(2) == 0 ? Precision::float32 : Precision::float64;
        drawn.config.solver.check_every = 1 + below(30);
        return drawn;
    }
    static Case draw(std::mt19937_64 &random, int dimensions) {
        const Draw drawn = draw_settings(random, dimensions);
        return {drawn.config, random_problem(drawn.shape, drawn.kinds, drawn.coefficients, drawn.seed)};
    }

    /// Draws a case whose coefficients are uniform.
    static Case draw_plain(std::mt19937_64 &random, const std::vector<std::int64_t> &shape, bool heat,
                           int steps, wide_terms terms = NO_TERMS) {
        Case drawn;
        drawn.config = draw_settings(random, static_cast<int>(shape.size())).config;
        const Kinds kinds = random_sides(random);
        drawn.problem = random_problem(shape, kinds, Coefficients::uniform, random());
        set_terms_inside(terms, drawn);
        drawn.config.solver.method = SolverMethod::jacobi;
        drawn.config.solver.max_iterations = steps;
        if (heat) {
            drawn.problem.only_field().in_time = true;
            drawn.config.time = some_steps(drawn.problem, steps + 0.5);
        }
        return drawn;
    }
};

TEST_P(ResidentStepping, HeatHasTheBitsOfThePhases) {
    std::mt19937_64 random(31);
    for (int i = 0; i < draws; ++i) {
        Case drawn = draw(random, 2 + i % 2);
        if (i % 3 == 0) {
            drawn.problem = as_heat(drawn.problem);  // with time factors
        } else {
            drawn.problem.only_field().in_time = true;
        }
        drawn.config.time = some_steps(drawn.problem, 20.0 + i);
        compare(drawn);
    }
}

TEST_P(ResidentStepping, JacobiHasTheBitsOfThePhases) {
    std::mt19937_64 random(32);
    for (int i = 0; i < draws; ++i) {
        Case drawn = draw(random, 2 + i % 2);
        drawn.config.solver.method = SolverMethod::jacobi;
        drawn.config.solver.max_iterations = 1 + i;
        drawn.config.solver.norm = i % 2 == 0 ? Norm::l2 : Norm::max;
        drawn.config.solver.rtol = i % 5 == 0 ? 1.0e-1 : 1.0e-9;
        compare(drawn);
    }
}

TEST_P(ResidentStepping, TilesWithoutSidesAndSourcesHaveTheBitsOfThePhases) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
        for (const int kind : {0, 1, 2, 3, 4, 5}) {
            const bool heat = kind % 2 == 0;
            const std::vector<std::int64_t> shape =
                kind < 4 ? std::vector<std::int64_t>{1500, 1100} : std::vector<std::int64_t>{50, 150, 200};
            Case test_case;
            test_case.problem = random_problem(shape, all_sides(SideKind::value), Coefficients::uniform, 3);
            test_case.problem.only_field().f = {};
            test_case.problem.only_field().sigma = {};
            test_case.config.execution.precision = precision;
            test_case.config.execution.groups =
                kind < 2 ? 100 : 0;  // too few groups to keep the field on the chip
            test_case.config.solver.method = SolverMethod::jacobi;
            test_case.config.solver.max_iterations = 70;
            test_case.config.solver.check_every = 23;
            if (heat) {
                test_case.problem.only_field().in_time = true;
                test_case.config.time = some_steps(test_case.problem, 50.0);
            }
            compare(test_case);
        }
    }
}

/// Every kind of side, in tiles of 128 columns and 6 or 18 rows a warp; rows that are whole lanes of four columns, and others.
TEST_P(ResidentStepping, WideTilesHaveTheBitsOfThePhases) {
    std::mt19937_64 random(33);
    for (int i = 0; i < draws / 2; ++i) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const int rows = i % 2 == 0 ? 650 : 1100;  // too large for other tiles
        const int columns = rows + 81 + below(300);
        const int left_over = i % 8 < 4 ? columns % 4 : 0;
        compare(draw_plain(random, {rows + below(300), columns - left_over}, i % 4 < 2, 5 + i));
    }
}

TEST_P(ResidentStepping, WideTilesWithSourcesHaveTheBitsOfThePhases) {
    std::mt19937_64 random(37);
    constexpr std::array<wide_terms, 3> all_terms{CONSTANT_SOURCE, CONSTANT_TERMS, SOURCE_OF_CELL};
    for (int i = 0; i < draws / 2; ++i) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const int rows = i % 2 == 0 ? 650 : 1100;
        const int columns = rows + 81 + below(300);
        const int left_over = i % 8 < 4 ? columns % 4 : 0;
        compare(draw_plain(random, {rows + below(300), columns - left_over}, i % 4 < 2, 5 + i,
                           all_terms[i % all_terms.size()]));
    }
}

/// The same with conductances in shared and in global memory; in float64 the large tiles have 7 rows.
TEST_P(ResidentStepping, WideTilesWhoseCoefficientsVaryHaveTheBitsOfThePhases) {
    std::mt19937_64 random(36);
    for (int i = 0; i < draws / 2; ++i) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const int rows = i % 2 == 0 ? 650 : 1080;
        const int columns = rows + below(60);
        const std::vector<std::int64_t> shape{rows + below(60), columns - (i % 8 < 4 ? columns % 4 : 0)};
        Case drawn = draw_plain(random, shape, true, 5 + i);
        drawn.problem = with_coefficients(drawn.problem, shape, Coefficients::variable, random());
        drawn.problem.only_field().f = {};
        drawn.problem.only_field().sigma = {};
        drawn.config.a.kind = ValueSource::Kind::dataset;
        drawn.config.time = some_steps(drawn.problem, 5 + i + 0.5);
        compare(drawn);
    }
}

/// With and without sources and sigma, varying and uniform coefficients: segments of every kind, one or several in a pipeline.
TEST_P(ResidentStepping, PipelinesHaveTheBitsOfThePhases) {
    std::mt19937_64 random(35);
    for (int i = 0; i < draws; ++i) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const bool uniform = i % 2 == 0;
        const int draw_of_kind = i / 2;
        const std::vector<std::int64_t> shape{1 + below(below(4) == 0 ? 20 : 500),
                                              draw_of_kind % 2 == 0 ? 4 * (1 + below(200)) : 1 + below(900)};
        Case drawn = draw_plain(random, shape, draw_of_kind % 4 < 2, 3 + draw_of_kind);
        const Coefficients varied =
            draw_of_kind % 5 == 4 ? Coefficients::microstructure : Coefficients::variable;
        drawn.problem =
            with_coefficients(drawn.problem, shape, uniform ? Coefficients::uniform : varied, random());
        if (draw_of_kind % 3 != 0) {
            drawn.problem.only_field().f = {};
            drawn.problem.only_field().sigma = {};
        }
        if (!uniform) {
            drawn.config.a.kind = ValueSource::Kind::dataset;
        }
        const int few = 1 + below(12);  // too few groups to keep the field on the chip
        drawn.config.execution.groups = !uniform && draw_of_kind % 8 < 4 ? 132 : few;
        if (drawn.problem.only_field().in_time) {
            drawn.config.time = some_steps(drawn.problem, 3 + draw_of_kind + 0.5);
        }
        compare(drawn);
    }
}

/// Every kind of side, in boxes of 32 x 8 x 8 and 32 x 16 x 16, which overlap in most of these shapes.
TEST_P(ResidentStepping, BoxesHaveTheBitsOfThePhases) {
    std::mt19937_64 random(34);
    for (int i = 0; i < draws / 2; ++i) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const int least = i % 2 == 0 ? 8 : 60;
        const std::vector<std::int64_t> shape{least + below(60), least + below(i % 5 == 0 ? 1 : 60),
                                              32 + below(i % 3 == 0 ? 2 : 90)};
        compare(draw_plain(random, shape, i % 4 < 2, 5 + i));
    }
    // With sources and sigma, and with varying coefficients, which are read from memory in each step.
    for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::variable}) {
        for (int i = 0; i < draws / 4; ++i) {
            const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
            const int least = i % 2 == 0 ? 8 : 60;
            const std::vector<std::int64_t> shape{least + below(50), least + below(50),
                                                  32 + 4 * below(i % 3 == 0 ? 2 : 20) + below(1 + i % 4)};
            Case drawn = draw_plain(random, shape, i % 4 < 2, 5 + i);
            drawn.problem = with_coefficients(drawn.problem, shape, coefficients, random());
            if (coefficients == Coefficients::variable) {
                drawn.config.a.kind = ValueSource::Kind::dataset;
                if (least > 8) {  // too many for boxes in float64
                    drawn.config.execution.precision = Precision::float32;
                }
            }
            if (drawn.problem.only_field().in_time) {
                drawn.config.time = some_steps(drawn.problem, 5 + i + 0.5);
            }
            compare(drawn);
        }
    }
    for (const bool heat : {false, true}) {
        compare(draw_plain(random, {128, 128, 128}, heat, 30));
        compare(draw_plain(random, {127, 113, 131}, heat, 30));
        compare(draw_plain(random, {997, 8, 32}, heat, 30));
    }
}

INSTANTIATE_TEST_SUITE_P(BackEnds, ResidentStepping, testing::Values(BackendChoice::cuda), back_end_name);

}  // namespace
}  // namespace perdure::tests::stepping_test
