// The kernels of kernels/resident for conjugate gradients on the chip.
#include "kernels/common.h"
#include "kernels/resident/cg_box.h"
#include "kernels/resident/cg_sums.h"
#include "kernels/resident/list.h"
#include "solver/backends/cuda/cuda_kernels.hpp"
#include "solver/backends/cuda/cuda_streamed_cg_kernels.hpp"

namespace perdure::cuda {
namespace resident_cg {

#define PERDURE_PROGRAM "kernels/resident/cg_program.h"
#include "solver/backends/both_precisions.inc"

}  // namespace resident_cg

const void *find_resident_cg_kernel(const std::string &name, Precision precision) {
#define PERDURE_ENTRY(kernel, dimensions, uniform, cells, pipelined, keeps, full)                        \
    if (name == #kernel) {                                                                               \
        return precision == Precision::float32                                                           \
                   ? address(&resident_cg::float32::cg_resident<dimensions, uniform, cells, pipelined,   \
                                                                keeps, full>)                            \
                   : address(&resident_cg::float64::cg_resident<dimensions, uniform, cells, pipelined,   \
                                                                RESIDENT_KEEPS(keeps, cells, 8), full>); \
    }
    PERDURE_RESIDENT_CG_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    return find_streamed_cg_kernel(name, precision);
}

}  // namespace perdure::cuda
