#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "sync/dialect.h"
#include "tests/sync/group_threads.hpp"
#include "tests/sync/message_forms.hpp"

namespace perdure::tests::atomics_test {
namespace {

constexpr int every_order[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL};
constexpr int every_scope[] = {SCOPE_GROUP, SCOPE_DEVICE, SCOPE_SYSTEM};

/// The words of sync/atomics.h for one type, by one name.
template <typename Word>
struct Atomics;
#define PERDURE_BOTH(type, operation)                                             \
    static type fetch_##operation(type *word, type value, int order, int scope) { \
        return fetch_##operation##_##type(word, value, order, scope);             \
    }                                                                             \
    static void only_##operation(type *word, type value, int order, int scope) {  \
        operation##_##type(word, value, order, scope);                            \
    }
#define PERDURE_WORD(type)                                                                             \
    template <>                                                                                        \
    struct Atomics<type> {                                                                             \
        static type load(type *word, int order, int scope) { return load_##type(word, order, scope); } \
        static void store(type *word, type value, int order, int scope) {                              \
            store_##type(word, value, order, scope);                                                   \
        }                                                                                              \
        static type exchange(type *word, type value, int order, int scope) {                           \
            return exchange_##type(word, value, order, scope);                                         \
        }                                                                                              \
        static type compare_exchange(type *word, type expected, type value, int order, int scope) {    \
            return compare_exchange_##type(word, expected, value, order, scope);                       \
        }                                                                                              \
        PERDURE_BOTH(type, add)                                                                        \
        PERDURE_BOTH(type, sub)                                                                        \
        PERDURE_BOTH(type, and)                                                                        \
        PERDURE_BOTH(type, or)                                                                         \
        PERDURE_BOTH(type, xor)                                                                        \
        PERDURE_BOTH(type, min)                                                                        \
        PERDURE_BOTH(type, max)                                                                        \
    };
PERDURE_WORD(uint32)
PERDURE_WORD(uint64)
#define PERDURE_SIGNED(type)    \
    template <>                 \
    struct Atomics<type> {      \
        PERDURE_BOTH(type, min) \
        PERDURE_BOTH(type, max) \
    };
PERDURE_SIGNED(int32)
PERDURE_SIGNED(int64)

template <typename Word>
constexpr std::array<Word, 8> samples{0,
                                      1,
                                      static_cast<Word>(-1),
                                      static_cast<Word>(-2),
                                      std::numeric_limits<Word>::max(),
                                      std::numeric_limits<Word>::min(),
                                      static_cast<Word>(0x5bd1e995),
                                      static_cast<Word>(0xc2b2ae3d27d4eb4fU)};

/// `fetch` and `only` leave plain(start, value), and `fetch` returns start, whatever the order and scope.
template <typename Word, typename Plain>
void expect_meaning(Word (*fetch)(Word *, Word, int, int), void (*only)(Word *, Word, int, int),
                    const Plain &plain) {
    for (const int order : every_order) {
        for (const int scope : every_scope) {
            for (const Word start : samples<Word>) {
                for (const Word value : samples<Word>) {
                    Word word = start;
                    EXPECT_EQ(fetch(&word, value, order, scope), start);
                    EXPECT_EQ(word, plain(start, value)) << start << " and " << value;
                    word = start;
                    only(&word, value, order, scope);
                    EXPECT_EQ(word, plain(start, value)) << start << " and " << value;
                }
            }
        }
    }
}

template <typename Word>
class UnsignedWords : public testing::Test {};
using Unsigned = testing::Types<uint32, uint64>;
TYPED_TEST_SUITE(UnsignedWords, Unsigned);

template <typename Word>
class AllWords : public testing::Test {};
using All = testing::Types<uint32, uint64, int32, int64>;
TYPED_TEST_SUITE(AllWords, All);

TYPED_TEST(UnsignedWords, EveryOperationDoesWhatItSays) {
    using Word = TypeParam;
    using A = Atomics<Word>;
    expect_meaning<Word>(A::fetch_add, A::only_add, [](Word a, Word b) { return Word(a + b); });
    expect_meaning<Word>(A::fetch_sub, A::only_sub, [](Word a, Word b) { return Word(a - b); });
    expect_meaning<Word>(A::fetch_and, A::only_and, [](Word a, Word b) { return Word(a & b); });
    expect_meaning<Word>(A::fetch_or, A::only_or, [](Word a, Word b) { return Word(a | b); });
    expect_meaning<Word>(A::fetch_xor, A::only_xor, [](Word a, Word b) { return Word(a ^ b); });
}

TYPED_TEST(AllWords, MinimumAndMaximumCompareWithTheirSign) {
    using Word = TypeParam;
    using A = Atomics<Word>;
    expect_meaning<Word>(A::fetch_min, A::only_min, [](Word a, Word b) { return std::min(a, b); });
    expect_meaning<Word>(A::fetch_max, A::only_max, [](Word a, Word b) { return std::max(a, b); });
}

TYPED_TEST(UnsignedWords, AreLoadedStoredAndExchanged) {
    using Word = TypeParam;
    for (const int scope : every_scope) {
        for (const Word start : samples<Word>) {
            for (const Word value : samples<Word>) {
                for (const int order : every_order) {
                    Word word = start;
                    EXPECT_EQ(Atomics<Word>::exchange(&word, value, order, scope), start);
                    EXPECT_EQ(word, value);
                }
                Word word = start;
                Atomics<Word>::store(&word, value, ORDER_RELAXED, scope);
                EXPECT_EQ(Atomics<Word>::load(&word, ORDER_ACQUIRE, scope), value);
                Atomics<Word>::store(&word, start, ORDER_RELEASE, scope);
                EXPECT_EQ(Atomics<Word>::load(&word, ORDER_RELAXED, scope), start);
            }
        }
    }
}

TYPED_TEST(UnsignedWords, AreExchangedOnlyWhenTheyAreAsExpected) {
    using Word = TypeParam;
    for (const int order : every_order) {
        for (const int scope : every_scope) {
            for (const Word start : samples<Word>) {
                for (const Word expected : samples<Word>) {
                    Word word = start;
                    EXPECT_EQ(Atomics<Word>::compare_exchange(&word, expected, 77, order, scope), start);
                    EXPECT_EQ(word, start == expected ? Word{77} : start);
                }
            }
        }
    }
}

constexpr uint32 threads = 5;
constexpr uint32 turns = 4000;

TYPED_TEST(UnsignedWords, AddedToByManyGiveEachAnotherTicket) {
    using Word = TypeParam;
    const Word start = static_cast<Word>(0) - threads * turns / 2;
    Word up = start;
    Word down = start;
    Word only = start;
    std::vector<std::vector<Word>> tickets(threads);
    run_groups(threads, [&] {
        for (uint32 turn = 0; turn < turns; ++turn) {
            tickets[group_index()].push_back(Atomics<Word>::fetch_add(&up, 1, ORDER_RELAXED, SCOPE_DEVICE) -
                                             start);
            Atomics<Word>::fetch_sub(&down, 3, ORDER_RELAXED, SCOPE_DEVICE);
            Atomics<Word>::only_add(&only, 7, ORDER_RELAXED, SCOPE_DEVICE);
            Atomics<Word>::only_sub(&only, 2, ORDER_RELAXED, SCOPE_DEVICE);
        }
    });
    EXPECT_EQ(up, static_cast<Word>(start + threads * turns));
    EXPECT_EQ(down, static_cast<Word>(start - 3 * threads * turns));
    EXPECT_EQ(only, static_cast<Word>(start + 5 * threads * turns));
    std::vector<Word> all;
    for (const auto &of_thread : tickets) {
        EXPECT_TRUE(std::is_sorted(of_thread.begin(), of_thread.end()));
        all.insert(all.end(), of_thread.begin(), of_thread.end());
    }
    std::sort(all.begin(), all.end());
    std::vector<Word> expected(threads * turns);
    std::iota(expected.begin(), expected.end(), Word{0});
    EXPECT_EQ(all, expected);
}

TYPED_TEST(UnsignedWords, KeepTheBitsOfEveryOne) {
    using Word = TypeParam;
    Word set = 0;
    Word cleared = static_cast<Word>(-1);
    Word flipped = 0;
    run_groups(threads, [&] {
        for (uint32 turn = 0; turn < turns; ++turn) {
            const Word bit = Word{1} << (turn % (sizeof(Word) * 8 / threads) * threads + group_index());
            Atomics<Word>::only_or(&set, bit, ORDER_RELAXED, SCOPE_DEVICE);
            Atomics<Word>::only_and(&cleared, static_cast<Word>(~bit), ORDER_RELAXED, SCOPE_DEVICE);
            EXPECT_EQ(Atomics<Word>::fetch_xor(&flipped, bit, ORDER_RELAXED, SCOPE_DEVICE) & bit,
                      turn / (sizeof(Word) * 8 / threads) % 2 == 0 ? 0 : bit);
        }
    });
    const std::size_t used = sizeof(Word) * 8 / threads * threads;
    const Word mask = static_cast<Word>(~Word{0}) >> (sizeof(Word) * 8 - used);
    EXPECT_EQ(set, mask);
    EXPECT_EQ(cleared, static_cast<Word>(~mask));
    Word parity = 0;
    for (uint32 turn = 0; turn < turns; ++turn) {
        for (uint32 group = 0; group < threads; ++group) {
            parity ^= Word{1} << (turn % (sizeof(Word) * 8 / threads) * threads + group);
        }
    }
    EXPECT_EQ(flipped, parity);
}

TYPED_TEST(UnsignedWords, ExchangedByManyLoseNothing) {
    using Word = TypeParam;
    Word word = 0;
    std::vector<std::vector<Word>> taken(threads);
    run_groups(threads, [&] {
        for (uint32 turn = 0; turn < turns; ++turn) {
            taken[group_index()].push_back(Atomics<Word>::exchange(&word, 1 + turn * threads + group_index(),
                                                                   ORDER_RELAXED, SCOPE_DEVICE));
        }
    });
    std::vector<Word> all{word};
    for (const auto &of_thread : taken) {
        all.insert(all.end(), of_thread.begin(), of_thread.end());
    }
    std::sort(all.begin(), all.end());
    std::vector<Word> expected(threads * turns + 1);
    std::iota(expected.begin(), expected.end(), Word{0});
    EXPECT_EQ(all, expected);
}

TYPED_TEST(UnsignedWords, CompareExchangeLoopsLoseNothing) {
    using Word = TypeParam;
    Word word = 1;
    run_groups(threads, [&] {
        for (uint32 turn = 0; turn < turns; ++turn) {
            Word seen = Atomics<Word>::load(&word, ORDER_RELAXED, SCOPE_DEVICE);
            for (;;) {
                const Word found = Atomics<Word>::compare_exchange(&word, seen, static_cast<Word>(seen * 5),
                                                                   ORDER_RELAXED, SCOPE_DEVICE);
                if (found == seen) {
                    break;
                }
                seen = found;
            }
        }
    });
    Word power = 1;
    for (uint32 turn = 0; turn < threads * turns; ++turn) {
        power = static_cast<Word>(power * 5);
    }
    EXPECT_EQ(word, power);
}

TYPED_TEST(AllWords, MinimumAndMaximumOfManyMissNone) {
    using Word = TypeParam;
    std::vector<Word> least(turns, std::numeric_limits<Word>::max());
    std::vector<Word> most(turns, std::numeric_limits<Word>::min());
    const auto value_of = [](uint32 group, uint32 turn) {
        return static_cast<Word>((uint64{turn} * threads + group) * 0x9e3779b97f4a7c15U);
    };
    run_groups(threads, [&] {
        for (uint32 turn = 0; turn < turns; ++turn) {
            const Word value = value_of(group_index(), turn);
            Atomics<Word>::only_min(&least[turn], value, ORDER_RELAXED, SCOPE_DEVICE);
            EXPECT_LE(Atomics<Word>::fetch_max(&most[turn], value, ORDER_RELAXED, SCOPE_DEVICE),
                      std::numeric_limits<Word>::max());
        }
    });
    for (uint32 turn = 0; turn < turns; ++turn) {
        Word smallest = std::numeric_limits<Word>::max();
        Word largest = std::numeric_limits<Word>::min();
        for (uint32 group = 0; group < threads; ++group) {
            smallest = std::min(smallest, value_of(group, turn));
            largest = std::max(largest, value_of(group, turn));
        }
        ASSERT_EQ(least[turn], smallest) << turn;
        ASSERT_EQ(most[turn], largest) << turn;
    }
}

TYPED_TEST(UnsignedWords, PassMessagesByEveryReleaseToEveryAcquire) {
    Messages<TypeParam> messages(20);
    run_groups(2, [&] {
        if (group_index() == 0) {
            messages.send();
        } else {
            messages.receive([](const std::string &publishing, const std::string &observing) {
                ADD_FAILURE() << "a message passed by " << publishing << " was not there after " << observing;
            });
        }
    });
}

}  // namespace
}  // namespace perdure::tests::atomics_test
