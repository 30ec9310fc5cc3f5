#include "solver/backends/cuda/cuda_error.hpp"

#include <fmt/format.h>

#include "solver/failure.hpp"

namespace perdure::cuda {
namespace {

const char *meaning(cudaError_t error) {
    switch (error) {
        case cudaErrorNoDevice:
            return "no NVIDIA GPU is visible (does CUDA_VISIBLE_DEVICES hide it?)";
        case cudaErrorInsufficientDriver:
            return "the NVIDIA driver is missing or older than the CUDA runtime of this build; update the "
                   "driver";
        case cudaErrorSystemDriverMismatch:
            return "the NVIDIA kernel module and the driver library have different versions; restart the "
                   "machine after an update";
        case cudaErrorDevicesUnavailable:
            return "the GPU is busy or in exclusive mode; use another device, or wait for the other program";
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorInvalidDeviceFunction:
        case cudaErrorUnsupportedPtxVersion:
            return "the helper kernels of the models graph and graph_while were compiled for other GPUs "
                   "(" PERDURE_CUDA_ARCHITECTURES
                   "); use execution.model: persistent, or configure with "
                   "-DPERDURE_CUDA_ARCHITECTURES=<this GPU's compute capability without the point>";
        case cudaErrorMemoryAllocation:
            return "device memory ran out; use a smaller grid, execution.precision: float32 or another "
                   "device";
        case cudaErrorCooperativeLaunchTooLarge:
            return "not all groups can run at the same time; lower execution.groups or execution.group_size";
        case cudaErrorLaunchTimeout:
            return "the driver ended the kernel for running too long on a GPU that drives a display; use "
                   "execution.model: launches or another device";
        case cudaErrorECCUncorrectable:
        case cudaErrorHardwareStackError:
        case cudaErrorNvlinkUncorrectable:
            return "the GPU reports a hardware fault; its results cannot be trusted";
        case cudaErrorIllegalAddress:
        case cudaErrorMisalignedAddress:
        case cudaErrorIllegalInstruction:
        case cudaErrorInvalidPc:
        case cudaErrorLaunchFailure:
        case cudaErrorAssert:
            return "the kernel itself failed; this is an error in perdure, please report it together with "
                   "the case";
        default:
            return "";
    }
}

}  // namespace

std::string explain(cudaError_t error) {
    const std::string text = fmt::format("{} ({})", cudaGetErrorString(error), cudaGetErrorName(error));
    const std::string means = meaning(error);
    return means.empty() ? text : text + ": " + means;
}

void check(cudaError_t error, std::string_view call) {
    if (error == cudaSuccess) {
        return;
    }
    (void)cudaGetLastError();  // an error that is not sticky must not show up in the next call
    throw Failure(ExitCode::device, fmt::format("CUDA: {} failed: {}", call, explain(error)));
}

}  // namespace perdure::cuda
