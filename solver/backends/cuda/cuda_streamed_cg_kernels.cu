// The kernels of kernels/resident for streamed conjugate gradients.
#include "solver/backends/cuda/cuda_streamed_cg_kernels.hpp"

#include "kernels/common.h"
#include "kernels/resident/async_copy.h"
#include "kernels/resident/cg_front.h"
#include "kernels/resident/cg_sums.h"
#include "kernels/resident/list.h"
#include "solver/backends/cuda/cuda_kernels.hpp"

namespace perdure::cuda {
namespace streamed_cg {

#define PERDURE_PROGRAM "kernels/resident/cg_streamed_program.h"
#include "solver/backends/both_precisions.inc"

}  // namespace streamed_cg

const void *find_streamed_cg_kernel(const std::string &name, Precision precision) {
#define PERDURE_ENTRY(kernel, dimensions, uniform, columns, rows, items)                                     \
    if (name == #kernel) {                                                                                   \
        return precision == Precision::float32                                                               \
                   ? address(&streamed_cg::float32::cg_streamed<dimensions, uniform, columns, rows, items>)  \
                   : address(&streamed_cg::float64::cg_streamed<dimensions, uniform, columns, rows, items>); \
    }
    PERDURE_STREAMED_CG_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    return nullptr;
}

}  // namespace perdure::cuda
