#include "solver/output/report_text.hpp"

#include <gtest/gtest.h>

namespace perdure::tests::report_text_test {
namespace {

TEST(ReportText, TimesHaveTheUnitOfTheCase) {
    Report report;
    report.stop = StopReason::complete;
    report.iterations = 4;
    report.time_step = 0.5;
    report.time = 2.0;
    EXPECT_NE(to_text(report, Grid()).find(" after 4 steps of size 0.5, t = 2\n"), std::string::npos);
    report.time_unit = " min";
    EXPECT_NE(to_text(report, Grid()).find(" after 4 steps of size 0.5 min, t = 2 min\n"), std::string::npos);
}

TEST(ReportText, AResumedRunSaysWhatWasBefore) {
    Report report;
    report.device_seconds = 9.5;
    EXPECT_NE(to_text(report, Grid()).find("  time       9.5 s on the device, "), std::string::npos);
    report.earlier_device_seconds = 1.25;
    EXPECT_NE(to_text(report, Grid())
                  .find("  time       9.5 s on the device, 1.25 s of them before the checkpoint; since it "
                        "was resumed "),
              std::string::npos)
        << to_text(report, Grid());
}

}  // namespace
}  // namespace perdure::tests::report_text_test
