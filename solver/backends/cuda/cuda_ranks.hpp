// What the kernels of a run tell those of other ranks, each on a device of its own, and the host's side of it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/parameters.h"
#include "kernels/rank_place.h"
#include "solver/backends/backend.hpp"
#include "solver/backends/cuda/rank_memory.hpp"
#include "solver/backends/host/rank_arrays.hpp"
#include "solver/ranks/ranks.hpp"

namespace perdure::cuda {

class CudaRanks {
  public:
    /// `variant`: of the kernel, on the device of this rank. All ranks call it, and all other functions. They throw Failure(device).
    CudaRanks(int device, const KernelVariant &variant, const KernelCall &call, const LaunchShape &shape);
    CudaRanks(const CudaRanks &) = delete;
    CudaRanks &operator=(const CudaRanks &) = delete;
    ~CudaRanks();

    /// Memory for a buffer: that which other ranks write to, where it has values for cells of the grid or of levels.
    DeviceMemory allocate(std::size_t buffer, std::size_t bytes);

    /// The host has written to buffers: before the next launch all ranks must have done so, since kernels write to those of others.
    void note_change() { has_changed_ = true; }

    /// Before a launch: the kernel knows its place. `addresses`: of the buffers. `meets`: all ranks are about to launch, so that no kernel
    /// waits while another rank waits for its disk.
    void begin(const run_parameters_t &parameters, const std::vector<void *> &addresses, bool meets,
               cudaStream_t stream);

    /// The values of cells that are in a buffer become those of all ranks, behind what `stream` has to do.
    void complete(std::size_t buffer, void *address, cudaStream_t stream);

    /// Copies bytes of a buffer, from an offset on, to the host, behind what the stream has to do.
    using CopyToHost = std::function<void(std::byte *to, std::size_t offset, std::size_t bytes)>;
    /// Values of cells that all ranks have parts of in bytes `offset` to `offset` + `bytes` - 1 of a buffer: to all of them, or to rank 0 alone;
    /// others do not look at `to` then. False where each rank has the whole buffer, and nothing was read.
    bool read_parts(std::size_t buffer, std::byte *to, std::size_t bytes, std::size_t offset, bool for_first,
                    const CopyToHost &copy);
    /// The host has read bytes of a buffer: where each value is one rank's and zero in the others, it becomes that.
    void complete_singles(std::size_t buffer, std::byte *read, std::size_t bytes);

    /// After a launch that gave up waiting: what other ranks had not sent; empty where all is there.
    [[nodiscard]] std::string missing_messages() const;

  private:
    void make_tables(const run_parameters_t &parameters, const std::vector<void *> &addresses);
    void set_owners(const std::vector<void *> &addresses);
    void make_words(const run_parameters_t &parameters);
    void list_cells(const run_parameters_t &parameters, const std::vector<void *> &addresses,
                    std::vector<rank_message_t> &list);
    void list_sums(std::vector<rank_message_t> &list) const;
    std::uint64_t add_table(const void *values, std::size_t bytes);
    void complete_from_peers(const host::RankArray &array, std::byte *values, cudaStream_t stream) const;
    void complete_by_host(const host::RankArray &array, std::byte *values, cudaStream_t stream);

    Ranks &ranks_;
    RanksOfKernel way_;
    RankMemory &memory_;
    KernelCall call_;
    std::vector<double> cuts_;
    void *place_of_kernel_;
    bool has_changed_ = true;
    std::optional<host::RankArrays> arrays_;  // of the grid, which the first launch tells
    rank_place_t place_{};
    DeviceMemory words_;                // signals, outbox and inbox
    std::vector<DeviceMemory> tables_;  // messages, what comes and has come, and counts
};

}  // namespace perdure::cuda
