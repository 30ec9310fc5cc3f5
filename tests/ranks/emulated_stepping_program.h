/* Kernels of find_stepping_kernel(), and a lookup by name. Included once for each real_t, in a namespace of its own. */
#include "kernels/bicgstab.h"
#include "kernels/chebyshev.h"
#include "kernels/heat.h"
#include "kernels/jacobi.h"
#include "kernels/sor.h"
#include "kernels/system_kernels.h"
#include "kernels/wave.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "tests/resident/emulated_device.hpp"

static perdure::tests::KernelWithBuffers kernel_of(const std::string &name) {
    PERDURE_FIND_EMULATED(bicgstab, bicgstab)
    PERDURE_FIND_EMULATED(chebyshev, chebyshev)
    PERDURE_FIND_EMULATED(heat, heat)
    PERDURE_FIND_EMULATED(jacobi, jacobi)
    PERDURE_FIND_EMULATED(sor, sor)
    PERDURE_FIND_EMULATED(wave, wave)
#define PERDURE_FIND_INTERPRETED(kernel) PERDURE_FIND_EMULATED(kernel, kernel)
    PERDURE_KERNELS_OF_CASES(PERDURE_FIND_INTERPRETED)
#undef PERDURE_FIND_INTERPRETED
    return nullptr;
}
