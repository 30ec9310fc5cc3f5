/* A kernel whose items hold many values at once: two groups at a time on a unit of a GPU, so that each item
 * has registers for all the loads that it can have under way. The other kernels run best as many groups. */
#ifndef PERDURE_KERNELS_KERNEL_FORMS_H
#define PERDURE_KERNELS_KERNEL_FORMS_H

#include "sync/dialect.h"

#if defined(__CUDACC__)
#define ROOMY_KERNEL __global__ __launch_bounds__(LANES, 2)
#else
#define ROOMY_KERNEL KERNEL
#endif

#endif
