/* Launches one after the other whose edges overlap: the groups of a launch may be set up while the launch
 * before it still runs, and wait here for its end.
 *
 *   await_launch_before()
 *     publishes     every write of the launch before
 *     observed by   the caller
 *     edge          the end of that launch
 *     called by     every item, before it reads what another launch writes
 *     progress      of the launch before, all of whose groups have started
 *   admit_next_launch()
 *     called by     any item: once all groups have called it or ended, the groups of the next launch may be
 *                   set up; it orders nothing
 *
 * Both do nothing in a launch that no such edge leads to or from, and where the platform has none. */
#ifndef PERDURE_KERNELS_LAUNCH_ORDER_H
#define PERDURE_KERNELS_LAUNCH_ORDER_H

#include "sync/dialect.h"

FUNCTION void await_launch_before(void) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

FUNCTION void admit_next_launch(void) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

#endif
