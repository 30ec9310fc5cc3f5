// Lines of tiles are shared out: every one is one worker's, no budget is overdrawn, little of them is left over.
#include "tests/resident/emulated_cuda.hpp"

#include <map>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#define DELAY_HERE()

#include "kernels/common.h"
#include "kernels/resident/row.h"
#include "kernels/stencil_formula.h"

namespace perdure::tests {

#define PERDURE_PROGRAM "tests/resident/deal_program.h"
#include "solver/backends/both_precisions.inc"

namespace {

/// Rows and planes of grids on a GPU like the H100 and on smaller ones, dealt out.
class Deals : public testing::Test {
  protected:
    static run_parameters_t grid(std::uint32_t nx, std::uint32_t ny, std::uint32_t nz,
                                 std::uint32_t periodic = 0) {
        run_parameters_t made{};
        made.nx = nx;
        made.ny = ny;
        made.nz = nz;
        made.periodic_x = periodic & 1U;
        made.periodic_y = periodic >> 1U & 1U;
        return made;
    }
    /// With the least budget that leaves nothing.
    template <typename Deal, typename Tiles>
    static Deal deal(const Tiles &tiles, int workers) {
        Deal made;
        static_cast<Tiles &>(made) = tiles;
        int budget = made.cost_of_each(workers);
        while (!made.leaves_nothing(budget, workers)) {
            budget += Deal::APART;
        }
        return made;
    }
    /// Of what the workers' budgets are good for, what they have to do; every line is one worker's.
    template <typename Deal, typename Tiles>
    static double dealt_out(const Tiles &tiles, int workers) {
        const Deal dealt = deal<Deal>(tiles, workers);
        std::map<std::pair<int, int>, int> owners;  // of a line of a tile
        double spent = 0.0;
        for (int worker = 0; worker < workers; ++worker) {
            int cost = 0;
            dealt.in_ranges(dealt.share_of(worker), [&](const auto &range) {
                cost += dealt.cost_of(range);
                EXPECT_LT(range.first, range.end);
                for (int line = range.first; line < range.end; ++line) {
                    ++owners[{range.tile, line}];
                }
            });
            EXPECT_LE(cost, dealt.budget) << "worker " << worker;
            spent += cost;
        }
        std::size_t lines = 0;
        for (int i = 0; i < dealt.stretches(); ++i) {
            const auto stretch = dealt.stretch(i);
            lines += static_cast<std::size_t>(std::max(stretch.end - stretch.first, 0));
        }
        EXPECT_EQ(owners.size(), lines);
        EXPECT_TRUE(
            std::all_of(owners.begin(), owners.end(), [](const auto &line) { return line.second == 1; }));
        return spent / (static_cast<double>(dealt.budget) * workers);
    }
    static double rows(const run_parameters_t &of, int workers) {
        return dealt_out<float64::deal_t<float64::strips_t<true>>>(float64::make_strips<true>(&of), workers);
    }
    static double planes(const run_parameters_t &of, int workers) {
        return dealt_out<float64::deal_3d_t>(float64::make_tiles(&of), workers);
    }
    static double rows32(const run_parameters_t &of, int workers) {
        return dealt_out<float32::deal_t<float32::strips_t<false>>>(float32::make_strips<false>(&of),
                                                                    workers);
    }
    static double planes32(const run_parameters_t &of, int workers) {
        return dealt_out<float32::deal_3d_t>(float32::make_tiles(&of), workers);
    }
    /// Every column is one strip's own, as many columns from what it does not take in as a pass has steps, or ends at a side.
    template <typename Strips>
    static void expect_each_column_once(const Strips &strips, const run_parameters_t &of) {
        const int nx = static_cast<int>(of.nx);
        int next = 0;
        for (int strip = 0; strip < strips.strips; ++strip) {
            const int first = strips.column_of(strip), begin = strips.begin_of(strip),
                      end = strips.end_of(strip);
            EXPECT_EQ(begin, next) << "strip " << strip << " of " << nx;
            EXPECT_GT(end, begin);
            EXPECT_TRUE(begin - first >= 8 || (begin == 0 && first == 0 && of.periodic_x == 0));
            EXPECT_TRUE(first + strips.WIDTH - end >= 8 || (end == nx && of.periodic_x == 0));
            next = end;
        }
        EXPECT_EQ(next, nx);
    }
};

TEST_F(Deals, KeepWorkersBusy) {
    EXPECT_GT(rows(grid(4096, 4096, 1), 528), 0.96);
    EXPECT_GT(rows(grid(8192, 8192, 1), 528), 0.97);
    EXPECT_GT(rows(grid(3000, 5000, 1), 528), 0.98);
    EXPECT_GT(planes(grid(256, 256, 256), 132), 0.95);
    EXPECT_GT(planes(grid(512, 512, 512), 132), 0.98);
    EXPECT_GT(planes(grid(700, 600, 500), 132), 0.98);
}
// The cost of all lines is a number of 32 bits.
TEST(DealsOfLargeGrids, AreLeftWhereCostsLeave32Bits) {
    const auto tiles = [](std::int64_t cells) { return static_cast<std::int32_t>((cells + 25) / 26); };
    for (const auto &[planes, cells, possible] : std::vector<std::tuple<std::int64_t, std::int64_t, bool>>{
             {50000, 26000, false}, {25000, 26000, true}, {1 << 24, 26, true}, {1 << 24, 78, false}}) {
        EXPECT_EQ(float64::can_be_dealt_out(planes, tiles(cells), tiles(cells)), possible);
        if (possible) {
            EXPECT_LT(59.0 * static_cast<double>(planes) * tiles(cells), 2147483648.0);
        }
    }
}

TEST_F(Deals, GiveEveryLineToOneWorker) {
    std::mt19937_64 random(47);
    const auto below = [&](std::uint32_t n) {
        return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random);
    };
    for (int i = 0; i < 60; ++i) {
        const int workers = static_cast<int>(1 + below(below(2) == 0 ? 8 : 600));
        const run_parameters_t of =
            grid(1 + below(1500), 1 + below(below(3) == 0 ? 30 : 900), 1 + below(300), below(4));
        EXPECT_GT(rows(of, workers), 0.0);
        EXPECT_GT(planes(of, workers), 0.0);
        EXPECT_GT(rows32(of, workers), 0.0);
        EXPECT_GT(planes32(of, workers), 0.0);
    }
}
TEST_F(Deals, DoWithoutEmptyParts) {
    rows(grid(128, 197, 1, 3), 622);
    rows(grid(2435, 152, 1, 1), 502);
    planes(grid(572, 62, 50), 502);
}
TEST_F(Deals, GiveEveryColumnToOneStrip) {
    for (const std::uint32_t periodic : {0U, 1U}) {
        for (std::uint32_t nx = 8; nx < 1200; nx += nx < 256 ? 8 : 1) {
            const run_parameters_t of = grid(nx, 100, 1, periodic);
            expect_each_column_once(float32::make_strips<true>(&of), of);
            expect_each_column_once(float64::make_strips<true>(&of), of);
        }
        for (std::uint32_t nx = 4; nx < 1000; nx += nx < 128 ? 4 : 1) {
            const run_parameters_t of = grid(nx, 100, 1, periodic);
            expect_each_column_once(float32::make_strips<false>(&of), of);
            expect_each_column_once(float64::make_strips<false>(&of), of);
        }
    }
}
/// Whole tiles first, so that those beside each other are marched through together.
TEST_F(Deals, BeginTilesAtTheSameLine) {
    const run_parameters_t of = grid(512, 512, 512);
    const auto dealt = deal<float64::deal_3d_t>(float64::make_tiles(&of), 132);
    for (int worker = 0; worker < 132; ++worker) {
        const auto first = dealt.share_of(worker).ranges[0];
        EXPECT_EQ(first.tile, worker);
        EXPECT_EQ(first.first, 0);
    }
}

}  // namespace
}  // namespace perdure::tests
