// Which arrays ranks exchange with each other, and which planes of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/multigrid/hierarchy.h"
#include "kernels/parameters.h"
#include "kernels/rank_place.h"
#include "solver/backends/backend.hpp"
#include "solver/backends/host/rank_lines.hpp"
#include "solver/backends/host/rank_planes.hpp"

namespace perdure::host {

/// An array of a value for each cell of a grid, or of a level of a multigrid hierarchy.
struct RankArray {
    std::uint32_t number;        // of kernels/rank_place.h
    std::size_t buffer, offset;  // where it begins, in bytes
    std::size_t plane_bytes;
    PlaneTransfers transfers;

    [[nodiscard]] bool is_of_run() const { return number < RANK_LEVELS; }
};

/// The arrays of a run. Each rank has a part of the first levels, about the same of each; the others are small, and each rank computes all of
/// them.
class RankArrays {
  public:
    /// As `rank` exchanges them. `cuts`: those of the launch's shape; `grid`: that of the run; `hierarchy`: its levels, or null.
    RankArrays(const KernelCall &call, const std::vector<double> &cuts, int rank,
               const run_parameters_t &grid, const hierarchy_t *hierarchy);

    [[nodiscard]] const std::vector<RankArray> &list() const { return list_; }
    /// Copies of u of a level that ranks solve together by transforms.
    [[nodiscard]] const std::vector<RankLines> &lines() const { return lines_; }
    /// The exchanges of lines that need no messages with bytes where ranks reach each other's memory by stores: STORES_... of rank_place_t.
    [[nodiscard]] std::uint32_t storable() const;
    /// Of that level, `away` left at 0.
    [[nodiscard]] const std::vector<rank_owner_t> &owners() const { return owners_; }
    /// The planes of the grid of the run.
    [[nodiscard]] const PlanesOfRanks &planes() const { return planes_; }
    /// Where the planes of each rank end, of so many that a level has, as kernels cut it: kernels/multigrid/team.h.
    [[nodiscard]] std::vector<std::int64_t> ends_of(std::uint32_t planes) const;
    /// Where the part of each rank ends in an array of the run, in bytes from its begin.
    [[nodiscard]] std::vector<std::size_t> ends_in_bytes(const RankArray &array) const;
    /// The part of this rank there.
    [[nodiscard]] ByteRange own_bytes(const RankArray &array) const;
    /// The arrays of the run that lie in these bytes of a buffer. Throws Failure(differs_or_internal) where one lies there in part.
    [[nodiscard]] std::vector<const RankArray *> within(std::size_t buffer, std::size_t offset,
                                                        std::size_t bytes) const;
    /// Levels of which each rank has a part.
    [[nodiscard]] std::uint32_t shared_levels() const { return shared_levels_; }
    /// Those of them that have a next level.
    [[nodiscard]] std::uint32_t shared_above_coarsest() const { return shared_above_coarsest_; }
    /// The bits of all arrays that phases with sums, and those without levels, may change.
    [[nodiscard]] std::uint64_t of_finest() const;

  private:
    void count_shared_levels(const hierarchy_t &hierarchy);
    [[nodiscard]] bool can_share(const run_parameters_t &level) const;
    [[nodiscard]] bool can_share_lines(const run_parameters_t &level) const;
    [[nodiscard]] std::vector<std::size_t> line_ends_of(const run_parameters_t &level) const;
    void add_levels(const KernelCall &call, const hierarchy_t &hierarchy);
    void add_lines(const hierarchy_t &hierarchy, std::uint32_t copy, std::size_t bytes, std::size_t buffer);
    void add_arrays_of_run(const KernelCall &call, std::uint32_t cells, bool has_cycles);

    int rank_;
    PlanesOfRanks planes_;
    std::uint32_t shared_levels_ = 0, shared_above_coarsest_ = 0;
    std::vector<RankArray> list_;
    std::vector<RankLines> lines_;
    std::vector<rank_owner_t> owners_;
};

}  // namespace perdure::host
