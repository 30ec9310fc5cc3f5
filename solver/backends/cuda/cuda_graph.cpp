#include "solver/backends/cuda/cuda_graph.hpp"

#include <fmt/format.h>

#include <cstring>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_kernels.hpp"

namespace perdure::cuda {
namespace {

constexpr int first_version_with_loops = 12040;
constexpr int first_capability_with_overlap = 9;

/// Parameters of a node but for its place in the batch.
run_parameters_t node_parameters(run_parameters_t parameters) {
    parameters.first_phase = 0;
    parameters.phase_count = 1;
    parameters.in_graph = 1;
    return parameters;
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, const void *kernel, LaunchShape shape, void **arguments) {
    cudaKernelNodeParams node{};
    node.func = const_cast<void *>(kernel);
    node.gridDim = dim3(static_cast<unsigned>(shape.groups));
    node.blockDim = dim3(static_cast<unsigned>(shape.group_size));
    node.sharedMemBytes = static_cast<unsigned>(shape.shared_bytes);
    node.kernelParams = arguments;
    cudaGraphNode_t added = nullptr;
    check(cudaGraphAddKernelNode(&added, graph, nullptr, 0, &node), "cudaGraphAddKernelNode");
    return added;
}

/// `to` after `from`; `overlap`: its groups may be set up before `from` has ended, and wait for that.
void add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to, bool overlap) {
#if CUDART_VERSION >= 12040
    cudaGraphEdgeData edge{};
    if (overlap) {
        edge.from_port = cudaGraphKernelNodePortProgrammatic;
        edge.type = cudaGraphDependencyTypeProgrammatic;
    }
#if CUDART_VERSION >= 13000
    const cudaError_t error = cudaGraphAddDependencies(graph, &from, &to, &edge, 1);
#else
    const cudaError_t error = cudaGraphAddDependencies_v2(graph, &from, &to, &edge, 1);
#endif
#else
    (void)overlap;
    const cudaError_t error = cudaGraphAddDependencies(graph, &from, &to, 1);
#endif
    check(error, "cudaGraphAddDependencies");
}

Graph make_graph() {
    cudaGraph_t graph = nullptr;
    check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
    return Graph(graph);
}

#if CUDART_VERSION >= 12040
/// A WHILE node, entered at every launch; returns its empty body.
cudaGraph_t add_loop(cudaGraph_t graph, cudaGraphConditionalHandle &handle) {
    check(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault),
          "cudaGraphConditionalHandleCreate");
    cudaGraphNodeParams node{};
    node.type = cudaGraphNodeTypeConditional;
    node.conditional.handle = handle;
    node.conditional.type = cudaGraphCondTypeWhile;
    node.conditional.size = 1;
    cudaGraphNode_t added = nullptr;
#if CUDART_VERSION >= 13000
    check(cudaGraphAddNode(&added, graph, nullptr, nullptr, 0, &node), "cudaGraphAddNode (WHILE)");
#else
    check(cudaGraphAddNode(&added, graph, nullptr, 0, &node), "cudaGraphAddNode (WHILE)");
#endif
    return node.conditional.phGraph_out[0];
}
#else
cudaGraph_t add_loop(cudaGraph_t, cudaGraphConditionalHandle &) {
    throw Failure(ExitCode::device, why_no_graph_while());
}
#endif

}  // namespace

std::string cuda_version(int number) {
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

std::string why_no_graph_while() {
#if CUDART_VERSION >= 12040
    int driver = 0;
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    return driver >= first_version_with_loops
               ? std::string()
               : fmt::format(
                     "loops in graphs need a driver for CUDA {} or later, but this one is for CUDA {}",
                     cuda_version(first_version_with_loops), cuda_version(driver));
#else
    return fmt::format("loops in graphs need CUDA {} or later, but this program was built with CUDA {}",
                       cuda_version(first_version_with_loops), cuda_version(CUDART_VERSION));
#endif
}

bool launches_overlap(int device) {
    int major = 0;
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
          "cudaDeviceGetAttribute");
    return CUDART_VERSION >= first_version_with_loops && major >= first_capability_with_overlap;
}

CudaGraph::CudaGraph(const GraphKernel &kernel, const run_parameters_t &parameters, PhaseGraph graph)
    : parameters_(node_parameters(parameters)), shape_(graph), graph_(make_graph()) {
    cudaGraphConditionalHandle loop{};
    cudaGraph_t body = graph.loop ? add_loop(graph_.get(), loop) : graph_.get();
    add_batch(body, kernel, loop);
    cudaGraphExec_t executable = nullptr;
    check(cudaGraphInstantiate(&executable, graph_.get(), 0), "cudaGraphInstantiate");
    executable_.reset(executable);
}

void CudaGraph::add_batch(cudaGraph_t to, const GraphKernel &kernel, cudaGraphConditionalHandle loop) {
    const bool overlap = launches_overlap(kernel.device);
    run_parameters_t parameters = parameters_;
    std::vector<void *> arguments = kernel.arguments;
    arguments.at(0) = &parameters;
    cudaGraphNode_t last = nullptr;
    for (std::uint32_t phase = 0; phase < shape_.phases; ++phase) {
        parameters.first_phase = phase;  // copied into the node
        cudaGraphNode_t node = add_kernel(to, kernel.kernel, kernel.shape, arguments.data());
        if (last != nullptr) {
            add_edge(to, last, node, overlap);
        }
        last = node;
    }
    void *state = kernel.state;
    std::uint32_t phases = shape_.phases;
    void *advance_arguments[] = {&state, &phases, &loop};
    cudaGraphNode_t advance = add_kernel(to, find_advance(shape_.loop), {1, 1}, advance_arguments);
    add_edge(to, last, advance, overlap);
}

bool CudaGraph::is(const run_parameters_t &parameters, PhaseGraph graph) const {
    const run_parameters_t node = node_parameters(parameters);
    return graph.phases == shape_.phases && graph.loop == shape_.loop &&
           std::memcmp(&node, &parameters_, sizeof node) == 0;
}

void CudaGraph::launch(cudaStream_t stream) const {
    check(cudaGraphLaunch(executable_.get(), stream), "cudaGraphLaunch");
}

}  // namespace perdure::cuda
