#include "solver/backends/cuda/cuda_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_kernels.hpp"
#include "solver/backends/cuda/cuda_shared_memory.hpp"
#include "solver/backends/cuda/memory_needed.hpp"

namespace perdure::cuda {
namespace {

constexpr std::size_t part_during_launch = std::size_t{8} << 20U;
// Where all buffers have fewer bytes, pinned memory of copying threads takes longer to allocate than they save.
constexpr std::size_t worth_copying_threads = std::size_t{256} << 20U;

}  // namespace

CudaRun::CudaRun(std::span<const int> devices, bool shared_control, const void *kernel,
                 const KernelCall &call, LaunchShape shape, RanksOfKernel ranks)
    : devices_(devices.begin(), devices.end()),
      device_(devices.front()),
      variant_(call.variant()),
      plain_(kernel),
      kernel_(kernel),
      shape_(shape) {
    if (devices.size() > 1) {
        variant_.several_devices = true;
        partners_.emplace(devices_, variant_, shape);
    }
    use_device();
    if (ranks != RanksOfKernel::none) {
        variant_.ranks = ranks;
        ranks_.emplace(device_, variant_, call, shape);
    }
    if (!call.ensemble) {  // whose members were counted beforehand; asking slows down those that run
        free_idle_blocks();
        refuse_too_large(call, devices_, partners_);
    }
    allow_shared_memory(plain_, shape_.shared_bytes);
    stream_ = make_stream();
    begin_ = make_event();
    end_ = make_event();
    allocate(call, shared_control);
    staging_ = allocate_mapped(staging_bytes);
    if (call.read_while_running) {
        copies_.emplace(part_during_launch);
    }
    if (!call.ensemble && bytes() >= worth_copying_threads) {
        copying_threads_.emplace(device_);
    }
    if (small_) {
        small_->begin_filling(stream_.get());
    }
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        if (!SmallBuffers::contain(call, i)) {
            fill(i, call.buffers[i]);
        }
    }
    wait();
    arguments_.push_back(&parameters_);
    for (Buffer &buffer : buffers_) {
        arguments_.push_back(&buffer.address);
    }
}

CudaRun::~CudaRun() {
    (void)cudaSetDevice(device_);
    if (control_ && cudaStreamQuery(stream_.get()) == cudaErrorNotReady) {
        std::atomic_ref(control()->stop_request).store(1, std::memory_order_relaxed);
    }
    (void)cudaStreamSynchronize(stream_.get());
    if (partners_) {
        partners_->wait();
    }
}

void CudaRun::use_device() const {
    check(cudaSetDevice(device_), "cudaSetDevice");
}

void CudaRun::allocate(const KernelCall &call, bool shared_control) {
    buffers_.resize(call.buffers.size());
    if (call.ensemble) {
        small_.emplace(call);
    }
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        Buffer &buffer = buffers_[i];
        buffer.bytes = allocated_bytes(call.buffers[i], i, devices_.size());
        buffer.asked = call.buffers[i];
        if (i == 0 && shared_control) {
            control_ = allocate_mapped(buffer.bytes);
            buffer.address = device_address(control_);
        } else {
            const SharedMemory &taken = call.buffers[i].taken;
            const bool is_small = SmallBuffers::contain(call, i);
            buffer.memory = is_small ? small_->memory(i)
                            : taken  ? taken
                            : partners_
                                ? allocate_over(partners_->parts(), buffer.bytes, call.buffers[i].arrays)
                            : ranks_        ? ranks_->allocate(i, buffer.bytes)
                            : call.ensemble ? allocate_for_member(buffer.bytes)
                                            : allocate_device(buffer.bytes);
            buffer.address = buffer.memory.get();
        }
    }
}

std::size_t CudaRun::bytes() const {
    std::size_t sum = 0;
    for (const Buffer &buffer : buffers_) {
        sum += buffer.bytes;
    }
    return sum;
}

void CudaRun::fill(std::size_t buffer, const KernelBuffer &from) {
    if (from.as_it_stands) {
        return;
    }
    if (from.initial != nullptr) {
        write(buffer, from.initial, from.bytes, 0);
    } else if (in_mapped_memory(buffer)) {
        std::memset(control_.get(), 0, buffers_[buffer].bytes);
    } else if (variant_.ensemble) {
        zero_by_copies(buffers_[buffer].address, buffers_[buffer].bytes, stream_.get());
    } else {
        set_to_zero(buffer, buffers_[buffer].bytes);
    }
}

