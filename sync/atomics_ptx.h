/* Atomics in PTX (ISA 6.0, sm_70 and newer), for CUDA and for NVIDIA's OpenCL, which has neither orders nor
 * scopes of its own. A form without a returned value is a `red` where PTX has one with its order: relaxed and
 * release. */
#ifndef PERDURE_SYNC_ATOMICS_PTX_H
#define PERDURE_SYNC_ATOMICS_PTX_H

#if defined(__OPENCL_VERSION__)
#include "sync/dialect_opencl.h"
#else
#include "sync/dialect_cuda.h"
#endif

#define ORDER_RELAXED 0u
#define ORDER_ACQUIRE 1u
#define ORDER_RELEASE 2u
#define ORDER_ACQ_REL 3u
#define SCOPE_GROUP 0u
#define SCOPE_DEVICE 1u
#define SCOPE_SYSTEM 2u
#define SCOPE_OWN_DEVICE 3u
#if defined(PERDURE_SEVERAL_DEVICES)
#define LAUNCH_SCOPE ".sys"
#else
#define LAUNCH_SCOPE ".gpu"
#endif
typedef uint32 order_t;
typedef uint32 scope_t;

#if defined(__OPENCL_VERSION__)
#define PERDURE_ADDRESS(word) ((uint64)(word))
#else
#define PERDURE_ADDRESS(word) __cvta_generic_to_global((const void *)(word))
#endif

/* form(".order.scope", what, letter) for the order and scope at hand; all others fold away. */
#if defined(__CUDACC__)
#define PERDURE_ASM asm /* NVRTC knows no other spelling, OpenCL C not this one */
#else
#define PERDURE_ASM __asm
#endif

#define PERDURE_SCOPES(form, order_text, what, letter) \
    if (scope == SCOPE_GROUP) {                        \
        form(order_text ".cta", what, letter);         \
    } else if (scope == SCOPE_DEVICE) {                \
        form(order_text LAUNCH_SCOPE, what, letter);   \
    } else if (scope == SCOPE_OWN_DEVICE) {            \
        form(order_text ".gpu", what, letter);         \
    } else {                                           \
        form(order_text ".sys", what, letter);         \
    }
#define PERDURE_ORDERS(form, what, letter)             \
    if (order == ORDER_RELAXED) {                      \
        PERDURE_SCOPES(form, ".relaxed", what, letter) \
    } else if (order == ORDER_ACQUIRE) {               \
        PERDURE_SCOPES(form, ".acquire", what, letter) \
    } else if (order == ORDER_RELEASE) {               \
        PERDURE_SCOPES(form, ".release", what, letter) \
    } else {                                           \
        PERDURE_SCOPES(form, ".acq_rel", what, letter) \
    }

/* bits: "b32" or "b64"; letter: the constraint of a register of that size. */
#define PERDURE_LD(how, bits, letter)                          \
    PERDURE_ASM volatile("ld" how ".global." bits " %0, [%1];" \
                         : "=" letter(value)                   \
                         : "l"(PERDURE_ADDRESS(word))          \
                         : "memory")
#define PERDURE_ST(how, bits, letter)                                                                      \
    PERDURE_ASM volatile("st" how ".global." bits " [%0], %1;" ::"l"(PERDURE_ADDRESS(word)), letter(value) \
                         : "memory")
#define PERDURE_ATOM(how, operation, letter)                              \
    PERDURE_ASM volatile("atom" how ".global." operation " %0, [%1], %2;" \
                         : "=" letter(before)                             \
                         : "l"(PERDURE_ADDRESS(word)), letter(value)      \
                         : "memory")
#define PERDURE_RED(how, operation, letter)                                                        \
    PERDURE_ASM volatile("red" how ".global." operation " [%0], %1;" ::"l"(PERDURE_ADDRESS(word)), \
                         letter(value)                                                             \
                         : "memory")
#define PERDURE_CAS(how, bits, letter)                                                 \
    PERDURE_ASM volatile("atom" how ".global.cas." bits " %0, [%1], %2, %3;"           \
                         : "=" letter(before)                                          \
                         : "l"(PERDURE_ADDRESS(word)), letter(expected), letter(value) \
                         : "memory")

/* operand: what value becomes first (sub adds the negative). */
#define PERDURE_FETCH(type, letter, name, operation, operand)                                           \
    FUNCTION type fetch_##name##_##type(volatile GLOBAL type *word, type value, order_t order,          \
                                        scope_t scope) {                                                \
        type before;                                                                                    \
        value = (type)(operand);                                                                        \
        PERDURE_ORDERS(PERDURE_ATOM, operation, letter)                                                 \
        return before;                                                                                  \
    }                                                                                                   \
    FUNCTION void name##_##type(volatile GLOBAL type *word, type value, order_t order, scope_t scope) { \
        if (order == ORDER_RELAXED || order == ORDER_RELEASE) {                                         \
            value = (type)(operand);                                                                    \
            if (order == ORDER_RELAXED) {                                                               \
                PERDURE_SCOPES(PERDURE_RED, ".relaxed", operation, letter)                              \
            } else {                                                                                    \
                PERDURE_SCOPES(PERDURE_RED, ".release", operation, letter)                              \
            }                                                                                           \
        } else {                                                                                        \
            (void)fetch_##name##_##type(word, value, order, scope);                                     \
        }                                                                                               \
    }

