// The wave equation: order of accuracy, what its steps conserve, the reference, execution models and the limit of its step.
#include <Eigen/Sparse>
#include <cmath>
#include <limits>
#include <numbers>

#include "solver/integrators/integrator.hpp"
#include "solver/reference/assemble.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/run/discretise.hpp"
#include "solver/run/execution_models.hpp"
#include "tests/kernels/sample_problems.hpp"
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::tests::wave_test {
namespace {

constexpr double pi = std::numbers::pi;

Config config_of(const Problem &problem) {
    Config config;
    config.type = ProblemType::wave;
    config.grid.dimensions = problem.grid.dimensions;
    config.grid.cells = problem.grid.cells;
    config.grid.spacing = problem.grid.spacing;
    config.grid.origin = problem.grid.origin;
    config.own_values = {{"damping", {}}, {"initial_rate", {}}};
    config.solver.check_every = 7;
    config.time.emplace();
    config.time->integrator = TimeIntegrator::verlet;
    return config;
}

double stable_step(const Config &config, const Problem &problem) {
    return integrator_of(config).stable_time_step(
        stable_time_steps(discretise<double>(problem, find_active_cells(problem))));
}

/// Another problem's field as u, and v with random values and damping.
Problem as_wave(Problem problem, double damping, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Problem with_time = as_heat(std::move(problem));
    Field &v = with_time.fields.emplace_back();
    v.name = "v";
    v.in_time = true;
    v.sigma = damping > 0.0 ? random_samples(with_time.grid, 0.0, damping, random) : Samples{};
    v.initial = random_samples(with_time.grid, -1.0, 1.0, random);
    for (std::size_t side = 0; side < v.sides.size(); ++side) {
        if (with_time.fields.front().sides[side].kind == SideKind::periodic) {
            v.sides[side].kind = SideKind::periodic;
        }
    }
    return with_time;
}

Case with_steps(const Problem &problem, double steps, double part_of_stable) {
    Case test_case{config_of(problem), problem};
    const double step = part_of_stable * std::min(stable_step(test_case.config, problem), 1.0);
    test_case.config.time->step = step;
    test_case.config.time->end = steps * step;
    test_case.config.time->snapshot_times = {0.27 * steps * step, steps * step};
    return test_case;
}

std::vector<Solution> run_all(const Case &test_case, Device &device) {
    std::vector<Solution> snapshots;
    const auto keep = [&](Solution one) { snapshots.push_back(std::move(one)); };
    keep(run_case(prepare_as_read(test_case, device), Progress::Style::quiet, keep));
    return snapshots;
}

std::vector<Problem> random_waves() {
    std::vector<Problem> problems;
    std::uint64_t seed = 11;
    for (const std::vector<std::int64_t> &shape :
         {std::vector<std::int64_t>{13, 17}, std::vector<std::int64_t>{5, 6, 7}}) {
        const int dimensions = static_cast<int>(shape.size());
        for (const Coefficients coefficients :
             {Coefficients::uniform, Coefficients::variable, Coefficients::microstructure}) {
            ++seed;
            problems.push_back(as_wave(random_problem(shape, mixed_sides(dimensions), coefficients, seed),
                                       seed % 2 == 0 ? 0.0 : 3.0, seed));
        }
    }
    return problems;
}

class Wave : public OnEachBackEnd {};

/// u = S cos(w t) with S = sin(pi x) cos(pi y) between x sides of value 0 and y sides of flux 0, and the f that makes it so.
Problem manufacture(std::int64_t n, double a, double sigma, double damping, double w) {
    Problem problem;
    problem.grid = box({n, n});
    const auto shape = [](const Point &x) { return std::sin(pi * x[0]) * std::cos(pi * x[1]); };
    const double eigenvalue = 2.0 * a * pi * pi + sigma;
    for (const char *const name : {"u", "v"}) {
        Field &field = problem.fields.emplace_back();
        field.name = name;
        field.in_time = true;
    }
    Field &u = problem.fields[0];
    u.a.values = {a};
    u.sigma.values = {sigma};
    u.f = sample(problem.grid, shape);
    u.f_time_factor = fmt::format("{:.17g} * cos({:.17g} * t) - {:.17g} * sin({:.17g} * t)",
                                  eigenvalue - w * w, w, damping * w, w);
    u.initial = u.f;
    u.sides[0].kind = u.sides[1].kind = SideKind::value;
    problem.fields[1].sigma.values = {damping};
    return problem;
}

double error_of(const FieldResult &field, const Samples &shape, double scale) {
    double sum = 0.0;
    for (std::size_t i = 0; i < shape.values.size(); ++i) {
        const double error = value_at(field.values, static_cast<std::int64_t>(i)) - scale * shape.values[i];
        sum += error * error;
    }
    return std::sqrt(sum / static_cast<double>(shape.values.size()));
}

TEST_P(Wave, IsOfSecondOrderInSpaceAndTimeInBothFields) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const double damping : {0.0, 1.5}) {
            constexpr double w = 4.0;
            std::vector<double> u_errors;
            std::vector<double> v_errors;
            for (const std::int64_t n : {16, 32, 64}) {
                Case test_case{{}, manufacture(n, 0.8, 0.6, damping, w)};
                test_case.config = config_of(test_case.problem);
                test_case.config.time->end = 0.9;
                test_case.config.time->snapshot_times = {0.9};
                test_case.config.time->step = 0.4 / static_cast<double>(n);
                const Solution last = run_all(test_case, *device).back();
                ASSERT_EQ(last.report.stop, StopReason::complete);
                const Samples &shape = test_case.problem.fields[0].initial;
                u_errors.push_back(error_of(last.fields.at(0), shape, std::cos(w * 0.9)));
                v_errors.push_back(error_of(last.fields.at(1), shape, -w * std::sin(w * 0.9)));
            }
            for (const std::vector<double> &errors : {u_errors, v_errors}) {
                EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1)
                    << "damping " << damping << ", errors " << errors[0] << " " << errors[1] << " "
                    << errors[2];
            }
        }
    }
}

