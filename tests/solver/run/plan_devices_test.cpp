#include "solver/run/plan_devices.hpp"

#include "tests/solver/case_file/case_files.hpp"

namespace perdure::plan_devices_test {
namespace {

class PlanDevices : public CaseFileTest {
  protected:
    Config case_of(const std::string &shape) {
        return load("problem: {type: heat, a: 1.0}\ngrid: {shape: [" + shape +
                    "]}\nboundary: {all: {value: 1.0}}\ntime: {end: 1.0}\nexecution: {devices: 8}\n");
    }
    static Boxes boxes_of(const Config &config) {
        return choose_boxes(config.grid.cells, config.grid.dimensions);
    }
    static std::string refusal(const Config &config, int devices) {
        try {
            check_devices(config, devices, boxes_of(config));
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
            return failure.diagnostics().at(0).message;
        }
        return "";
    }
};

TEST_F(PlanDevices, EachNeedsALayerOfBoxes) {
    const Config config = case_of("1000, 4096");
    ASSERT_EQ(most_devices(boxes_of(config)), 4);
    EXPECT_EQ(refusal(config, 4), "");
    EXPECT_EQ(
        refusal(config, 8),
        "execution.devices: 8 devices cannot share the case: the grid is cut along y, the first axis of "
        "grid.shape, into "
        "slabs of 256 cells or multiples of that; of 1000 cells there are 4 such slabs at most; use at most "
        "4");
    EXPECT_EQ(refusal(case_of("256, 256, 256"), 8), "");
}

TEST_F(PlanDevices, PassesNeedRowsAtBothSides) {
    ResidentPlan passes;
    passes.regime = ResidentRegime::through_memory;
    const auto refused = [&](const std::string &shape, int devices, int groups) {
        const Config config = case_of(shape);
        return why_not_on_devices(config, devices, boxes_of(config), passes, groups);
    };
    EXPECT_EQ(refused("8192, 8192", 2, 264), "");
    EXPECT_EQ(refused("20, 2048", 2, 264), "a device would have fewer than 9 rows");
    EXPECT_EQ(refused("20, 2048", 1, 132), "");
    EXPECT_EQ(refused("8192, 8192", 4, 3), "its groups, 3 in all, cannot be shared out among 4 devices");
    passes.conjugate_gradients = true;  // whose sweeps have no rows at sides
    EXPECT_EQ(refused("20, 2048", 2, 264), "");
}

}  // namespace
}  // namespace perdure::plan_devices_test
