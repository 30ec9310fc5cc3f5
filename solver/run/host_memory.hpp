// Estimates how much host memory a case needs.
#pragma once

#include <cstdint>

#include "solver/run/run_case.hpp"

namespace perdure {

/// In bytes, without the program itself (some 45 MiB), and on host threads without what the device has.
struct HostBytes {
    std::int64_t fields = 0;  // that are read, and that are written
    /// At once: what is read and sampled with what is made for the device, or what of it is needed later with the answer.
    std::int64_t peak = 0;
};

/// Of a case whose cells are known. Of a batch: of this case alone. Of ranks: of the first, which has the answer as a whole.
HostBytes host_bytes(const PreparedCase &prepared);

}  // namespace perdure