/// Without sources: |u|^2 in A + |v|^2, and what the steps conserve to rounding, with the step h.
struct Energy {
    double of_equation = 0.0;
    double of_steps = 0.0;
};

Energy energy_of(const Solution &solution, const reference::Equations &equations, double step) {
    const auto n = static_cast<Eigen::Index>(equations.cells.size());
    Eigen::VectorXd u(n);
    Eigen::VectorXd v(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        u[i] = value_at(solution.fields[0].values, equations.cells[i]);
        v[i] = value_at(solution.fields[1].values, equations.cells[i]);
    }
    const double potential = u.dot(equations.matrix * u);
    return {potential + v.squaredNorm(),
            potential + v.squaredNorm() - 0.25 * step * step * v.dot(equations.matrix * v)};
}

TEST_P(Wave, ConservesItsEnergy) {
    Problem problem =
        as_wave(random_problem({23, 19}, all_sides(SideKind::value), Coefficients::variable, 5), 0.0, 6);
    Field &u = problem.fields[0];
    u.f = {};
    for (Side &side : u.sides) {
        side.values = {};
    }
    const reference::Equations equations = reference::assemble(problem.grid, u);
    for (const std::unique_ptr<Device> &device : devices()) {
        Case test_case{config_of(problem), problem};
        const double step = 0.5 * stable_step(test_case.config, problem);
        test_case.config.time->step = step;
        test_case.config.time->end = 4096.0 * step;
        test_case.config.time->snapshot_every = 512;
        const std::vector<Solution> snapshots = run_all(test_case, *device);
        ASSERT_EQ(snapshots.size(), 8U);
        const Energy first = energy_of(snapshots.front(), equations, step);
        for (const Solution &solution : snapshots) {
            const Energy energy = energy_of(solution, equations, step);
            EXPECT_NEAR(energy.of_steps / first.of_steps, 1.0, 1.0e-10) << "after step " << solution.step;
            EXPECT_NEAR(energy.of_equation / first.of_equation, 1.0, 0.1) << "after step " << solution.step;
        }
    }
}

TEST_P(Wave, AgreesWithTheReferenceInBothFields) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const Problem &problem : random_waves()) {
            for (const Precision precision : {Precision::float32, Precision::float64}) {
                Case test_case = with_steps(problem, 41.0, 0.8);
                test_case.config.execution.precision = precision;
                const PreparedCase prepared = prepare_as_read(test_case, *device);
                const Solution solution = run_case(prepared, Progress::Style::quiet, [](const Solution &) {});
                const reference::Answers answers =
                    prepared.plan.method->reference(prepared.problem, step_sizes(time_segments(prepared)));
                ASSERT_EQ(answers.size(), 2U);
                for (std::size_t i = 0; i < answers.size(); ++i) {
                    EXPECT_EQ(answers[i].field, solution.fields.at(i).name);
                    const FieldDifference difference = compare(solution.fields[i].values, answers[i].values);
                    EXPECT_LT(difference.l2_relative, precision == Precision::float32 ? 1.0e-4 : 1.0e-12)
                        << answers[i].field << " on " << device->description().name;
                    EXPECT_EQ(difference.disagreeing_exclusions, 0);
                }
            }
        }
    }
}

