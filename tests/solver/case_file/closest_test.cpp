#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/case_file/config.hpp"

namespace perdure::closest_test {
namespace {

TEST(Closest, SuggestsNearWords) {
    const std::vector<std::string> keys{"method", "rtol", "atol", "max_iterations", "norm", "tolerance"};
    EXPECT_EQ(closest("tolerence", keys), "tolerance");
    EXPECT_EQ(closest("metohd", keys), "method");
    EXPECT_EQ(closest("max_iteration", keys), "max_iterations");
    EXPECT_EQ(closest("tol", keys), "rtol");
    EXPECT_EQ(closest("NORM", keys), "norm");
}

TEST(Closest, IsSilentAboutFarWords) {
    EXPECT_EQ(closest("colour", {"method", "rtol"}), "");
    EXPECT_EQ(closest("a", {"f"}), "");
    EXPECT_EQ(closest("", {"f", "ab"}), "");
    EXPECT_EQ(closest("word", {}), "");
}

TEST(Name, GivesTheWordsOfACaseFile) {
    EXPECT_STREQ(name(ProblemType::heat), "heat");
    EXPECT_STREQ(name(SideKind::exchange), "exchange");
    EXPECT_STREQ(name(SolverMethod::cg), "cg");
    EXPECT_STREQ(name(Preconditioner::none), "none");
    EXPECT_STREQ(name(Norm::max), "max");
    EXPECT_STREQ(name(Precision::float32), "float32");
    EXPECT_STREQ(name(ExecutionModel::launches), "launches");
    EXPECT_STREQ(name(ExecutionModel::graph), "graph");
    EXPECT_STREQ(name(ExecutionModel::graph_while), "graph_while");
    EXPECT_STREQ(name(BackendChoice::automatic), "auto");
    EXPECT_STREQ(name(Compression::fast), "fast");
}

}  // namespace
}  // namespace perdure::closest_test
