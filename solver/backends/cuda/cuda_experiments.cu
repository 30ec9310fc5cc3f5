#include "kernels/common.h"
#include "kernels/experiments/list.h"
#include "solver/backends/cuda/cuda_kernels.hpp"

namespace perdure::cuda {
// A namespace of their own: other back ends have kernels of the same names and signatures.
#include "kernels/experiments/program.h"

const void *find_experiment(const std::string &name) {
#define PERDURE_ENTRY(kernel)      \
    if (name == #kernel) {         \
        return address(&(kernel)); \
    }
    PERDURE_EXPERIMENTS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    (void)name;
    return nullptr;
}

}  // namespace perdure::cuda
