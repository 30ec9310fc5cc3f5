// What devices lack for an execution model is said where the case file asks for it.
#include "solver/run/execution_models.hpp"

#include "solver/run/run_case.hpp"
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::execution_models_test {
namespace {

const char *const case_text =
    "problem: {type: diffusion, a: 1.0}\n"
    "grid: {shape: [8, 9]}\n"
    "boundary: {x-: {value: 1.0}}\n";

class ModelsMissing : public CaseFileTest {
  protected:
    /// The findings of a case with that section, `line:column message`.
    [[nodiscard]] std::string refusal(const std::string &execution) const {
        try {
            prepare_case(load(case_text + execution));
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
            EXPECT_EQ(failure.diagnostics().size(), 1U);
            const Diagnostic &found = failure.diagnostics().at(0);
            return fmt::format("{}:{} {}", found.position.line, found.position.column, found.message);
        }
        return "no failure";
    }
};

TEST_F(ModelsMissing, HostThreadsReplayNoGraphs) {
    const std::string device = host_devices().at(0)->description().name;
    for (const char *const model : {"graph", "graph_while"}) {
        EXPECT_EQ(refusal(fmt::format("execution: {{backend: host, model: {}}}\n", model)),
                  fmt::format("4:35 execution.model: {} cannot run {}: only CUDA devices can replay launch "
                              "graphs; it can run persistent, launches",
                              device, model));
    }
}

TEST_F(ModelsMissing, OpenclDevicesReplayNoGraphs) {
    std::string why_none;
    const auto devices = opencl_devices(why_none);
    if (devices.empty() || !devices[0]->description().refused.empty()) {
        GTEST_SKIP() << "no OpenCL device: " << why_none;
    }
    const std::string found = refusal("execution: {backend: opencl, device: 0, model: graph_while}\n");
    EXPECT_EQ(found, fmt::format("4:48 execution.model: {} cannot run graph_while: only CUDA devices can "
                                 "replay launch graphs; it can run persistent, launches",
                                 devices[0]->description().name));
}

TEST(ExecutionModels, DevicesLackThemForAReason) {
    DeviceDescription device;
    EXPECT_EQ(model_missing(device, ExecutionModel::persistent), "");
    EXPECT_EQ(model_missing(device, ExecutionModel::launches), "");
    EXPECT_EQ(model_missing(device, ExecutionModel::graph), "only CUDA devices can replay launch graphs");
    EXPECT_EQ(model_missing(device, ExecutionModel::graph_while),
              "only CUDA devices can replay launch graphs");
    device.no_graph.clear();
    device.no_graph_while = "the driver is old";
    EXPECT_EQ(model_missing(device, ExecutionModel::graph), "");
    EXPECT_EQ(model_missing(device, ExecutionModel::graph_while), "the driver is old");
    EXPECT_EQ(models_of(device), (std::vector<std::string>{"persistent", "launches", "graph"}));
    device.no_graph_while.clear();
    EXPECT_EQ(models_of(device),
              (std::vector<std::string>{"persistent", "launches", "graph", "graph_while"}));
}

}  // namespace
}  // namespace perdure::execution_models_test
