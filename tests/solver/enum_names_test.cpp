#include "solver/enum_names.hpp"

#include <gtest/gtest.h>

#include "solver/case_file/config.hpp"

namespace perdure::enum_names_test {
namespace {

static_assert(all_values<Norm>() == std::array{Norm::l2, Norm::max});
static_assert(values_without(Axis::y) == std::array{Axis::x, Axis::z});
static_assert(value_named<Cycle>("w") == Cycle::w);
static_assert(!value_named<Cycle>("") && !value_named<Cycle>("V"));

TEST(EnumNames, EveryValueHasItsWord) {
    for (const ExecutionModel model : all_values<ExecutionModel>()) {
        EXPECT_EQ(value_named<ExecutionModel>(name(model)), model) << name(model);
    }
    EXPECT_STREQ(name(ExecutionModel::automatic), "auto");
    EXPECT_THROW((void)name(static_cast<Axis>(3)), std::logic_error);
}

}  // namespace
}  // namespace perdure::enum_names_test
