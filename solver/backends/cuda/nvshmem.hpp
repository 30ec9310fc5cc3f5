// NVSHMEM: an optional component, of which a program that was built with its headers loads the library when a case asks for it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <string>

#include "solver/ranks/ranks.hpp"

namespace perdure::cuda::nvshmem {

/// Why this program cannot use it, and what to do; empty: it can. The library is loaded, but not started.
std::string why_not();

/// "NVSHMEM 3.8.0" with the file that it was loaded from; where why_not() is empty.
std::string version();

/// Starts it among all ranks, on the current device, once. Throws Failure(device).
void start(Ranks &ranks);

/// Memory of the same size on all ranks, which all ask for. Throws Failure(device).
void *allocate(std::size_t bytes);

/// After a program with nvshmem_seam.cu in it was loaded. Throws Failure(device).
void prepare(cudaLibrary_t library);

/// What a kernel is linked with: the code of nvshmem_seam.cu, and the library for devices.
std::span<const std::byte> seam();
std::string device_library();

}  // namespace perdure::cuda::nvshmem
