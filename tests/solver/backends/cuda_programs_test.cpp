// Kernels that are compiled for the formulas of a case, for processes that share it on GPUs. NVRTC needs no GPU.
#include "solver/backends/cuda/cuda_program.hpp"

#include <string>
#include <string_view>

#include "solver/backends/cuda/link_kernels.hpp"
#include "solver/backends/cuda/nvrtc.hpp"
#include "solver/integrators/integrator.hpp"
#include "solver/methods/method.hpp"
#include "solver/systems/system_memory.hpp"
#include "tests/kernels/stepped_systems.hpp"
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::cuda::cuda_programs_test {
namespace {

constexpr const char *watched = R"yaml(
watch:
  every_steps: 3
  integrals: {mass: {sum: u + v}, least: {min: u*v}, part: {mean: v, where: y > 1}, slope: {L2: "dot(grad(u), grad(v))"}}
  probes: {cut: {from: {x: 3, y: 0.5}, to: {x: 30, y: 3}, points: 5, of: {u: u, rough: lap(v)}}}
)yaml";

class CudaProgramsOfCases : public CaseFileTest, public testing::WithParamInterface<tests::SteppedSystem> {
  protected:
    void SetUp() override {
        try {
            (void)nvrtc_version();
        } catch (const Failure &failure) {
            GTEST_SKIP() << failure.what();
        }
    }

    /// The code that a run of the case has, with other ranks or by itself.
    [[nodiscard]] static std::string code_of(const Config &config, RanksOfKernel ranks) {
        const SystemSteps steps = steps_of_formulas(config);
        KernelVariant variant{std::string(method_of(config).kernel), config.execution.precision};
        variant.definitions =
            systems::printed_definitions(systems::formulas_of_kernel(*config.formulas, steps), steps,
                                         config.grid.dimensions, real_bytes(config));
        variant.ranks = ranks;
        CudaProgram program = make_program(variant, false, "sm_90");
        program.options.emplace_back(compile_quickly);
        const CompiledKernels compiled = compile(program);
        EXPECT_NE(compiled.code.find(compiled.symbols.at(program.instance)), std::string::npos);
        return compiled.code;
    }
};

TEST_P(CudaProgramsOfCases, KnowOtherRanksWhereTheyShareTheCase) {
    const std::string steps = fmt::format("time: {{{}, end: 0.1}}\n", GetParam().steps);
    const Config config = load(GetParam().text() + watched + "execution: {precision: float32}\n" + steps);
    EXPECT_NE(code_of(config, RanksOfKernel::peers).find("perdure_ranks"), std::string::npos);
    if (std::string_view(GetParam().name) == tests::stepped_systems[0].name) {
        EXPECT_EQ(code_of(config, RanksOfKernel::none).find("perdure_ranks"), std::string::npos);
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, CudaProgramsOfCases, testing::ValuesIn(tests::stepped_systems),
                         [](const auto &of) {
                             std::string name = of.param.name;
                             std::ranges::replace(name, ' ', '_');
                             return name;
                         });

}  // namespace
}  // namespace perdure::cuda::cuda_programs_test
