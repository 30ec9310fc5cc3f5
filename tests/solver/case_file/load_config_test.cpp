// What a valid case file becomes.
#include "solver/case_file/starting_cases.hpp"
#include "solver/equations/equation.hpp"
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::load_config_test {
namespace {

using LoadConfig = CaseFileTest;
using Cells = std::array<std::int64_t, 3>;
using Lengths = std::array<double, 3>;

TEST_F(LoadConfig, StartingCaseIsComplete) {
    const Config config = load(starting_case());
    EXPECT_EQ(case_text(config), starting_case());
    EXPECT_EQ(config.title, "Diffusion in a square with a source");
    EXPECT_EQ(config.type, ProblemType::diffusion);
    EXPECT_EQ(config.f.expression, "2.0 * pi^2 * sin(pi * x) * sin(pi * y)");
    EXPECT_EQ(config.grid.cells, (Cells{64, 64, 1}));
    EXPECT_EQ(config.grid.spacing[0], 1.0 / 64.0);
    for (int side = 0; side < 4; ++side) {
        EXPECT_EQ(config.sides[side].kind, SideKind::value);
    }
    EXPECT_EQ(config.solver.method, SolverMethod::cg);
    EXPECT_EQ(config.output.fields, Texts{"u"});
    EXPECT_FALSE(config.time);
    EXPECT_TRUE(config.warnings.empty());
}

TEST_F(LoadConfig, StartingCaseShowsTheDefaults) {
    const Config shown = load(starting_case());
    const Config defaults;
    EXPECT_EQ(shown.solver.rtol, defaults.solver.rtol);
    EXPECT_EQ(shown.solver.max_iterations, defaults.solver.max_iterations);
    EXPECT_EQ(shown.solver.check_every, defaults.solver.check_every);
    EXPECT_EQ(shown.execution.watchdog, defaults.execution.watchdog);
    EXPECT_EQ(shown.output.directory, defaults.output.directory);
    EXPECT_EQ(defaults.solver.weight, 0.6666666666666666);
}

TEST_F(LoadConfig, StartingEffectiveCaseIsComplete) {
    const Config config = load(starting_effective_case());
    EXPECT_EQ(config.type, ProblemType::effective);
    EXPECT_EQ(config.effective->axes, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(config.a.file.filename(), "image.h5");
    EXPECT_EQ(config.grid.cells, (Cells{100, 100, 100}));
    EXPECT_EQ(config.solver.rtol, 1.0e-5);
    EXPECT_TRUE(config.assumed.empty());
}

TEST_F(LoadConfig, StartingCasesInTimeAreComplete) {
    for (const Equation &equation : all_equations()) {
        const Config config = load(equation.starting_case());
        EXPECT_EQ(config.type, equation.type);
        EXPECT_TRUE(config.warnings.empty()) << name(equation.type);
        EXPECT_EQ(config.time.has_value(), equation.in_time);
    }
    const Config wall = load(starting_heat_case());
    EXPECT_EQ(wall.time->integrator, TimeIntegrator::crank_nicolson);
    EXPECT_EQ(wall.capacity.expression, "if(x < 0.1, 4.0e4, 1.5e6)");
    const Config reaction = load(starting_system_case());
    EXPECT_EQ(reaction.system->fields.size(), 2U);
    EXPECT_EQ(reaction.system->watch.probes.size(), 1U);
}

TEST_F(LoadConfig, WhatIsAssumed) {
    const std::string problem = "problem: {type: diffusion, a: 2}\n";
    EXPECT_EQ(load(problem + "grid: {shape: [3, 4]}\n").assumed,
              (Texts{"sides x-, x+, y-, y+: flux 0", "grid.spacing 1"}));
    EXPECT_EQ(load(problem + "grid: {shape: [3, 4], spacing: 1}\n"
                             "boundary: {x-: {value: 1}, x+: {flux: 0}, y-: {value: 0}}\n")
                  .assumed,
              Texts{"side y+: flux 0"});
    EXPECT_EQ(load("problem: {type: effective, a: {file: d.h5, dataset: /a, labels: {0: 1}}}\ngrid: {shape: "
                   "[3, 4]}\n")
                  .assumed,
              Texts{"grid.spacing 1"});
}

TEST_F(LoadConfig, ShortestCaseHasDefaults) {
    const Config config = load("problem: {type: diffusion, a: 2}\ngrid: {shape: [3, 4, 5]}\n");
    EXPECT_EQ(config.title, "case");
    EXPECT_EQ(config.a.number, 2.0);
    EXPECT_EQ(config.f.number, 0.0);
    EXPECT_EQ(config.grid.dimensions, 3);
    EXPECT_EQ(config.grid.cells, (Cells{5, 4, 3}));
    EXPECT_EQ(config.sides[0].kind, SideKind::flux);
    EXPECT_EQ(config.output.name, "");
    EXPECT_EQ(config.output.units, std::nullopt);
    EXPECT_EQ(config.execution.device, std::nullopt);
}

TEST_F(LoadConfig, AxesAreTurnedToXYZ) {
    const Config config = load(
        "problem: {type: diffusion, a: 2}\n"
        "grid: {shape: [3, 4, 5], spacing: [0.3, 0.4, 0.5], origin: [-3, -4, -5]}\n");
    EXPECT_EQ(config.grid.spacing, (Lengths{0.5, 0.4, 0.3}));
    EXPECT_EQ(config.grid.origin, (Lengths{-5.0, -4.0, -3.0}));
}

TEST_F(LoadConfig, ReadsEveryKindOfValue) {
    const Config config = load(
        "problem:\n  type: heat\n"
        "  a: {file: data/two.h5, dataset: /image, labels: {-1: 0.5, 0: 1.0}}\n"
        "  sigma: {file: /tmp/s.h5, dataset: s}\n"
        "  f: {number: 3, factor: cos(t)}\n"
        "  initial: x + y\n"
        "grid: {shape: [8, 9]}\ntime: {end: 1}\n");
    EXPECT_EQ(config.a.kind, ValueSource::Kind::labels);
    EXPECT_EQ(config.a.file, folder_ / "data/two.h5");
    EXPECT_EQ(config.a.dataset, "/image");
    EXPECT_EQ(config.a.labels, (std::map<std::int64_t, double>{{-1, 0.5}, {0, 1.0}}));
    EXPECT_EQ(config.sigma.kind, ValueSource::Kind::dataset);
    EXPECT_EQ(config.sigma.file, "/tmp/s.h5");
    EXPECT_EQ(config.f.kind, ValueSource::Kind::number);
    EXPECT_EQ(config.f.number, 3.0);
    EXPECT_EQ(config.f.time_factor, "cos(t)");
    EXPECT_EQ(config.initial.kind, ValueSource::Kind::expression);
    EXPECT_EQ(config.initial.expression, "x + y");
}

TEST_F(LoadConfig, ReadsSides) {
    const Config config = load(
        "problem: {type: heat, a: 1}\ngrid: {shape: [8, 9]}\ntime: {end: 1}\n"
        "boundary:\n  x-: {value: {expression: y, factor: t}}\n  x+: {flux: -1}\n"
        "  y-: periodic\n  y+: periodic\n");
    EXPECT_EQ(config.sides[0].kind, SideKind::value);
    EXPECT_EQ(config.sides[0].values.expression, "y");
    EXPECT_EQ(config.sides[0].values.time_factor, "t");
    EXPECT_EQ(config.sides[1].kind, SideKind::flux);
    EXPECT_EQ(config.sides[1].values.number, -1.0);
    EXPECT_EQ(config.sides[3].kind, SideKind::periodic);
}

TEST_F(LoadConfig, ReadsExchange) {
    const Config config = load(
        "problem: {type: diffusion, a: 1}\ngrid: {shape: [8, 9]}\n"
        "boundary: {y+: {exchange: {coefficient: 5, ambient: 293.15}}}\n");
    EXPECT_EQ(config.sides[3].kind, SideKind::exchange);
    EXPECT_EQ(config.sides[3].coefficient.number, 5.0);
    EXPECT_EQ(config.sides[3].values.number, 293.15);
}

TEST_F(LoadConfig, ReadsSolverExecutionAndOutput) {
    const Config config = load(
        "problem: {type: diffusion, a: 1}\ngrid: {shape: [8, 9]}\n"
        "solver: {method: jacobi, norm: max, rtol: 0, atol: 1e-6, weight: 1.5, "
        "max_iterations: 5}\n"
        "execution: {backend: opencl, device: 1, model: launches, precision: float32, "
        "groups: 2, group_size: 64, watchdog: 0.5}\n"
        "output: {directory: out, name: n, fields: [u], compression: none, units: 1}\n");
    EXPECT_EQ(config.solver.method, SolverMethod::jacobi);
    EXPECT_EQ(config.solver.preconditioner, Preconditioner::none);
    EXPECT_EQ(config.solver.norm, Norm::max);
    EXPECT_EQ(config.solver.atol, 1e-6);
    EXPECT_EQ(config.solver.weight, 1.5);
    EXPECT_EQ(config.solver.check_every, 5) << "the default is limited by max_iterations";
    EXPECT_EQ(config.execution.backend, BackendChoice::opencl);
    EXPECT_EQ(config.execution.device, 1);
    EXPECT_EQ(config.execution.model, ExecutionModel::launches);
    EXPECT_EQ(config.execution.precision, Precision::float32);
    EXPECT_EQ(config.execution.groups, 2);
    EXPECT_EQ(config.execution.group_size, 64);
    EXPECT_EQ(config.execution.watchdog, 0.5);
    EXPECT_EQ(config.output.directory, "out");
    EXPECT_EQ(config.output.name, "n");
    EXPECT_EQ(config.output.compression, Compression::none);
    EXPECT_EQ(config.output.units, "1");
}

TEST_F(LoadConfig, ReadsTime) {
    const std::string start = "problem: {type: heat, a: 1}\ngrid: {shape: [8, 9]}\n";
    const Config list =
        load(start + "time: {end: 2, dt: 0.5, snapshots: [0.25, 1.5]}\nsolver: {check_every: 7}\n");
    EXPECT_EQ(list.time->step, 0.5);
    EXPECT_EQ(list.time->snapshot_times, (std::vector<double>{0.25, 1.5, 2.0}));
    EXPECT_EQ(list.solver.check_every, 7);
    const Config every = load(start + "time: {end: 2, dt: auto, snapshots: {every_steps: 10}}\n");
    EXPECT_EQ(every.time->step, std::nullopt);
    EXPECT_EQ(every.time->snapshot_every, 10);
    EXPECT_EQ(every.time->snapshot_times, std::vector<double>{2.0});
    const Config interval = load(start + "time: {end: 0.35, snapshots: {every: 0.1}}\n");
    EXPECT_EQ(interval.time->snapshot_times, (std::vector<double>{0.1, 2 * 0.1, 3 * 0.1, 0.35}));
    const Config ends_on_it = load(start + "time: {end: 0.3, snapshots: {every: 0.1}}\n");
    EXPECT_EQ(ends_on_it.time->snapshot_times, (std::vector<double>{0.1, 0.2, 0.3}))
        << "3 times 0.1 is a little more than 0.3";
    EXPECT_EQ(load(start + "time: {end: 2, snapshots: [1, 2]}\n").time->snapshot_times,
              (std::vector<double>{1.0, 2.0}));
}

TEST_F(LoadConfig, KeepsPositions) {
    const Config config = load(
        "problem:\n  type: heat\n  a: 1\n  f: x\ngrid:\n  shape: [8, 9]\n"
        "boundary:\n  x-: {value:   2}\ntime: {end: 1, dt: 0.1}\n");
    const auto at = [](const TextPosition &p) { return fmt::format("{}:{}", p.line, p.column); };
    EXPECT_EQ(config.a.position.file, (folder_ / "case.yaml").string());
    EXPECT_EQ(at(config.a.position), "3:6");
    EXPECT_EQ(at(config.f.position), "4:6");
    EXPECT_EQ(at(config.sigma.position), "1:1");
    EXPECT_EQ(at(config.grid.position), "5:1");
    EXPECT_EQ(at(config.sides[0].position), "8:3");
    EXPECT_EQ(at(config.sides[0].values.position), "8:17");
    EXPECT_EQ(at(config.sides[1].position), "7:1");
    EXPECT_EQ(at(config.time->position), "9:1");
    EXPECT_EQ(at(config.time->step_position), "9:20");
    EXPECT_EQ(at(config.solver.position), "1:1");
}

TEST_F(LoadConfig, ReadsAliasesBlockTextAndCarriageReturns) {
    const Config config = load(
        "\xEF\xBB\xBFtitle: Größe \u2264 1\r\nproblem:\r\n  type: diffusion\r\n  a: &one 1.5\r\n"
        "  sigma: *one\r\n  f: |\r\n    x +\r\n    y\r\ngrid: {shape: [8, 9]}\r\n");
    EXPECT_EQ(config.title, "Größe \u2264 1");
    EXPECT_EQ(config.sigma.number, 1.5);
    EXPECT_EQ(config.f.expression, "x +\ny");
    EXPECT_EQ(case_text(config).find('\r'), std::string::npos);
}

}  // namespace
}  // namespace perdure::load_config_test
