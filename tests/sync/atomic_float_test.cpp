#include "sync/atomic_float.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tests/sync/group_threads.hpp"

namespace perdure::tests::atomic_float_test {
namespace {

/// The words of sync/atomic_float.h for one type, by one name.
template <typename Real>
struct AtomicFloat;
template <>
struct AtomicFloat<double> {
    using Ordered = int64;
    using Bits = std::uint64_t;
    static constexpr Ordered plus_infinity = ORDERED_PLUS_INFINITY;
    static constexpr Ordered minus_infinity = ORDERED_MINUS_INFINITY;
    static constexpr Bits sign = Bits{1} << 63;
    static Ordered ordered(double value) { return ordered_bits(value); }
    static double value(Ordered ordered) { return ordered_value(ordered); }
    static constexpr auto min = min_double;
    static constexpr auto max = max_double;
    static constexpr auto add = add_double;
    static constexpr auto fetch_add = fetch_add_double;
};
template <>
struct AtomicFloat<float> {
    using Ordered = int32;
    using Bits = std::uint32_t;
    static constexpr Ordered plus_infinity = ORDERED_FLOAT_PLUS_INFINITY;
    static constexpr Ordered minus_infinity = ORDERED_FLOAT_MINUS_INFINITY;
    static constexpr Bits sign = Bits{1} << 31;
    static Ordered ordered(float value) { return ordered_float_bits(value); }
    static float value(Ordered ordered) { return ordered_float_value(ordered); }
    static constexpr auto min = min_float;
    static constexpr auto max = max_float;
    static constexpr auto add = add_float;
    static constexpr auto fetch_add = fetch_add_float;
};

template <typename Real>
class AtomicFloats : public testing::Test {
  protected:
    using Limits = std::numeric_limits<Real>;
    using Words = AtomicFloat<Real>;
    using Bits = typename Words::Bits;

    static Bits bits(Real value) { return std::bit_cast<Bits>(value); }

    static Real minimum_of(const std::vector<Real> &values) {
        auto word = Words::plus_infinity;
        for (const Real value : values) {
            Words::min(&word, value, ORDER_RELAXED, SCOPE_DEVICE);
        }
        return Words::value(word);
    }
    static Real maximum_of(const std::vector<Real> &values) {
        auto word = Words::minus_infinity;
        for (const Real value : values) {
            Words::max(&word, value, ORDER_RELAXED, SCOPE_DEVICE);
        }
        return Words::value(word);
    }

    /// Every kind of number in increasing order; -0.0 comes before 0.0.
    const std::vector<Real> ascending{-Limits::infinity(),
                                      Limits::lowest(),
                                      Real(-1.5),
                                      -1,
                                      -Limits::min(),
                                      -Limits::min() / 8,
                                      -Limits::denorm_min(),
                                      Real(-0.0),
                                      0,
                                      Limits::denorm_min(),
                                      Limits::min() / 8,
                                      Limits::min(),
                                      1,
                                      1 + Limits::epsilon(),
                                      Real(1.5),
                                      Limits::max(),
                                      Limits::infinity()};

