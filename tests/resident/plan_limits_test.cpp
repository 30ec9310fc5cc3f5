// Plans of resident runs stay within the limits of a device, and name what a device lacks.
#include <algorithm>
#include <tuple>

#include "tests/resident/plan_cases.hpp"

namespace perdure::tests::plan_limits_test {
namespace {

TEST(PlanLimits, StaysWithinWhatSmallDevicesHave) {
    for (const ResidentDevice &device : {mig_slice, desktop, old_card}) {
        for (const Precision precision : {Precision::float32, Precision::float64}) {
            for (const bool varied : {false, true}) {
                Config config = heat_case(1000, 777, precision);
                if (varied) {
                    config.a.kind = ValueSource::Kind::dataset;
                }
                const ResidentPlan plan = plan_resident(config, device);
                if (varied && precision == Precision::float64 && device.shared_bytes_per_group == 65536) {
                    EXPECT_NE(plan.refused.find("bytes of shared memory"), std::string::npos);
                    continue;
                }
                ASSERT_EQ(plan.refused, "");
                EXPECT_LE(plan.groups, device.units);
                EXPECT_GE(plan.group_size, 32);
                EXPECT_EQ(plan.group_size % 32, 0);
                EXPECT_LE(plan.group_size, device.items_per_unit);
                EXPECT_LE(plan.shared_bytes, device.shared_bytes_per_group);
            }
        }
    }
}

/// If a multiprocessor has one unit less of a resource than a kernel needs, that kernel is not planned.
TEST(PlanLimits, PlansForNoMoreThanAMultiprocessorHas) {
    Config varied_boxes = heat_case(64, 64);
    varied_boxes.grid.cells[2] = 64;
    varied_boxes.grid.dimensions = 3;
    varied_boxes.a.kind = ValueSource::Kind::dataset;
    Config varied = heat_case(2048, 2048, Precision::float32);
    varied.a.kind = ValueSource::Kind::dataset;
    for (const auto &[config, registers, items] : {std::tuple{heat_case(256, 256), 65536, 256},
                                                   {heat_case(700, 700), 32768, 256},
                                                   {heat_case(2048, 2048), 65536, 512},
                                                   {varied, 65536, 512},
                                                   {varied_boxes, 65536, 256}}) {
        const ResidentPlan on_chip = plan_resident(config, h100);
        ASSERT_EQ(on_chip.regime, ResidentRegime::field_on_chip);
        const std::int64_t of_unit = on_chip.groups > h100.units ? 2 : 1;
        ResidentDevice device = h100;
        device.registers_per_unit = registers;
        device.items_per_unit = items;
        device.shared_bytes_per_group =
            std::max<std::int64_t>(of_unit * (on_chip.shared_bytes + 1024) - 1024, 32768);
        EXPECT_EQ(plan_resident(config, device).kernel, on_chip.kernel);
        for (std::int64_t ResidentDevice::*lacking :
             {&ResidentDevice::registers_per_unit, &ResidentDevice::items_per_unit,
              &ResidentDevice::shared_bytes_per_group}) {
            ResidentDevice less = device;
            less.*lacking -= 1;
            EXPECT_NE(plan_resident(config, less).kernel, on_chip.kernel)
                << on_chip.kernel << " with " << less.registers_per_unit << " registers, "
                << less.items_per_unit << " items, " << less.shared_bytes_per_group << " bytes";
        }
    }
}

/// Stored times of execution models use it as their key.
TEST(PlanLimits, HasAnotherFingerprintWhereAnotherKernelRuns) {
    const Config plain = heat_case(1024, 1024);
    const std::string of_plain = fingerprint(plan_resident(plain, h100));
    Config in_time = plain;
    in_time.f.time_factor = "cos(t)";
    EXPECT_NE(fingerprint(plan_resident(in_time, h100)), of_plain);
    Config sigma = plain;
    sigma.sigma.number = 1.0;
    EXPECT_NE(fingerprint(plan_resident(sigma, h100)), of_plain);
    Config exchange = plain;
    exchange.sides[0].coefficient.kind = ValueSource::Kind::expression;
    EXPECT_NE(fingerprint(plan_resident(exchange, h100)), of_plain);
    ResidentDevice none = h100;
    none.missing = "it has none";
    EXPECT_EQ(fingerprint(plan_resident(plain, none)), "none");
    EXPECT_EQ(fingerprint(plan_resident(plain, h100)), of_plain);
}

TEST(PlanLimits, SaysWhatADeviceLacks) {
    ResidentDevice small = h100;
    small.shared_bytes_per_group = 16384;
    EXPECT_EQ(plan_resident(heat_case(4096, 4096), small).refused,
              "2 warps of the kernel need 8160 registers each and 56832 bytes of shared memory "
              "together, but "
              "each of the 132 multiprocessors has 65536 registers and 16384 bytes");
    ResidentDevice none = h100;
    none.missing = "only CUDA devices have kernels that keep fields on the chip";
    EXPECT_EQ(plan_resident(heat_case(64, 64), none).refused, none.missing);
}

}  // namespace
}  // namespace perdure::tests::plan_limits_test
