#define PERDURE_PART_TIMES
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/cuda/cuda_kernels.hpp"

namespace perdure::cuda {
// A namespace of their own: the plain forms have the same names and signatures.
namespace instrumented {
#define PERDURE_PROGRAM "kernels/programs.h"
#include "solver/backends/both_precisions.hpp"
}  // namespace instrumented

const void *find_instrumented_kernel(const std::string &name, Precision precision) {
    const bool single = precision == Precision::float32;
#define PERDURE_ENTRY(kernel)                                                                              \
    if (name == #kernel) {                                                                                 \
        return single ? address(&instrumented::float32::kernel) : address(&instrumented::float64::kernel); \
    }
    PERDURE_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    return nullptr;
}

}  // namespace perdure::cuda
