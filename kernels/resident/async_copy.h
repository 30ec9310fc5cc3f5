/* Copies from memory to the chip that take no registers and are waited for later (cp.async), and pairs of values. */
#ifndef PERDURE_KERNELS_RESIDENT_ASYNC_COPY_H
#define PERDURE_KERNELS_RESIDENT_ASYNC_COPY_H

#include "sync/dialect.h"

#if defined(__CUDACC__)

/* BYTES = 4, 8 or 16, aligned to as much; zeros where not `there`, when `from` is not read. Only 16 can pass by the first level of
 * cache, which then has room for what is read again. */
template <int BYTES>
FUNCTION void copy_async(void *to, const void *from, bool there) {
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
          "n"(BYTES), "r"(there ? 1u : 0u)                                                             \
        : "memory")
    if constexpr (BYTES == 16) {
        COPY_ASYNC("cg");
    } else {
        COPY_ASYNC("ca");
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

FUNCTION void load_pair(const double *from, double *to) {
    const double2 pair = *reinterpret_cast<const double2 *>(from);
    to[0] = pair.x;
    to[1] = pair.y;
}
FUNCTION void load_pair(const float *from, float *to) {
    const float2 pair = *reinterpret_cast<const float2 *>(from);
    to[0] = pair.x;
    to[1] = pair.y;
}
FUNCTION void store_pair(double *to, const double *from) {
    *reinterpret_cast<double2 *>(to) = make_double2(from[0], from[1]);
}
FUNCTION void store_pair(float *to, const float *from) {
    *reinterpret_cast<float2 *>(to) = make_float2(from[0], from[1]);
}

#endif
#endif
