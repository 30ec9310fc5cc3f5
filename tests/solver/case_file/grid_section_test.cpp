// The grid of a case, and what its problem is called.
#include <span>

#include "solver/problem/memory_arrays.hpp"
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::grid_section_test {
namespace {

using GridSection = CaseFileTest;

TEST_F(GridSection, ShapeSpacingAndOrigin) {
    const auto grid = [&](const std::string &text) {
        return errors("problem: {type: diffusion, a: 1}\ngrid: {" + text + "}\n");
    };
    EXPECT_EQ(
        grid("shape: 64"),
        Texts{"2:15 grid.shape: expected the numbers of cells [nx], [ny, nx] or [nz, ny, nx], found '64'"});
    EXPECT_EQ(grid("shape: [1, 2, 3, 4]"),
              Texts{"2:15 grid.shape: expected the numbers of cells [nx], [ny, nx] or "
                    "[nz, ny, nx], found a list of 4"});
    EXPECT_EQ(grid("shape: [0, 1e2, 3.0]"),
              (Texts{"2:16 grid.shape[0]: expected a whole number from 1 to 2147483647, found '0'",
                     "2:19 grid.shape[1]: expected a whole number from 1 to 2147483647, found '1e2' "
                     "(write digits only)",
                     "2:24 grid.shape[2]: expected a whole number from 1 to 2147483647, found '3.0' "
                     "(write digits only)"}));
    EXPECT_EQ(grid("shape: [65536, 32768]"),
              Texts{"2:15 grid.shape: expected at most 2147483647 cells in total, found more"});
    EXPECT_EQ(grid("shape: [2147483647, 2147483647, 2147483647]").size(), 1);
    EXPECT_EQ(grid("shape: [2147483647, 1]"), Texts{});
    EXPECT_EQ(grid("shape: [2, 2], spacing: [1, 1, 1]"),
              Texts{"2:32 grid.spacing: expected one number for each axis of grid.shape, slowest first, "
                    "found a list of 3"});
    EXPECT_EQ(grid("shape: [2, 2], spacing: 0, origin: {x: 1}"),
              (Texts{"2:32 grid.spacing: expected a number > 0, found '0'",
                     "2:43 grid.origin: expected a number or a list with one for each axis, found a map"}));
}

TEST_F(GridSection, HasALengthInPlaceOfASpacing) {
    const auto spacing = [&](const std::string &text) {
        return load("problem: {type: diffusion, a: 1}\ngrid: {" + text + "}\n").grid.spacing;
    };
    const auto of_length = spacing("shape: [64, 128], length: [0.5, 2]");
    EXPECT_EQ(of_length[0], 2.0 / 128);
    EXPECT_EQ(of_length[1], 0.5 / 64);
    EXPECT_EQ(spacing("length: 3, shape: [4, 5, 6]"), (std::array<double, 3>{0.5, 3.0 / 5, 0.75}));
    EXPECT_EQ(
        errors("problem: {type: diffusion, a: 1}\ngrid: {shape: [2, 2], length: 1, spacing: 0.5}\n"),
        Texts{"2:31 grid.length: expected either spacing, the edge of a cell, or length, that of the box"});
    EXPECT_EQ(
        load(
            "problem: {type: diffusion, a: 1}\ngrid: {shape: [2, 2], length: 1}\nboundary: {all: periodic}\n")
            .assumed,
        Texts{});
}

TEST_F(GridSection, TakesTheShapeOfADataset) {
    const std::vector<std::uint8_t> labels(24);
    const MemoryArrays arrays(
        {{"image", {4, 6}, std::span(labels)}, {"times", {2, 3, 4, 1}, std::span(labels)}});
    const std::string file = fmt::format("file: {}, dataset: ", memory_arrays_file);
    const Config config =
        load("problem: {type: effective, a: {" + file + "image, labels: {0: 1}}}\ngrid: {length: [2, 3]}\n");
    EXPECT_EQ(config.grid.dimensions, 2);
    EXPECT_EQ(config.grid.cells, (std::array<std::int64_t, 3>{6, 4, 1}));
    EXPECT_EQ(config.grid.spacing[1], 0.5);
    EXPECT_EQ(config.assumed, Texts{"grid.shape [4, 6] of the dataset"});
    const Config of_system =
        load("problem: {type: system, fields: {u: 0}, equations: {u: k}, coefficients: {k: {" + file +
             "image}}}\ntime: {end: 1, dt: 1}\nboundary: {all: periodic}\n");
    EXPECT_EQ(of_system.grid.cells, (std::array<std::int64_t, 3>{6, 4, 1}));
    EXPECT_EQ(of_system.assumed, (Texts{"grid.shape [4, 6] of the dataset", "grid.spacing 1"}));
    EXPECT_EQ(errors("problem: {type: heat, a: 1, initial: {" + file + "times}}\ntime: {end: 1}\ngrid: {}\n"),
              Texts{"3:1 missing key 'grid.shape': the numbers of cells [nx], [ny, nx] or [nz, ny, nx]"})
        << "a field may be one of several times";
    for (const auto &[dataset, expected] :
         {std::pair{"times",
                    "expected the numbers of cells [nx], [ny, nx] or [nz, ny, nx], found [2, 3, 4, 1]"},
          {"imag", "there is no array 'imag'"}}) {
        try {
            load("problem: {type: diffusion, a: {" + file + dataset + "}}\ngrid: {}\n");
            ADD_FAILURE() << dataset;
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), ExitCode::bad_input);
            const Diagnostic &found = failure.diagnostics().at(0);
            EXPECT_EQ(fmt::format("{}:{}", found.position.line, found.position.column), "1:31");
            EXPECT_TRUE(found.message.starts_with(
                fmt::format("grid.shape is not given, so it is that of this dataset: {}", expected)))
                << found.message;
        }
    }
}

