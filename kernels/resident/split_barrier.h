/* A barrier of the warps of a group at which each arrives before it waits (mbarrier): what it does between hides the way of the
 * others.
 *
 *   publishes     what the items of a warp have read and written before they arrive
 *   observed by   all warps, behind their wait
 *   edge          an arrival releases, a wait that ends acquires; __syncwarp before and behind, since a lane arrives for all
 *   phases        are counted from 0 on; a wait names the parity of the one it waits for */
#ifndef PERDURE_KERNELS_RESIDENT_SPLIT_BARRIER_H
#define PERDURE_KERNELS_RESIDENT_SPLIT_BARRIER_H

#include "kernels/resident/row.h"
#include "kernels/resident/words.h"

typedef uint64 split_barrier_t;

#if defined(__CUDACC__)

/* From compute capability 9.0 on the hardware waits a while; before it looks once. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define TRY_WAIT "mbarrier.test_wait"
#else
#define TRY_WAIT "mbarrier.try_wait"
#endif

FUNCTION uint32 on_chip(const void *pointer) {
    return static_cast<uint32>(__cvta_generic_to_shared(pointer));
}

/* By one item, a group barrier before and behind. */
FUNCTION void begin_split_barrier(split_barrier_t *barrier, uint32 warps) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(on_chip(barrier)), "r"(warps) : "memory");
}
FUNCTION void end_split_barrier(split_barrier_t *barrier) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" : : "r"(on_chip(barrier)) : "memory");
}

/* Without a branch: shuffles behind one would be made for lanes that have parted. */
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
        : "r"(on_chip(barrier)), "r"(lane_of_warp())
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
        : "r"(on_chip(barrier)), "r"(parity)
        : "memory");
    __syncwarp();
}
#undef TRY_WAIT

#endif
#endif
