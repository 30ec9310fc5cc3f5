/* Masked loads, stores and copies of a lane's columns, in memory that other groups read or write: nothing happens if `there` is
 * 0. They are predicated instead of branching, so that the rows of a tile follow each other without divergence. Relaxed, device
 * scope. */
#ifndef PERDURE_KERNELS_RESIDENT_MASKED_ROW_H
#define PERDURE_KERNELS_RESIDENT_MASKED_ROW_H

#include "kernels/resident/row.h"

#if defined(__CUDACC__)

#define WHERE(there, instruction) \
    "{\n\t"                       \
    ".reg .pred there;\n\t"       \
    "setp.ne.u32 there, " there   \
    ", 0;\n\t"                    \
    "@there " instruction         \
    ";\n\t"                       \
    "}"

FUNCTION void store_where(uint32 there, float *to, float value) {
    asm volatile(WHERE("%0", "st.relaxed" LAUNCH_SCOPE ".global.f32 [%1], %2")
                 :
                 : "r"(there), "l"(__cvta_generic_to_global(to)), "f"(value)
                 : "memory");
}
FUNCTION void store_where(uint32 there, double *to, double value) {
    asm volatile(WHERE("%0", "st.relaxed" LAUNCH_SCOPE ".global.f64 [%1], %2")
                 :
                 : "r"(there), "l"(__cvta_generic_to_global(to)), "d"(value)
                 : "memory");
}
FUNCTION void load_where(uint32 there, float *value, const float *from) {
    asm volatile(WHERE("%1", "ld.relaxed" LAUNCH_SCOPE ".global.f32 %0, [%2]")
                 : "+f"(*value)
                 : "r"(there), "l"(__cvta_generic_to_global(from))
                 : "memory");
}
FUNCTION void load_where(uint32 there, double *value, const double *from) {
    asm volatile(WHERE("%1", "ld.relaxed" LAUNCH_SCOPE ".global.f64 %0, [%2]")
                 : "+d"(*value)
                 : "r"(there), "l"(__cvta_generic_to_global(from))
                 : "memory");
}

/* Contiguous columns, 16 bytes at a time. */
FUNCTION void store_where(uint32 there, float *to, const row_of<float> &row) {
    asm volatile(WHERE("%0", "st.relaxed" LAUNCH_SCOPE ".global.v4.f32 [%1], {%2, %3, %4, %5}")
                 :
                 : "r"(there), "l"(__cvta_generic_to_global(to)), "f"(row.at[0]), "f"(row.at[1]),
                   "f"(row.at[2]), "f"(row.at[3])
                 : "memory");
}
FUNCTION void store_where(uint32 there, double *to, const row_of<double> &row) {
#pragma unroll
    for (int j = 0; j < COLUMNS; j += 2) {
        asm volatile(WHERE("%0", "st.relaxed" LAUNCH_SCOPE ".global.v2.f64 [%1], {%2, %3}")
                     :
                     : "r"(there), "l"(__cvta_generic_to_global(to + j)), "d"(row.at[j]), "d"(row.at[j + 1])
                     : "memory");
    }
}
FUNCTION void load_where(uint32 there, row_of<float> *row, const float *from) {
    asm volatile(WHERE("%4", "ld.relaxed" LAUNCH_SCOPE ".global.v4.f32 {%0, %1, %2, %3}, [%5]")
                 : "+f"(row->at[0]), "+f"(row->at[1]), "+f"(row->at[2]), "+f"(row->at[3])
                 : "r"(there), "l"(__cvta_generic_to_global(from))
                 : "memory");
}
FUNCTION void load_where(uint32 there, row_of<double> *row, const double *from) {
#pragma unroll
    for (int j = 0; j < COLUMNS; j += 2) {
        asm volatile(WHERE("%2", "ld.relaxed" LAUNCH_SCOPE ".global.v2.f64 {%0, %1}, [%3]")
                     : "+d"(row->at[j]), "+d"(row->at[j + 1])
                     : "r"(there), "l"(__cvta_generic_to_global(from + j))
                     : "memory");
    }
}

/* Copies to shared memory asynchronously, as kernels/resident/async_copy.h does. BYTES = 4, 8 or, bypassing the L1 cache, 16. */
template <int BYTES>
FUNCTION void copy_where(uint32 there, void *to, const void *from) {
    const uint32 place = static_cast<uint32>(__cvta_generic_to_shared(to));
    if constexpr (BYTES == 16) {
        asm volatile(WHERE("%0", "cp.async.cg.shared.global [%1], [%2], 16")
                     :
                     : "r"(there), "r"(place), "l"(__cvta_generic_to_global(from))
                     : "memory");
    } else {
        asm volatile(WHERE("%0", "cp.async.ca.shared.global [%1], [%2], %3")
                     :
                     : "r"(there), "r"(place), "l"(__cvta_generic_to_global(from)), "n"(BYTES)
                     : "memory");
    }
}

/* Returns the same value in another register. */
FUNCTION float moved(float value) {
    float other;
    asm volatile("mov.f32 %0, %1;" : "=f"(other) : "f"(value));
    return other;
}
FUNCTION double moved(double value) {
    double other;
    asm volatile("mov.f64 %0, %1;" : "=d"(other) : "d"(value));
    return other;
}
#undef WHERE

#endif

/* Return the columns in reverse order, in registers of their own. Accesses of 16 bytes fix the order of their registers, and
 * otherwise the compiler would choose this order for all accesses. */
template <typename Real>
FUNCTION row_of<Real> reversed(const row_of<Real> &row) {
    row_of<Real> other;
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        other.at[j] = moved(row.at[COLUMNS - 1 - j]);
    }
    return other;
}
template <typename Real>
FUNCTION void reverse_where(uint32 there, row_of<Real> *row) {
    const row_of<Real> other = reversed(*row);
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j) {
        row->at[j] = there != 0u ? other.at[j] : row->at[j];
    }
}

#endif