void CudaRun::launch(const run_parameters_t &parameters, bool synchronised) {
    use_device();
    parameters_ = parameters;
    if (partners_) {
        partners_->begin(parameters.cells, stream_.get(), end_.get());
    }
    if (ranks_) {
        ranks_->begin(parameters, addresses(), synchronised, stream_.get());
    }
    check(cudaEventRecord(begin_.get(), stream_.get()), "cudaEventRecord");
    start_kernel(kernel_, partners_ ? partners_->part(0) : shape_, arguments_.data(), synchronised,
                 stream_.get());
    check(cudaEventRecord(end_.get(), stream_.get()), "cudaEventRecord");
    launched_ = true;
    if (partners_) {
        start_partners(synchronised);
    }
}

/// Where one cannot be started, those that run already wait no longer.
void CudaRun::start_partners(bool synchronised) {
    try {
        partners_->start(arguments_.data(), synchronised);
        use_device();
    } catch (const Failure &) {
        use_device();
        const Stream other_stream = make_stream();
        const std::uint32_t abandoned = 1;
        auto *const sync = static_cast<std::byte *>(buffers_[buffer_sync].address);
        (void)cudaMemcpyAsync(sync + offsetof(grid_sync_t, abandoned), &abandoned, sizeof abandoned,
                              cudaMemcpyHostToDevice, other_stream.get());
        (void)cudaStreamSynchronize(other_stream.get());
        throw;
    }
}

void CudaRun::launch_phase(const run_parameters_t &parameters) {
    if (partners_ || ranks_) {
        launch(parameters, false);
        return;
    }
    use_device();
    parameters_ = parameters;
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(static_cast<unsigned>(shape_.groups));
    launch.blockDim = dim3(static_cast<unsigned>(shape_.group_size));
    launch.dynamicSmemBytes = shape_.shared_bytes;
    launch.stream = stream_.get();
    launch.attrs = &overlap;
    launch.numAttrs = launches_overlap(device_) ? 1 : 0;
    check(cudaLaunchKernelExC(&launch, kernel_, arguments_.data()), "cudaLaunchKernelExC");
}

void CudaRun::launch_graph(const run_parameters_t &parameters, PhaseGraph graph) {
    use_device();
    if (!graph_ || !graph_->is(parameters, graph)) {
        constexpr std::size_t state = 2;
        graph_ = std::make_unique<CudaGraph>(
            GraphKernel{kernel_, shape_, device_, arguments_, buffers_.at(state).address}, parameters, graph);
    }
    check(cudaEventRecord(begin_.get(), stream_.get()), "cudaEventRecord");
    graph_->launch(stream_.get());
    check(cudaEventRecord(end_.get(), stream_.get()), "cudaEventRecord");
    launched_ = true;
}

bool CudaRun::instrument(bool on) {
    if (partners_ || ranks_ || !can_be_instrumented(variant_.kernel)) {
        return false;
    }
    kernel_ = on ? find_instrumented_kernel(device_, variant_) : plain_;
    allow_shared_memory(kernel_, shape_.shared_bytes);
    graph_.reset();
    return true;
}

bool CudaRun::finished(std::chrono::milliseconds timeout) {
    const bool others = !partners_ || partners_->finished(timeout);
    use_device();
    return becomes_idle(stream_.get(), timeout) && others;
}

SharedMemory CudaRun::memory(std::size_t buffer) {
    const Buffer &of = buffers_.at(buffer);
    if (ranks_) {
        use_device();
        ranks_->complete(buffer, of.address, stream_.get());
    }
    return of.memory;
}

std::string CudaRun::missing_messages() {
    use_device();
    return ranks_ ? ranks_->missing_messages() : std::string();
}

std::vector<void *> CudaRun::addresses() const {
    std::vector<void *> found;
    std::ranges::transform(buffers_, std::back_inserter(found), &Buffer::address);
    return found;
}

double CudaRun::launch_seconds() {
    if (!launched_) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    use_device();
    check(cudaEventSynchronize(end_.get()), "cudaEventSynchronize");
    float milliseconds = 0.0F;
    check(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "cudaEventElapsedTime");
    return 1.0e-3 * static_cast<double>(milliseconds);
}

void CudaRun::wait() const {
    check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
}

}  // namespace perdure::cuda
