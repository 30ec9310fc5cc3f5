// Owners of CUDA runtime objects. Their device must be current when they are created.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

namespace perdure::cuda {

struct DestroyStream {
    void operator()(cudaStream_t stream) const { (void)cudaStreamDestroy(stream); }
};
struct DestroyEvent {
    void operator()(cudaEvent_t event) const { (void)cudaEventDestroy(event); }
};
struct DestroyGraph {
    void operator()(cudaGraph_t graph) const { (void)cudaGraphDestroy(graph); }
};
struct DestroyExecutableGraph {
    void operator()(cudaGraphExec_t graph) const { (void)cudaGraphExecDestroy(graph); }
};
struct FreeMapped {
    void operator()(void *memory) const { (void)cudaFreeHost(memory); }
};

using Stream = std::unique_ptr<CUstream_st, DestroyStream>;
using Event = std::unique_ptr<CUevent_st, DestroyEvent>;
using Graph = std::unique_ptr<CUgraph_st, DestroyGraph>;
using ExecutableGraph = std::unique_ptr<CUgraphExec_st, DestroyExecutableGraph>;
using DeviceMemory = std::shared_ptr<void>;
/// Page-locked memory of the host that kernels can address too.
using MappedMemory = std::unique_ptr<void, FreeMapped>;

/// Each throws Failure(device).
Stream make_stream();
Event make_event();
DeviceMemory allocate_device(std::size_t bytes);
MappedMemory allocate_mapped(std::size_t bytes);
void *device_address(const MappedMemory &memory);

}  // namespace perdure::cuda
