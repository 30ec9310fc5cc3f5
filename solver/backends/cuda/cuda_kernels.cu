#include "solver/backends/cuda/cuda_kernels.hpp"

#include "kernels/common.h"
#include "kernels/list.h"

namespace perdure::cuda {
#define PERDURE_CALLABLE(kernel) address(&kernel)
#include "solver/backends/all_forms.inc"

KernelFinder finder_of_tests = nullptr;

const void *find_kernel(const std::string &name, Precision precision, KernelForm form) {
    const void *kernel = finder_of_tests != nullptr ? finder_of_tests(name, precision) : nullptr;
    if (kernel != nullptr) {
        return kernel;
    }
    kernel = find_form(name, precision, form);
    if (kernel != nullptr) {
        return kernel;
    }
    for (const void *other : {find_untyped_kernel(name), find_resident_kernel(name, precision),
                              find_resident_cg_kernel(name, precision)}) {
        if (other != nullptr) {
            return other;
        }
    }
    return find_experiment(name);
}

}  // namespace perdure::cuda
