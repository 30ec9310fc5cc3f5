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

namespace {

#define PERDURE_ENTRY(kernel, dimensions, uniform, cells, pipelined, keeps, full)                  \
    if (name == #kernel) {                                                                         \
        return &host::with_buffers<                                                                \
            &PERDURE_FORM::cg_resident<dimensions, uniform, cells, pipelined,                      \
                                       RESIDENT_KEEPS(keeps, cells, sizeof(PERDURE_REAL)), full>>; \
    }
#define PERDURE_STREAMED_ENTRY(kernel, dimensions, uniform, columns, rows, items)             \
    if (name == #kernel) {                                                                    \
        return &host::with_buffers<                                                           \
            &streamed::PERDURE_FORM::cg_streamed<dimensions, uniform, columns, rows, items>>; \
    }
#define PERDURE_FORM float32
#define PERDURE_REAL float
KernelWithBuffers kernel_of(const std::string &name, float) {
    PERDURE_RESIDENT_CG_KERNELS(PERDURE_ENTRY)
    PERDURE_STREAMED_CG_KERNELS(PERDURE_STREAMED_ENTRY)
    return nullptr;
}
#undef PERDURE_FORM
#undef PERDURE_REAL
#define PERDURE_FORM float64
#define PERDURE_REAL double
KernelWithBuffers kernel_of(const std::string &name, double) {
    PERDURE_RESIDENT_CG_KERNELS(PERDURE_ENTRY)
    PERDURE_STREAMED_CG_KERNELS(PERDURE_STREAMED_ENTRY)
    return nullptr;
}

#undef PERDURE_FORM
#undef PERDURE_REAL
#undef PERDURE_ENTRY
#undef PERDURE_STREAMED_ENTRY

std::function<void()> cg_item(const KernelCall &call, const run_parameters_t &parameters,
                              EmulatedMemory &memory) {
    const KernelWithBuffers kernel = call.precision == Precision::float32 ? kernel_of(call.kernel, float{})
                                                                          : kernel_of(call.kernel, double{});
    return item_of(kernel, call, parameters, memory);
}

}  // namespace

std::unique_ptr<Device> emulated_cg_device(int groups, std::int64_t shared_bytes) {
    return emulated_device({groups, shared_bytes, 65536}, cg_item);
}

}  // namespace perdure::tests
