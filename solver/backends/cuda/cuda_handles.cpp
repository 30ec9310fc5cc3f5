#include "solver/backends/cuda/cuda_handles.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "solver/backends/cuda/cuda_error.hpp"

namespace perdure::cuda {
namespace {

/// Handles that nobody uses at the moment, by device. They live as long as the process.
template <typename Handle>
class Idle {
  public:
    /// Null where there is none.
    Handle take(int device) {
        const std::scoped_lock lock(mutex_);
        std::vector<Handle> &idle = idle_[device];
        if (idle.empty()) {
            return nullptr;
        }
        Handle const handle = idle.back();
        idle.pop_back();
        return handle;
    }
    void give_back(int device, Handle handle) {
        const std::scoped_lock lock(mutex_);
        idle_[device].push_back(handle);
    }

  private:
    std::mutex mutex_;
    std::map<int, std::vector<Handle>> idle_;
};

Idle<cudaStream_t> &idle_streams() {
    static Idle<cudaStream_t> &idle = *new Idle<cudaStream_t>;
    return idle;
}
Idle<cudaEvent_t> &idle_events() {
    static Idle<cudaEvent_t> &idle = *new Idle<cudaEvent_t>;
    return idle;
}

bool is_idle(cudaStream_t stream) {
    const cudaError_t state = cudaStreamQuery(stream);
    if (state == cudaErrorNotReady) {
        return false;
    }
    check(state, "the kernel (cudaStreamQuery)");
    return true;
}

}  // namespace

int current_device() {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    return device;
}

void GiveBackStream::operator()(cudaStream_t stream) const {
    idle_streams().give_back(device, stream);
}

void GiveBackEvent::operator()(cudaEvent_t event) const {
    idle_events().give_back(device, event);
}

Stream make_stream() {
    const int device = current_device();
    cudaStream_t stream = idle_streams().take(device);
    if (stream == nullptr) {
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    }
    return {stream, {device}};
}

Event make_event() {
    const int device = current_device();
    cudaEvent_t event = idle_events().take(device);
    if (event == nullptr) {
        check(cudaEventCreate(&event), "cudaEventCreate");
    }
    return {event, {device}};
}

bool becomes_idle(cudaStream_t stream, std::chrono::milliseconds timeout, std::chrono::microseconds spin) {
    using std::chrono::microseconds;
    constexpr microseconds shortest_sleep(10);
    constexpr microseconds longest_sleep(1000);
    constexpr int part_slept = 32;
    const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    while (!is_idle(stream)) {
        const auto waited =
            std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begin);
        if (waited >= timeout) {
            return false;
        }
        if (waited >= spin) {
            std::this_thread::sleep_for(
                std::min(std::clamp(waited / part_slept, shortest_sleep, longest_sleep),
                         microseconds(timeout) - waited));
        }
    }
    return true;
}

}  // namespace perdure::cuda
