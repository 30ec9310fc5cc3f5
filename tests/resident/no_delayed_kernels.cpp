// Without a CUDA compiler.
#include "tests/resident/delayed_kernels.hpp"

namespace perdure::tests {

void delay_resident_kernels(bool) {}

}  // namespace perdure::tests
