// FUSED rounds once: (1 + e)(1 - e) - 1 is -e^2, which a product that is rounded first loses.
#include <gtest/gtest.h>

#include <cmath>

#include "sync/dialect.h"

namespace {

TEST(Fused, RoundsOnceInDouble) {
    const double e = std::ldexp(1.0, -30);
    volatile double below = 1.0 - e;
    EXPECT_EQ(FUSED(1.0 + e, static_cast<double>(below), -1.0), -std::ldexp(1.0, -60));
    EXPECT_EQ((1.0 + e) * below - 1.0, 0.0) << "what this test tells apart";
}

TEST(Fused, RoundsOnceInFloat) {
    const float e = std::ldexp(1.0f, -13);
    volatile float below = 1.0f - e;
    EXPECT_EQ(FUSED(1.0f + e, static_cast<float>(below), -1.0f), -std::ldexp(1.0f, -26));
    EXPECT_EQ((1.0f + e) * below - 1.0f, 0.0f) << "what this test tells apart";
}

}  // namespace
