/* Atomics in OpenCL C. With acquire/release at device scope (OpenCL 3.0 features) they are the language's own.
 * Without (PERDURE_LEGACY_ATOMICS: OpenCL 1.2, and NVIDIA's OpenCL 3.0) a relaxed atomic of OpenCL 1.2 stands
 * between the fences that its order asks for, on NVIDIA those of PTX. */
#ifndef PERDURE_SYNC_ATOMICS_OPENCL_H
#define PERDURE_SYNC_ATOMICS_OPENCL_H

#if defined(PERDURE_LEGACY_ATOMICS)

#define ORDER_RELAXED 0u
#define ORDER_ACQUIRE 1u
#define ORDER_RELEASE 2u
#define ORDER_ACQ_REL 3u
#define SCOPE_GROUP 0u
#define SCOPE_DEVICE 1u
#define SCOPE_SYSTEM 2u

/* PERDURE_NVIDIA is the compute capability. membar, of older ones, orders more than these fences. */
#if !defined(PERDURE_NVIDIA)
#define PERDURE_FENCE(order, scope) mem_fence(CLK_GLOBAL_MEM_FENCE)
#elif PERDURE_NVIDIA >= 7
#define PERDURE_FENCE(order, scope)                         \
    do {                                                    \
        if ((scope) == SCOPE_GROUP) {                       \
            __asm volatile("fence.acq_rel.cta;" ::: "memory"); \
        } else if ((scope) == SCOPE_SYSTEM) {               \
            __asm volatile("fence.acq_rel.sys;" ::: "memory"); \
        } else if ((order) == ORDER_ACQUIRE) {              \
            PERDURE_ACQUIRE_FENCE;                          \
        } else {                                            \
            __asm volatile("fence.acq_rel.gpu;" ::: "memory"); \
        }                                                   \
    } while (0)
#if PERDURE_NVIDIA >= 9
#define PERDURE_ACQUIRE_FENCE __asm volatile("fence.acquire.gpu;" ::: "memory")
#else
#define PERDURE_ACQUIRE_FENCE __asm volatile("fence.acq_rel.gpu;" ::: "memory")
#endif
#else
#define PERDURE_FENCE(order, scope) __asm volatile("membar.sys;" ::: "memory")
#endif

FUNCTION void fence(uint32 order, uint32 scope) {
    if (order != ORDER_RELAXED) {
        PERDURE_FENCE(order, scope);
    }
}
FUNCTION void fence_before(uint32 order, uint32 scope) {
    fence(order & ORDER_RELEASE, scope);
}
FUNCTION void fence_after(uint32 order, uint32 scope) {
    fence(order & ORDER_ACQUIRE, scope);
}

#define PERDURE_FETCH(type, operation, builtin)                                                            \
    FUNCTION type fetch_##operation##_##type(volatile GLOBAL type *word, type value, uint32 order,         \
                                             uint32 scope) {                                               \
        fence_before(order, scope);                                                                        \
        const type before = builtin(word, value);                                                          \
        fence_after(order, scope);                                                                         \
        return before;                                                                                     \
    }                                                                                                      \
    FUNCTION void operation##_##type(volatile GLOBAL type *word, type value, uint32 order, uint32 scope) { \
        (void)fetch_##operation##_##type(word, value, order, scope);                                       \
    }

