// Stands in for nvshmem.cpp in a build without its headers: nothing but why_not() is called.
#include "solver/backends/cuda/nvshmem.hpp"

namespace perdure::cuda::nvshmem {

std::string why_not() {
    return "this perdure was built without NVSHMEM; build it where its headers are (`pip install "
           "nvidia-nvshmem-cu13`, cmake -DNVSHMEM_HOME=FOLDER with the folder that contains include), or use "
           "execution.transport: peer on one host";
}

std::string version() {
    return {};
}

void start(Ranks & /*ranks*/) {
    throw Failure(ExitCode::device, why_not());
}

void *allocate(std::size_t /*bytes*/) {
    throw Failure(ExitCode::device, why_not());
}

void prepare(cudaLibrary_t /*library*/) {
    throw Failure(ExitCode::device, why_not());
}

std::span<const std::byte> seam() {
    throw Failure(ExitCode::device, why_not());
}

std::string device_library() {
    throw Failure(ExitCode::device, why_not());
}

}  // namespace perdure::cuda::nvshmem
