#include "solver/backends/host/rank_lines.hpp"

namespace perdure::host {

LineTransfers transfers_to_lines(const std::vector<std::int64_t> &plane_ends,
                                 const std::vector<std::size_t> &line_ends, std::size_t plane_bytes,
                                 std::size_t offset, int rank) {
    const std::size_t ranks = plane_ends.size(), self = static_cast<std::size_t>(rank);
    const auto begin_in = [](const auto &ends, std::size_t of) {
        return of == 0 ? std::size_t{0} : static_cast<std::size_t>(ends[of - 1]);
    };
    /// In the planes of one rank the lines of another one.
    const auto pieces = [&](std::size_t planes, std::size_t lines, std::size_t with) {
        const std::size_t first = begin_in(plane_ends, planes), begin = begin_in(line_ends, lines);
        return PiecesOfRank{static_cast<int>(with), offset + first * plane_bytes + begin,
                            line_ends[lines] - begin, plane_bytes,
                            static_cast<std::size_t>(plane_ends[planes]) - first};
    };
    LineTransfers found;
    for (std::size_t further = 1; further < ranks; ++further) {
        const std::size_t other = (self + further) % ranks;
        found.sent.push_back(pieces(self, other, other));
        found.received.push_back(pieces(other, self, other));
    }
    return found;
}

}  // namespace perdure::host
