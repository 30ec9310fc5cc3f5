// Parts of buffers that ranks hold.
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "solver/backends/byte_ranges.hpp"
#include "solver/backends/kernel_call.hpp"

namespace perdure::byte_ranges_test {
namespace {

using Ranges = std::vector<ByteRange>;

TEST(ByteRanges, PagesThatFollowEachOtherAreOneRange) {
    EXPECT_EQ(in_pages(Ranges{{5, 90}, {95, 10}, {250, 1}}, 100), (Ranges{{0, 300}}));
    EXPECT_EQ(in_pages(Ranges{{5, 90}, {250, 60}}, 100), (Ranges{{0, 100}, {200, 200}}));
    EXPECT_EQ(in_pages(Ranges{{100, 100}, {300, 100}}, 100), (Ranges{{100, 100}, {300, 100}}));
    EXPECT_TRUE(in_pages({}, 100).empty());
}

TEST(ByteRanges, WhatIsHeldOfABuffer) {
    KernelBuffer buffer{"u", 100};
    EXPECT_EQ(held_between(buffer, 20, 30), (Ranges{{20, 30}}));
    EXPECT_EQ(held_bytes(buffer), 100U);
    buffer.held = {{10, 20}, {60, 20}};
    EXPECT_EQ(held_between(buffer, 0, 100), buffer.held);
    EXPECT_EQ(held_between(buffer, 25, 40), (Ranges{{25, 5}, {60, 5}}));
    EXPECT_TRUE(held_between(buffer, 30, 30).empty());
    EXPECT_EQ(held_bytes(buffer), 40U);
}

/// Byte by byte.
TEST(ByteRanges, PagesHoldWhatRangesHoldAndNoOtherPage) {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        constexpr std::size_t page = 16, bytes = 400;
        std::vector<bool> held(bytes);
        Ranges ranges;
        for (std::size_t at = random() % 40; at + 60 < bytes; at += random() % 60) {
            ranges.push_back({at, 1 + random() % 40});
            std::fill_n(held.begin() + static_cast<std::ptrdiff_t>(at), ranges.back().bytes, true);
            at += ranges.back().bytes;
        }
        std::vector<bool> mapped(bytes + page);
        for (const ByteRange &range : in_pages(ranges, page)) {
            EXPECT_EQ(range.begin % page + range.bytes % page, 0U);
            for (std::size_t i = 0; i < range.bytes; ++i) {
                EXPECT_FALSE(mapped[range.begin + i]);
                mapped[range.begin + i] = true;
            }
        }
        for (std::size_t begin = 0; begin < bytes; begin += page) {
            const auto first = held.begin() + static_cast<std::ptrdiff_t>(begin);
            EXPECT_EQ(mapped[begin], std::find(first, first + page, true) != first + page) << begin;
        }
    }
}

}  // namespace
}  // namespace perdure::byte_ranges_test
