// Random delays where emulated groups send messages, poll them and wait at barriers. Include it before the kernels.
#pragma once

#include <atomic>

namespace perdure::tests {

/// While true, groups are delayed.
inline std::atomic<bool> emulated_delays = false;

/// Delays one call in 64 of a group up to 0.1 ms, one in 4096 2 ms.
void delay_at_random();

}  // namespace perdure::tests

#define DELAY_HERE() perdure::tests::delay_at_random()