    /// Quiet and signalling, of both signs.
    const std::vector<Real> not_numbers{Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::signaling_NaN(),
                                        std::bit_cast<Real>(static_cast<Bits>(-1)),
                                        std::bit_cast<Real>(bits(Limits::infinity()) + 1)};
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(AtomicFloats, Reals);

TYPED_TEST(AtomicFloats, OrderedBitsIncreaseWithTheValue) {
    const auto &numbers = this->ascending;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t j = 0; j < numbers.size(); ++j) {
            EXPECT_EQ(TestFixture::Words::ordered(numbers[i]) < TestFixture::Words::ordered(numbers[j]),
                      i < j)
                << numbers[i] << " and " << numbers[j];
        }
    }
}

TYPED_TEST(AtomicFloats, OrderedBitsIncreaseByOneFromEachNumberToTheNext) {
    using Numbers = typename TestFixture::Limits;
    for (const TypeParam value : {TypeParam{-1}, -Numbers::min(), -Numbers::denorm_min() * 2, TypeParam{0},
                                  Numbers::min(), TypeParam{1}, Numbers::max() / 2}) {
        EXPECT_EQ(TestFixture::Words::ordered(std::nextafter(value, Numbers::infinity())),
                  TestFixture::Words::ordered(value) + 1)
            << value;
    }
    EXPECT_EQ(TestFixture::Words::ordered(TypeParam(-0.0)) + 1, TestFixture::Words::ordered(0));
}

TYPED_TEST(AtomicFloats, OrderedBitsGiveTheSameValueBack) {
    for (const TypeParam value : this->ascending) {
        EXPECT_EQ(this->bits(TestFixture::Words::value(TestFixture::Words::ordered(value))),
                  this->bits(value))
            << value;
    }
}

TYPED_TEST(AtomicFloats, InfinitiesAndNansHaveTheNamedOrderedBits) {
    using A = typename TestFixture::Words;
    EXPECT_EQ(A::ordered(TestFixture::Limits::infinity()), A::plus_infinity);
    EXPECT_EQ(A::ordered(-TestFixture::Limits::infinity()), A::minus_infinity);
    for (const TypeParam nan : this->not_numbers) {
        EXPECT_EQ(A::ordered(nan), A::minus_infinity);
    }
}

TYPED_TEST(AtomicFloats, OfEveryPairTheSmallerAndTheLargerWin) {
    const auto &numbers = this->ascending;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t j = 0; j < numbers.size(); ++j) {
            EXPECT_EQ(this->bits(this->minimum_of({numbers[i], numbers[j]})),
                      this->bits(numbers[std::min(i, j)]))
                << numbers[i] << " and " << numbers[j];
            EXPECT_EQ(this->bits(this->maximum_of({numbers[i], numbers[j]})),
                      this->bits(numbers[std::max(i, j)]))
                << numbers[i] << " and " << numbers[j];
        }
    }
}

TYPED_TEST(AtomicFloats, ANanWinsFromAnyPlace) {
    const TypeParam infinity = TestFixture::Limits::infinity();
    for (const TypeParam nan : this->not_numbers) {
        EXPECT_EQ(this->minimum_of({nan, -1, 2}), -infinity);
        EXPECT_EQ(this->minimum_of({3, -infinity, nan}), -infinity);
        EXPECT_EQ(this->minimum_of({infinity, nan, infinity}), -infinity);
        EXPECT_EQ(this->maximum_of({nan, 1, -2}), infinity);
        EXPECT_EQ(this->maximum_of({-3, infinity, nan}), infinity);
        EXPECT_EQ(this->maximum_of({-infinity, nan, -infinity}), infinity);
    }
}

TYPED_TEST(AtomicFloats, AreAddedAsTheTypeAddsThem) {
    for (const int order : {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL}) {
        for (const TypeParam start : this->ascending) {
            for (const TypeParam value : this->ascending) {
                TypeParam word = start;
                EXPECT_EQ(this->bits(TestFixture::Words::fetch_add(&word, value, order, SCOPE_SYSTEM)),
                          this->bits(start));
                TypeParam other = start;
                TestFixture::Words::add(&other, value, order, SCOPE_GROUP);
                const TypeParam sum = start + value;
                if (std::isnan(sum)) {
                    EXPECT_TRUE(std::isnan(word) && std::isnan(other)) << start << " + " << value;
                } else {
                    EXPECT_EQ(this->bits(word), this->bits(sum)) << start << " + " << value;
                    EXPECT_EQ(this->bits(other), this->bits(sum)) << start << " + " << value;
                }
            }
        }
    }
}

TYPED_TEST(AtomicFloats, ANanAddedStays) {
    for (const TypeParam nan : this->not_numbers) {
        TypeParam word = 1;
        TestFixture::Words::add(&word, nan, ORDER_RELAXED, SCOPE_DEVICE);
        EXPECT_TRUE(std::isnan(word));
        TestFixture::Words::add(&word, 1, ORDER_RELAXED, SCOPE_DEVICE);
        EXPECT_TRUE(std::isnan(word));
    }
}

