// What the host threads of a rank exchange with other ranks: sync/group_context.h, for the buffers of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/multigrid/hierarchy.h"
#include "kernels/parameters.h"
#include "solver/backends/backend.hpp"
#include "solver/backends/host/rank_planes.hpp"
#include "solver/backends/host/rank_setup.hpp"
#include "solver/backends/host/shared_arrays.hpp"
#include "solver/ranks/ranks.hpp"
#include "sync/group_context.h"

namespace perdure::host {

/// Arrays of a value for each cell of a grid, or of a level of a multigrid hierarchy: which planes of them are whose, and copies of those
/// that a rank needs besides its own. Each rank has a part of the first levels, about the same of each; the others are small or solved
/// directly, and each rank computes all of them.
class RankExchange {
  public:
    /// `memory`: of each buffer.
    RankExchange(Ranks &ranks, const KernelCall &call, const std::vector<std::byte *> &memory,
                 const LaunchShape &shape);

    /// For the groups of a launch with these parameters.
    [[nodiscard]] rank_context_t *context(const run_parameters_t &parameters);

    /// Behind each launch, once: what other ranks have made that this one needs.
    void share_cells_behind_launch();

    /// Bytes `offset` to `offset` + `bytes` - 1 of a buffer become what all ranks together have made of them.
    void complete(std::size_t buffer, std::size_t offset, std::size_t bytes);

    /// The same of all values for cells that are in a buffer.
    void complete_cells(std::size_t buffer) { complete_arrays(buffer, 0, buffers_[buffer].bytes); }

    /// A rank writes to a buffer by itself: values for cells that other ranks have are no longer those that it sent.
    void forget_copies(std::size_t buffer) {
        if (buffers_[buffer].among_ranks == AmongRanks::cells || buffers_[buffer].name == "arena") {
            shared_.forget_copies();
        }
    }

  private:
    /// The callbacks find the rest from the context.
    struct Context : rank_context_t {
        RankExchange *exchange;
    };
    enum class Kind { of_run, right_side, first_copy, second_copy };
    struct Array {
        std::byte *values;
        std::size_t plane_bytes;
        std::uint32_t level;
        Kind kind;
    };
    /// What the phase under way changes: one array of a level, or any of level 0.
    struct Changes {
        bool any = true;
        std::uint32_t level = 0;
        std::optional<Kind> kind = {};
        std::vector<MadeInSetup> in_setup = {};
    };

    void share_cells();
    void share_setup(const std::vector<MadeInSetup> &made);
    void set_planes(const run_parameters_t &parameters);
    [[nodiscard]] std::vector<std::int64_t> ends_of(std::uint32_t planes) const;
    [[nodiscard]] PlanesOfRanks planes_of(const run_parameters_t &grid) const;
    [[nodiscard]] std::optional<std::size_t> place_of(std::string_view name) const;
    void add_arrays_of_run(std::uint32_t cells);
    void add_levels();
    void add_array(std::byte *values, std::size_t plane_bytes, std::uint32_t level, Kind kind,
                   PlaneTransfers transfers);
    [[nodiscard]] std::uint32_t begin_step(std::uint32_t group, std::uint32_t operation, std::uint32_t level,
                                           std::uint32_t to, std::uint32_t axis);
    void forget_copy_of(std::uint32_t level, Kind kind);
    [[nodiscard]] Changes changes_of(std::uint32_t operation, std::uint32_t level, std::uint32_t to,
                                     std::uint32_t axis) const;
    void share_rows(double *values, std::size_t rows);
    void complete_arrays(std::size_t buffer, std::size_t offset, std::size_t bytes);

    Ranks &ranks_;
    std::vector<KernelBuffer> buffers_;
    std::vector<std::byte *> memory_;
    std::size_t cell_bytes_, cycle_bytes_;
    std::int64_t reach_;
    std::vector<double> cuts_;
    Context context_{};
    // Of the grid, which the first launch tells.
    std::optional<PlanesOfRanks> planes_;
    std::vector<std::size_t> chunk_ends_;  // of the chunks of each rank
    const hierarchy_t *hierarchy_ = nullptr;
    std::byte *arena_ = nullptr;
    std::uint32_t shared_levels_ = 0;  // of which each rank has a part
    std::vector<Array> arrays_;
    SharedArrays shared_;  // these, by number
    Changes changes_;
    bool has_launched_ = false;
};

}  // namespace perdure::host
