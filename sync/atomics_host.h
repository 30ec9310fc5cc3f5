/* Atomics on host threads: the compiler's own. Scope makes no difference there. */
#ifndef PERDURE_SYNC_ATOMICS_HOST_H
#define PERDURE_SYNC_ATOMICS_HOST_H

#include "sync/dialect_host.h"

#define ORDER_RELAXED __ATOMIC_RELAXED
#define ORDER_ACQUIRE __ATOMIC_ACQUIRE
#define ORDER_RELEASE __ATOMIC_RELEASE
#define ORDER_ACQ_REL __ATOMIC_ACQ_REL
#define SCOPE_GROUP 0
#define SCOPE_DEVICE 1
#define SCOPE_SYSTEM 2
#define SCOPE_OWN_DEVICE SCOPE_DEVICE
typedef int order_t;
typedef int scope_t;

#define PERDURE_FETCH(type, operation)                                                               \
    FUNCTION type fetch_##operation##_##type(type *word, type value, order_t order, scope_t scope) { \
        (void)scope;                                                                                 \
        return __atomic_fetch_##operation(word, value, order);                                       \
    }                                                                                                \
    FUNCTION void operation##_##type(type *word, type value, order_t order, scope_t scope) {         \
        (void)fetch_##operation##_##type(word, value, order, scope);                                 \
    }

/* Like C++26's fetch_min and fetch_max: a write happens whichever value wins. */
#define PERDURE_SELECT(type, operation, relation)                                                      \
    FUNCTION type fetch_##operation##_##type(type *word, type value, order_t order, scope_t scope) {   \
        type seen = __atomic_load_n(word, __ATOMIC_RELAXED);                                           \
        (void)scope;                                                                                   \
        while (!__atomic_compare_exchange_n(word, &seen, value relation seen ? value : seen, 1, order, \
                                            __ATOMIC_RELAXED)) {                                       \
        }                                                                                              \
        return seen;                                                                                   \
    }                                                                                                  \
    FUNCTION void operation##_##type(type *word, type value, order_t order, scope_t scope) {           \
        (void)fetch_##operation##_##type(word, value, order, scope);                                   \
    }

#define PERDURE_MIN_MAX(type)    \
    PERDURE_SELECT(type, min, <) \
    PERDURE_SELECT(type, max, >)

#define PERDURE_ATOMICS(type)                                                                        \
    FUNCTION type load_##type(type *word, order_t order, scope_t scope) {                            \
        (void)scope;                                                                                 \
        return __atomic_load_n(word, order);                                                         \
    }                                                                                                \
    FUNCTION void store_##type(type *word, type value, order_t order, scope_t scope) {               \
        (void)scope;                                                                                 \
        __atomic_store_n(word, value, order);                                                        \
    }                                                                                                \
    FUNCTION type exchange_##type(type *word, type value, order_t order, scope_t scope) {            \
        (void)scope;                                                                                 \
        return __atomic_exchange_n(word, value, order);                                              \
    }                                                                                                \
    FUNCTION type compare_exchange_##type(type *word, type expected, type value, order_t order,      \
                                          scope_t scope) {                                           \
        (void)scope;                                                                                 \
        (void)__atomic_compare_exchange_n(                                                           \
            word, &expected, value, 0, order,                                                        \
            order == ORDER_ACQUIRE || order == ORDER_ACQ_REL ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED); \
        return expected;                                                                             \
    }                                                                                                \
    PERDURE_FETCH(type, add)                                                                         \
    PERDURE_FETCH(type, sub)                                                                         \
    PERDURE_FETCH(type, and)                                                                         \
    PERDURE_FETCH(type, or)                                                                          \
    PERDURE_FETCH(type, xor)                                                                         \
    PERDURE_MIN_MAX(type)

PERDURE_ATOMICS(uint32)
PERDURE_ATOMICS(uint64)
PERDURE_MIN_MAX(int32)
PERDURE_MIN_MAX(int64)

FUNCTION uint32 poll_uint32(uint32 *word, scope_t scope) {
    return load_uint32(word, ORDER_ACQUIRE, scope);
}
FUNCTION void acquire_polled(scope_t scope) {
    (void)scope;
}

/* ThreadSanitizer does not know fences: there a read-modify-write on one word that all fences share stands in
 * for them. An acquire fence then sees what stood before every release fence so far, also where no atomic went
 * from one item to the other: such races are missed. A fence that should pair with an acquire load or a release
 * store of the other item pairs with nothing: use fences on both sides or on neither. */
#if defined(__SANITIZE_THREAD__)
FUNCTION void fence(order_t order, scope_t scope) {
    static uint32 word;
    (void)scope;
    (void)__atomic_fetch_add(&word, 0u, order);
}
#else
FUNCTION void fence(order_t order, scope_t scope) {
    (void)scope;
    __atomic_thread_fence(order);
}
#endif

#endif
