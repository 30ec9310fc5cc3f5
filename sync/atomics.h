/* Atomics on GLOBAL words, in one spelling on every back end; `type` is uint32 or uint64, for min and max
 * also int32 and int64. Minimum, maximum and sum of floating point numbers: sync/atomic_float.h.
 *
 *   load_type(word, order, scope)                    store_type(word, value, order, scope)
 *   exchange_type(word, value, order, scope)         compare_exchange_type(word, expected, value, order,
 * scope) fetch_add_type(word, value, order, scope)        add_type(word, value, order, scope) and so on for
 * sub, and, or, xor, min, max; all that return something return the value before fence(order, scope) acquire,
 * release or acq_rel
 *
 *   order     ORDER_RELAXED  nothing but the word itself: coherent, one modification order, never torn
 *             ORDER_RELEASE  publishes what this item wrote and observed before
 *             ORDER_ACQUIRE  observes what was published by the write that it reads from
 *             ORDER_ACQ_REL  both, for read-modify-writes and fences
 *   scope     SCOPE_GROUP, SCOPE_DEVICE, SCOPE_SYSTEM (with the host): who may be on the other side of the
 * edge progress  none needed; min and max on host threads are compare-and-swap loops (lock-free)
 *
 * A form without a returned value need not wait for the word: on NVIDIA it becomes a `red`, which the L2 does
 * while the item goes on; with a returned value it is an `atom`, a journey there and back. It observes
 * nothing, so ORDER_ACQUIRE and ORDER_ACQ_REL cost there what the other form costs. Elsewhere the two forms
 * cost the same.
 *
 * order_t and scope_t are the types of the constants; a function that passes them on is inlined into calls
 * that write them out. No seq_cst: nothing here needs one total order. */
#ifndef PERDURE_SYNC_ATOMICS_H
#define PERDURE_SYNC_ATOMICS_H

#if defined(__CUDACC__) || (defined(PERDURE_NVIDIA) && PERDURE_NVIDIA >= 7)
#include "sync/atomics_ptx.h"
#elif defined(__OPENCL_VERSION__)
#include "sync/atomics_opencl.h"
#else
#include "sync/atomics_host.h"
#endif

#endif
