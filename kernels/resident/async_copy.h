/* Copies from memory to the chip that take no registers and are waited for later (cp.async). */
#ifndef PERDURE_KERNELS_RESIDENT_ASYNC_COPY_H
#define PERDURE_KERNELS_RESIDENT_ASYNC_COPY_H

#include "sync/dialect.h"

#if defined(__CUDACC__)

/* BYTES = 4, 8 or 16, aligned to as much; zeros where `there` is 0, when `from` is not read. Only 16 can pass by the first level of
 * cache, which then has room for what is read again; JOINED copies, of which several take parts of the same sectors, go through it. */
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
/* What was copied since the last call is one lot. */
FUNCTION void commit_copies() {
    asm volatile("cp.async.commit_group;" : : : "memory");
}
/* All lots of this item have arrived but the last LEFT. */
template <int LEFT>
FUNCTION void await_copies() {
    asm volatile("cp.async.wait_group %0;" : : "n"(LEFT) : "memory");
}

#endif
#endif
