// What the host threads of a rank exchange with other ranks: sync/group_context.h, for the buffers of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/multigrid/hierarchy.h"
#include "kernels/parameters.h"
#include "solver/backends/backend.hpp"
#include "solver/backends/host/rank_arrays.hpp"
#include "solver/backends/host/rank_setup.hpp"
#include "solver/backends/host/shared_arrays.hpp"
#include "solver/backends/host/shared_lines.hpp"
#include "solver/ranks/ranks.hpp"
#include "sync/group_context.h"

namespace perdure::host {

/// The arrays of a run (RankArrays), with copies of the planes that a rank needs besides its own.
class RankExchange {
  public:
    /// `memory`: of each buffer.
    RankExchange(Ranks &ranks, const KernelCall &call, const std::vector<std::byte *> &memory,
                 const LaunchShape &shape);

    /// For the groups of a launch with these parameters.
    [[nodiscard]] rank_context_t *context(const run_parameters_t &parameters);

    /// Behind each launch, once: what other ranks have made that this one needs.
    void share_cells_behind_launch();

    /// What all ranks together have made of bytes `offset` to `offset` + `bytes` - 1 of a buffer, for all of them.
    void read(std::size_t buffer, std::byte *to, std::size_t bytes, std::size_t offset);
    /// The same for rank 0 alone; elsewhere nobody looks at `to`.
    void read_for_first(std::size_t buffer, std::byte *to, std::size_t bytes, std::size_t offset);

    /// All values for cells that are in a buffer become those of all ranks.
    void complete_cells(std::size_t buffer);

    /// A rank writes to a buffer by itself: values for cells that other ranks have are no longer those that it sent.
    void forget_copies(std::size_t buffer) {
        const KernelBuffer &of = call_.buffers[buffer];
        if (of.among_ranks == AmongRanks::cells || of.name == "arena") {
            shared_.forget_copies();
        }
    }

  private:
    /// The callbacks find the rest from the context.
    struct Context : rank_context_t {
        RankExchange *exchange;
    };
    /// What the phase under way changes: arrays of RankArrays, by the bits of their numbers, or coefficients.
    struct Changes {
        std::uint64_t arrays = 0;
        std::vector<MadeInSetup> in_setup = {};
    };

    void share_cells();
    void share_setup(const std::vector<MadeInSetup> &made);
    void set_planes(const run_parameters_t &parameters);
    [[nodiscard]] std::uint32_t begin_step(std::uint32_t group, std::uint32_t operation, std::uint32_t level,
                                           std::uint32_t to, std::uint32_t axis, std::uint32_t way);
    void forget_copies_of(std::uint64_t arrays);
    [[nodiscard]] Changes changes_of(const step_t &step) const;
    void share_rows(double *values, std::size_t rows);
    [[nodiscard]] std::vector<const RankArray *> arrays_in(std::size_t buffer, std::size_t offset,
                                                           std::size_t bytes) const;
    void unite_singles(std::size_t buffer, std::size_t offset, std::size_t bytes);

    Ranks &ranks_;
    KernelCall call_;
    std::vector<std::byte *> memory_;
    std::vector<double> cuts_;
    Context context_{};
    std::optional<RankArrays> arrays_;     // of the grid, which the first launch tells
    std::vector<std::size_t> chunk_ends_;  // of the chunks of each rank
    const hierarchy_t *hierarchy_ = nullptr;
    SharedArrays shared_;  // those of arrays_, by their place in its list
    SharedLines shared_lines_;
    Changes changes_;
    bool has_launched_ = false;
};

}  // namespace perdure::host
