// Planes of cells across the last axis of a grid: which rank has which, and of which it needs copies.
#pragma once

#include <cstdint>
#include <vector>

namespace perdure::host {

/// Planes that follow each other, which are sent to a rank or received from it.
struct PlanesOfRank {
    int rank;
    std::int64_t first, count;
};

/// What one rank sends and receives: by rank, and of each rank from the first plane to the last.
struct PlaneTransfers {
    std::vector<PlanesOfRank> sent, received;
};

/// The planes of a grid, of which each rank has some that follow each other, or none.
class PlanesOfRanks {
  public:
    /// `ends`: where the planes of each rank end; those of the last rank end where the grid does.
    PlanesOfRanks(std::vector<std::int64_t> ends, bool periodic);

    [[nodiscard]] std::int64_t count() const { return ends_.back(); }
    [[nodiscard]] std::int64_t begin_of(int rank) const { return rank == 0 ? 0 : end_of(rank - 1); }
    [[nodiscard]] std::int64_t end_of(int rank) const { return ends_.at(static_cast<std::size_t>(rank)); }
    [[nodiscard]] const std::vector<std::int64_t> &ends() const { return ends_; }

    /// The planes of `rank` and those that lie up to `reach` planes beyond either end of its own.
    [[nodiscard]] std::vector<bool> needed_by(int rank, std::int64_t reach) const;

    /// By which `rank`, and every other one, gets copies of the planes that lie up to `reach` planes beyond either end of its own.
    [[nodiscard]] PlaneTransfers transfers(int rank, std::int64_t reach) const;

  private:
    void add_needed(const std::vector<bool> &needed, int owner, int with,
                    std::vector<PlanesOfRank> &to) const;

    std::vector<std::int64_t> ends_;
    bool periodic_;
};

/// So many planes between the cuts of a launch's shape.
PlanesOfRanks planes_between(const std::vector<double> &cuts, std::uint32_t planes, bool periodic);

}  // namespace perdure::host
