// Fields on their way to the thread that writes them.
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "solver/output/solution_parts.hpp"

namespace perdure::tests::field_stream_test {
namespace {

FieldResult field(int number) {
    return {"u_" + std::to_string(number), std::vector<double>(1000, number), 1, "K"};
}

TEST(FieldStream, FieldsComeInTheirOrderAndThenTheRest) {
    FieldStream stream;
    int read = 0;
    std::int64_t step = 0;
    {
        const std::jthread reader([&] {
            while (const FieldResult *next = stream.next()) {
                EXPECT_EQ(next->name, "u_" + std::to_string(read));
                EXPECT_EQ(value_at(next->values, 999), read);
                ++read;
            }
            step = stream.rest().step;
        });
        for (int i = 0; i < 100; ++i) {
            EXPECT_TRUE(stream.add(field(i)));
        }
        Solution rest;
        rest.step = 7;
        stream.finish(std::move(rest));
    }
    EXPECT_EQ(read, 100);
    EXPECT_EQ(step, 7);
}

TEST(FieldStream, ARunWithoutAnAnswerEndsTheReader) {
    FieldStream stream;
    const std::jthread reader([&] {
        EXPECT_NE(stream.next(), nullptr);
        EXPECT_THROW(stream.next(), std::runtime_error);
    });
    EXPECT_TRUE(stream.add(field(0)));
    stream.give_up();
}

TEST(FieldStream, ARunDoesNotWaitForAReaderThatFailed) {
    FieldStream stream;
    const std::jthread reader([&] {
        EXPECT_NE(stream.next(), nullptr);
        stream.stop_reading();
    });
    int taken = 0;
    while (taken < 10 && stream.add(field(taken))) {
        ++taken;
    }
    EXPECT_LE(taken, 2) << "one read, one queued";
}

}  // namespace
}  // namespace perdure::tests::field_stream_test
