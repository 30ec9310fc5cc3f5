#include "tests/resident/emulated_cuda.hpp"

#include <functional>
#include <memory>

#include "tests/resident/emulated_delays.hpp"

#include "kernels/common.h"
#include "kernels/resident/async_copy.h"
#include "kernels/resident/cg_box.h"
#include "kernels/resident/cg_sums.h"
#include "kernels/resident/cg_sweep_tile.h"
#include "kernels/resident/list.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "tests/resident/emulated_cg_device.hpp"
#include "tests/resident/emulated_device.hpp"

namespace perdure::tests {

#define PERDURE_PROGRAM "tests/resident/emulated_cg_program.h"
#include "solver/backends/both_precisions.inc"

namespace {

std::function<void()> cg_item(const KernelCall &call, const run_parameters_t &parameters,
                              EmulatedMemory &memory) {
    const bool single = call.precision == Precision::float32;
    return item_of(single ? float32::kernel_of(call.kernel) : float64::kernel_of(call.kernel), call,
                   parameters, memory);
}

}  // namespace

std::unique_ptr<Device> emulated_cg_device(int groups, std::int64_t shared_bytes) {
    return emulated_device({groups, shared_bytes, 65536}, cg_item);
}

}  // namespace perdure::tests