TEST_P(Wave, HasTheSameBitsInEveryModelAndWithAnyNumberOfGroups) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const Problem &problem : random_waves()) {
            Case test_case = with_steps(problem, 25.0, 0.9);
            const std::vector<Solution> at_once = run_all(test_case, *device);
            for (const ExecutionModel model :
                 {ExecutionModel::launches, ExecutionModel::graph, ExecutionModel::graph_while}) {
                if (!model_missing(*device, model).empty()) {
                    continue;
                }
                test_case.config.execution.model = model;
                const std::vector<Solution> by_phase = run_all(test_case, *device);
                ASSERT_EQ(at_once.size(), by_phase.size());
                for (std::size_t i = 0; i < at_once.size(); ++i) {
                    EXPECT_TRUE(same_bits(at_once[i], by_phase[i])) << name(model);
                }
            }
            test_case.config.execution.model = ExecutionModel::persistent;
            test_case.config.execution.groups = 1;
            EXPECT_TRUE(same_bits(at_once.back(), run_all(test_case, *device).back()));
        }
    }
}

TEST_P(Wave, NamesTheFieldOfACellThatIsNotFinite) {
    for (const std::unique_ptr<Device> &device : devices()) {
        Case test_case{{}, manufacture(8, 1.0, 0.0, 0.0, 1.0)};
        test_case.config = config_of(test_case.problem);
        test_case.problem.fields[1].initial.values.assign(64, 0.0);
        test_case.problem.fields[1].initial.values[27] = 0.9 * std::numeric_limits<double>::max();
        test_case.config.time->end = 1.0;
        test_case.config.time->snapshot_times = {1.0};
        const Solution last = run_all(test_case, *device).back();
        ASSERT_EQ(last.report.stop, StopReason::not_finite);
        ASSERT_TRUE(last.report.bad_cell.has_value());
        ASSERT_FALSE(last.report.bad_field.empty());
        const FieldResult &field = last.fields.at(last.report.bad_field == "u" ? 0 : 1);
        EXPECT_FALSE(std::isfinite(value_at(field.values, *last.report.bad_cell)));
    }
}

TEST(WaveStep, MeetsTheConditionOfCourantFriedrichsAndLewy) {
    for (const std::int64_t n : {8, 20}) {
        const Problem problem = manufacture(n, 2.0, 0.0, 100.0, 1.0);
        const double h = 1.0 / static_cast<double>(n);
        EXPECT_NEAR(stable_step(config_of(problem), problem), h / std::sqrt(2.0 * 2.0), 1.0e-12)
            << "c dt / h <= 1 / sqrt(2) in 2D, whatever the damping";
    }
}

PERDURE_ON_EACH_BACK_END(Wave);

using WaveCase = CaseFileTest;

TEST_F(WaveCase, HasKeysOfItsOwnAndItsOwnIntegrator) {
    const std::string grid_and_time = "grid: {shape: [8, 9]}\ntime: {end: 1.0}\n";
    const Config config =
        load("problem: {type: wave, a: 1.0, damping: 2.0, initial_rate: x}\n" + grid_and_time);
    EXPECT_EQ(config.time->integrator, TimeIntegrator::verlet);
    const Problem problem = make_problem(config);
    ASSERT_EQ(problem.fields.size(), 2U);
    EXPECT_EQ(problem.fields[0].name, "u");
    EXPECT_EQ(problem.fields[1].name, "v");
    EXPECT_EQ(problem.fields[1].sigma.values, std::vector<double>{2.0});
    EXPECT_EQ(problem.fields[1].initial[10], 1.5) << "x of the second cell";
    EXPECT_EQ(errors("problem: {type: heat, a: 1.0, damping: 2.0}\n" + grid_and_time),
              std::vector<std::string>{
                  "1:31 problem.damping: this key belongs to type: wave; remove it, or change problem.type"});
    EXPECT_EQ(errors("problem: {type: wave, a: 1.0}\n" + grid_and_time, {"time.method=euler"}).size(), 1U);
    EXPECT_EQ(errors("problem: {type: wave, a: 1.0, initial_rate: {number: 1, factor: t}}\n" + grid_and_time)
                  .size(),
              1U)
        << "constant in time";
    try {
        (void)make_problem(load("problem: {type: wave, a: 1.0, damping: -1.0}\n" + grid_and_time));
        FAIL() << "accepted";
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::bad_input);
        EXPECT_NE(std::string(failure.what()).find("problem.damping"), std::string::npos) << failure.what();
    }
}

}  // namespace
}  // namespace perdure::tests::wave_test
