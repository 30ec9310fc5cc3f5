// Owners of CUDA runtime objects. Their device must be current when they are created.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <memory>

namespace perdure::cuda {

/// To the idle ones of a device: making and destroying them slows down kernels that run there at that time.
struct GiveBackStream {
    int device = 0;
    void operator()(cudaStream_t stream) const;
};
struct GiveBackEvent {
    int device = 0;
    void operator()(cudaEvent_t event) const;
};
struct DestroyGraph {
    void operator()(cudaGraph_t graph) const { (void)cudaGraphDestroy(graph); }
};
struct DestroyExecutableGraph {
    void operator()(cudaGraphExec_t graph) const { (void)cudaGraphExecDestroy(graph); }
};

using Stream = std::unique_ptr<CUstream_st, GiveBackStream>;
using Event = std::unique_ptr<CUevent_st, GiveBackEvent>;
using Graph = std::unique_ptr<CUgraph_st, DestroyGraph>;
using ExecutableGraph = std::unique_ptr<CUgraphExec_st, DestroyExecutableGraph>;

/// Its number. Throws Failure(device).
int current_device();

/// Of the current device, an idle one or a new one. Each throws Failure(device). Nothing may be under way in a stream that is given up.
Stream make_stream();
Event make_event();

/// Whether the stream has nothing under way any more; waits up to `timeout` for that. Polls, after `spin` with pauses in proportion to the
/// time waited: a short wait must not end late. Throws Failure(device).
bool becomes_idle(cudaStream_t stream, std::chrono::milliseconds timeout,
                  std::chrono::microseconds spin = std::chrono::microseconds(500));

}  // namespace perdure::cuda
