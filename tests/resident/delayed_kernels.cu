#include "tests/resident/delayed_kernels.hpp"

static __device__ unsigned waits_of_items;

/// One call in 64 of a warp waits up to 4 us, one in 8192 a quarter of a millisecond: many steps of its neighbours.
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

#include "kernels/common.h"
#include "kernels/resident/async_copy.h"
#include "kernels/resident/cg_box.h"
#include "kernels/resident/cg_front.h"
#include "kernels/resident/cg_sums.h"
#include "kernels/resident/list.h"
#include "kernels/resident/masked_row.h"
#include "kernels/resident/row.h"
#include "kernels/resident/split_barrier.h"
#include "kernels/resident/words.h"
#include "kernels/stencil_formula.h"
#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_kernels.hpp"
#include "sync/step_flags.h"

namespace perdure::tests {
namespace stepping {
#define real_t float
#include "kernels/resident/program.h"
#undef real_t
}  // namespace stepping
#include "kernels/include_again.h"
namespace conjugate_gradients {
#define real_t double
#include "kernels/resident/cg_program.h"
#undef real_t
}  // namespace conjugate_gradients
#include "kernels/include_again.h"
namespace streamed {
#define real_t double
#include "kernels/resident/cg_streamed_program.h"
#undef real_t
}  // namespace streamed
#include "kernels/include_again.h"

namespace {

const void *find_delayed_kernel(const std::string &name, Precision precision) {
    using cuda::address;
#define PERDURE_ENTRY(kernel)                                 \
    if (name == #kernel && precision == Precision::float32) { \
        return address(&stepping::kernel);                    \
    }
    PERDURE_RESIDENT_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
#define PERDURE_ENTRY(kernel, dimensions, uniform, cells, pipelined, keeps, full)                 \
    if (name == #kernel && precision == Precision::float64) {                                     \
        return address(&conjugate_gradients::cg_resident<dimensions, uniform, cells, pipelined,   \
                                                         RESIDENT_KEEPS(keeps, cells, 8), full>); \
    }
    PERDURE_RESIDENT_CG_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
#define PERDURE_ENTRY(kernel, dimensions, uniform, columns, rows, items)                   \
    if (name == #kernel && precision == Precision::float64) {                              \
        return address(&streamed::cg_streamed<dimensions, uniform, columns, rows, items>); \
    }
    PERDURE_STREAMED_CG_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    return nullptr;
}

}  // namespace

void delay_resident_kernels(bool delayed) {
    cuda::finder_of_tests = delayed ? &find_delayed_kernel : nullptr;
}

unsigned waits_of_delayed_kernels() {
    unsigned waits = 0;
    cuda::check(cudaMemcpyFromSymbol(&waits, waits_of_items, sizeof waits), "cudaMemcpyFromSymbol");
    return waits;
}

}  // namespace perdure::tests
