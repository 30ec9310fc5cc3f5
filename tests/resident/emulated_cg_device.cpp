#include "tests/resident/emulated_cuda.hpp"

#include <functional>
#include <memory>

#include "tests/resident/emulated_delays.hpp"

#include "kernels/common.h"
#include "kernels/resident/async_copy.h"
#include "kernels/resident/cg_box.h"
#include "kernels/resident/cg_front.h"
#include "kernels/resident/cg_sums.h"
#include "kernels/resident/list.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "tests/resident/emulated_cg_device.hpp"
#include "tests/resident/emulated_device.hpp"

namespace perdure::tests {

#define PERDURE_PROGRAM "kernels/resident/cg_program.h"
#include "solver/backends/both_precisions.inc"

namespace streamed {
#define PERDURE_PROGRAM "kernels/resident/cg_streamed_program.h"
#include "solver/backends/both_precisions.inc"
}  // namespace streamed

#define PERDURE_ENTRY(kernel, ...)                \
    if (name == #kernel) {                        \
        return &host::with_buffers<&__VA_ARGS__>; \
    }
namespace float32 {
static KernelWithBuffers kernel_of(const std::string &name) {
    PERDURE_CG_RESIDENT_KERNELS(PERDURE_ENTRY)
    return nullptr;
}
}  // namespace float32
namespace float64 {
static KernelWithBuffers kernel_of(const std::string &name) {
    PERDURE_CG_RESIDENT_KERNELS(PERDURE_ENTRY)
    return nullptr;
}
}  // namespace float64
namespace streamed::float32 {
static KernelWithBuffers kernel_of(const std::string &name) {
    PERDURE_CG_STREAMED_KERNELS(PERDURE_ENTRY)
    return nullptr;
}
}  // namespace streamed::float32
namespace streamed::float64 {
static KernelWithBuffers kernel_of(const std::string &name) {
    PERDURE_CG_STREAMED_KERNELS(PERDURE_ENTRY)
    return nullptr;
}
}  // namespace streamed::float64
#undef PERDURE_ENTRY

namespace {

std::function<void()> cg_item(const KernelCall &call, const run_parameters_t &parameters,
                              EmulatedMemory &memory) {
    const bool single = call.precision == Precision::float32;
    KernelWithBuffers kernel = single ? float32::kernel_of(call.kernel) : float64::kernel_of(call.kernel);
    if (kernel == nullptr) {
        kernel =
            single ? streamed::float32::kernel_of(call.kernel) : streamed::float64::kernel_of(call.kernel);
    }
    return item_of(kernel, call, parameters, memory);
}

}  // namespace

std::unique_ptr<Device> emulated_cg_device(int groups, std::int64_t shared_bytes) {
    return emulated_device({groups, shared_bytes, 65536}, cg_item);
}

}  // namespace perdure::tests
