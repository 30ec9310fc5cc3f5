#include "solver/backends/backend.hpp"
#include "solver/backends/compile_kernels.hpp"
#include "solver/failure.hpp"

namespace perdure {

std::vector<std::unique_ptr<Device>> opencl_devices(std::string &why_none) {
    why_none = "built without OpenCL";
    return {};
}

std::string why_no_opencl_gpu() {
    return "built without OpenCL";
}

std::string compile_opencl_kernels(const KernelsToCompile &, int, const ProgramDone &) {
    throw Failure(ExitCode::device, "perdure was built without OpenCL, so it cannot compile OpenCL kernels");
}

}  // namespace perdure