#define PERDURE_MIN_MAX(type, prefix)       \
    PERDURE_FETCH(type, min, prefix##_min)  \
    PERDURE_FETCH(type, max, prefix##_max)

/* A volatile access is one access on NVIDIA; elsewhere only an atomic is sure to be. */
#if defined(PERDURE_NVIDIA)
#define PERDURE_LOAD(prefix, word) (*(word))
#define PERDURE_STORE(prefix, word, value) (*(word) = (value))
#else
#define PERDURE_LOAD(prefix, word) prefix##_or(word, 0)
#define PERDURE_STORE(prefix, word, value) ((void)prefix##_xchg(word, value))
#endif

#define PERDURE_ATOMICS(type, prefix)                                                                      \
    FUNCTION type load_##type(volatile GLOBAL type *word, uint32 order, uint32 scope) {                    \
        const type value = PERDURE_LOAD(prefix, word);                                                     \
        fence_after(order, scope);                                                                         \
        return value;                                                                                      \
    }                                                                                                      \
    FUNCTION void store_##type(volatile GLOBAL type *word, type value, uint32 order, uint32 scope) {       \
        fence_before(order, scope);                                                                        \
        PERDURE_STORE(prefix, word, value);                                                                \
    }                                                                                                      \
    FUNCTION type exchange_##type(volatile GLOBAL type *word, type value, uint32 order, uint32 scope) {    \
        fence_before(order, scope);                                                                        \
        const type before = prefix##_xchg(word, value);                                                    \
        fence_after(order, scope);                                                                         \
        return before;                                                                                     \
    }                                                                                                      \
    FUNCTION type compare_exchange_##type(volatile GLOBAL type *word, type expected, type value,           \
                                          uint32 order, uint32 scope) {                                    \
        fence_before(order, scope);                                                                        \
        const type before = prefix##_cmpxchg(word, expected, value);                                       \
        fence_after(order, scope);                                                                         \
        return before;                                                                                     \
    }                                                                                                      \
    PERDURE_FETCH(type, add, prefix##_add)                                                                 \
    PERDURE_FETCH(type, sub, prefix##_sub)                                                                 \
    PERDURE_FETCH(type, and, prefix##_and)                                                                 \
    PERDURE_FETCH(type, or, prefix##_or)                                                                   \
    PERDURE_FETCH(type, xor, prefix##_xor)                                                                 \
    PERDURE_MIN_MAX(type, prefix)

PERDURE_ATOMICS(uint32, atomic)
PERDURE_ATOMICS(uint64, atom)
PERDURE_MIN_MAX(int32, atomic)
PERDURE_MIN_MAX(int64, atom)

#else

#define ORDER_RELAXED memory_order_relaxed
#define ORDER_ACQUIRE memory_order_acquire
#define ORDER_RELEASE memory_order_release
#define ORDER_ACQ_REL memory_order_acq_rel
#define SCOPE_GROUP memory_scope_work_group
#define SCOPE_DEVICE memory_scope_device
#if defined(__opencl_c_atomic_scope_all_devices)
#define SCOPE_SYSTEM memory_scope_all_svm_devices
#else
#define SCOPE_SYSTEM memory_scope_device
#endif

#define PERDURE_FETCH(type, atomic_type, operation)                                                      \
    FUNCTION type fetch_##operation##_##type(volatile GLOBAL type *word, type value, memory_order order, \
                                             memory_scope scope) {                                       \
        return atomic_fetch_##operation##_explicit((volatile GLOBAL atomic_type *)word, value, order,    \
                                                   scope);                                               \
    }                                                                                                    \
    FUNCTION void operation##_##type(volatile GLOBAL type *word, type value, memory_order order,         \
                                     memory_scope scope) {                                               \
        (void)fetch_##operation##_##type(word, value, order, scope);                                     \
    }

#define PERDURE_MIN_MAX(type, atomic_type) \
    PERDURE_FETCH(type, atomic_type, min)  \
    PERDURE_FETCH(type, atomic_type, max)

#define PERDURE_ATOMICS(type, atomic_type)                                                                 \
    FUNCTION type load_##type(volatile GLOBAL type *word, memory_order order, memory_scope scope) {        \
        return atomic_load_explicit((volatile GLOBAL atomic_type *)word, order, scope);                    \
    }                                                                                                      \
    FUNCTION void store_##type(volatile GLOBAL type *word, type value, memory_order order,                 \
                               memory_scope scope) {                                                       \
        atomic_store_explicit((volatile GLOBAL atomic_type *)word, value, order, scope);                   \
    }                                                                                                      \
    FUNCTION type exchange_##type(volatile GLOBAL type *word, type value, memory_order order,              \
                                  memory_scope scope) {                                                    \
        return atomic_exchange_explicit((volatile GLOBAL atomic_type *)word, value, order, scope);         \
    }                                                                                                      \
    FUNCTION type compare_exchange_##type(volatile GLOBAL type *word, type expected, type value,           \
                                          memory_order order, memory_scope scope) {                        \
        (void)atomic_compare_exchange_strong_explicit((volatile GLOBAL atomic_type *)word, &expected,      \
                                                      value, order,                                        \
                                                      order == memory_order_acq_rel ? memory_order_acquire \
                                                      : order == memory_order_release                      \
                                                          ? memory_order_relaxed                           \
                                                          : order,                                         \
                                                      scope);                                              \
        return expected;                                                                                   \
    }                                                                                                      \
    PERDURE_FETCH(type, atomic_type, add)                                                                  \
    PERDURE_FETCH(type, atomic_type, sub)                                                                  \
    PERDURE_FETCH(type, atomic_type, and)                                                                  \
    PERDURE_FETCH(type, atomic_type, or)                                                                   \
    PERDURE_FETCH(type, atomic_type, xor)                                                                  \
    PERDURE_MIN_MAX(type, atomic_type)

PERDURE_ATOMICS(uint32, atomic_uint)
PERDURE_ATOMICS(uint64, atomic_ulong)
PERDURE_MIN_MAX(int32, atomic_int)
PERDURE_MIN_MAX(int64, atomic_long)

FUNCTION void fence(memory_order order, memory_scope scope) {
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, order, scope);
}

#endif
#endif
