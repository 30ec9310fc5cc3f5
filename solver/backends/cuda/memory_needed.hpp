// How much memory of devices a run takes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "solver/backends/backend.hpp"
#include "solver/backends/cuda/cuda_partners.hpp"

namespace perdure::cuda {

/// Of the buffer at `place` among a kernel's arguments.
std::size_t allocated_bytes(const KernelBuffer &buffer, std::size_t place, std::size_t devices);

/// Throws Failure(device), with the figures, where a device has less memory left than the run takes of it.
void refuse_too_large(const KernelCall &call, std::span<const int> devices,
                      const std::optional<Partners> &partners);

}  // namespace perdure::cuda
