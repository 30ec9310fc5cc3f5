#include "solver/backends/host/chunks_near_cuts.hpp"

#include <algorithm>

#include "kernels/shares.h"

namespace perdure::host {
namespace {

/// Planes of cells that lie in a section; the last one may have fewer.
std::int64_t planes_of_section(const run_parameters_t &grid) {
    const bool stacked = grid.dimensions == 3;
    const std::uint32_t layer_boxes = stacked ? grid.box_layer.divisor : grid.box_line.divisor;
    const std::uint32_t planes_of_layer = grid.box_rows * (stacked ? 1 : LANES >> grid.log2_lanes_x);
    return std::int64_t{grid.section_boxes / layer_boxes} * planes_of_layer;
}

/// Whether another rank gets one of the planes `begin` to `end` - 1.
bool sends_any(const RankArrays &arrays, std::int64_t begin, std::int64_t end) {
    return std::ranges::any_of(arrays.list(), [&](const RankArray &array) {
        return array.is_of_run() &&
               std::ranges::any_of(array.transfers.sent, [&](const PlanesOfRank &planes) {
                   return planes.first < end && begin < planes.first + planes.count;
               });
    });
}

}  // namespace

ChunksNearCuts chunks_near_cuts(const RankArrays &arrays, int rank, int ranks, const run_parameters_t &grid) {
    const auto part = [&](int of) {
        return begin_of_part(grid.sections, static_cast<std::uint32_t>(of),
                             static_cast<std::uint32_t>(ranks));
    };
    const std::int64_t height = planes_of_section(grid);
    const auto is_near = [&](std::uint32_t section) {
        return sends_any(arrays, section * height, (section + 1) * height);
    };
    std::uint32_t first = part(rank), last = part(rank + 1);
    while (first < last && is_near(first)) {
        ++first;
    }
    while (last > first && is_near(last - 1)) {
        --last;
    }
    bool between = false;  // of a part whose planes go to others all over
    for (std::uint32_t section = first; section < last; ++section) {
        between = between || is_near(section);
    }
    const std::uint32_t chunks = grid.section_chunks.divisor;
    return between ? ChunksNearCuts{chunks * (part(rank + 1) - part(rank)), 0}
                   : ChunksNearCuts{chunks * (first - part(rank)), chunks * (part(rank + 1) - last)};
}

void set_chunks_near_cuts(rank_place_t &place, const RankArrays &arrays, const RankMessages &messages,
                          const run_parameters_t &grid) {
    const ChunksNearCuts found =
        chunks_near_cuts(arrays, static_cast<int>(place.index), static_cast<int>(place.count), grid);
    place.first_near_cut = found.first;
    place.last_near_cut = found.last;
    std::size_t most = 1;
    for (const std::vector<RankMessage> &sent : messages.sent) {
        most = std::max(most, sent.size());
    }
    place.senders = static_cast<std::uint32_t>(std::min<std::size_t>(most, RANK_SENDERS));
}

}  // namespace perdure::host
