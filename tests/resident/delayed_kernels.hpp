// The resident kernels with random delays before groups send or poll messages and before they wait at grid barriers.
#pragma once

namespace perdure::tests {

/// Makes CUDA devices run the kernels with delays, or without.
void delay_resident_kernels(bool delayed);
/// Returns how often lanes have waited for up to 4 us since the program began, modulo 2^32.
unsigned waits_of_delayed_kernels();

}  // namespace perdure::tests
