// Without a CUDA compiler, or where kernels are not compiled to be run.
#include "tests/resident/delayed_kernels.hpp"

namespace perdure::tests {

void delay_resident_kernels(bool) {}

}  // namespace perdure::tests
