// Which chunks of a rank have cells that others look at, or look at cells of others.
#include "solver/backends/host/chunks_near_cuts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "kernels/chunks.h"
#include "solver/run/boxes.hpp"
#include "solver/run/divider.hpp"

namespace perdure::host::chunks_near_cuts_test {
namespace {

struct Grid {
    std::array<std::int64_t, 3> cells;
    bool periodic;
    int reach;
};

run_parameters_t parameters_of(const Grid &grid, const Boxes &boxes) {
    run_parameters_t found{};
    found.nx = static_cast<std::uint32_t>(grid.cells[0]);
    found.ny = static_cast<std::uint32_t>(grid.cells[1]);
    found.nz = static_cast<std::uint32_t>(grid.cells[2]);
    found.cells = found.nx * found.ny * found.nz;
    found.dimensions = found.nz > 1 ? 3 : 2;
    found.row = make_divider(found.nx);
    found.layer = make_divider(found.nx * found.ny);
    found.periodic_y = found.periodic_z = grid.periodic ? 1 : 0;
    set_boxes(boxes, found);
    return found;
}

RankArrays arrays_of(const Grid &grid, const Boxes &boxes, const run_parameters_t &parameters, int rank,
                     int ranks) {
    KernelCall call;
    call.reach = grid.reach;
    call.buffers.push_back(
        {.name = "u_even", .bytes = parameters.cells * 8, .among_ranks = AmongRanks::cells});
    return {call, cuts_between(ranks, boxes, grid.cells), rank, parameters, nullptr};
}

/// Planes of the cells of a chunk.
std::set<std::int64_t> planes_of(const run_parameters_t &grid, std::uint32_t chunk) {
    std::set<std::int64_t> found;
    FOR_EACH_BOX (box, chunk, &grid, 0U) {
        const box_row_t first = first_row(&grid, box, grid.dimensions);
        for (box_row_t row = first; row.rows != 0; row = next_row(&grid, row, grid.dimensions)) {
            for (std::uint32_t lane = 0; lane < LANES; ++lane) {
                const cell_t cell = cell_of_lane(&grid, row, lane);
                if (cell.rows != 0) {
                    found.insert(grid.dimensions == 3 ? cell.z : cell.y);
                }
            }
        }
    }
    return found;
}

/// Whether a cell of the chunk lies so near to cells of another rank that one looks at the other.
bool touches_others(const Grid &grid, const PlanesOfRanks &planes, const std::set<std::int64_t> &of_chunk,
                    int rank) {
    for (const std::int64_t plane : of_chunk) {
        for (std::int64_t other = plane - grid.reach; other <= plane + grid.reach; ++other) {
            const std::int64_t around = (other + planes.count()) % planes.count();
            const bool exists = grid.periodic || around == other;
            if (exists && (around < planes.begin_of(rank) || around >= planes.end_of(rank))) {
                return true;
            }
        }
    }
    return false;
}

// All that touch cells of others are near a cut, and of the sections between the cuts none.
TEST(ChunksNearCuts, AreThoseThatTouchCellsOfOthers) {
    std::uint32_t far = 0;
    for (const Grid &grid :
         {Grid{{37, 83, 1}, false, 1}, Grid{{37, 83, 1}, true, 2}, Grid{{512, 256, 1}, false, 1},
          Grid{{14, 11, 42}, true, 1}, Grid{{13, 9, 41}, false, 3}, Grid{{70, 61, 90}, true, 2}}) {
        const Boxes boxes = choose_boxes(grid.cells, grid.cells[2] > 1 ? 3 : 2);
        const run_parameters_t parameters = parameters_of(grid, boxes);
        for (const int ranks : {2, 3, 5}) {
            for (int rank = 0; rank < ranks; ++rank) {
                const RankArrays arrays = arrays_of(grid, boxes, parameters, rank, ranks);
                const ChunksNearCuts found = chunks_near_cuts(arrays, rank, ranks, parameters);
                const std::uint32_t sections = parameters.sections,
                                    height = parameters.section_chunks.divisor;
                const auto part = [&](int of) {
                    return begin_of_part(sections, static_cast<std::uint32_t>(of),
                                         static_cast<std::uint32_t>(ranks)) *
                           height;
                };
                std::vector<bool> touches;  // by section
                for (std::uint32_t chunk = part(rank); chunk < part(rank + 1); ++chunk) {
                    const bool does =
                        touches_others(grid, arrays.planes(), planes_of(parameters, chunk), rank);
                    if (chunk % height == 0) {
                        touches.push_back(false);
                    }
                    touches.back() = touches.back() || does;
                }
                for (std::uint32_t chunk = part(rank); chunk < part(rank + 1); ++chunk) {
                    const bool is_near =
                        chunk < part(rank) + found.first || chunk >= part(rank + 1) - found.last;
                    EXPECT_EQ(is_near, touches[(chunk - part(rank)) / height])
                        << "chunk " << chunk << ", rank " << rank << " of " << ranks << ", planes "
                        << arrays.planes().count();
                    far += is_near ? 0 : 1;
                }
            }
        }
    }
    EXPECT_GT(far, 100U);
}

// A plane of 4 MB is 64 messages, of which each group may send several.
TEST(ChunksNearCuts, AreSentByAsManyGroupsAsThereAreMessages) {
    const auto senders_of = [](const std::array<std::int64_t, 3> &cells) {
        const Grid grid{cells, false, 1};
        const Boxes boxes = choose_boxes(cells, cells[2] > 1 ? 3 : 2);
        const run_parameters_t parameters = parameters_of(grid, boxes);
        const RankArrays arrays = arrays_of(grid, boxes, parameters, 1, 2);
        rank_place_t place{};
        place.index = 1;
        place.count = 2;
        set_chunks_near_cuts(place, arrays, messages_of(arrays, 1, 2), parameters);
        EXPECT_EQ(place.last_near_cut, 0U);
        EXPECT_EQ(place.first_near_cut, parameters.section_chunks.divisor);
        return place.senders;
    };
    EXPECT_EQ(senders_of({512, 256, 1}), 1U);
    EXPECT_EQ(senders_of({256, 256, 64}), 8U);
    EXPECT_EQ(senders_of({1024, 512, 16}), RANK_SENDERS);
}

}  // namespace
}  // namespace perdure::host::chunks_near_cuts_test
