// The bytes that throughput is counted by.
#include <gtest/gtest.h>

#include "kernels/list.h"
#include "solver/compare/bytes_moved.hpp"

namespace perdure::compare::bytes_moved_test {
namespace {

TEST(BytesMoved, AreKnownOfEveryKernelAndGrowWithTheProblem) {
#define PERDURE_NAME(name) #name,
    for (const char *const kernel : {PERDURE_KERNELS(PERDURE_NAME)}) {
        const ValuesMoved uniform = values_moved(kernel, {2, 0, false, false});
        EXPECT_GE(uniform.touched, 2) << kernel << ": u and b";
        for (const int dimensions : {2, 3}) {
            for (const bool convective : {false, true}) {
                const ProblemTraits traits{dimensions, 0, true, convective};
                const ValuesMoved varied = values_moved(kernel, traits);
                EXPECT_GT(varied.per_iteration, uniform.per_iteration) << kernel;
                EXPECT_GE(varied.per_iteration, varied.touched) << kernel << ": each is read or written";
                EXPECT_GE(varied.touched - uniform.touched, dimensions)
                    << kernel << ": a conductance an axis";
            }
        }
    }
#undef PERDURE_NAME
}

TEST(BytesMoved, CountFactorsAxesAndVelocities) {
    EXPECT_EQ(values_moved("heat", {2, 0, false, false}).per_iteration, 3);
    EXPECT_EQ(values_moved("heat", {2, 2, false, false}).per_iteration, 5);
    EXPECT_EQ(values_moved("heat", {2, 0, true, false}).per_iteration, 6);
    EXPECT_EQ(values_moved("jacobi", {2, 0, true, false}).per_iteration, 7);
    EXPECT_EQ(values_moved("cg", {2, 0, true, false}).per_iteration, 14);
    EXPECT_EQ(values_moved("cg", {2, 0, false, false}).touched, 4) << "fields read and written count once";
    EXPECT_EQ(values_moved("bicgstab", {3, 0, true, true}).per_iteration, 29);
    EXPECT_EQ(values_moved("cg_multigrid", {3, 0, false, false, true}).per_iteration, 16) << "doubles, mixed";
    EXPECT_EQ(values_moved("cg_multigrid", {3, 0, true, false, true}).per_iteration, 34);
    EXPECT_EQ(values_moved("cg_multigrid", {3, 0, false, false, false, false}).per_iteration, 0)
        << "another cycle";
    EXPECT_EQ(values_moved("cg_multigrid", {3, 0, false, false, false, false, 5}).per_iteration, 25)
        << "solved directly";
    EXPECT_EQ(values_moved("multigrid", {2, 0, false, false, false, true, 3}).per_iteration, 11);
    EXPECT_EQ(values_moved("gauss", {}).per_iteration, 0) << "not known";
}

}  // namespace
}  // namespace perdure::compare::bytes_moved_test
