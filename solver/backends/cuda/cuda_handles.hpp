// Owners of CUDA runtime objects. Their device must be current when they are created.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
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

using Stream = std::unique_ptr<CUstream_st, DestroyStream>;
using Event = std::unique_ptr<CUevent_st, DestroyEvent>;
using Graph = std::unique_ptr<CUgraph_st, DestroyGraph>;
using ExecutableGraph = std::unique_ptr<CUgraphExec_st, DestroyExecutableGraph>;

/// Each throws Failure(device).
Stream make_stream();
Event make_event();

/// Whether the stream has nothing under way any more; waits up to `timeout` for that. Polls, after a while with pauses in proportion to the
/// time waited: a short wait must not end late. Throws Failure(device).
bool becomes_idle(cudaStream_t stream, std::chrono::milliseconds timeout);

}  // namespace perdure::cuda
