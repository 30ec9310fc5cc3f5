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

template <typename Real>
using Kernel = void (*)(const run_parameters_t, control_t *, grid_sync_t *, run_state_t *, double *, double *,
                        const Real *, const Real *, const Real *, const Real *, const Real *, const Real *,
                        Real *, Real *, Real *, Real *, Real *, const cg_plan_t *, epoch_word_t *,
                        typename word_of<Real>::type *);

/// With words at the end, which streamed kernels do not have.
template <typename Real, auto Streamed>
void without_words(const run_parameters_t parameters, control_t *control, grid_sync_t *sync,
                   run_state_t *state, double *partials, double *history, const Real *diagonal,
                   const Real *inverse, const Real *face_x, const Real *face_y, const Real *face_z,
                   const Real *b, Real *x, Real *r, Real *q, Real *p_even, Real *p_odd, const cg_plan_t *plan,
                   epoch_word_t *rows, typename word_of<Real>::type *) {
    Streamed(parameters, control, sync, state, partials, history, diagonal, inverse, face_x, face_y, face_z,
             b, x, r, q, p_even, p_odd, plan, rows);
}

#define PERDURE_ENTRY(kernel, dimensions, uniform, cells, pipelined, keeps, full)                    \
    if (name == #kernel) {                                                                           \
        return &PERDURE_FORM::cg_resident<dimensions, uniform, cells, pipelined,                     \
                                          RESIDENT_KEEPS(keeps, cells, sizeof(PERDURE_REAL)), full>; \
    }
#define PERDURE_STREAMED_ENTRY(kernel, dimensions, uniform, columns, rows, items)                           \
    if (name == #kernel) {                                                                                  \
        return &without_words<                                                                              \
            PERDURE_REAL, &streamed::PERDURE_FORM::cg_streamed<dimensions, uniform, columns, rows, items>>; \
    }
#define PERDURE_FORM float32
#define PERDURE_REAL float
Kernel<float> kernel_of(const std::string &name, float) {
    PERDURE_RESIDENT_CG_KERNELS(PERDURE_ENTRY)
    PERDURE_STREAMED_CG_KERNELS(PERDURE_STREAMED_ENTRY)
    return nullptr;
}
#undef PERDURE_FORM
#undef PERDURE_REAL
#define PERDURE_FORM float64
#define PERDURE_REAL double
Kernel<double> kernel_of(const std::string &name, double) {
    PERDURE_RESIDENT_CG_KERNELS(PERDURE_ENTRY)
    PERDURE_STREAMED_CG_KERNELS(PERDURE_STREAMED_ENTRY)
    return nullptr;
}

#undef PERDURE_FORM
#undef PERDURE_REAL
#undef PERDURE_ENTRY
#undef PERDURE_STREAMED_ENTRY

/// What an item of the launch does.
template <typename Real>
std::function<void()> item_of(const KernelCall &call, const run_parameters_t &parameters,
                              EmulatedMemory &memory) {
    const Kernel<Real> kernel = kernel_of(call.kernel, Real{});
    return [&memory, &parameters, kernel] {
        const auto real = [&](std::size_t buffer) { return memory.at<Real>(buffer); };
        kernel(parameters, memory.at<control_t>(0), memory.at<grid_sync_t>(1), memory.at<run_state_t>(2),
               memory.at<double>(3), memory.at<double>(4), real(5), real(6), real(7), real(8), real(9),
               real(10), real(11), real(12), real(13), real(14), real(15), memory.at<cg_plan_t>(16),
               memory.at<epoch_word_t>(17), memory.at<typename word_of<Real>::type>(18));
    };
}

std::function<void()> cg_item(const KernelCall &call, const run_parameters_t &parameters,
                              EmulatedMemory &memory) {
    return call.precision == Precision::float32 ? item_of<float>(call, parameters, memory)
                                                : item_of<double>(call, parameters, memory);
}

}  // namespace

std::unique_ptr<Device> emulated_cg_device(int groups, std::int64_t shared_bytes) {
    return emulated_device({groups, shared_bytes, 65536}, cg_item);
}

}  // namespace perdure::tests
