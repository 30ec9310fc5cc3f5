// problem.type: effective in a case file.
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::effective_section_test {
namespace {

using Texts = std::vector<std::string>;

class EffectiveSection : public CaseFileTest {
  protected:
    /// The image and grid stand on lines 2 and 3; `problem` follows on line 4 and so on.
    static std::string text(const std::string &problem, const std::string &shape = "[4, 5, 6]",
                            const std::string &rest = "") {
        return "problem:\n  a: {file: i.h5, dataset: /i, labels: {0: 1.0, 1: 0.0}}\n  type: effective\n" +
               problem + "grid: {shape: " + shape + "}\n" + rest;
    }
};

TEST_F(EffectiveSection, AllDirectionsWithMultigridWhenNothingIsSaid) {
    const Config config = load(text(""));
    EXPECT_EQ(config.type, ProblemType::effective);
    ASSERT_TRUE(config.effective.has_value());
    EXPECT_EQ(config.effective->axes, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(config.effective->sides, ImageSides::insulated);
    EXPECT_EQ(config.solver.method, SolverMethod::cg);
    EXPECT_EQ(config.solver.preconditioner, Preconditioner::multigrid);
    EXPECT_EQ(config.solver.check_every, 1);
    EXPECT_EQ(config.sides[0].kind, SideKind::value);
    EXPECT_EQ(config.sides[0].values.number, 1.0);
    EXPECT_EQ(config.sides[1].values.number, 0.0);
    EXPECT_EQ(config.sides[4].kind, SideKind::flux);
    EXPECT_EQ(load(text("", "[4, 5]")).effective->axes, (std::vector<int>{0, 1}));
    EXPECT_EQ(load(text("  directions: all\n")).effective->axes, (std::vector<int>{0, 1, 2}));
}

TEST_F(EffectiveSection, DirectionsInTheOrderGivenAndPeriodicSides) {
    Config config = load(text("  directions: [z, x]\n  lateral: periodic\n"));
    EXPECT_EQ(config.effective->axes, (std::vector<int>{2, 0}));
    EXPECT_EQ(config.effective->sides, ImageSides::periodic);
    EXPECT_EQ(config.sides[4].kind, SideKind::value);
    EXPECT_EQ(config.sides[0].kind, SideKind::periodic);
    point_along(0, config);
    EXPECT_EQ(config.sides[0].kind, SideKind::value);
    EXPECT_EQ(config.sides[5].kind, SideKind::periodic);
}

TEST_F(EffectiveSection, AllSidesMayBePeriodic) {
    const std::string all = "boundary: {all: periodic}\n";
    Config config = load(text("  directions: [z, x]\n", "[4, 5, 6]", all));
    EXPECT_EQ(config.effective->sides, ImageSides::periodic_cell);
    for (const int axis : {2, 0}) {
        point_along(axis, config);
        for (const SideConfig &side : config.sides) {
            EXPECT_EQ(side.kind, SideKind::periodic);
            EXPECT_EQ(side.values.number, 0.0);
        }
    }
    EXPECT_EQ(load(text("  lateral: periodic\n", "[4, 5]", all)).effective->sides, ImageSides::periodic_cell);
    EXPECT_EQ(errors(text("  lateral: flux\n", "[4, 5]", all)),
              Texts{"4:12 problem.lateral: the sides are insulated here, but boundary makes all of them "
                    "periodic; remove one of the two keys"});
    const std::string reason =
        "the sides of an effective case are all periodic, as in boundary: {all: periodic}, or the section is "
        "left out: then u is 1 and 0 on the two faces of each direction, and problem.lateral (flux or "
        "periodic) "
        "says what the others are";
    EXPECT_EQ(errors(text("", "[4, 5, 6]", "boundary: {x-: {value: 1.0}, all: periodic}\n")),
              Texts{"5:12 boundary.x-: " + reason});
    EXPECT_EQ(errors(text("", "[4, 5, 6]", "boundary: {all: {value: 1.0}}\n")),
              Texts{"5:17 boundary.all: " + reason});
    for (const char *const nothing : {"boundary: {}\n", "boundary:\n"}) {
        EXPECT_EQ(load(text("", "[4, 5, 6]", nothing)).effective->sides, ImageSides::insulated) << "left out";
    }
}

TEST_F(EffectiveSection, WrongDirections) {
    EXPECT_EQ(errors(text("  directions: [x, w]\n")),
              Texts{"4:19 problem.directions[1]: expected x, y or z, found 'w'"});
    EXPECT_EQ(
        errors(text("  directions: []\n")),
        Texts{"4:15 problem.directions: expected all, or a list such as [x, y, z], found an empty list"});
    EXPECT_EQ(errors(text("  directions: [x, y, x]\n")),
              Texts{"4:22 problem.directions[2]: direction x is given twice"});
    EXPECT_EQ(errors(text("  directions: both\n")),
              Texts{"4:15 problem.directions: expected all, or a list such as [x, y, z], found 'both'"});
    EXPECT_EQ(
        errors(text("  directions: [x, z]\n", "[4, 5]")),
        Texts{
            "4:19 problem.directions[1]: a grid with the shape [ny, nx] has no direction z; it has x and y"});
}

TEST_F(EffectiveSection, WhatItDoesNotTake) {
    EXPECT_EQ(errors(text("  f: 1.0\n")), Texts{"4:3 problem.f: an effective case has only the coefficient "
                                                "a; remove the key, or use type: diffusion"});
    EXPECT_EQ(
        errors("problem: {type: effective, a: 1.0}\ngrid: {shape: [4, 5]}\n"),
        Texts{"1:31 problem.a: an effective case needs a label image; expected {file: image.h5, dataset: "
              "/image, labels: {0: 1.0, 1: 0.0}}"});
    EXPECT_EQ(errors("problem: {type: diffusion, a: 1.0, directions: [x]}\ngrid: {shape: [4, 5]}\n"),
              Texts{"1:36 problem.directions: this key belongs to type: effective; remove it, or change "
                    "problem.type"});
    EXPECT_EQ(errors(text("  lateral: value\n")),
              Texts{"4:12 problem.lateral: expected flux or periodic, found 'value'"});
}

TEST_F(EffectiveSection, ConductivitiesByAxis) {
    const std::string begin =
        "problem:\n  type: effective\n  a: {file: i.h5, dataset: /i, labels: {0: 2, 1: ";
    const Config config = load(begin + "{x: 5, y: 3, z: 1}}}\ngrid: {shape: [4, 5, 6]}\n");
    EXPECT_EQ(config.a.labels_by_axis.at(1), (std::array<double, 3>{5.0, 3.0, 1.0}));
    EXPECT_EQ(config.a.labels.at(1), 3.0);
    EXPECT_EQ(config.a.labels_by_axis.count(0), 0U);
    EXPECT_EQ(load(begin + "{x: 5, y: 3}}}\ngrid: {shape: [4, 5]}\n").a.labels.at(1), 4.0);
    EXPECT_EQ(
        errors(begin + "{x: 5, y: 3}}}\ngrid: {shape: [4, 5, 6]}\n"),
        Texts{"3:6 problem.a.labels: label 1 needs a conductivity along x, y and z, or one number for all"});
    EXPECT_EQ(errors(begin + "{x: 0, y: 3, t: 1}}}\ngrid: {shape: [4, 5]}\n").size(), 2U);
    EXPECT_EQ(
        errors(
            "problem:\n  type: diffusion\n  a: {file: i.h5, dataset: /i, labels: {0: {x: 1, y: 2}}}\ngrid: "
            "{shape: [4, 5]}\n")
            .size(),
        1U)
        << "other types take one number";
}

TEST_F(EffectiveSection, TensorsOfLabels) {
    const std::string begin =
        "problem:\n  type: effective\n  a: {file: i.h5, dataset: /i, labels: {0: 2, 1: ";
    const std::string in_3d = "}}\ngrid: {shape: [4, 5, 6]}\n", in_2d = "}}\ngrid: {shape: [4, 5]}\n";
    const Config config = load(begin + "{x: 8, y: 2, z: 1, xy: 0.5, yz: -0.25}" + in_3d);
    EXPECT_EQ(config.a.labels_by_axis.at(1), (std::array<double, 3>{8.0, 2.0, 1.0}));
    EXPECT_EQ(config.a.labels_cross.at(1), (std::array<double, 3>{0.5, 0.0, -0.25}));
    EXPECT_NEAR(config.a.labels.at(1), 11.0 / 3.0, 1.0e-15);
    EXPECT_TRUE(load(begin + "{x: 8, y: 2, z: 1, xy: 0, xz: 0, yz: 0}" + in_3d).a.labels_cross.empty())
        << "a diagonal one";
    EXPECT_EQ(load(begin + "{x: 8, y: 2, xy: -3.9}" + in_2d).a.labels_cross.at(1)[0], -3.9);
    EXPECT_EQ(
        errors(begin + "{x: 8, y: 2, xy: 4}" + in_2d),
        Texts{"3:50 problem.a.labels.1: the tensor is not positive definite, as a conductivity must be; "
              "expected xy between -4 and 4, which is sqrt(x y); found 4"});
    EXPECT_EQ(
        errors(begin + "{x: 1, y: 1, z: 1, xy: 0.8, xz: 0.8, yz: -0.8}" + in_3d),
        Texts{"3:50 problem.a.labels.1: the tensor is not positive definite, as a conductivity must be; "
              "expected xy, xz and yz small enough for all its eigenvalues to be above 0"});
    EXPECT_EQ(
        errors(begin + "{x: 8, y: 2, xz: 0.5}" + in_2d),
        Texts{"3:50 problem.a.labels.1: xz and yz need z: in a 3D image give z too, in a 2D image leave "
              "xz and yz out"});
    EXPECT_EQ(
        errors(begin + "{x: 8, y: 2, yx: 0.5}" + in_2d),
        Texts{"3:63 problem.a.labels.1: expected x, y or z, or xy, xz or yz of a symmetric tensor, found "
              "'yx'"});
    EXPECT_EQ(errors(begin + "{x: 8, y: 2, xy: 1}" + in_2d + "solver: {preconditioner: jacobi}\n"),
              Texts{"5:1 solver: label 1 has a tensor with xy, xz or yz, which only method: cg with "
                    "preconditioner: multigrid solves; remove both keys, as these are the defaults"});
}

TEST_F(EffectiveSection, OfASubvolume) {
    const Config config =
        load(text("  subvolume: {shape: [2, 3, 4], from: [1, 2, 0]}\n", "[4, 5, 6], spacing: 0.5"));
    EXPECT_EQ(config.grid.cells, (std::array<std::int64_t, 3>{4, 3, 2}));
    EXPECT_EQ(config.grid.origin, (std::array<double, 3>{0.0, 1.0, 0.5}));
    ASSERT_TRUE(config.a.part.has_value());
    EXPECT_EQ(config.a.part->whole, (std::vector<std::int64_t>{4, 5, 6}));
    EXPECT_EQ(config.a.part->from, (std::vector<std::int64_t>{1, 2, 0}));
    const Config cube = load(text("  subvolume: {shape: 3}\n"));
    EXPECT_EQ(cube.grid.cells, (std::array<std::int64_t, 3>{3, 3, 3}));
    EXPECT_EQ(cube.a.part->from, (std::vector<std::int64_t>{0, 0, 0}));
    EXPECT_EQ(
        errors(text("  subvolume: {shape: 3, from: [0, 3, 0]}\n")),
        Texts{"4:22 problem.subvolume: it ends at cell 6 along y, and the image has 5 there (grid.shape)"});
    EXPECT_EQ(errors(text("  subvolume: {shape: [3, 3]}\n")),
              Texts{"4:22 problem.subvolume: expected 3 numbers, one for each axis of grid.shape"});
    EXPECT_EQ(errors(text("  subvolume: {shape: 0, fro: [0, 0, 0]}\n")),
              (Texts{"4:22 problem.subvolume.shape: expected a whole number from 1 to 2147483647, found '0'",
                     "4:25 unknown key 'problem.subvolume.fro'; did you mean 'from'?"}));
    EXPECT_EQ(errors("problem: {type: diffusion, a: 1.0, subvolume: {shape: 2}}\ngrid: {shape: [4, 5]}\n"),
              Texts{"1:36 problem.subvolume: this key belongs to type: effective; remove it, or change "
                    "problem.type"});
}

TEST_F(EffectiveSection, RedBlackOrderNeedsEvenPeriodicAxes) {
    const std::string red_black = "solver: {multigrid: {smoother: red_black}}\n";
    EXPECT_EQ(errors(text("  lateral: periodic\n  directions: [z]\n", "[5, 4, 4]", red_black)), Texts{});
    EXPECT_EQ(errors(text("  lateral: periodic\n", "[5, 4, 4]", red_black)).size(), 1U);
    const std::string all = "boundary: {all: periodic}\n" + red_black;
    EXPECT_EQ(errors(text("  directions: [z]\n", "[5, 4, 4]", all)).size(), 1U);
    EXPECT_EQ(errors(text("", "[4, 8, 4]", all)), Texts{});
}

}  // namespace
}  // namespace perdure::effective_section_test