#define PERDURE_MIN_MAX(type, letter, suffix)              \
    PERDURE_FETCH(type, letter, min, "min." suffix, value) \
    PERDURE_FETCH(type, letter, max, "max." suffix, value)

#define PERDURE_ATOMICS(type, letter, bits, suffix)                                                       \
    FUNCTION type load_##type(const volatile GLOBAL type *word, order_t order, scope_t scope) {           \
        type value;                                                                                       \
        if (order == ORDER_RELAXED) {                                                                     \
            PERDURE_SCOPES(PERDURE_LD, ".relaxed", bits, letter)                                          \
        } else {                                                                                          \
            PERDURE_SCOPES(PERDURE_LD, ".acquire", bits, letter)                                          \
        }                                                                                                 \
        return value;                                                                                     \
    }                                                                                                     \
    FUNCTION void store_##type(volatile GLOBAL type *word, type value, order_t order, scope_t scope) {    \
        if (order == ORDER_RELAXED) {                                                                     \
            PERDURE_SCOPES(PERDURE_ST, ".relaxed", bits, letter)                                          \
        } else {                                                                                          \
            PERDURE_SCOPES(PERDURE_ST, ".release", bits, letter)                                          \
        }                                                                                                 \
    }                                                                                                     \
    FUNCTION type exchange_##type(volatile GLOBAL type *word, type value, order_t order, scope_t scope) { \
        type before;                                                                                      \
        PERDURE_ORDERS(PERDURE_ATOM, "exch." bits, letter)                                                \
        return before;                                                                                    \
    }                                                                                                     \
    FUNCTION type compare_exchange_##type(volatile GLOBAL type *word, type expected, type value,          \
                                          order_t order, scope_t scope) {                                 \
        type before;                                                                                      \
        PERDURE_ORDERS(PERDURE_CAS, bits, letter)                                                         \
        return before;                                                                                    \
    }                                                                                                     \
    PERDURE_FETCH(type, letter, add, "add." suffix, value)                                                \
    PERDURE_FETCH(type, letter, sub, "add." suffix, 0u - value)                                           \
    PERDURE_FETCH(type, letter, and, "and." bits, value)                                                  \
    PERDURE_FETCH(type, letter, or, "or." bits, value)                                                    \
    PERDURE_FETCH(type, letter, xor, "xor." bits, value)                                                  \
    PERDURE_MIN_MAX(type, letter, suffix)

PERDURE_ATOMICS(uint32, "r", "b32", "u32")
PERDURE_ATOMICS(uint64, "l", "b64", "u64")
PERDURE_MIN_MAX(int32, "r", "s32")
PERDURE_MIN_MAX(int64, "l", "s64")

/* What sync/atomic_float.h adds with. */
#define NATIVE_FLOAT_ADD
PERDURE_FETCH(float, "f", add, "add.f32", value)
PERDURE_FETCH(double, "d", add, "add.f64", value)

#define PERDURE_FENCE(how, what, letter) PERDURE_ASM volatile("fence" how ";" ::: "memory")

/* Fences of one order alone: PTX ISA 8.6, sm_90. An acquire fence does no more than an acquire load does behind its
 * load. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && defined(__CUDACC_VER_MAJOR__) && \
    __CUDACC_VER_MAJOR__ >= 13
FUNCTION void fence(order_t order, scope_t scope) {
    if (order == ORDER_ACQUIRE) {
        PERDURE_SCOPES(PERDURE_FENCE, ".acquire", , )
    } else if (order == ORDER_RELEASE) {
        PERDURE_SCOPES(PERDURE_FENCE, ".release", , )
    } else {
        PERDURE_SCOPES(PERDURE_FENCE, ".acq_rel", , )
    }
}
FUNCTION uint32 poll_uint32(volatile GLOBAL uint32 *word, scope_t scope) {
    return load_uint32(word, ORDER_RELAXED, scope);
}
FUNCTION void acquire_polled(scope_t scope) {
    fence(ORDER_ACQUIRE, scope);
}
#else
FUNCTION void fence(order_t order, scope_t scope) {
    (void)order;
    PERDURE_SCOPES(PERDURE_FENCE, ".acq_rel", , )
}
FUNCTION uint32 poll_uint32(volatile GLOBAL uint32 *word, scope_t scope) {
    return load_uint32(word, ORDER_ACQUIRE, scope);
}
FUNCTION void acquire_polled(scope_t scope) {
    (void)scope;
}
#endif

#endif
