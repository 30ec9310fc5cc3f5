/* ROOMY_KERNEL, a kernel whose items hold many values at once: two groups at a time on a unit of a GPU, so that each
 * item has registers for all the loads that it can have under way. The other kernels run best as many groups.
 *
 * SEPARATE_FUNCTION, a function that is called, not copied to where it is called from: for what runs seldom. No group
 * barrier may be in it. */
#ifndef PERDURE_KERNELS_KERNEL_FORMS_H
#define PERDURE_KERNELS_KERNEL_FORMS_H

#include "sync/dialect.h"

#if defined(__CUDACC__)
#define ROOMY_KERNEL __global__ __launch_bounds__(LANES, 2)
#define SEPARATE_FUNCTION static __device__ __noinline__
#elif defined(__OPENCL_VERSION__)
#define ROOMY_KERNEL KERNEL
#define SEPARATE_FUNCTION static __attribute__((noinline))
#else
#define ROOMY_KERNEL KERNEL
#define SEPARATE_FUNCTION FUNCTION
#endif

#endif
