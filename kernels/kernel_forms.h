/* How many groups of LANES items a unit of a GPU is to hold at a time, which sets the registers that an item has.
 * FULL_KERNEL: four, as many as there are chunks for (solver/run/boxes.cpp). ROOMY_KERNEL: two, for kernels whose items
 * hold many values at once and want registers for all the loads that they can have under way.
 *
 * SEPARATE_FUNCTION, a function that is called, not copied to where it is called from: for what runs seldom. No group
 * barrier may be in it. */
#ifndef PERDURE_KERNELS_KERNEL_FORMS_H
#define PERDURE_KERNELS_KERNEL_FORMS_H

#include "sync/dialect.h"

#if defined(__CUDACC__)
#define FULL_KERNEL __global__ __launch_bounds__(LANES, 4)
#define ROOMY_KERNEL __global__ __launch_bounds__(LANES, 2)
#define SEPARATE_FUNCTION static __device__ __noinline__
#elif defined(__OPENCL_VERSION__)
#define FULL_KERNEL KERNEL
#define ROOMY_KERNEL KERNEL
#define SEPARATE_FUNCTION static __attribute__((noinline))
#else
#define FULL_KERNEL KERNEL
#define ROOMY_KERNEL KERNEL
#define SEPARATE_FUNCTION FUNCTION
#endif

#endif
