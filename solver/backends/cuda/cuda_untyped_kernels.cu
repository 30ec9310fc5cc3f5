#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/cuda/cuda_kernels.hpp"

namespace perdure::cuda {
// A namespace of their own: other back ends have kernels of the same names and signatures.
#include "kernels/untyped_programs.h"

const void *find_untyped_kernel(const std::string &name) {
#define PERDURE_ENTRY(kernel)      \
    if (name == #kernel) {         \
        return address(&(kernel)); \
    }
    PERDURE_UNTYPED_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    return nullptr;
}

}  // namespace perdure::cuda
