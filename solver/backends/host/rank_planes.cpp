#include "solver/backends/host/rank_planes.hpp"

#include <algorithm>
#include <utility>

#include "kernels/shares.h"

namespace perdure::host {

PlanesOfRanks::PlanesOfRanks(std::vector<std::int64_t> ends, bool periodic)
    : ends_(std::move(ends)), periodic_(periodic) {}

std::vector<bool> PlanesOfRanks::needed_by(int rank, std::int64_t reach) const {
    const std::int64_t planes = count();
    const std::int64_t within = std::min(reach, planes);
    std::vector<bool> needed(static_cast<std::size_t>(planes));
    for (std::int64_t plane = begin_of(rank) - within; plane < end_of(rank) + within; ++plane) {
        if (periodic_ || (plane >= 0 && plane < planes)) {
            needed[static_cast<std::size_t>((plane + planes) % planes)] = true;
        }
    }
    return needed;
}

/// Those of `owner` that are needed, each stretch of them as one.
void PlanesOfRanks::add_needed(const std::vector<bool> &needed, int owner, int with,
                               std::vector<PlanesOfRank> &to) const {
    bool follows = false;
    for (std::int64_t plane = begin_of(owner); plane < end_of(owner); ++plane) {
        const bool is_needed = needed[static_cast<std::size_t>(plane)];
        if (is_needed && follows) {
            ++to.back().count;
        } else if (is_needed) {
            to.push_back({with, plane, 1});
        }
        follows = is_needed;
    }
}

PlaneTransfers PlanesOfRanks::transfers(int rank, std::int64_t reach) const {
    PlaneTransfers found;
    const std::vector<bool> here = needed_by(rank, reach);
    for (int other = 0; other < static_cast<int>(ends_.size()); ++other) {
        if (other != rank) {
            add_needed(needed_by(other, reach), rank, other, found.sent);
            add_needed(here, other, other, found.received);
        }
    }
    return found;
}

PlanesOfRanks planes_between(const std::vector<double> &cuts, std::uint32_t planes, bool periodic) {
    std::vector<std::int64_t> ends;
    for (const double cut : cuts) {
        ends.push_back(cut_of(planes, cut));
    }
    ends.push_back(planes);
    return {std::move(ends), periodic};
}

}  // namespace perdure::host
