#include "solver/time_spent.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace perdure::time_spent_test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

double seconds_since(Clock::time_point time) {
    return std::chrono::duration<double>(Clock::now() - time).count();
}

TEST(TimeSpent, PartsAddUpToTheWallTime) {
    const Clock::time_point before = Clock::now();
    const TimeSpent begin = TimeSpent::now();
    const Clock::time_point after = Clock::now();
    {
        const TimeSpent::Scope planning(Activity::plan);
        std::this_thread::sleep_for(milliseconds(20));
        {
            const TimeSpent::Scope compiling(Activity::compile);
            std::this_thread::sleep_for(milliseconds(30));
        }
        std::this_thread::sleep_for(milliseconds(20));
    }
    const double least = seconds_since(after);
    const TimeSpent spent = TimeSpent::now() - begin;
    const double most = seconds_since(before);
    EXPECT_GE(spent.total(), least - 1.0e-9);
    EXPECT_LE(spent.total(), most + 1.0e-9);
    EXPECT_GE(spent.seconds(Activity::compile), 0.030);
    EXPECT_GE(spent.seconds(Activity::plan), 0.040);
    EXPECT_EQ(spent.seconds(Activity::launch), 0.0);
}

TEST(TimeSpent, OtherThreadsCountAsBackground) {
    const TimeSpent begin = TimeSpent::now();
    TimeSince kept;
    kept.restart();
    std::thread writer([&] {
        const TimeSpent::Scope writing(Activity::write);
        std::this_thread::sleep_for(milliseconds(20));
        {
            const TimeSpent::Scope compressing(Activity::compress);
            std::this_thread::sleep_for(milliseconds(30));
        }
        kept.update();
    });
    writer.join();
    const TimeSpent spent = TimeSpent::now() - begin;
    EXPECT_GE(spent.background_seconds(Activity::write), 0.020);
    EXPECT_GE(spent.background_seconds(Activity::compress), 0.030);
    EXPECT_EQ(spent.seconds(Activity::write), 0.0);
    EXPECT_GE(spent.total(), 0.050);
    EXPECT_EQ(kept.spent().total(), 0.0);
}

TEST(TimeSpent, ACaseOfAnotherThreadHasTheTimeOfTheClock) {
    TimeSince kept;
    kept.restart();
    const Clock::time_point before = Clock::now();
    std::thread([&] {
        const TimeSpent::Scope launching(Activity::launch);
        std::this_thread::sleep_for(milliseconds(20));
        kept.update_by_clock();
    }).join();
    EXPECT_GE(kept.spent().total(), 0.020);
    EXPECT_LE(kept.spent().total(), seconds_since(before) + 0.001);
    EXPECT_EQ(kept.spent().seconds(Activity::launch), 0.0);
    EXPECT_GE(kept.spent().background_seconds(Activity::launch), 0.020);
}

TEST(TimeSpent, AThreadInTheBackgroundDoesNotCountWhileItWaits) {
    double waited = 0.0;
    const auto write_with_a_wait = [&] {
        const TimeSpent::Scope writing(Activity::write);
        std::this_thread::sleep_for(milliseconds(20));
        const TimeSpent::Wait waiting;
        const Clock::time_point before = Clock::now();
        std::this_thread::sleep_for(milliseconds(200));
        waited = seconds_since(before);
    };
    const TimeSpent begin = TimeSpent::now();
    const Clock::time_point before = Clock::now();
    std::thread(write_with_a_wait).join();
    const double without_wait = seconds_since(before) - waited;
    const TimeSpent in_background = TimeSpent::now() - begin;
    write_with_a_wait();
    const TimeSpent both = TimeSpent::now() - begin;
    EXPECT_GE(in_background.background_seconds(Activity::write), 0.020);
    EXPECT_LE(in_background.background_seconds(Activity::write), without_wait + 1.0e-9);
    EXPECT_EQ(both.background_seconds(Activity::write), in_background.background_seconds(Activity::write));
    EXPECT_GE(both.seconds(Activity::write), 0.220) << "of the main thread all time counts";
}

TEST(TimeSpent, TheBackgroundBeginsAnewWhereItWorkedOnSomethingElse) {
    const auto compress = [](milliseconds time) {
        const Clock::time_point before = Clock::now();
        std::thread([=] {
            const TimeSpent::Scope compressing(Activity::compress);
            std::this_thread::sleep_for(time);
        }).join();
        return seconds_since(before);
    };
    TimeSince former;
    former.restart();
    compress(milliseconds(10));
    TimeSince next;
    next.restart();
    compress(milliseconds(50));
    former.update_background();
    next.restart_background();
    const double behind = compress(milliseconds(10));
    next.update();
    EXPECT_GE(former.spent().background_seconds(Activity::compress), 0.060);
    EXPECT_EQ(former.spent().total(), 0.0) << "of the main thread it has what it had";
    EXPECT_GE(next.spent().background_seconds(Activity::compress), 0.010);
    EXPECT_LE(next.spent().background_seconds(Activity::compress), behind + 1.0e-9)
        << "and nothing of what came before";
    EXPECT_GE(next.spent().total(), 0.060);
}

TEST(TimeSpent, BeginsWithTheProcess) {
    TimeSince of_process;
    of_process.update();
    const double before = of_process.spent().total();
    std::this_thread::sleep_for(milliseconds(15));
    of_process.update();
    EXPECT_GT(before, 0.0);
    EXPECT_LT(before, 600.0);
    EXPECT_GE(of_process.spent().total(), before + 0.015);
}

}  // namespace
}  // namespace perdure::time_spent_test
