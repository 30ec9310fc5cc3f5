// The CUDA back end: devices as the solver sees them.
#include <fmt/format.h>

#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/backends/cuda/cuda_describe.hpp"
#include "solver/backends/cuda/cuda_ensemble.hpp"
#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_kernels.hpp"
#include "solver/backends/cuda/cuda_run.hpp"
#include "solver/backends/cuda/nvshmem.hpp"
#include "solver/backends/kernel_catalog.hpp"
#include "solver/ranks/ranks.hpp"

namespace perdure {
namespace cuda {
namespace {

constexpr int warp = 32;  // the addition trees of kernel text need whole warps

class CudaDevice final : public Device {
  public:
    /// Several are one whose groups are shared out among them.
    explicit CudaDevice(std::vector<int> devices) : devices_(std::move(devices)), device_(devices_.front()) {}
    /// That of one of several ranks.
    CudaDevice(int device, RanksOfKernel ranks) : devices_{device}, device_(device), ranks_(ranks) {}

    [[nodiscard]] const DeviceDescription &description() const override {
        return description_ ? *description_ : describe_anew();
    }
    void update_free_bytes() override {
        if (description_) {
            describe_memory(devices_, *description_);
        }
    }
    [[nodiscard]] int default_group_size() const override { return LANES; }
    [[nodiscard]] int largest_group_size(const KernelVariant &variant) override;
    [[nodiscard]] int resident_groups(const KernelVariant &variant, int group_size) override {
        return resident_groups_with(variant, {1, group_size});
    }
    [[nodiscard]] int resident_groups_with(const KernelVariant &variant, LaunchShape shape) override;
    [[nodiscard]] int most_groups(const KernelVariant &variant, int group_size) override {
        return resident_groups(variant, group_size);
    }
    [[nodiscard]] double wait_units_per_second() override { return 1.0e9; }
    [[nodiscard]] double seconds_to_compile(const KernelVariant &variant) override;
    std::unique_ptr<DeviceRun> prepare(const KernelCall &call, LaunchShape shape) override;
    [[nodiscard]] bool has_ensembles() const override {
        return devices_.size() == 1 && ranks_ == RanksOfKernel::none;
    }
    std::unique_ptr<EnsembleLaunch> launch_members(std::span<const MemberLaunch> members) override;

  private:
    [[nodiscard]] KernelVariant for_devices(KernelVariant variant) const {
        variant.several_devices = devices_.size() > 1;
        variant.ranks = can_be_instrumented(variant.kernel) ? ranks_ : RanksOfKernel::none;  // by phases
        return variant;
    }
    const DeviceDescription &describe_anew() const;
    [[nodiscard]] const void *find_code(const KernelVariant &variant) const {
        return find_kernel(device_, for_devices(variant));
    }

