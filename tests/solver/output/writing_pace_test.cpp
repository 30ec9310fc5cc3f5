// How often the table of a batch is written.
#include <gtest/gtest.h>

#include "solver/output/summary.hpp"

namespace perdure::writing_pace_test {
namespace {

using Time = WritingPace::Time;
using std::chrono::microseconds;

/// Ten thousand cases of a millisecond; a table of n rows takes n microseconds.
TEST(WritingPace, WritingTakesLessThanAThirtiethOfTheTime) {
    WritingPace pace;
    Time now;
    microseconds writing{0};
    int written = 0;
    for (int rows = 1; rows <= 10000; ++rows) {
        now += microseconds(1000);
        if (pace.due(now)) {
            pace.written(now, now + microseconds(rows));
            now += microseconds(rows);
            writing += microseconds(rows);
            written = rows;
        }
    }
    EXPECT_LT(30 * writing, now - Time());
    EXPECT_GT(written, 9600) << "the table is never long behind";
}

TEST(WritingPace, TheFirstRowAndSlowCasesAreWrittenAtOnce) {
    WritingPace pace;
    Time now;
    EXPECT_TRUE(pace.due(now));
    pace.written(now, now + microseconds(100));
    EXPECT_FALSE(pace.due(now + microseconds(3000)));
    EXPECT_TRUE(pace.due(now + microseconds(3100)));
}

TEST(SummaryFigures, LeaveOutWhatTheTableDoesNotShow) {
    const nlohmann::ordered_json report{
        {"iterations", 4}, {"history", {1, 2}}, {"effective", {{"axis", "x"}}}};
    EXPECT_EQ(summary_figures(report).dump(), R"({"iterations":4,"effective":{"axis":"x"}})");
    EXPECT_TRUE(summary_figures(nullptr).is_null());
}

}  // namespace
}  // namespace perdure::writing_pace_test
