// A kernel with its memory on one CUDA device.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/backends/cuda/cuda_copies.hpp"
#include "solver/backends/cuda/cuda_graph.hpp"
#include "solver/backends/cuda/cuda_handles.hpp"
#include "solver/backends/cuda/cuda_memory.hpp"
#include "solver/backends/cuda/cuda_partners.hpp"
#include "solver/backends/cuda/cuda_ranks.hpp"
#include "solver/backends/cuda/cuda_small_buffers.hpp"

namespace perdure::cuda {

class CudaRun final : public DeviceRun {
  public:
    /// `devices` count as CUDA does; of several each runs an equal part of the groups. The control block lies in mapped memory where
    /// `shared_control`. `ranks`: by which way the kernel tells other ranks what it has made; they all make a run of theirs.
    CudaRun(std::span<const int> devices, bool shared_control, const void *kernel, const KernelCall &call,
            LaunchShape shape, RanksOfKernel ranks);
    /// Asks the kernel to stop, for nobody can read its result any more, and waits until it has.
    ~CudaRun() override;

    void launch(const run_parameters_t &parameters, bool synchronised) override;
    void launch_phase(const run_parameters_t &parameters) override;
    void launch_graph(const run_parameters_t &parameters, PhaseGraph graph) override;
    bool instrument(bool on) override;
    bool finished(std::chrono::milliseconds timeout) override;
    double launch_seconds() override;
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override;
    void read_for_first(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override;
    void read_while_running(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override;
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override;
    void clear(std::size_t buffer, std::size_t bytes) override;
    SharedMemory memory(std::size_t buffer) override;
    control_t *control() override { return static_cast<control_t *>(control_.get()); }

    /// For ensembles: what the kernel is given, and how.
    [[nodiscard]] const KernelVariant &variant() const { return variant_; }
    [[nodiscard]] const void *kernel() const { return kernel_; }
    [[nodiscard]] const LaunchShape &shape() const { return shape_; }
    std::string missing_messages() override;
    /// Of the buffers, as kernels see them.
    [[nodiscard]] std::vector<void *> addresses() const;
    /// Behind the launch of a member that is under way in the stream: starts the copy of what is read behind each launch.
    void begin_reading(cudaStream_t stream) { small_.value().begin_reading(stream); }

  private:
    struct Buffer {
        DeviceMemory memory;      // null: in control_
        void *address = nullptr;  // as kernels see it
        std::size_t bytes = 0;
        KernelBuffer asked = {};
    };

    void use_device() const;
    void note_change() {
        if (ranks_) {
            ranks_->note_change();
        }
        if (small_) {
            small_->note_change();
        }
    }
    void start_partners(bool synchronised);
    void allocate(const KernelCall &call, bool shared_control);
    [[nodiscard]] std::size_t bytes() const;  // of all buffers
    void fill(std::size_t buffer, const KernelBuffer &from);
    std::byte *place(std::size_t buffer, std::size_t bytes, std::size_t offset) const;
    bool in_mapped_memory(std::size_t buffer) const { return !buffers_[buffer].memory; }
    void wait() const;
    void read_with_ranks(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset, bool for_first);
    void copy_to_host(void *to, const std::byte *from, std::size_t bytes);
    void copy_to_device(std::byte *to, const std::byte *from, std::size_t bytes);
    void set_to_zero(std::size_t buffer, std::size_t bytes);

    std::vector<int> devices_;
    int device_;  // the first one
    KernelVariant variant_;
    const void *plain_;
    const void *kernel_;  // it or its form with clocks
    LaunchShape shape_;   // on each device
    std::optional<Partners> partners_;
    std::optional<CudaRanks> ranks_;
    MappedMemory control_;
    static constexpr std::size_t staging_bytes = 4096;
    MappedMemory staging_;  // what small copies to the host go through
    std::vector<Buffer> buffers_;
    std::optional<SmallBuffers> small_;  // of a member of an ensemble
    Stream stream_;
    Event begin_, end_;
    std::optional<PinnedCopies> copies_;  // during a launch
    std::optional<CopyingThreads> copying_threads_;
    bool launched_ = false;
    std::unique_ptr<CudaGraph> graph_;  // of the last launch_graph
    run_parameters_t parameters_{};
    std::vector<void *> arguments_;  // addresses of parameters_ and of each buffer's address
};

}  // namespace perdure::cuda
