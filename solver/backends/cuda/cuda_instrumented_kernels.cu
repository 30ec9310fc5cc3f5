#define PERDURE_PART_TIMES
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/cuda/cuda_kernels.hpp"

namespace perdure::cuda {
// A namespace of their own: the plain forms have the same names and signatures.
namespace instrumented {
namespace float32 {
#define real_t float
#include "kernels/programs.h"
#undef real_t
}  // namespace float32

namespace float64 {
#define real_t double
#include "kernels/programs.h"
#undef real_t
}  // namespace float64
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
