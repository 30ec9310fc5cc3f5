#include "solver/backends/cuda/cuda_handles.hpp"

#include <algorithm>
#include <thread>

#include "solver/backends/cuda/cuda_error.hpp"

namespace perdure::cuda {
namespace {

bool is_idle(cudaStream_t stream) {
    const cudaError_t state = cudaStreamQuery(stream);
    if (state == cudaErrorNotReady) {
        return false;
    }
    check(state, "the kernel (cudaStreamQuery)");
    return true;
}

}  // namespace

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

bool becomes_idle(cudaStream_t stream, std::chrono::milliseconds timeout) {
    using std::chrono::microseconds;
    constexpr microseconds spin(500);
    constexpr microseconds longest_sleep(1000);
    constexpr int part_slept = 32;
    const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    while (!is_idle(stream)) {
        const auto waited =
            std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begin);
        if (waited >= timeout) {
            return false;
        }
        if (waited > spin) {
            std::this_thread::sleep_for(
                std::min({waited / part_slept, longest_sleep, microseconds(timeout) - waited}));
        }
    }
    return true;
}

}  // namespace perdure::cuda
