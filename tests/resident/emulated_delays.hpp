// Waits of random length where emulated groups send words, look for them and meet; before the kernels.
#pragma once

#include <atomic>

namespace perdure::tests {

/// While true groups wait.
inline std::atomic<bool> emulated_delays = false;

/// One call in 64 of a group waits up to 0.1 ms, one in 4096 2 ms.
void delay_at_random();

}  // namespace perdure::tests

#define DELAY_HERE() perdure::tests::delay_at_random()
