// Stands in for the CUDA back end in a build without it.
#include "solver/backends/backend.hpp"
#include "solver/backends/compile_kernels.hpp"

namespace perdure {

std::vector<std::unique_ptr<Device>> cuda_devices(std::string &why_none) {
    why_none = "built without CUDA";
    return {};
}

bool cuda_driver_is_there() {
    return false;
}

std::unique_ptr<Device> cuda_devices_as_one(int, int) {
    throw Failure(ExitCode::device, "perdure was built without CUDA, so it has no CUDA devices");
}

std::unique_ptr<Device> cuda_device_of_rank(int, RanksOfKernel) {
    throw Failure(ExitCode::device, "perdure was built without CUDA, so it has no CUDA devices");
}

std::string why_no_nvshmem() {
    return "perdure was built without CUDA";
}

void compile_cuda_kernels(const KernelsToCompile &, const std::string &, const ProgramDone &) {
    throw Failure(ExitCode::device, "perdure was built without CUDA, so it cannot compile CUDA kernels");
}

}  // namespace perdure
