// The bytes that throughput is counted by.
#include <gtest/gtest.h>

#include "solver/methods/method.hpp"

namespace perdure {
namespace {

TEST(BytesMoved, CountFactorsAxesAndVelocities) {
    EXPECT_EQ(heat_method.values_moved({2, 0, false, false}).per_iteration, 3);
    EXPECT_EQ(heat_method.values_moved({2, 2, false, false}).per_iteration, 5);
    EXPECT_EQ(heat_method.values_moved({2, 0, true, false}).per_iteration, 6);
    EXPECT_EQ(jacobi_method.values_moved({2, 0, true, false}).per_iteration, 7);
    EXPECT_EQ(cg_method.values_moved({2, 0, true, false}).per_iteration, 14);
    EXPECT_EQ(cg_method.values_moved({2, 0, false, false}).touched, 4)
        << "fields read and written count once";
    EXPECT_EQ(bicgstab_method.values_moved({3, 0, true, true}).per_iteration, 29);
    EXPECT_EQ(cg_multigrid_method.values_moved({3, 0, false, false, true}).per_iteration, 16)
        << "doubles, mixed";
    EXPECT_EQ(cg_multigrid_method.values_moved({3, 0, true, false, true}).per_iteration, 34);
    EXPECT_EQ(cg_multigrid_method.values_moved({3, 0, false, false, false, false}).per_iteration, 0)
        << "another cycle";
    EXPECT_EQ(cg_multigrid_method.values_moved({3, 0, false, false, false, false, 5}).per_iteration, 25)
        << "solved directly";
    EXPECT_EQ(multigrid_method.values_moved({2, 0, false, false, false, true, 3}).per_iteration, 11);
}

}  // namespace
}  // namespace perdure
