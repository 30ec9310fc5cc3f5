// Load balancing: every line is assigned to exactly one worker, no worker exceeds the cost limit, and little of the limit is
// unused.
#include "tests/resident/emulated_cuda.hpp"

#include <map>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#define DELAY_HERE()

#include "kernels/common.h"
#include "kernels/resident/pipeline_shape_2d.h"
#include "kernels/resident/plane_shape_3d.h"
#include "kernels/resident/row.h"
#include "kernels/stencil_formula.h"

namespace perdure::tests {

#define PERDURE_PROGRAM "tests/resident/load_balance_program.h"
#include "solver/backends/both_precisions.inc"

namespace {

/// Rows and planes of grids on a GPU like the H100 and on smaller ones.
class LoadBalances : public testing::Test {
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
    /// Uses the lowest cost limit with which all lines are assigned.
    template <typename LoadBalance, typename Tiles>
    static LoadBalance balanced(const Tiles &tiles, int workers) {
        LoadBalance made;
        static_cast<Tiles &>(made) = tiles;
        int cost_limit = made.cost_of_each(workers);
        while (!made.assigns_all(cost_limit, workers)) {
            cost_limit += LoadBalance::COST_STEP;
        }
        return made;
    }
    /// Returns the part of the workers' cost limits that is used; expects that every line belongs to one worker.
    template <typename LoadBalance, typename Tiles>
    static double used_part(const Tiles &tiles, int workers) {
        const LoadBalance load_balance = balanced<LoadBalance>(tiles, workers);
        std::map<std::pair<int, int>, int> owners;  // of each line of a tile
        double spent = 0.0;
        for (int worker = 0; worker < workers; ++worker) {
            int cost = 0;
            load_balance.in_ranges(load_balance.assignment_of(worker), [&](const auto &range) {
                cost += load_balance.cost_of(range);
                EXPECT_LT(range.first, range.end);
                for (int line = range.first; line < range.end; ++line) {
                    ++owners[{range.tile, line}];
                }
            });
            EXPECT_LE(cost, load_balance.cost_limit) << "worker " << worker;
            spent += cost;
        }
        std::size_t lines = 0;
        for (int i = 0; i < load_balance.segments(); ++i) {
            const auto segment = load_balance.segment(i);
            lines += static_cast<std::size_t>(std::max(segment.end - segment.first, 0));
        }
        EXPECT_EQ(owners.size(), lines);
        EXPECT_TRUE(
            std::all_of(owners.begin(), owners.end(), [](const auto &line) { return line.second == 1; }));
        return spent / (static_cast<double>(load_balance.cost_limit) * workers);
    }
    static double rows(const run_parameters_t &of, int workers) {
        return used_part<float64::load_balance_t<float64::strips_t<true>>>(float64::make_strips<true>(&of),
                                                                           workers);
    }
    static double planes(const run_parameters_t &of, int workers) {
        return used_part<float64::load_balance_3d_t>(float64::make_tiles(&of), workers);
    }
    static double rows32(const run_parameters_t &of, int workers) {
        return used_part<float32::load_balance_t<float32::strips_t<false>>>(float32::make_strips<false>(&of),
                                                                            workers);
    }
    static double planes32(const run_parameters_t &of, int workers) {
        return used_part<float32::load_balance_3d_t>(float32::make_tiles(&of), workers);
    }
    /// Every column belongs to one strip, at least as many columns away from the strip's end as a pass has steps, or to a side.
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

TEST_F(LoadBalances, KeepWorkersBusy) {
    EXPECT_GT(rows(grid(4096, 4096, 1), 528), 0.96);
    EXPECT_GT(rows(grid(8192, 8192, 1), 528), 0.97);
    EXPECT_GT(rows(grid(3000, 5000, 1), 528), 0.98);
    EXPECT_GT(planes(grid(256, 256, 256), 132), 0.95);
    EXPECT_GT(planes(grid(512, 512, 512), 132), 0.98);
    EXPECT_GT(planes(grid(700, 600, 500), 132), 0.98);
}
// The cost of all lines must fit 32 bits.
TEST(LoadBalanceOfLargeGrids, AreLeftWhereCostsLeave32Bits) {
    const auto tiles = [](std::int64_t cells) { return static_cast<std::int32_t>((cells + 25) / 26); };
    for (const auto &[planes, cells, possible] : std::vector<std::tuple<std::int64_t, std::int64_t, bool>>{
             {50000, 26000, false}, {25000, 26000, true}, {1 << 24, 26, true}, {1 << 24, 78, false}}) {
        EXPECT_EQ(can_be_assigned(planes, tiles(cells), tiles(cells)), possible);
        if (possible) {
            EXPECT_LT(59.0 * static_cast<double>(planes) * tiles(cells), 2147483648.0);
        }
    }
}

TEST_F(LoadBalances, GiveEveryLineToOneWorker) {
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
TEST_F(LoadBalances, DoWithoutEmptyParts) {
    rows(grid(128, 197, 1, 3), 622);
    rows(grid(2435, 152, 1, 1), 502);
    planes(grid(572, 62, 50), 502);
}
TEST_F(LoadBalances, GiveEveryColumnToOneStrip) {
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
/// Whole tiles come first, so that groups sweep through neighbouring tiles at the same time.
TEST_F(LoadBalances, BeginTilesAtTheSameLine) {
    const run_parameters_t of = grid(512, 512, 512);
    const auto load_balance = balanced<float64::load_balance_3d_t>(float64::make_tiles(&of), 132);
    for (int worker = 0; worker < 132; ++worker) {
        const auto first = load_balance.assignment_of(worker).ranges[0];
        EXPECT_EQ(first.tile, worker);
        EXPECT_EQ(first.first, 0);
    }
}

}  // namespace
}  // namespace perdure::tests