    std::vector<int> devices_;
    int device_;  // the first one
    RanksOfKernel ranks_ = RanksOfKernel::none;
    mutable std::optional<DeviceDescription> description_;  // once asked for: that opens the device
};

const DeviceDescription &CudaDevice::describe_anew() const {
    DeviceDescription &description = description_.emplace(describe(devices_));
    if (ranks_ != RanksOfKernel::none) {
        description.holds_parts = ranks_ != RanksOfKernel::nvshmem;  // whose heap is the same in all ranks
        description.name += fmt::format(" in each of {} processes, by {}", ranks()->count(),
                                        ranks_ == RanksOfKernel::nvshmem ? "NVSHMEM" : "peer memory");
        description.copies_while_running = false;
        description.no_graph = "a launch graph is one process's";
        description.no_resident = "processes share a case by phases alone";
    }
    return description;
}

int CudaDevice::largest_group_size(const KernelVariant &variant) {
    check(cudaSetDevice(device_), "cudaSetDevice");
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, find_code(variant)), "cudaFuncGetAttributes");
    return attributes.maxThreadsPerBlock / warp * warp;
}

int CudaDevice::resident_groups_with(const KernelVariant &variant, LaunchShape shape) {
    if (shape.group_size < 1 || shape.group_size > largest_group_size(variant)) {
        return 0;
    }
    const void *const code = find_code(variant);
    allow_shared_memory(code, shape.shared_bytes);
    int per_unit = 0;
    check(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, code, shape.group_size, shape.shared_bytes),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return per_unit * description().compute_units;
}

double CudaDevice::seconds_to_compile(const KernelVariant &variant) {
    const KernelEntry *const entry = find_kernel_entry(variant.kernel);
    return entry == nullptr || is_compiled(device_, for_devices(variant))
               ? 0.0
               : perdure::seconds_to_compile(*entry);
}

std::unique_ptr<DeviceRun> CudaDevice::prepare(const KernelCall &call, LaunchShape shape) {
    const int largest = largest_group_size(call.variant());
    if (shape.group_size < warp || shape.group_size % warp != 0 || shape.group_size > largest) {
        throw Failure(ExitCode::device,
                      fmt::format("execution.group_size: groups of {} items cannot run on {}; use a multiple "
                                  "of {} from {} to {} for kernel '{}'",
                                  shape.group_size, description().name, warp, warp, largest, call.kernel));
    }
    if (shape.groups < description().devices) {
        throw Failure(ExitCode::device, fmt::format("{} groups cannot be shared out among {} devices",
                                                    shape.groups, description().devices));
    }
    KernelVariant variant = for_devices(call.variant());
    const bool is_shared = variant.ranks != RanksOfKernel::none && !shape.cuts.empty();
    if (!is_shared) {
        variant.ranks = RanksOfKernel::none;
        return std::make_unique<CudaRun>(devices_, description().shared_control,
                                         find_kernel(device_, variant), call, shape, variant.ranks);
    }
    try {
        return std::make_unique<CudaRun>(devices_, description().shared_control,
                                         find_kernel(device_, variant), call, shape, variant.ranks);
    } catch (const Failure &failure) {
        end_all_ranks(failure);
        throw;
    } catch (const std::exception &error) {
        end_all_ranks(Failure(ExitCode::differs_or_internal, error.what()));
        throw;
    }
}

std::unique_ptr<EnsembleLaunch> CudaDevice::launch_members(std::span<const MemberLaunch> members) {
    const auto &first = dynamic_cast<const CudaRun &>(*members.front().run);
    return std::make_unique<CudaEnsemble>(device_, members,
                                          resident_groups_with(first.variant(), first.shape()));
}

/// Why this machine offers no device, or empty; `count` is set when there are some.
std::string find_devices(int &count) {
    if (!cuda_driver_is_there()) {
        return "no NVIDIA driver was found";
    }
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
        count = 0;
        (void)cudaGetLastError();
        return explain(error);
    }
    return count == 0 ? explain(cudaErrorNoDevice) : "";
}

}  // namespace
}  // namespace cuda

bool cuda_driver_is_there() {
    // Code that is loaded while a persistent kernel waits can deadlock it. Must precede the first CUDA call.
    (void)setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    int driver = 0;
    return cudaDriverGetVersion(&driver) != cudaSuccess || driver != 0;
}

std::vector<std::unique_ptr<Device>> cuda_devices(std::string &why_none) {
    std::vector<std::unique_ptr<Device>> devices;
    int count = 0;
    why_none = cuda::find_devices(count);
    devices.reserve(static_cast<std::size_t>(count));
    for (int device = 0; device < count; ++device) {
        devices.push_back(std::make_unique<cuda::CudaDevice>(std::vector{device}));
    }
    return devices;
}

std::unique_ptr<Device> cuda_devices_as_one(int first, int count) {
    std::vector<int> devices(static_cast<std::size_t>(count));
    std::iota(devices.begin(), devices.end(), first);
    return std::make_unique<cuda::CudaDevice>(std::move(devices));
}

std::unique_ptr<Device> cuda_device_of_rank(int device, RanksOfKernel way) {
    return std::make_unique<cuda::CudaDevice>(device, way);
}

std::string why_no_nvshmem() {
    return cuda::nvshmem::why_not();
}

}  // namespace perdure