TEST_F(GridSection, OfOneAxisIsOneCellAcross) {
    const Config rod = load(
        "problem: {type: heat, a: 1, velocity: [x]}\ngrid: {shape: [50], length: [2], origin: 1}\ntime: "
        "{end: 1, dt: 1}\n"
        "boundary: {all: periodic}\n");
    EXPECT_EQ(rod.grid.axes(), 1);
    EXPECT_EQ(rod.grid.cells, (std::array<std::int64_t, 3>{50, 1, 1}));
    EXPECT_EQ(rod.grid.spacing[0], 0.04);
    EXPECT_EQ(rod.grid.spacing[1], 1.0);
    EXPECT_EQ(rod.grid.origin, (std::array<double, 3>{1.0, -0.5, 1.0}));
    EXPECT_EQ(rod.system->fields[0].sides[1].kind, SideKind::periodic);
    EXPECT_EQ(rod.system->fields[0].sides[2].kind, SideKind::flux);
    EXPECT_EQ(load("problem: {type: diffusion, a: 1}\ngrid: {shape: [3], spacing: 2}\n").assumed,
              Texts{"sides x-, x+: flux 0"});
    const auto line = [&](const std::string &rest) {
        return errors("grid: {shape: [8]}\ntime: {end: 1, dt: 1}\n" + rest);
    };
    EXPECT_EQ(line("problem: {type: heat, a: 1}\nboundary: {y-: {value: 1}}\n"),
              Texts{"4:12 boundary.y-: a grid with the shape [nx] has no sides along y"});
    EXPECT_EQ(line("problem: {type: system, fields: {u: 0}, equations: {u: dy(u) + y}}\nboundary: {all: "
                   "periodic, y-: "
                   "periodic}\n"),
              (Texts{"3:56 the grid has 1 dimension, x: there is no dy(u)",
                     "3:64 the grid has 1 dimension, x: there is no y",
                     "4:27 boundary.y-: a grid with the shape [nx] has no sides along y"}));
    EXPECT_EQ(line("problem: {type: system, fields: {u: 0, v: 0}, equations: {u: \"-upwind(v, u)\", v: "
                   "\"conserve(v^2/2; "
                   "abs(v)) + div(u*grad(v))\"}}\n"
                   "watch: {probes: {p: {x: 4}, q: {x: 1, y: 0}}}\n"),
              Texts{"4:39 watch.probes.q.y: a grid with the shape [nx] has no coordinate y"});
}

TEST_F(GridSection, EquationsKnownByOtherNames) {
    const auto of = [&](const std::string &name) {
        const Texts found =
            errors("problem: {a: 1, type: " + name + "}\ngrid: {shape: [2, 2]}\ntime: {end: 1}\n");
        return found.size() == 1 ? found.front() : fmt::format("{} errors", found.size());
    };
    EXPECT_EQ(
        of("poisson"),
        "1:23 problem.type: 'poisson' is type: diffusion, which solves -div(a grad u) + sigma u = f: give a "
        "(1 in Poisson's equation), f, where there is one sigma, and the sides in boundary");
    for (const auto &[name, type] : {std::pair{"Heat", "heat"},
                                     {"heat-equation", "heat"},
                                     {"Heat Conduction", "heat"},
                                     {"laplace", "diffusion"},
                                     {"advection_diffusion", "diffusion"},
                                     {"WAVE_EQUATION", "wave"},
                                     {"reaction-diffusion", "system"},
                                     {"allen cahn", "system"},
                                     {"tortuosity", "effective"}}) {
        EXPECT_TRUE(of(name).starts_with(fmt::format("1:23 problem.type: '{}' is type: {}", name, type)))
            << of(name);
    }
    EXPECT_EQ(of("poisoned"),
              fmt::format("1:23 problem.type: expected {}, found 'poisoned'", words_of<ProblemType>.data()));
}

}  // namespace
}  // namespace perdure::grid_section_test
