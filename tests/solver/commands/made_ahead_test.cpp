// Things that several threads make before it is their turn: their order, their bound and their errors.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "solver/commands/made_ahead.hpp"

namespace perdure::tests::made_ahead_test {
namespace {

using commands::MadeAhead;

TEST(MadeAhead, ThingsComeInTheirOrderAndEachIsMadeOnce) {
    constexpr std::size_t count = 2000;
    std::vector<std::atomic<int>> made(count);
    MadeAhead<std::unique_ptr<std::size_t>> things(count, [&](std::size_t i) {
        ++made[i];
        return std::make_unique<std::size_t>(i * i);
    });
    for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(*things.take(), i * i);
    }
    for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(made[i], 1) << i;
    }
}

TEST(MadeAhead, FewThingsAreMadeByWhoTakesThem) {
    const std::thread::id here = std::this_thread::get_id();
    MadeAhead<std::thread::id> things(3, [](std::size_t) { return std::this_thread::get_id(); });
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(things.take(), here);
    }
}

TEST(MadeAhead, NoMoreAreMadeThanTwiceTheThreads) {
    constexpr std::size_t count = 1000;
    std::atomic<std::size_t> begun = 0;
    MadeAhead<std::size_t> things(count, [&](std::size_t i) {
        ++begun;
        return i;
    });
    (void)things.take();
    const std::size_t most = 2 * commands::threads_to_make(count);
    ASSERT_GT(most, 0U);
    while (begun < 1 + most) {
        std::this_thread::yield();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(begun, 1 + most);
    EXPECT_EQ(things.take(), 1U);
}

TEST(MadeAhead, WhatMakingThrowsIsThrownInItsTurn) {
    MadeAhead<std::size_t> things(100, [](std::size_t i) {
        if (i % 10 == 7) {
            throw std::runtime_error(std::to_string(i));
        }
        return i;
    });
    for (std::size_t i = 0; i < 100; ++i) {
        try {
            EXPECT_EQ(things.take(), i);
            EXPECT_NE(i % 10, 7U);
        } catch (const std::runtime_error &error) {
            EXPECT_EQ(error.what(), std::to_string(i));
            EXPECT_EQ(i % 10, 7U);
        }
    }
}

TEST(MadeAhead, NothingIsBegunOnceItIsGivenUp) {
    std::atomic<std::size_t> begun = 0, alive = 0;
    {
        const MadeAhead<std::shared_ptr<void>> things(1000, [&](std::size_t) {
            ++begun;
            ++alive;
            return std::shared_ptr<void>(nullptr, [&](void *) { --alive; });
        });
    }
    const std::size_t at_the_end = begun;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(begun, at_the_end);
    EXPECT_LE(begun, 2 * commands::threads_to_make(1000));
    EXPECT_EQ(alive, 0U);
}

}  // namespace
}  // namespace perdure::tests::made_ahead_test
