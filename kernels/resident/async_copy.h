/* Asynchronous copies from global to shared memory that take no registers (cp.async). The caller waits for them later. */
#ifndef PERDURE_KERNELS_RESIDENT_ASYNC_COPY_H
#define PERDURE_KERNELS_RESIDENT_ASYNC_COPY_H

#include "sync/dialect.h"

#if defined(__CUDACC__)

/* Copies BYTES = 4, 8 or 16 bytes; both addresses are aligned to BYTES. If `there` is 0, it writes zeros and does not read
 * `from`. Only copies of 16 bytes can bypass the L1 cache, which then has room for data that are read again. JOINED copies go
 * through L1, because several of them take parts of the same sectors. */
template <int BYTES, bool JOINED = BYTES != 16>
FUNCTION void copy_async(void *to, const void *from, uint32 there) {
    static_assert(BYTES == 16 || JOINED, "copies that pass by the first level have 16 bytes");
#define COPY_ASYNC(cache)                                                                              \
    asm volatile(                                                                                      \
        "{\n\t"                                                                                        \
        ".reg .pred nothing;\n\t"                                                                      \
        "setp.eq.u32 nothing, %3, 0;\n\t"                                                              \
        "cp.async." cache                                                                              \
        ".shared.global [%0], [%1], %2, nothing;\n\t"                                                  \
        "}"                                                                                            \
        :                                                                                              \
        : "r"(static_cast<uint32>(__cvta_generic_to_shared(to))), "l"(__cvta_generic_to_global(from)), \
          "n"(BYTES), "r"(there)                                                                       \
        : "memory")
    if constexpr (JOINED) {
        COPY_ASYNC("ca");
    } else {
        COPY_ASYNC("cg");
    }
#undef COPY_ASYNC
}
/* Has the line of memory with this address brought into the L2 cache. */
FUNCTION void prefetch_to_l2(const void *address) {
    asm volatile("prefetch.global.L2 [%0];" : : "l"(__cvta_generic_to_global(address)));
}
/* Makes one batch (commit group) of all copies since the last call. */
FUNCTION void commit_copies() {
    asm volatile("cp.async.commit_group;" : : : "memory");
}
/* Waits until all batches of this item have arrived except the latest LEFT. */
template <int LEFT>
FUNCTION void await_copies() {
    asm volatile("cp.async.wait_group %0;" : : "n"(LEFT) : "memory");
}

#endif
#endif
