/* The text of all experiments and benchmarks: what kernels/experiments/list.h names stands in the files included here. */
#include "kernels/parameters.h"
#include "sync/grid_barrier.h"
#include "kernels/experiments/atomics_check.h"
#include "kernels/experiments/discover_groups.h"
#include "kernels/litmus/litmus.h"
