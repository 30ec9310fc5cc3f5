/* The words that kernels and synchronisation primitives are written in.
 *
 * Kernel text is the common subset of C99, OpenCL C and C++ plus these words; each back end gives them its
 * meaning. KERNEL FUNCTION GLOBAL LOCAL PARAMETERS        what a function or a pointer is uint32 uint64 int64
 * sum_t                      fixed-width integers; the type sums are taken in group_index() group_count()
 * this group of items, and how many there are in the launch item_index() group_size() this item, and how many
 * there are in the group group_barrier() lane_barrier(stride)           all items of a group; the items that
 * take part in a tree step fetch_add_acq_rel load_acquire load_relaxed store_relaxed compare_exchange_acq_rel
 * 32-bit words, device scope fetch_min_uint32 fetch_min_int64               relaxed, device scope system_load
 * system_store system_store_64       words shared with the host while the kernel runs wait_pause()
 * wait_clock(polls)                 inside a spin loop: be polite; how long it has lasted device_seconds() a
 * clock for the history, NaN where the device has none multiply_high(a, b) double_bits(x) bits_double(b)
 * upper half of a product; a double as its 64 bits and back
 *
 * real_t (the type of the fields) is defined before kernel text is included, once per type. */
#ifndef PERDURE_SYNC_DIALECT_H
#define PERDURE_SYNC_DIALECT_H

#if defined(__OPENCL_VERSION__)
#include "sync/dialect_opencl.h"
#elif defined(__CUDACC__)
#include "sync/dialect_cuda.h"
#else
#include "sync/dialect_host.h"
#endif

/* Sums run over this many lanes on every device: the shape of the addition tree never changes. */
#define LANES 256u

#endif