constexpr uint32 threads = 5;
constexpr uint32 turns = 4000;

/// Values of one thread: both signs, spread over many powers of two, so that late ones win now and then.
template <typename Real>
std::vector<Real> sample_values(uint32 thread) {
    std::mt19937_64 generator(thread + 1);
    std::vector<Real> values;
    for (uint32 turn = 0; turn < turns; ++turn) {
        const auto raw = generator();
        const Real size = std::ldexp(1 + static_cast<Real>(raw % 1024) / 1024, static_cast<int>(raw >> 58));
        values.push_back((raw >> 32) % 2 == 0 ? size : -size);
    }
    return values;
}

TYPED_TEST(AtomicFloats, OfManyThreadsNoneIsMissed) {
    using A = typename TestFixture::Words;
    std::vector<std::vector<TypeParam>> values;
    for (uint32 thread = 0; thread < threads; ++thread) {
        values.push_back(sample_values<TypeParam>(thread));
    }
    std::vector<typename A::Ordered> least(turns, A::plus_infinity);
    std::vector<typename A::Ordered> most(turns, A::minus_infinity);
    run_groups(threads, [&] {
        for (uint32 turn = 0; turn < turns; ++turn) {
            const TypeParam value = values[group_index()][turn];
            A::min(&least[turn], value, ORDER_RELAXED, SCOPE_DEVICE);
            A::max(&most[turn], value, ORDER_RELAXED, SCOPE_DEVICE);
        }
    });
    for (uint32 turn = 0; turn < turns; ++turn) {
        std::vector<TypeParam> of_turn;
        for (const auto &of_thread : values) {
            of_turn.push_back(of_thread[turn]);
        }
        ASSERT_EQ(A::value(least[turn]), *std::min_element(of_turn.begin(), of_turn.end())) << turn;
        ASSERT_EQ(A::value(most[turn]), *std::max_element(of_turn.begin(), of_turn.end())) << turn;
    }
}

/// Whole numbers that the type holds exactly, so that the order of the additions makes no difference.
TYPED_TEST(AtomicFloats, AddedByManyLoseNothing) {
    using A = typename TestFixture::Words;
    TypeParam tickets = 0;
    TypeParam sum = -1;
    std::vector<std::vector<TypeParam>> seen(threads);
    run_groups(threads, [&] {
        for (uint32 turn = 0; turn < turns; ++turn) {
            seen[group_index()].push_back(A::fetch_add(&tickets, 1, ORDER_RELAXED, SCOPE_DEVICE));
            A::add(&sum, static_cast<TypeParam>(group_index()), ORDER_RELAXED, SCOPE_DEVICE);
        }
    });
    EXPECT_EQ(sum, static_cast<TypeParam>(turns * threads * (threads - 1) / 2) - 1);
    std::vector<TypeParam> all;
    for (const auto &of_thread : seen) {
        all.insert(all.end(), of_thread.begin(), of_thread.end());
    }
    std::sort(all.begin(), all.end());
    std::vector<TypeParam> expected(threads * turns);
    std::iota(expected.begin(), expected.end(), TypeParam{0});
    EXPECT_EQ(all, expected);
}

/// The sum counts messages: released by adding, acquired by adding nothing.
TYPED_TEST(AtomicFloats, SumsPassMessages) {
    TypeParam sent = 0;
    std::vector<uint32> messages(1000, 0);
    run_groups(2, [&] {
        for (uint32 message = 0; message < messages.size(); ++message) {
            if (group_index() == 0) {
                messages[message] = message + 1;
                TestFixture::Words::add(&sent, 1, ORDER_RELEASE, SCOPE_DEVICE);
            } else {
                while (TestFixture::Words::fetch_add(&sent, 0, ORDER_ACQUIRE, SCOPE_DEVICE) <=
                       static_cast<TypeParam>(message)) {
                    sched_yield();
                }
                EXPECT_EQ(messages[message], message + 1);
            }
        }
    });
}

}  // namespace
}  // namespace perdure::tests::atomic_float_test
