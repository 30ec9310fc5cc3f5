#include "kernels/advance_graph.h"
#include "solver/backends/cuda/cuda_kernels.hpp"

namespace perdure::cuda {
namespace {

__global__ void advance_batch(run_state_t *state, uint32 phases) {
    await_launch_before();
    advance_graph(state, phases);
}

#if CUDART_VERSION >= 12040
__global__ void advance_loop(run_state_t *state, uint32 phases, cudaGraphConditionalHandle loop) {
    await_launch_before();
    cudaGraphSetConditional(loop, advance_graph(state, phases));
}
#endif

}  // namespace

const void *find_advance(bool loop) {
#if CUDART_VERSION >= 12040
    return loop ? address(&advance_loop) : address(&advance_batch);
#else
    return loop ? nullptr : address(&advance_batch);
#endif
}

}  // namespace perdure::cuda
