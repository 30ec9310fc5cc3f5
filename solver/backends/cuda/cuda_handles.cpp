#include "solver/backends/cuda/cuda_handles.hpp"

#include <fmt/format.h>

#include "solver/backends/cuda/cuda_error.hpp"

namespace perdure::cuda {

Stream make_stream() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return Stream(stream);
}

Event make_event() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreate(&event), "cudaEventCreate");
    return Event(event);
}

DeviceMemory allocate_device(std::size_t bytes) {
    void *memory = nullptr;
    check(cudaMalloc(&memory, bytes), fmt::format("cudaMalloc of {} bytes", bytes));
    return {memory, [](void *allocated) { (void)cudaFree(allocated); }};
}

MappedMemory allocate_mapped(std::size_t bytes) {
    void *memory = nullptr;
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped),
          fmt::format("cudaHostAlloc of {} bytes", bytes));
    return MappedMemory(memory);
}

void *device_address(const MappedMemory &memory) {
    void *address = nullptr;
    check(cudaHostGetDevicePointer(&address, memory.get(), 0), "cudaHostGetDevicePointer");
    return address;
}

}  // namespace perdure::cuda
