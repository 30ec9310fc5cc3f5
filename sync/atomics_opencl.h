/* Atomics in OpenCL C. With acquire/release at device scope (features of OpenCL 3.0) they are the language's
 * own. Without (PERDURE_LEGACY_ATOMICS: OpenCL 1.2) a relaxed atomic stands between the fences that its order
 * asks for; that language promises nothing between groups, so a device must pass the self-test. NVIDIA:
 * sync/atomics_ptx.h.
 *
 * SCOPE_SYSTEM reaches the host where the device has __opencl_c_atomic_scope_all_devices. Elsewhere it is
 * SCOPE_DEVICE: a word shared with the host is not torn, but orders no other memory with it. Kernels pass the
 * host single words alone, relaxed. */
#ifndef PERDURE_SYNC_ATOMICS_OPENCL_H
#define PERDURE_SYNC_ATOMICS_OPENCL_H

#include "sync/dialect_opencl.h"

#if defined(PERDURE_LEGACY_ATOMICS)

#define ORDER_RELAXED 0u
#define ORDER_ACQUIRE 1u
#define ORDER_RELEASE 2u
#define ORDER_ACQ_REL 3u
#define SCOPE_GROUP 0u
#define SCOPE_DEVICE 1u
#define SCOPE_SYSTEM 2u
#define SCOPE_OWN_DEVICE SCOPE_DEVICE
typedef uint32 order_t;
typedef uint32 scope_t;

/* NVIDIA before sm_70 has no fences but membar, which orders more. */
#if defined(PERDURE_NVIDIA)
#define PERDURE_FENCE() __asm volatile("membar.sys;" ::: "memory")
#else
#define PERDURE_FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

FUNCTION void fence(order_t order, scope_t scope) {
    (void)scope;
    if (order != ORDER_RELAXED) {
        PERDURE_FENCE();
    }
}
FUNCTION void fence_before(order_t order, scope_t scope) {
    fence(order & ORDER_RELEASE, scope);
}
FUNCTION void fence_after(order_t order, scope_t scope) {
    fence(order & ORDER_ACQUIRE, scope);
}

#define PERDURE_FETCH(type, operation, builtin)                                                              \
    FUNCTION type fetch_##operation##_##type(volatile GLOBAL type *word, type value, order_t order,          \
                                             scope_t scope) {                                                \
        fence_before(order, scope);                                                                          \
        const type before = builtin(word, value);                                                            \
        fence_after(order, scope);                                                                           \
        return before;                                                                                       \
    }                                                                                                        \
    FUNCTION void operation##_##type(volatile GLOBAL type *word, type value, order_t order, scope_t scope) { \
        (void)fetch_##operation##_##type(word, value, order, scope);                                         \
    }

