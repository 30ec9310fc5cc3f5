// Resident runs in which groups wait for random times where they send, look for words and meet: they end, and with the bits that
// they have without.
#include <fmt/format.h>

#include "tests/kernels/sample_problems.hpp"
#include "tests/resident/delayed_kernels.hpp"

namespace perdure::tests {
namespace {

class ResidentDelays : public OnEachBackEnd {
  protected:
    /// Runs `test_case` resident, and so `times` more with delays; `kernel`: the one that this is about.
    static void expect_same(Case test_case, const std::string &kernel, int times) {
        test_case.config.execution.model = ExecutionModel::resident;
        for (const std::unique_ptr<Device> &device : devices()) {
            EXPECT_EQ(prepare(test_case, *device).plan.launched, kernel) << describe_case(test_case);
            const Solution expected = run(test_case, *device);
            delay_resident_kernels(true);
            for (int i = 0; i < times; ++i) {
                const unsigned waits = waits_of_delayed_kernels();
                const Solution delayed = run(test_case, *device);
                EXPECT_TRUE(same_bits(expected, delayed))
                    << device->description().name << ": " << describe_case(test_case);
                EXPECT_NE(waits_of_delayed_kernels(), waits) << "no delays";
            }
            delay_resident_kernels(false);
        }
    }

    static Case stepping_case(const std::vector<std::int64_t> &shape, Coefficients coefficients, bool heat,
                              bool plain) {
        Case test_case;
        test_case.problem =
            random_problem(shape, all_sides(SideKind::value), coefficients, 1 + (heat ? 1 : 0));
        if (plain) {
            test_case.problem.f = {};
            test_case.problem.sigma = {};
        }
        if (coefficients == Coefficients::variable) {
            test_case.config.a.kind = ValueSource::Kind::dataset;
        }
        test_case.config.execution.precision = Precision::float32;
        test_case.config.solver.method = SolverMethod::jacobi;
        test_case.config.solver.max_iterations = 200;
        test_case.config.solver.check_every = 17;
        test_case.config.solver.rtol = 1.0e-9;
        if (heat) {
            test_case.problem.type = ProblemType::heat;
            test_case.config.time = some_steps(test_case.problem, 200.0);
        }
        return test_case;
    }
};

TEST_P(ResidentDelays, LeaveTheBitsOfStepping) {
    for (const bool heat : {true, false}) {
        const std::string method = heat ? "heat" : "jacobi";
        const Coefficients uniform = Coefficients::uniform, variable = Coefficients::variable;
        expect_same(stepping_case({200, 250}, variable, heat, false), method + "_held_2d_small", 3);
        expect_same(stepping_case({400, 500}, uniform, heat, false), method + "_held_2d_large", 3);
        expect_same(stepping_case({1000, 900}, uniform, heat, true), method + "_held_2d_wide_6", 3);
        expect_same(stepping_case({1000, 901}, uniform, heat, true), method + "_held_2d_wide_6", 3);
        expect_same(stepping_case({1900, 2000}, uniform, heat, true), method + "_held_2d_wide_18", 3);
        expect_same(stepping_case({40, 60, 70}, uniform, heat, true), method + "_held_3d_small", 3);
        expect_same(stepping_case({110, 120, 128}, uniform, heat, true), method + "_held_3d_large", 3);
        expect_same(stepping_case({40, 60, 70}, uniform, heat, false), method + "_held_3d_small_sourced", 3);
        expect_same(stepping_case({110, 120, 128}, uniform, heat, false), method + "_held_3d_large_sourced",
                    3);
        expect_same(stepping_case({40, 60, 70}, variable, heat, false), method + "_held_3d_small_varied", 3);
        expect_same(stepping_case({110, 120, 128}, variable, heat, false), method + "_held_3d_large_varied",
                    3);
        expect_same(stepping_case({2300, 2301}, uniform, heat, false), method + "_streamed_2d", 1);
        expect_same(stepping_case({2300, 2300}, uniform, heat, true), method + "_streamed_2d", 1);
        expect_same(stepping_case({900, 901}, variable, heat, false), method + "_streamed_2d_varied", 2);
        expect_same(stepping_case({900, 900}, variable, heat, true),
                    heat ? "heat_held_2d_wide_small_varied" : "jacobi_streamed_2d_varied", 2);
        expect_same(stepping_case({130, 140, 150}, uniform, heat, false), method + "_streamed_3d", 1);
    }
}

TEST_P(ResidentDelays, LeaveTheBitsOfConjugateGradients) {
    for (const std::vector<std::int64_t> &shape : std::vector<std::vector<std::int64_t>>{{230, 231},
                                                                                         {700, 600},
                                                                                         {1100, 1000},
                                                                                         {40, 41, 45},
                                                                                         {90, 100, 128},
                                                                                         {96, 96, 96},
                                                                                         {128, 128, 128}}) {
        for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::variable}) {
            Case test_case;
            test_case.problem =
                random_problem(shape, mixed_sides(static_cast<int>(shape.size())), coefficients, 3);
            test_case.config.solver.max_iterations = 120;
            test_case.config.solver.check_every = 7;
            test_case.config.execution.cg_variant = CgVariant::single_reduction;
            expect_same(test_case, fmt::format("cg_resident_{}d", shape.size()), 3);
            if (test_case.problem.f.values.size() < 100000) {
                test_case.config.execution.cg_variant = CgVariant::pipelined;
                expect_same(test_case, fmt::format("cg_pipelined_{}d", shape.size()), 3);
                test_case.config.execution.cg_variant = CgVariant::automatic;
            }
            test_case.config.execution.groups = 3;
            test_case.config.solver.max_iterations = 30;
            expect_same(test_case, fmt::format("cg_streamed_{}d", shape.size()), 2);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(BackEnds, ResidentDelays, testing::Values(BackendChoice::cuda), back_end_name);

}  // namespace
}  // namespace perdure::tests
