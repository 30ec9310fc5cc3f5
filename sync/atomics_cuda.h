/* Atomics in CUDA: libcu++ maps them to the PTX memory model. A result that nobody uses becomes a `red`. */
#ifndef PERDURE_SYNC_ATOMICS_CUDA_H
#define PERDURE_SYNC_ATOMICS_CUDA_H

#include <cuda/atomic>

#define ORDER_RELAXED cuda::memory_order_relaxed
#define ORDER_ACQUIRE cuda::memory_order_acquire
#define ORDER_RELEASE cuda::memory_order_release
#define ORDER_ACQ_REL cuda::memory_order_acq_rel

template <cuda::thread_scope Scope>
struct scope_t {};
#define SCOPE_GROUP (scope_t<cuda::thread_scope_block>())
#define SCOPE_DEVICE (scope_t<cuda::thread_scope_device>())
#define SCOPE_SYSTEM (scope_t<cuda::thread_scope_system>())

#define PERDURE_FETCH(type, operation)                                                                  \
    template <cuda::thread_scope Scope>                                                                 \
    FUNCTION type fetch_##operation##_##type(type *word, type value, cuda::memory_order order,          \
                                             scope_t<Scope>) {                                          \
        return cuda::atomic_ref<type, Scope>(*word).fetch_##operation(value, order);                    \
    }                                                                                                   \
    template <cuda::thread_scope Scope>                                                                 \
    FUNCTION void operation##_##type(type *word, type value, cuda::memory_order order, scope_t<Scope>) { \
        (void)cuda::atomic_ref<type, Scope>(*word).fetch_##operation(value, order);                     \
    }

#define PERDURE_MIN_MAX(type) \
    PERDURE_FETCH(type, min)  \
    PERDURE_FETCH(type, max)

#define PERDURE_ATOMICS(type)                                                                              \
    template <cuda::thread_scope Scope>                                                                    \
    FUNCTION type load_##type(type *word, cuda::memory_order order, scope_t<Scope>) {                      \
        return cuda::atomic_ref<type, Scope>(*word).load(order);                                           \
    }                                                                                                      \
    template <cuda::thread_scope Scope>                                                                    \
    FUNCTION void store_##type(type *word, type value, cuda::memory_order order, scope_t<Scope>) {         \
        cuda::atomic_ref<type, Scope>(*word).store(value, order);                                          \
    }                                                                                                      \
    template <cuda::thread_scope Scope>                                                                    \
    FUNCTION type exchange_##type(type *word, type value, cuda::memory_order order, scope_t<Scope>) {      \
        return cuda::atomic_ref<type, Scope>(*word).exchange(value, order);                                \
    }                                                                                                      \
    template <cuda::thread_scope Scope>                                                                    \
    FUNCTION type compare_exchange_##type(type *word, type expected, type value, cuda::memory_order order, \
                                          scope_t<Scope>) {                                                \
        (void)cuda::atomic_ref<type, Scope>(*word).compare_exchange_strong(expected, value, order);        \
        return expected;                                                                                   \
    }                                                                                                      \
    PERDURE_FETCH(type, add)                                                                               \
    PERDURE_FETCH(type, sub)                                                                               \
    PERDURE_FETCH(type, and)                                                                               \
    PERDURE_FETCH(type, or)                                                                                \
    PERDURE_FETCH(type, xor)                                                                               \
    PERDURE_MIN_MAX(type)

PERDURE_ATOMICS(uint32)
PERDURE_ATOMICS(uint64)
PERDURE_MIN_MAX(int32)
PERDURE_MIN_MAX(int64)

template <cuda::thread_scope Scope>
FUNCTION void fence(cuda::memory_order order, scope_t<Scope>) {
    cuda::atomic_thread_fence(order, Scope);
}

#endif
