/* The words that kernels and synchronisation primitives are written in.
 *
 * Kernel text is the common subset of C99, OpenCL C and C++ plus these words; each back end gives them its meaning.
 *
 *   KERNEL WIDE_KERNEL FUNCTION HOST_FUNCTION GLOBAL LOCAL PARAMETERS   what a function is, or what a pointer leads to; a wide
 *                                          kernel runs in groups of more than LANES items too; a host function also on the host
 *   CELL_FUNCTION                          a function of one cell, which host threads copy to where it is called from
 *   LOCAL_MEMORY                           before a variable of a kernel: the group has one, not each item
 *   uint32 uint64 int32 int64 sum_t        fixed-width integers; the type sums are taken in
 *   index_t                                the index of a cell or lane: uint32, on host threads signed, so that compilers see
 *                                          that consecutive cells lie one behind the other
 *   group_index() group_count()            this group of items, and how many there are in the launch
 *   device_index() device_count()          the device of this group, and how many devices the launch runs on
 *   begin_of_own_part() end_of_own_part()  the part of what these share that this device has, from 0 to 1
 *   item_index() group_size()              this item, and how many there are in the group
 *   group_barrier() lane_barrier(stride)   all items of a group; the items that take part in a tree step
 *   group_verdict(word, passed)            a group barrier that returns item 0's `passed` to all; the others pass 1 or
 *                                          the same. `word` is its own where items meet through memory
 *   group_all(word, condition)             a group barrier that returns 1 where all items' `condition` holds; `word` is 1
 *                                          before, and 0 for ever once one did not hold. A group barrier lies between two
 *                                          calls of either with one word
 *   wait_clock(polls) wait_pause(polls)    inside a wait: how long it has lasted, in nanoseconds on CUDA and host threads, in
 *                                          polls on OpenCL, which has no clock; let others run
 *   delay_first_poll(count)                between an arrival and the first poll: leaves the word to others that arrive for so
 *                                          many cycles, where there is a clock
 *   cycles()                               with CYCLES: a clock of the item's own processor, which wraps around
 *   ROLLED UNROLLED                        before a loop: keep it short, of polls; write it out, so that what it indexes
 *                                          stays in registers
 *   device_seconds()                       a clock for the history, NaN where the device has none
 *   multiply_high(a, b)                    upper half of a product
 *   double_bits(x) bits_double(b)          a double as its 64 bits and back
 *   float_bits(x) bits_float(b)            a float as its 32 bits and back
 *   shift_lanes(value, stride)             with LANE_SHIFT: the value of the item `stride` further on in a warp of 32
 *   PREFETCH(pointer)                      a hint: this will be read soon
 *   may_be_prefetched(cell)                0 where it may lie in another device's memory: to prefetch a line from there takes some
 *                                          thousand times as long as to load it
 *   LANES_BEFORE_ROWS                      1: items have a lane each and go along its rows; 0: an item takes a row's lanes in turn
 *   VECTORISED                             defined where an item has all lanes: before a loop over lanes that do not depend on
 *                                          each other
 *   TIMED_ON_REQUEST                       defined where kernels have one form, timed or not (kernels/part_times.h)
 *   FUSED(a, b, c)                         a b + c, rounded once: the same bits on all back ends
 *   MULTIPLY_ADD(a, b, c)                  a b + c, rounded once where that is faster: bits differ between back ends
 *   MATRIX_UNITS                           defined where a warp multiplies matrices of doubles
 *   COPIED_WHILE_RUNNING                   defined where the host can copy device memory while a kernel runs
 *   COOPERATIVE_BARRIER()                  a barrier that the platform has itself; undefined where there is none
 *
 * and the atomics of sync/atomics.h. real_t (the type of the fields) is defined before kernel text is included, once per
 * type. */
#ifndef PERDURE_SYNC_DIALECT_H
#define PERDURE_SYNC_DIALECT_H

/* clang-format off */
#if defined(__OPENCL_VERSION__)
#include "sync/dialect_opencl.h"
#elif defined(__CUDACC__)
#include "sync/dialect_cuda.h"
#else
#include "sync/dialect_host.h"
#endif
#include "sync/atomics.h"
/* clang-format on */

/* Of `groups` groups in all, those of a device follow each other: as many on each as can be. */
HOST_FUNCTION uint32 first_group_of_device(uint32 device, uint32 devices, uint32 groups) {
    return (groups * device + devices - 1u) / devices;
}
FUNCTION uint32 first_group_of(uint32 device) {
    return first_group_of_device(device, device_count(), group_count());
}
FUNCTION uint32 groups_of_own_device(void) {
    return first_group_of(device_index() + 1u) - first_group_of(device_index());
}

/* Sums run over this many lanes on every device: the shape of the addition tree never changes. */
#define LOG2_LANES 8u
#define LANES (1u << LOG2_LANES)

#endif
