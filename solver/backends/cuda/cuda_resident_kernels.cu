// The kernels of kernels/resident for explicit stepping.
#include "kernels/common.h"
#include "kernels/resident/list.h"
#include "kernels/resident/masked_row.h"
#include "kernels/resident/row.h"
#include "kernels/resident/split_barrier.h"
#include "kernels/resident/words.h"
#include "kernels/stencil_formula.h"
#include "solver/backends/cuda/cuda_kernels.hpp"
#include "sync/step_flags.h"

namespace perdure::cuda {
// Namespaces of their own: the phases that resident runs take their checks from are compiled here once more.
namespace resident {

#define PERDURE_PROGRAM "kernels/resident/program.h"
#include "solver/backends/both_precisions.inc"

}  // namespace resident

const void *find_resident_kernel(const std::string &name, Precision precision) {
#define PERDURE_ENTRY(kernel)                                                         \
    if (name == #kernel) {                                                            \
        return precision == Precision::float32 ? address(&resident::float32::kernel)  \
                                               : address(&resident::float64::kernel); \
    }
    PERDURE_RESIDENT_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    return nullptr;
}

}  // namespace perdure::cuda
