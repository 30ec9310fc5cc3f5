#include "solver/reference/compare_fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace perdure::compare_fields_test {
namespace {

using Values = std::vector<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(CompareFields, MeasuresDifferencesOverCellsThatBothHold) {
    const FieldDifference difference =
        compare(Values{1.0, nan, 3.5, 4.0, nan}, Values{1.0, nan, 3.0, -4.0, 7.0});
    EXPECT_EQ(difference.max, 8.0);
    EXPECT_EQ(difference.worst_cell, 3);
    EXPECT_EQ(difference.max_relative, 2.0);
    EXPECT_DOUBLE_EQ(difference.l2, std::sqrt(64.25 / 3.0));
    EXPECT_DOUBLE_EQ(difference.l2_relative, std::sqrt(64.25 / 26.0));
    EXPECT_EQ(difference.disagreeing_exclusions, 1);
}

TEST(CompareFields, IsAbsoluteWhereTheReferenceIsZero) {
    const FieldDifference difference = compare(std::vector<float>{0.5F, 0.0F}, Values{0.0, 0.0});
    EXPECT_EQ(difference.max_relative, 0.5);
    EXPECT_DOUBLE_EQ(difference.l2_relative, std::sqrt(0.125));
}

TEST(CompareFields, RefusesFieldsOfDifferentSize) {
    EXPECT_THROW(compare(Values{1.0}, Values{1.0, 2.0}), Failure);
}

}  // namespace
}  // namespace perdure::compare_fields_test
