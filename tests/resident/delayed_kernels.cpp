#include "tests/resident/delayed_kernels.hpp"

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_kernels.hpp"

namespace perdure::tests {
namespace {

/// One call in 64 of a warp waits up to 4 us, one in 8192 a quarter of a millisecond, which is many steps of its neighbours.
constexpr const char *delays = R"(
__device__ unsigned waits_of_items;
static __device__ __noinline__ void delay_at_random() {
    unsigned long long mixed =
        clock64() / 32 + 0x9e3779b97f4a7c15ULL * (blockIdx.x * 64 + threadIdx.x / 32 + 1);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    if (mixed % 64 == 0) {
        atomicAdd(&waits_of_items, 1u);
        __nanosleep(static_cast<unsigned>(mixed >> 32) % 4096);
    }
    if (mixed / 64 % 128 == 0) {
        __nanosleep(250000);
    }
}
#define DELAY_HERE() delay_at_random()
)";

}  // namespace

void delay_resident_kernels(bool delayed) {
    cuda::put_before_resident_kernels(delayed ? delays : "");
}

unsigned waits_of_delayed_kernels() {
    unsigned sum = 0;
    for (cudaLibrary_t const program : cuda::loaded_programs()) {
        void *place = nullptr;
        std::size_t bytes = 0;
        if (cudaLibraryGetGlobal(&place, &bytes, program, "waits_of_items") != cudaSuccess) {
            (void)cudaGetLastError();  // a program without delays
            continue;
        }
        unsigned waits = 0;
        cuda::check(cudaMemcpy(&waits, place, sizeof waits, cudaMemcpyDeviceToHost), "cudaMemcpy");
        sum += waits;
    }
    return sum;
}

}  // namespace perdure::tests
