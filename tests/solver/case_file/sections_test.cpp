// Keys that are missing, out of place or out of range, section by section.
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::sections_test {
namespace {

using Sections = CaseFileTest;

TEST_F(Sections, MissingKeysAreReportedAtTheirParent) {
    EXPECT_EQ(errors("title: nothing else\n"),
              (Texts{"1:1 missing key 'problem': what to solve, such as {type: diffusion, a: 1.0, f: 1.0}",
                     "1:1 missing key 'grid': the box of cells, such as {shape: [64, 64], length: 1.0}"}));
    EXPECT_EQ(errors("title: t\nproblem:\n  f: 1\ngrid: {}\n"),
              (Texts{std::string("2:1 missing key 'problem.type': ") + words_of<ProblemType>.data(),
                     "2:1 missing key 'problem.a': the coefficient of div(a grad u)",
                     "4:1 missing key 'grid.shape': the numbers of cells [nx], [ny, nx] or [nz, ny, nx]"}));
    EXPECT_EQ(
        errors("problem: {type: heat, a: 1}\ngrid: {shape: [2, 2]}\n"),
        Texts{"1:1 missing key 'time': a heat problem needs an end time, such as {end: 1.0, dt: auto}"});
    EXPECT_EQ(errors("problem: {type: heat, a: 1}\ngrid: {shape: [2, 2]}\ntime: {dt: auto}\n"),
              Texts{"3:1 missing key 'time.end': the time to stop at"});
}

TEST_F(Sections, OneMessageForWrongTypes) {
    EXPECT_EQ(
        errors("problem: diffusion\ngrid: [2, 2]\n"),
        (Texts{"1:10 problem: expected a map of keys and values, such as {type: .., a: .., sigma: ..}, found "
               "'diffusion'",
               "2:7 grid: expected a map of keys and values, such as {shape: .., spacing: .., length: ..}, "
               "found a list"}));
    EXPECT_EQ(
        errors_of_diffusion("solver:\ntitle:\n"),
        (Texts{"3:1 solver: expected a map of keys and values, such as {method: .., preconditioner: .., "
               "weight: ..}, found nothing",
               "4:1 title: expected a title, found nothing"}));
    EXPECT_EQ(
        errors("problem: {type: [heat], a: 1}\ngrid: {shape: [2, 2]}\n"),
        Texts{fmt::format("1:17 problem.type: expected {}, found a list", words_of<ProblemType>.data())});
}

TEST_F(Sections, Problem) {
    EXPECT_EQ(errors("problem: {type: difusion, a: 1}\ngrid: {shape: [2, 2]}\ntime: {end: 1}\n"),
              Texts{fmt::format("1:17 problem.type: expected {}, found 'difusion'; did you mean 'diffusion'?",
                                words_of<ProblemType>.data())});
}

TEST_F(Sections, Boundary) {
    EXPECT_EQ(errors_of_diffusion("boundary:\n  z-: {value: 1}\n"),
              Texts{"4:3 boundary.z-: a grid with the shape [ny, nx] has no sides along z"});
    EXPECT_EQ(errors_of_diffusion("boundary: {x-: {value: 1, flux: 2}}\n"),
              Texts{"3:16 boundary.x-: found both 'value' and 'flux', but a side has one kind of condition"});
    EXPECT_EQ(errors_of_diffusion("boundary: {x-: {}, x+: dirichlet, y-: 1.0}\n"),
              (Texts{"3:16 boundary.x-: expected " + notations(),
                     "3:24 boundary.x+: expected " + notations() + ", found 'dirichlet'",
                     "3:39 boundary.y-: expected " + notations() + ", found '1.0'"}));
    EXPECT_EQ(errors_of_diffusion("boundary: {x-: {periodic: true}}\n"),
              Texts{"3:17 boundary.x-.periodic: write 'boundary.x-: periodic' without a map"});
    EXPECT_EQ(errors_of_diffusion("boundary: {x-: {exchange: {ambient: 1}}}\n"),
              Texts{"3:17 missing key 'boundary.x-.exchange.coefficient': h of a du/dn = h (v - u)"});
    EXPECT_EQ(errors_of_diffusion("boundary: {x-: periodic, y+: periodic, y-: {value: 1}}\n"),
              (Texts{"3:12 boundary.x-: periodic belongs to both sides of an axis, and x+ is not named",
                     "3:26 boundary.y+: periodic belongs to both sides of an axis, and y- is not"}));
}

TEST_F(Sections, SolverChoices) {
    EXPECT_EQ(errors_of_diffusion("solver: {method: gmres, weight: 1, preconditioner: none}\n"),
              Texts{"3:18 solver.method: expected jacobi, cg, bicgstab, chebyshev, sor or multigrid, found "
                    "'gmres'; did you mean 'bicgstab'?"});
    EXPECT_EQ(errors_of_diffusion("solver: {method: cg, weight: 0.5}\n"),
              Texts{"3:22 solver.weight: method cg has no weight, which belongs to method jacobi; remove the "
                    "key"});
    EXPECT_EQ(errors_of_diffusion("solver: {method: jacobi, preconditioner: jacobi, weight: 2}\n"),
              (Texts{"3:26 solver.preconditioner: method jacobi has no preconditioner, which belongs to the "
                     "methods cg and bicgstab; remove the key (--set solver.preconditioner= removes it)",
                     "3:58 solver.weight: expected a number in (0, 2), found '2'"}));
    EXPECT_EQ(errors_of_diffusion("solver: {norm: l1, preconditioner: no}\n"),
              (Texts{"3:16 solver.norm: expected l2 or max, found 'l1'; did you mean 'l2'?",
                     "3:36 solver.preconditioner: expected none, jacobi or multigrid, found 'no'"}));
    EXPECT_EQ(errors_of_diffusion("solver: {multigrid: {sweeps: 3}}\n"),
              Texts{"3:10 solver.multigrid: this key belongs to method multigrid and preconditioner "
                    "multigrid; remove it, or use one of these"});
    EXPECT_EQ(errors_of_diffusion("solver: {preconditioner: multigrid, multigrid: {cycle: w}}\n"),
              Texts{"3:49 solver.multigrid.cycle: cg needs a symmetric preconditioner, that is, one v cycle "
                    "from zero; the cycles w and f and start: full belong to method multigrid"});
    EXPECT_EQ(
        errors_of_diffusion("solver: {method: multigrid, multigrid: {cycle: u, smoother: ilu, sweeps: 0, "
                            "start: half}}\n"),
        (Texts{"3:48 solver.multigrid.cycle: expected v, w or f, found 'u'",
               "3:61 solver.multigrid.smoother: expected chebyshev, jacobi or red_black, found 'ilu'",
               "3:74 solver.multigrid.sweeps: expected a whole number from 1 to 8, found '0'",
               "3:84 solver.multigrid.start: expected zero or full, found 'half'"}));
    EXPECT_EQ(errors_of_diffusion("solver: {method: bicgstab, preconditioner: multigrid}\n"),
              Texts{"3:44 solver.preconditioner: preconditioner multigrid works with method cg only; method "
                    "bicgstab accepts jacobi or none"});
}

TEST_F(Sections, MixedPrecision) {
    const auto of = [&](const std::string &solver) {
        return errors_of_diffusion("solver: {" + solver + "}\nexecution: {precision: mixed}\n");
    };
    const std::string refused =
        "4:24 execution.precision: mixed runs conjugate gradients in float64 with multigrid cycles in "
        "float32, so it needs method: cg and preconditioner: multigrid, but ";
    EXPECT_EQ(of("method: cg, preconditioner: multigrid"), Texts{});
    EXPECT_EQ(of("method: cg"), Texts{refused + "the preconditioner is jacobi; use float64"});
    EXPECT_EQ(of("method: multigrid"), Texts{refused + "the method is multigrid; use float64"});
    EXPECT_EQ(errors("problem: {type: heat, a: 1}\ngrid: {shape: [2, 2]}\nexecution: {precision: "
                     "mixed}\ntime: {end: 1}\n"),
              Texts{"3:24" + refused.substr(4) + "the time steps of euler are explicit; use float64"});
}

TEST_F(Sections, Velocity) {
    const auto of = [&](const std::string &problem, const std::string &rest) {
        return errors("problem: {type: diffusion, a: 1, " + problem + "}\ngrid: {shape: [2, 2]}\n" + rest);
    };
    EXPECT_EQ(of("velocity: [0, 1], convection: upwind", "solver: {method: jacobi}\n"), Texts{});
    EXPECT_EQ(of("velocity: [0, sin(pi * x)], convection: central", ""), Texts{});
    EXPECT_EQ(
        of("velocity: 1", ""),
        Texts{"1:44 problem.velocity: expected the components [vx], [vy, vx] or [vz, vy, vx], found '1'"});
    EXPECT_EQ(of("velocity: [1, 2, 3]", ""),
              Texts{"1:34 problem.velocity: expected one component for each axis of grid.shape, slowest "
                    "first, found a list of 3"});
    EXPECT_EQ(of("velocity: [1, yes]", ""),
              Texts{"1:48 problem.velocity[1]: expected a number, an expression or a map such as {file: "
                    "data.h5, dataset: /a}, found 'yes'"});
    EXPECT_EQ(of("convection: upwind", ""), Texts{"1:34 problem.convection: this key has a meaning only with "
                                                  "a velocity; give problem.velocity, or remove the key"});
    EXPECT_EQ(of("velocity: [0, 1], convection: upwnd", ""),
              Texts{"1:64 problem.convection: expected central or upwind, found 'upwnd'; did you mean "
                    "'upwind'?"});
    EXPECT_EQ(of("velocity: [0, 1]", "solver: {method: cg}\n"),
              Texts{"3:1 solver.method: cg needs a symmetric operator, but a velocity makes it "
                    "non-symmetric; use bicgstab"});
    EXPECT_EQ(of("velocity: [0, 1]", "solver: {method: jacobi}\n"),
              Texts{"3:1 solver.method: jacobi may not converge with central differences of a velocity; "
                    "use bicgstab, or problem.convection: upwind"});
    EXPECT_EQ(
        errors("problem: {type: wave, a: 1, velocity: [0, 1]}\ngrid: {shape: [2, 2]}\ntime: {end: 1}\n"),
        Texts{"1:29 problem.velocity: a wave problem has no convection; remove the key"});
}

TEST_F(Sections, OverRelaxation) {
    EXPECT_EQ(errors_of_diffusion("solver: {method: sor, omega: auto}\n"), Texts{});
    EXPECT_EQ(errors_of_diffusion("solver: {method: sor, omega: 1.9}\n"), Texts{});
    EXPECT_EQ(errors_of_diffusion("solver: {method: sor, omega: 2}\n"),
              Texts{"3:30 solver.omega: expected auto or a number in (0, 2), found '2'"});
    EXPECT_EQ(
        errors_of_diffusion("solver: {omega: 1.5}\n"),
        Texts{"3:10 solver.omega: method cg has no omega, which belongs to method sor; remove the key"});
    EXPECT_EQ(
        errors("problem: {type: diffusion, a: 1}\ngrid: {shape: [4, 5]}\nboundary: {x-: periodic, x+: "
               "periodic}\nsolver: {method: sor}\n"),
        Texts{"4:1 solver.method: sor uses a red-black ordering, which needs an even number of cells along a "
              "periodic axis, but grid.shape has 5 along x; use an even number, or method: cg"});
}

TEST_F(Sections, SolverNumbers) {
    EXPECT_EQ(errors_of_diffusion("solver: {rtol: 1, atol: -1, max_iterations: 0}\n"),
              (Texts{"3:16 solver.rtol: expected a number in [0, 1), found '1'",
                     "3:25 solver.atol: expected a number >= 0, found '-1'",
                     "3:45 solver.max_iterations: expected a whole number from 1 to 1000000000, found '0'"}));
    EXPECT_EQ(
        errors_of_diffusion("solver: {rtol: 0}\n"),
        Texts{
            "3:1 solver: rtol and atol are both 0, so the run could never converge; give one of them a value "
            "> 0"});
    EXPECT_EQ(load("problem: {type: diffusion, a: 1}\ngrid: {shape: [2, 2]}\nsolver: {max_iterations: 10, "
                   "check_every: 11}\n")
                  .solver.check_every,
              10)
        << "the last iteration is checked anyway";
    EXPECT_EQ(errors_of_diffusion("solver: {check_every: 10001}\n"), Texts{});
    EXPECT_EQ(errors_of_diffusion("solver: {check_every: 99999999999999999999}\n"),
              Texts{"3:23 solver.check_every: expected a whole number from 1 to 1000000000, found "
                    "'99999999999999999999'"});
}

TEST_F(Sections, ExplicitStepsTakeOnlyCheckEvery) {
    EXPECT_EQ(errors_of_heat("solver: {method: cg, check_every: 3}\n"),
              Texts{"4:10 solver.method: the time steps of euler are explicit and solve no linear system; "
                    "only check_every has an effect here"});
    EXPECT_EQ(errors_of_heat("solver: {check_ever: 3}\n"),
              Texts{"4:10 unknown key 'solver.check_ever'; did you mean 'check_every'?"});
}

TEST_F(Sections, FieldsThatACaseCanHave) {
    const std::string grid = "grid: {shape: [8, 9]}\n";
    EXPECT_EQ(errors("problem: {type: effective, a: {file: d.h5, dataset: /a, labels: {0: 1}}}\n" + grid +
                     "output: {fields: [flux]}\n"),
              Texts{"3:18 output.fields: expected u in the list of fields: [u], [u, flux], or [] to write "
                    "only the report"});
    EXPECT_EQ(errors_of_heat("output: {fields: []}\n"), Texts{});
}

TEST_F(Sections, KeysThatAreNotForThisMethodAreStillSuggested) {
    EXPECT_EQ(errors_of_diffusion("solver: {method: multigrid, precondtioner: jacobi}\n"),
              Texts{"3:29 unknown key 'solver.precondtioner'; did you mean 'preconditioner'?"});
}

TEST_F(Sections, Execution) {
    EXPECT_EQ(errors_of_diffusion("execution: {model: resident}\n"), Texts{});
    EXPECT_EQ(
        errors_of_diffusion("execution: {model: launch, backend: gpu, precision: Float64, device: -1}\n"),
        (Texts{
            "3:20 execution.model: expected persistent, launches, graph, graph_while, resident or auto, "
            "found "
            "'launch'; "
            "did you mean 'launches'?",
            "3:37 execution.backend: expected auto, host, opencl or cuda, found 'gpu'; did you mean 'auto'?",
            "3:53 execution.precision: expected float32, float64 or mixed, found 'Float64'; did you mean "
            "'float64'?",
            "3:70 execution.device: expected a whole number from 0 to 2147483647, found '-1'"}));
    EXPECT_EQ(
        errors_of_diffusion("execution: {groups: 2147483648, group_size: a, watchdog: 0}\n"),
        (Texts{"3:21 execution.groups: expected a whole number from 1 to 2147483647, found '2147483648'",
               "3:45 execution.group_size: expected a whole number from 1 to 2147483647, found 'a'",
               "3:58 execution.watchdog: expected a number of seconds > 0, found '0'"}));
    EXPECT_EQ(errors_of_diffusion("execution: {reproducible: yes}\n"),
              Texts{"3:27 execution.reproducible: expected false or true, found 'yes'"});
    EXPECT_EQ(errors_of_diffusion("execution: {model: auto, reproducible: true}\n"),
              Texts{"3:40 execution.reproducible: execution.model: auto chooses by timing, so the next run "
                    "may use another model; with execution.reproducible: true, name a model"});
    EXPECT_EQ(errors_of_diffusion("execution: {model: auto, reproducible: false}\n"), Texts{});
    EXPECT_EQ(errors_of_diffusion("execution: {groups: 0, group_size: 0}\n"),
              (Texts{"3:21 execution.groups: expected a whole number from 1 to 2147483647, found '0'",
                     "3:36 execution.group_size: expected a whole number from 1 to 2147483647, found '0'"}));
}

TEST_F(Sections, Output) {
    EXPECT_EQ(
        errors_of_diffusion("output: {name: a/b, directory: \"\", compression: zip}\n"),
        (Texts{"3:16 output.name: expected a file name without '/'; set the folder with output.directory",
               "3:32 output.directory: expected the name of a folder, found an empty text",
               "3:49 output.compression: expected none, fast or small, found 'zip'"}));
    EXPECT_EQ(errors_of_diffusion("output: {name: '', fields: [u, v, u]}\n"),
              (Texts{"3:16 output.name: expected a file name, found an empty text",
                     "3:32 output.fields[1]: a diffusion problem has no field 'v'; it has u and flux",
                     "3:35 output.fields[2]: field 'u' is listed twice"}));
    EXPECT_EQ(errors_of_diffusion("output: {fields: u}\n"),
              Texts{"3:18 output.fields: expected a list of fields, such as [u], found 'u'"});
    EXPECT_EQ(errors_of_diffusion("output: {fields: []}\n"), Texts{});
    EXPECT_EQ(errors_of_diffusion("output: {fields: [flux]}\n"),
              Texts{"3:18 output.fields: expected u in the list of fields: [u], [u, flux], or [] to write "
                    "only the report"});
    EXPECT_EQ(errors_of_diffusion("output: {fields: [u, flux]}\n"), Texts{});
}

TEST_F(Sections, AllSidesAtOnce) {
    const std::string diffusion = "problem: {type: diffusion, a: 1.0}\ngrid: {shape: [8, 9]}\n";
    const Config config = load(diffusion + "boundary: {all: {value: 3.0}, y-: {flux: 2.0}}\n");
    for (const std::size_t side : {0, 1, 3}) {
        EXPECT_EQ(config.sides[side].kind, SideKind::value);
        EXPECT_EQ(config.sides[side].values.number, 3.0);
    }
    EXPECT_EQ(config.sides[2].kind, SideKind::flux);
    EXPECT_EQ(config.sides[2].values.number, 2.0);
    for (const std::string &assumed : config.assumed) {
        EXPECT_EQ(assumed.find("side"), std::string::npos) << assumed;
    }
    EXPECT_EQ(load(diffusion + "boundary: {all: periodic}\n").sides[3].kind, SideKind::periodic);
    EXPECT_EQ(errors_of_diffusion("boundary: {all: periodic, x-: {value: 1.0}}\n").size(), 1);
    EXPECT_EQ(errors_of_diffusion("boundary: {all: warm}\n").size(), 1);
}

}  // namespace
}  // namespace perdure::sections_test
