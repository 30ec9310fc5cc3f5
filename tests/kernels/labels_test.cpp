// Coefficients by labels give the bits of the arrays that they stand for, on every back end.
#include <random>

#include "kernels/labels.h"
#include "solver/run/label_operator.hpp"
#include "tests/kernels/image_cases.hpp"
#include "tests/kernels/multigrid_cases.hpp"

namespace perdure::tests::labels_test {
namespace {

/// Cells of `materials` coefficients from 1 to 1000 at random, and solid ones, some of which enclose others.
Samples few_coefficients(const Grid &grid, int materials, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    return sample(grid, [&](const Point &) {
        const auto material = static_cast<int>(random() % static_cast<std::uint64_t>(materials + 1));
        return material == 0 ? 0.0 : 1.0 + 999.0 * (material - 1) / std::max(1, materials - 1);
    });
}

Problem labelled_problem(const std::vector<std::int64_t> &shape, const Kinds &kinds, int materials) {
    Problem problem = random_problem(shape, kinds, Coefficients::variable, 7);
    problem.only_field().sigma.values = {0.0};
    problem.only_field().a = few_coefficients(problem.grid, materials, 11);
    for (Side &side : problem.only_field().sides) {
        side.coefficient.values = {side.kind == SideKind::exchange ? 2.5 : 0.0};
    }
    return problem;
}

Solution run_by(bool labels, const Case &test_case, Device &device) {
    PreparedCase prepared = prepare(test_case, device);
    EXPECT_TRUE(comes_by_labels(prepared.config));
    prepared.plan.by_labels = labels;
    return prepared.config.effective ? run_effective(prepared, Progress::Style::quiet)
                                     : run_case(prepared, Progress::Style::quiet, [](const Solution &) {});
}

class Labels : public OnEachBackEnd {};

TEST_P(Labels, HaveTheBitsOfArrays) {
    struct Sample {
        std::vector<std::int64_t> shape;
        int materials;
    };
    for (const Sample &of :
         std::vector<Sample>{{{13, 17}, 3}, {{7, 11, 13}, 2}, {{3, 3, 3}, 4}, {{9, 20, 2}, 254}}) {
        const auto dimensions = static_cast<int>(of.shape.size());
        for (const Kinds &kinds : {all_sides(SideKind::value), mixed_sides(dimensions)}) {
            Case test_case = with_multigrid(labelled_problem(of.shape, kinds, of.materials));
            test_case.config.a.kind = ValueSource::Kind::labels;
            for (const Precision precision : {Precision::float64, Precision::float32, Precision::mixed}) {
                test_case.config.execution.precision = precision;
                test_case.config.solver.rtol = precision == Precision::float32 ? 1.0e-4 : 1.0e-10;
                for (const auto &device : devices()) {
                    EXPECT_TRUE(
                        same_bits(run_by(true, test_case, *device), run_by(false, test_case, *device)))
                        << device->description().name << ": " << describe_case(test_case) << ", "
                        << of.materials << " materials";
                }
            }
        }
    }
}

TEST_P(Labels, HaveTheBitsOfArraysWhereRestrictionTakesTwoSteps) {
    Case test_case = with_multigrid(labelled_problem({41, 31, 33}, mixed_sides(3), 1));
    test_case.config.a.kind = ValueSource::Kind::labels;
    test_case.config.solver.rtol = 1.0e-6;
    for (const Precision precision : {Precision::float64, Precision::mixed}) {
        test_case.config.execution.precision = precision;
        for (const auto &device : devices()) {
            const Solution labels = run_by(true, test_case, *device);
            EXPECT_TRUE(same_bits(labels, run_by(false, test_case, *device))) << device->description().name;
            EXPECT_LT(labels.report.iterations, 60) << "else cycles do not precondition";
        }
    }
}

/// Bytes that arrays take more than labels do, but for what cycles have in float32 in mixed precision.
std::int64_t bytes_saved(Precision precision, std::uint32_t labels, bool by_sides, bool by_kinds,
                         std::int64_t cells) {
    const std::int64_t size = precision == Precision::float32 ? sizeof(float) : sizeof(double);
    const std::int64_t of_cycles = precision == Precision::float64 ? sizeof(double) : sizeof(float);
    const std::int64_t arrays = 4 + (by_sides ? 1 : 0) + (by_kinds ? 1 : 0);
    std::int64_t tables = LABEL_TABLE_ENTRIES(labels) * 2 * size + 3 * std::int64_t{sizeof(std::uint32_t)};
    if (precision == Precision::mixed) {
        tables -= LABEL_TABLE_ENTRIES(labels) * (size - of_cycles);
    }
    tables += by_sides ? PLACES * labels * size : 0;
    tables += by_kinds ? KIND_POSITIONS * 128 * of_cycles : 0;
    return (arrays * size - (by_kinds ? 3 : 1)) * cells - tables;
}

TEST_P(Labels, OfImagesHaveTheBitsOfArraysInLessMemory) {
    const std::array<std::int64_t, 3> shape{23, 18, 13};
    constexpr std::int64_t cells = 23 * 18 * 13;
    struct Image {
        std::vector<double> conductivities;
        ImageSides sides;
    };
    for (const Image &image : std::vector<Image>{{{1.0, 0.1, 0.0}, ImageSides::insulated},
                                                 {{1.0, 0.1, 0.0}, ImageSides::periodic},
                                                 {{1.0, 0.1, 0.0}, ImageSides::periodic_cell},
                                                 {{1.0, 0.0}, ImageSides::insulated},
                                                 {{1.0, 0.0}, ImageSides::periodic}}) {
        const auto labels_of = static_cast<std::uint32_t>(image.conductivities.size());
        const bool by_kinds = labels_of == 2;  // 3^7 x 27 are more than there are cells
        std::vector<std::uint8_t> of_cell = random_image(cells, 35, 5);
        for (std::uint8_t &material : of_cell) {
            material = std::min(material, static_cast<std::uint8_t>(labels_of - 1));
        }
        const bool is_cell = image.sides == ImageSides::periodic_cell;
        Case test_case =
            is_cell ? periodic_cell(shape, image.conductivities, of_cell)
                    : image_case(shape, image.conductivities, of_cell, image.sides == ImageSides::periodic);
        test_case.config.output.fields = {"u"};
        for (const Precision precision : {Precision::float64, Precision::float32, Precision::mixed}) {
            test_case.config.execution.precision = precision;
            test_case.config.solver.rtol = precision == Precision::float32 ? 1.0e-4 : 1.0e-10;
            for (const auto &device : devices()) {
                const Solution labels = run_by(true, test_case, *device);
                const Solution arrays = run_by(false, test_case, *device);
                EXPECT_TRUE(same_bits(labels, arrays)) << device->description().name;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    EXPECT_EQ(labels.report.tensor->directions[axis].coefficient,
                              arrays.report.tensor->directions[axis].coefficient);
                }
                const std::int64_t less = bytes_saved(precision, labels_of, !is_cell, by_kinds, cells);
                if (precision == Precision::mixed) {
                    EXPECT_LT(labels.report.device_bytes,
                              arrays.report.device_bytes - less - (by_kinds ? 5 : 4) * 4 * cells)
                        << "cycles have as many arrays less, too";
                } else {
                    EXPECT_EQ(labels.report.device_bytes, arrays.report.device_bytes - less)
                        << "arrays less, bytes and tables more";
                }
            }
        }
    }
}

PERDURE_ON_EACH_BACK_END(Labels);

TEST(LabelTable, HoldsWhatConductsBetweenTwoLabelsAndToSides) {
    const Problem problem = labelled_problem({4, 5, 6}, all_sides(SideKind::value), 1);
    Grid grid = problem.grid;
    grid.spacing = {1.0, 0.5, 2.0};
    const LargeVector<double> table = label_table<double>(
        grid, problem.only_field().sides, equal_along_axes({2.0, 6.0}), SidesRounded::at_the_end);
    ASSERT_EQ(table.size(), LABEL_TABLE_ENTRIES(3U));
    EXPECT_DOUBLE_EQ(table[PAIR_PLACE(3U, 0U, 1U, 2U)], 3.0) << "harmonic mean";
    EXPECT_DOUBLE_EQ(table[PAIR_PLACE(3U, 1U, 2U, 2U)], 6.0 / 0.25);
    EXPECT_EQ(table[PAIR_PLACE(3U, 2U, 0U, 2U)], 0.0);
    EXPECT_DOUBLE_EQ(table[DIAGONAL_PLACE(3U, table_place(1U, 2U, 0U), 1U)], 4.0 + 16.0)
        << "at x- and y+: two cells' halves";
    EXPECT_EQ(table[DIAGONAL_PLACE(3U, 0U, 1U)], 0.0);
}

TEST(LabelTable, NumbersCoefficientsAscending) {
    const std::vector<double> found = coefficients_of_labels({{3.0, 0.0, 1.0, 1.0, 3.0, 7.0}});
    EXPECT_EQ(found, (std::vector<double>{1.0, 3.0, 7.0}));
    EXPECT_EQ(label_of(found, 3.0), 2);
    EXPECT_EQ(label_of(found, 0.0), 0);
}

}  // namespace
}  // namespace perdure::tests::labels_test
