// For builds without a CUDA compiler.
#include "tests/resident/delayed_kernels.hpp"

namespace perdure::tests {

void delay_resident_kernels(bool) {}
unsigned waits_of_delayed_kernels() {
    return 0;
}

}  // namespace perdure::tests
