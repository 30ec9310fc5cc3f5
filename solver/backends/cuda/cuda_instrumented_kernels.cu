#define PERDURE_PART_TIMES
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/cuda/cuda_kernels.hpp"

namespace perdure::cuda {
// A namespace of their own: the plain forms have the same names and signatures.
namespace instrumented {
#define PERDURE_CALLABLE(kernel) address(&kernel)
#include "solver/backends/all_forms.inc"
}  // namespace instrumented

const void *find_instrumented_kernel(const std::string &name, Precision precision, KernelForm form) {
    return instrumented::find_form(name, precision, form);
}

}  // namespace perdure::cuda
