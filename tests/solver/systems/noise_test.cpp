// Noise: known answers of the generator, the distribution of the numbers, and that cells, steps and seeds have nothing to do with each other.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "kernels/cell_noise.h"

namespace perdure::noise_test {
namespace {

std::array<std::uint32_t, 4> words(const philox_block_t &block) {
    return {block.word[0], block.word[1], block.word[2], block.word[3]};
}

TEST(Noise, HasTheKnownBitsOfPhilox) {
    // Known answers of Random123, kat_vectors, philox4x32 10.
    EXPECT_EQ(words(philox({{0, 0, 0, 0}}, 0, 0)),
              (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(words(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0)),
              (std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Noise, InvertsTheNormalDistribution) {
    const auto smaller = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
    for (double p = 0x1p-53; p < 0.5; p *= 1.7) {
        const double x = inverse_of_normal_distribution(p);
        EXPECT_NEAR(smaller(x) / p, 1.0, 1.0e-15 * (5.0 + x * x)) << p;
        if (p > 1.0e-3) {
            EXPECT_NEAR(inverse_of_normal_distribution(1.0 - p), -x, 1.0e-12) << p;
        }
    }
    EXPECT_EQ(inverse_of_normal_distribution(0.5), 0.0);
}

TEST(Noise, HasTheMomentsOfANormalDistribution) {
    constexpr int cells = 1000, steps = 200, count = cells * steps;
    std::array<double, 5> moments{};
    double beyond_two = 0.0, beside = 0.0, later = 0.0, other_seed = 0.0;
    for (int step = 0; step < steps; ++step) {
        for (int cell = 0; cell < cells; ++cell) {
            const double number = cell_noise(7, cell, step);
            for (int power = 1; power < 5; ++power) {
                moments[power] += std::pow(number, power) / count;
            }
            beyond_two += std::fabs(number) > 2.0 ? 1.0 / count : 0.0;
            beside += number * cell_noise(7, cell + 1, step) / count;
            later += number * cell_noise(7, cell, step + 1) / count;
            other_seed += number * cell_noise(8, cell, step) / count;
        }
    }
    const double error =
        4.0 / std::sqrt(count);  // of four standard deviations, times that of what is averaged
    EXPECT_NEAR(moments[1], 0.0, error);
    EXPECT_NEAR(moments[2], 1.0, error * std::sqrt(2.0));
    EXPECT_NEAR(moments[3], 0.0, error * std::sqrt(15.0));
    EXPECT_NEAR(moments[4], 3.0, error * std::sqrt(96.0));
    EXPECT_NEAR(beyond_two, 0.0455, error * std::sqrt(0.0455));
    EXPECT_NEAR(beside, 0.0, error);
    EXPECT_NEAR(later, 0.0, error);
    EXPECT_NEAR(other_seed, 0.0, error);
}

}  // namespace
}  // namespace perdure::noise_test
