// The bytes that throughput is counted by are those that the kernels' headers state.
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "kernels/list.h"
#include "solver/compare/bytes_moved.hpp"

namespace perdure::compare::bytes_moved_test {
namespace {

std::string header_of(const std::string &kernel) {
    std::ifstream file(std::string(PERDURE_SOURCE_DIR) + "/kernels/" + kernel + ".h");
    std::stringstream text;
    text << file.rdbuf();
    const std::string comment = text.str().substr(0, text.str().find("*/"));
    return std::regex_replace(comment, std::regex("\n \\* *"), " ");  // wherever its lines end
}

TEST(BytesMoved, AreThoseOfTheHeaders) {
#define PERDURE_NAME(name) #name,
    for (const char *const kernel : {PERDURE_KERNELS(PERDURE_NAME)}) {
        const std::string header = header_of(kernel);
        EXPECT_NE(header.find("Bytes per cell and"), std::string::npos) << kernel;
        EXPECT_NE(header.find(as_the_header_says(kernel)), std::string::npos)
            << kernel
            << ".h does not say what solver/compare/bytes_moved.cpp says: " << as_the_header_says(kernel);
    }
#undef PERDURE_NAME
    EXPECT_NE(header_of("heat").find("(1 + factors) b"), std::string::npos);
    EXPECT_NE(header_of("bicgstab").find("x sizeof(real_t), 29 with a velocity"), std::string::npos);
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
