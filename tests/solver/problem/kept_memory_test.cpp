#include "solver/problem/kept_memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>

#include "solver/problem/large_vector.hpp"

namespace perdure::tests::kept_memory_test {
namespace {

constexpr std::size_t count = 3 * huge_page_bytes / sizeof(double), bytes = count * sizeof(double);

TEST(KeptMemory, GoesToTheNextVectorOfTheSameSize) {
    const KeptMemory kept(bytes);
    const double *first = nullptr;
    {
        const LargeVector<double> values(count, 1.0);
        first = values.data();
    }
    const LargeVector<double> larger(count + 1);
    EXPECT_NE(larger.data(), first);
    const LargeVector<float> as_many_bytes(2 * count);
    EXPECT_EQ(static_cast<const void *>(as_many_bytes.data()), first);
    EXPECT_EQ(KeptMemory::take(bytes), nullptr) << "it is in use";
}

TEST(KeptMemory, IsNoMoreThanWasSaid) {
    const KeptMemory kept(bytes);
    std::optional<LargeVector<double>> one(std::in_place, count), other(std::in_place, count);
    one.reset();
    other.reset();
    void *const memory = KeptMemory::take(bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(KeptMemory::take(bytes), nullptr) << "the second one went back to the system";
    free_huge_pages(memory);
}

TEST(KeptMemory, GoesBackWithTheLastWhoAskedForIt) {
    std::optional<KeptMemory> one(std::in_place, bytes), other(std::in_place, bytes);
    const auto make_two = [] { const LargeVector<double> values(count), more(count); };
    make_two();
    one.reset();
    void *const memory = KeptMemory::take(bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(KeptMemory::take(bytes), nullptr) << "half of it went with the first";
    EXPECT_TRUE(KeptMemory::keep(memory, bytes));
    other.reset();
    EXPECT_EQ(KeptMemory::take(bytes), nullptr);
}

}  // namespace
}  // namespace perdure::tests::kept_memory_test
