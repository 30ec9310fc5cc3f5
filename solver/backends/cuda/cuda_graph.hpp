// Batches of phases as CUDA graphs.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/backends/cuda/cuda_handles.hpp"

namespace perdure::cuda {

/// 12040 is 12.4.
std::string cuda_version(int number);

/// Why the runtime of this build and the driver of this machine have no loops in graphs, or empty.
std::string why_no_graph_while();

/// Whether the groups of a launch can be set up while the launch before it still runs.
bool launches_overlap(int device);

/// A kernel as a node calls it: `arguments` are addresses of run_parameters_t and of each buffer's address.
struct GraphKernel {
    const void *kernel = nullptr;
    LaunchShape shape;
    int device = 0;
    std::vector<void *> arguments;
    void *state = nullptr;  // run_state_t on the device
};

/// A batch of phases, one node each, and behind them a node of one item that moves on to the next batch; with
/// `loop` both stand in the body of a WHILE node.
///
/// From phase to phase leads a programmatic edge where devices have such: the groups of the next phase are set up
/// while the last ones of this phase still run (kernels/launch_order.h).
class CudaGraph {
  public:
    /// Throws Failure(device).
    CudaGraph(const GraphKernel &kernel, const run_parameters_t &parameters, PhaseGraph graph);

    /// Whether it launches the same.
    [[nodiscard]] bool is(const run_parameters_t &parameters, PhaseGraph graph) const;
    void launch(cudaStream_t stream) const;

  private:
    void add_batch(cudaGraph_t to, const GraphKernel &kernel, cudaGraphConditionalHandle loop);

    run_parameters_t parameters_;
    PhaseGraph shape_;
    Graph graph_;
    ExecutableGraph executable_;
};

}  // namespace perdure::cuda
