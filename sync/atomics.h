/* Atomics on GLOBAL words, in one spelling on every back end; `type` is uint32 or uint64, for min and max also
 * int32 and int64.
 *
 *   load_type(word, order, scope)                    store_type(word, value, order, scope)
 *   exchange_type(word, value, order, scope)         compare_exchange_type(word, expected, value, order, scope)
 *   fetch_add_type(word, value, order, scope)        add_type(word, value, order, scope)
 *   and so on for sub, and, or, xor, min, max; all that return something return the value before
 *   fence(order, scope)                              acquire, release or acq_rel
 *
 *   order   ORDER_RELAXED  nothing but the word itself: coherent, one modification order, never torn
 *           ORDER_RELEASE  publishes what this item wrote and observed before
 *           ORDER_ACQUIRE  observes what was published by the write that it reads from
 *           ORDER_ACQ_REL  both, for read-modify-writes and fences
 *   scope   SCOPE_GROUP, SCOPE_DEVICE, SCOPE_SYSTEM (with the host): who may be on the other side of the edge
 *   progress  none needed; min and max on host threads are compare-and-swap loops (lock-free)
 *
 * order and scope are written as these constants in the call. No seq_cst: nothing here needs one total order. */
#ifndef PERDURE_SYNC_ATOMICS_H
#define PERDURE_SYNC_ATOMICS_H

#if defined(__OPENCL_VERSION__)
#include "sync/atomics_opencl.h"
#elif defined(__CUDACC__)
#include "sync/atomics_cuda.h"
#else
#include "sync/atomics_host.h"
#endif

#endif