#define PERDURE_MIN_MAX(type, prefix)      \
    PERDURE_FETCH(type, min, prefix##_min) \
    PERDURE_FETCH(type, max, prefix##_max)

#define PERDURE_ATOMICS(type, prefix)                                                                     \
    FUNCTION type load_##type(volatile GLOBAL type *word, order_t order, scope_t scope) {                 \
        const type value = prefix##_or(word, 0);                                                          \
        fence_after(order, scope);                                                                        \
        return value;                                                                                     \
    }                                                                                                     \
    FUNCTION void store_##type(volatile GLOBAL type *word, type value, order_t order, scope_t scope) {    \
        fence_before(order, scope);                                                                       \
        (void)prefix##_xchg(word, value);                                                                 \
    }                                                                                                     \
    FUNCTION type exchange_##type(volatile GLOBAL type *word, type value, order_t order, scope_t scope) { \
        fence_before(order, scope);                                                                       \
        const type before = prefix##_xchg(word, value);                                                   \
        fence_after(order, scope);                                                                        \
        return before;                                                                                    \
    }                                                                                                     \
    FUNCTION type compare_exchange_##type(volatile GLOBAL type *word, type expected, type value,          \
                                          order_t order, scope_t scope) {                                 \
        fence_before(order, scope);                                                                       \
        const type before = prefix##_cmpxchg(word, expected, value);                                      \
        fence_after(order, scope);                                                                        \
        return before;                                                                                    \
    }                                                                                                     \
    PERDURE_FETCH(type, add, prefix##_add)                                                                \
    PERDURE_FETCH(type, sub, prefix##_sub)                                                                \
    PERDURE_FETCH(type, and, prefix##_and)                                                                \
    PERDURE_FETCH(type, or, prefix##_or)                                                                  \
    PERDURE_FETCH(type, xor, prefix##_xor)                                                                \
    PERDURE_MIN_MAX(type, prefix)

PERDURE_ATOMICS(uint32, atomic)
PERDURE_ATOMICS(uint64, atom)
PERDURE_MIN_MAX(int32, atomic)
PERDURE_MIN_MAX(int64, atom)

FUNCTION uint32 poll_uint32(volatile GLOBAL uint32 *word, scope_t scope) {
    return load_uint32(word, ORDER_RELAXED, scope);
}
FUNCTION void acquire_polled(scope_t scope) {
    fence(ORDER_ACQUIRE, scope);
}

#else

#if __OPENCL_C_VERSION__ >= 300 && \
    !(defined(__opencl_c_atomic_order_acq_rel) && defined(__opencl_c_atomic_scope_device))
#error "this device has no acquire/release atomics at device scope: build with -DPERDURE_LEGACY_ATOMICS"
#endif

#define ORDER_RELAXED memory_order_relaxed
#define ORDER_ACQUIRE memory_order_acquire
#define ORDER_RELEASE memory_order_release
#define ORDER_ACQ_REL memory_order_acq_rel
#define SCOPE_GROUP memory_scope_work_group
#define SCOPE_DEVICE memory_scope_device
#define SCOPE_OWN_DEVICE SCOPE_DEVICE
#if defined(__opencl_c_atomic_scope_all_devices)
#define SCOPE_SYSTEM memory_scope_all_svm_devices
#else
#define SCOPE_SYSTEM memory_scope_device
#endif
typedef memory_order order_t;
typedef memory_scope scope_t;

#define PERDURE_FETCH(type, atomic_type, operation)                                                          \
    FUNCTION type fetch_##operation##_##type(volatile GLOBAL type *word, type value, order_t order,          \
                                             scope_t scope) {                                                \
        return atomic_fetch_##operation##_explicit((volatile GLOBAL atomic_type *)word, value, order,        \
                                                   scope);                                                   \
    }                                                                                                        \
    FUNCTION void operation##_##type(volatile GLOBAL type *word, type value, order_t order, scope_t scope) { \
        (void)fetch_##operation##_##type(word, value, order, scope);                                         \
    }

#define PERDURE_MIN_MAX(type, atomic_type) \
    PERDURE_FETCH(type, atomic_type, min)  \
    PERDURE_FETCH(type, atomic_type, max)

#define PERDURE_ATOMICS(type, atomic_type)                                                                   \
    FUNCTION type load_##type(volatile GLOBAL type *word, order_t order, scope_t scope) {                    \
        return atomic_load_explicit((volatile GLOBAL atomic_type *)word, order, scope);                      \
    }                                                                                                        \
    FUNCTION void store_##type(volatile GLOBAL type *word, type value, order_t order, scope_t scope) {       \
        atomic_store_explicit((volatile GLOBAL atomic_type *)word, value, order, scope);                     \
    }                                                                                                        \
    FUNCTION type exchange_##type(volatile GLOBAL type *word, type value, order_t order, scope_t scope) {    \
        return atomic_exchange_explicit((volatile GLOBAL atomic_type *)word, value, order, scope);           \
    }                                                                                                        \
    FUNCTION type compare_exchange_##type(volatile GLOBAL type *word, type expected, type value,             \
                                          order_t order, scope_t scope) {                                    \
        (void)atomic_compare_exchange_strong_explicit((volatile GLOBAL atomic_type *)word, &expected, value, \
                                                      order,                                                 \
                                                      order == memory_order_acq_rel   ? memory_order_acquire \
                                                      : order == memory_order_release ? memory_order_relaxed \
                                                                                      : order,               \
                                                      scope);                                                \
        return expected;                                                                                     \
    }                                                                                                        \
    PERDURE_FETCH(type, atomic_type, add)                                                                    \
    PERDURE_FETCH(type, atomic_type, sub)                                                                    \
    PERDURE_FETCH(type, atomic_type, and)                                                                    \
    PERDURE_FETCH(type, atomic_type, or)                                                                     \
    PERDURE_FETCH(type, atomic_type, xor)                                                                    \
    PERDURE_MIN_MAX(type, atomic_type)

PERDURE_ATOMICS(uint32, atomic_uint)
PERDURE_ATOMICS(uint64, atomic_ulong)
PERDURE_MIN_MAX(int32, atomic_int)
PERDURE_MIN_MAX(int64, atomic_long)

FUNCTION uint32 poll_uint32(volatile GLOBAL uint32 *word, scope_t scope) {
    return load_uint32(word, ORDER_ACQUIRE, scope);
}
FUNCTION void acquire_polled(scope_t scope) {
    (void)scope;
}
FUNCTION void fence(order_t order, scope_t scope) {
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, order, scope);
}

#endif
#endif
