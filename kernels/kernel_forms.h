/* FULL_KERNEL, ROOMY_KERNEL, PLAIN_KERNEL (name, arguments): the head of a kernel that cases run. The word says how many groups of LANES
 * items a unit of a GPU is to hold at a time, which sets the registers that an item has. FULL: four, as many as there are chunks for
 * (solver/run/boxes.cpp). ROOMY: two, for kernels whose items hold many values at once and want registers for all the loads that they can
 * have under way. PLAIN: what the compiler finds. In a program with PERDURE_ENSEMBLE, of CUDA alone, the kernel is one for many members:
 * kernels/ensemble.h, which is included before.
 *
 * SEPARATE_FUNCTION, a function that is called, not copied to where it is called from: for what runs seldom. No group
 * barrier may be in it. SEPARATE_PHASE: the same with group barriers, which CUDA alone calls. SEPARATE_PART, of such a phase
 * and without group barriers: a function of its own where the phase is none, and no second call where it is one (a call
 * stores and loads some twenty registers).
 *
 * LAUNCH_MEMORY: `name` points to the memory of the group whose size the launch says, where it can (CUDA), elsewhere to
 * what is given, an array of the kernel of LINE_VALUES. PAIR_ALIGNED(type): before a structure of two of that type that are
 * read at once. */
#ifndef PERDURE_KERNELS_KERNEL_FORMS_H
#define PERDURE_KERNELS_KERNEL_FORMS_H

#include "sync/dialect.h"

/* With all else that a kernel has, doubles of 48 KB; of a thread's stack. */
#define LINE_VALUES_OF_OPENCL 3840u
#define LINE_VALUES_OF_HOST 16384u

#if defined(PERDURE_ENSEMBLE)
#define FULL_KERNEL(name, arguments) ENSEMBLE_KERNEL(name, __launch_bounds__(LANES, 4), arguments)
#define ROOMY_KERNEL(name, arguments) ENSEMBLE_KERNEL(name, __launch_bounds__(LANES, 2), arguments)
#define PLAIN_KERNEL(name, arguments) ENSEMBLE_KERNEL(name, __launch_bounds__(LANES), arguments)
#elif defined(__CUDACC__)
#define FULL_KERNEL(name, arguments) __global__ __launch_bounds__(LANES, 4) void name(arguments)
#define ROOMY_KERNEL(name, arguments) __global__ __launch_bounds__(LANES, 2) void name(arguments)
#define PLAIN_KERNEL(name, arguments) KERNEL void name(arguments)
#else
#define FULL_KERNEL(name, arguments) KERNEL void name(arguments)
#define ROOMY_KERNEL(name, arguments) KERNEL void name(arguments)
#define PLAIN_KERNEL(name, arguments) KERNEL void name(arguments)
#endif

#if defined(__CUDACC__)
#define SEPARATE_FUNCTION static __device__ __noinline__
#define SEPARATE_PHASE SEPARATE_FUNCTION
#define SEPARATE_PART FUNCTION
#define LINE_VALUES TILE_VALUES
#define PAIR_ALIGNED(type) __align__(2 * sizeof(type))
#define LAUNCH_MEMORY(type, name, given)                                 \
    extern __shared__ __align__(16) unsigned char launch_memory_bytes[]; \
    (void)(given);                                                       \
    type *const name = reinterpret_cast<type *>(launch_memory_bytes)
#elif defined(__OPENCL_VERSION__)
#define SEPARATE_FUNCTION static __attribute__((noinline))
#define SEPARATE_PHASE FUNCTION
#define SEPARATE_PART SEPARATE_FUNCTION
#define LINE_VALUES LINE_VALUES_OF_OPENCL
#define PAIR_ALIGNED(type)
#define LAUNCH_MEMORY(type, name, given) LOCAL type *const name = (given)
#else
#define SEPARATE_FUNCTION FUNCTION
#define SEPARATE_PHASE FUNCTION
#define SEPARATE_PART FUNCTION
#define LINE_VALUES LINE_VALUES_OF_HOST
#define PAIR_ALIGNED(type)
#define LAUNCH_MEMORY(type, name, given) LOCAL type *const name = (given)
#endif

#endif
