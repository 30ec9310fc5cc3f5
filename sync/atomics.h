/* Atomics on GLOBAL words, in one spelling on every back end; `type` is uint32 or uint64, for min and max
 * also int32 and int64. Included by sync/dialect.h. Floating point numbers: sync/atomic_float.h.
 *
 *   load_type(word, order, scope)
 *   store_type(word, value, order, scope)
 *   exchange_type(word, value, order, scope)
 *   compare_exchange_type(word, expected, value, order, scope)
 *   fetch_add_type(word, value, order, scope)     add_type(word, value, order, scope)
 *                                                 and so on for sub, and, or, xor, min, max
 *   poll_type(word, scope), then acquire_polled(scope)   a load in a loop and what follows the loop: together an
 *                          acquire load, at the price of one acquire however many polls there are
 *   fence(order, scope)                           acquire, release or acq_rel
 *
 *   order     ORDER_RELAXED  nothing but the word itself: coherent, one modification order, never torn
 *             ORDER_RELEASE  publishes what this item wrote and observed before
 *             ORDER_ACQUIRE  observes what was published by the write that it reads from
 *             ORDER_ACQ_REL  both, for read-modify-writes and fences
 *   scope     who may be on the other side: SCOPE_GROUP, SCOPE_DEVICE (all groups of the launch, on several devices too),
 *             SCOPE_OWN_DEVICE (of these, the groups on one device), SCOPE_SYSTEM (with the host; OpenCL
 *             devices that cannot order memory with it take SCOPE_DEVICE, see sync/atomics_opencl.h)
 *   valid in  the item that calls: all that return something return the value before
 *   progress  none needed; min and max on host threads are compare-and-swap loops (lock-free)
 *
 * A form without a returned value need not wait for the word: on NVIDIA it becomes a `red`, which the L2
 * cache does while the item goes on; with a returned value it is an `atom`, a journey there and back. Having
 * seen nothing it can acquire nothing: with ORDER_ACQUIRE or ORDER_ACQ_REL it costs what the other form
 * costs. Elsewhere the two forms cost the same.
 *
 * order_t and scope_t are the types of the constants, for functions that pass them on. Sequential
 * consistency is not offered: nothing here needs one total order. */
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
