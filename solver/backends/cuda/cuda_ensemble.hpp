// Members of an ensemble in one CUDA launch: kernels/ensemble.h.
#pragma once

#include <memory>
#include <span>

#include "solver/backends/backend.hpp"
#include "solver/backends/cuda/cuda_handles.hpp"
#include "solver/backends/cuda/cuda_memory.hpp"
#include "solver/backends/cuda/cuda_run.hpp"

namespace perdure::cuda {

class CudaEnsemble final : public EnsembleLaunch {
  public:
    /// Starts the members, which are runs of CudaRun of one kernel and one shape, in as many rows as `resident_groups` have room for.
    /// Throws Failure(device).
    CudaEnsemble(int device, std::span<const MemberLaunch> members, int resident_groups);
    ~CudaEnsemble() override;

    bool finished(std::chrono::milliseconds timeout) override;
    double seconds(std::size_t member) override;

  private:
    /// Behind the kernel: what is read of each member.
    void begin_reading(std::span<const MemberLaunch> members, const std::byte *times);

    int device_;
    std::size_t members_;
    Stream stream_;
    DeviceMemory memory_;
    MappedMemory times_;  // begin and end of each member, once all have ended
};

}  // namespace perdure::cuda
