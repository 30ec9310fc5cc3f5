// The resident kernels, in which groups wait for random times before they send or look for words and before they meet.
#pragma once

namespace perdure::tests {

/// From now on CUDA devices run these kernels.
void delay_resident_kernels(bool delayed);
/// How often lanes have waited for up to 4 us since the program began, modulo 2^32.
unsigned waits_of_delayed_kernels();

}  // namespace perdure::tests
