/* A split barrier of the warps of a group (mbarrier): each warp arrives first and waits later, and works in between to hide the
 * latency.
 *
 *   publishes     what the items of a warp have read and written before they arrive
 *   observed by   all warps, behind their wait
 *   edge          an arrival releases, a completed wait acquires; __syncwarp before and after, since one lane arrives for all
 *   phases        are counted from 0; a wait names the parity of its phase */
#ifndef PERDURE_KERNELS_RESIDENT_SPLIT_BARRIER_H
#define PERDURE_KERNELS_RESIDENT_SPLIT_BARRIER_H

#include "kernels/resident/messages.h"
#include "kernels/resident/row.h"

typedef uint64 split_barrier_t;

#if defined(__CUDACC__)

/* The hardware waits a while from compute capability 9.0 on; earlier hardware only tests once. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define TRY_WAIT "mbarrier.test_wait"
#else
#define TRY_WAIT "mbarrier.try_wait"
#endif

FUNCTION uint32 shared_address(const void *pointer) {
    return static_cast<uint32>(__cvta_generic_to_shared(pointer));
}

/* One item calls it, with a group barrier before and after. */
FUNCTION void begin_split_barrier(split_barrier_t *barrier, uint32 warps) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;"
                 :
                 : "r"(shared_address(barrier)), "r"(warps)
                 : "memory");
}
FUNCTION void end_split_barrier(split_barrier_t *barrier) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" : : "r"(shared_address(barrier)) : "memory");
}

/* Arrives without a branch: shuffles behind a branch would be compiled for divergent lanes. */
FUNCTION void arrive_at(split_barrier_t *barrier) {
    DELAY_HERE();
    __syncwarp();
    asm volatile(
        "{\n\t"
        ".reg .pred first;\n\t"
        "setp.eq.s32 first, %1, 0;\n\t"
        "@first mbarrier.arrive.shared.b64 _, [%0];\n\t"
        "}"
        :
        : "r"(shared_address(barrier)), "r"(lane_of_warp())
        : "memory");
}
FUNCTION void wait_at(split_barrier_t *barrier, uint32 parity) {
    DELAY_HERE();
    asm volatile(
        "{\n\t"
        ".reg .pred passed;\n\t"
        "again_%=:\n\t" TRY_WAIT
        ".parity.shared.b64 passed, [%0], %1;\n\t"
        "@!passed bra again_%=;\n\t"
        "}"
        :
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
    __syncwarp();
}
#undef TRY_WAIT

#endif
#endif
