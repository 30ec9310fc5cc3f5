// The module with MPI in it, which is loaded where a launcher started several processes: others need no MPI.
#pragma once

#include "solver/ranks/ranks.hpp"

namespace perdure {

inline constexpr const char *mpi_module = "libperdure_mpi.so";

/// What the module exports as perdure_open_mpi_ranks: starts MPI. The ranks live as long as the process.
using OpenMpiRanks = Ranks *();

}  // namespace perdure
