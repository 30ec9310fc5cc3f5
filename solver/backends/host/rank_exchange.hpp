// What the host threads of a rank exchange with other ranks: sync/group_context.h, for the buffers of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/parameters.h"
#include "solver/backends/backend.hpp"
#include "solver/ranks/ranks.hpp"
#include "sync/group_context.h"

namespace perdure::host {

/// Planes of cells across the last axis: which are whose, and copies of those near the part of a rank.
class RankExchange {
  public:
    /// `memory`: of each buffer.
    RankExchange(Ranks &ranks, const KernelCall &call, const std::vector<std::byte *> &memory,
                 const LaunchShape &shape);

    /// For the groups of a launch with these parameters.
    [[nodiscard]] rank_context_t *context(const run_parameters_t &parameters);

    /// Behind a launch: what other ranks have made near the part of this one.
    void share_cells();

    /// Bytes `offset` to `offset` + `bytes` - 1 of a buffer become what all ranks together have made of them.
    void complete(std::size_t buffer, std::size_t offset, std::size_t bytes);

  private:
    /// The callbacks find the rest from the context.
    struct Context : rank_context_t {
        RankExchange *exchange;
    };
    /// An array of a value for each cell, and what this rank has last sent of it.
    struct Array {
        std::byte *values;
        std::vector<std::byte> sent_down, sent_up;
    };

    void set_planes(const run_parameters_t &parameters);
    void pack(bool down, std::vector<std::byte> &message);
    void unpack(bool from_below, const std::vector<std::byte> &message);
    void share_rows(double *values, std::size_t rows);
    [[nodiscard]] std::byte *plane(const Array &array, std::int64_t number) const;
    [[nodiscard]] std::int64_t end_of(int rank) const { return ends_.at(static_cast<std::size_t>(rank)); }
    [[nodiscard]] std::int64_t begin_of(int rank) const { return rank == 0 ? 0 : end_of(rank - 1); }

    Ranks &ranks_;
    std::vector<KernelBuffer> buffers_;
    std::vector<std::byte *> memory_;
    std::size_t cell_bytes_;
    std::int64_t reach_;
    std::vector<double> cuts_;
    Context context_{};
    // Of the grid, which the first launch tells.
    std::int64_t planes_ = 0;
    std::size_t plane_bytes_ = 0;
    bool periodic_ = false;
    std::vector<std::int64_t> ends_;       // of the planes of each rank
    std::vector<std::size_t> chunk_ends_;  // of its chunks
    std::vector<Array> arrays_;
    std::vector<std::byte> down_, up_, from_below_, from_above_;  // messages
};

}  // namespace perdure::host
