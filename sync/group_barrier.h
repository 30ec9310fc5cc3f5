/* Work-group barrier with memory flags and scope, as OpenCL 2.0's work_group_barrier(flags, scope).
 *
 *   group_barrier_for(memory, scope)   memory: MEMORY_LOCAL, MEMORY_GLOBAL or both, as constants
 *
 *   publishes     every item's writes to that memory before it
 *   observed by   every item of the group after it; with SCOPE_DEVICE or SCOPE_SYSTEM it is also each item's
 *                 fence of that scope for relaxed atomics around it: release before, acquire after
 *   edge          execution barrier of the group between two fences of that scope
 *   called by     every item of the group, in control flow that is the same for all of them
 *   valid in      every item of the group
 *   progress      all items of the group reach it
 *
 * group_barrier() is the one for both memories at group scope, which is what all phases need. A wider scope
 * makes every item fence where one item's release would do. MEMORY_IMAGE is refused at compile time. */
#ifndef PERDURE_SYNC_GROUP_BARRIER_H
#define PERDURE_SYNC_GROUP_BARRIER_H

#include "sync/dialect.h"

#if defined(__OPENCL_VERSION__)
#define MEMORY_LOCAL CLK_LOCAL_MEM_FENCE
#define MEMORY_GLOBAL CLK_GLOBAL_MEM_FENCE
#define MEMORY_IMAGE 4u
#else
#define MEMORY_LOCAL 1u
#define MEMORY_GLOBAL 2u
#define MEMORY_IMAGE 4u
#endif

#if defined(__OPENCL_VERSION__) && !defined(PERDURE_LEGACY_ATOMICS)
FUNCTION void group_barrier_of(uint32 memory, scope_t scope) {
    work_group_barrier(memory, scope);
}
#else
FUNCTION void group_barrier_of(uint32 memory, scope_t scope) {
    const uint32 fenced = (memory & MEMORY_GLOBAL) != 0u && scope != SCOPE_GROUP ? 1u : 0u;
    if (fenced) {
        fence(ORDER_ACQ_REL, scope);
    }
#if defined(__OPENCL_VERSION__)
    barrier(memory);
#else
    group_barrier();
#endif
    if (fenced) {
        fence(ORDER_ACQ_REL, scope);
    }
}
#endif

#if defined(__cplusplus)
#define PERDURE_REFUSE_IMAGES(memory) \
    static_assert(((memory)&MEMORY_IMAGE) == 0u, "group_barrier_for: image memory is not supported")
#else
#define PERDURE_REFUSE_IMAGES(memory)                                                                     \
    typedef char group_barrier_for_image_memory_is_not_supported[((memory)&MEMORY_IMAGE) == 0u ? 1 : -1]; \
    (void)sizeof(group_barrier_for_image_memory_is_not_supported)
#endif

#define group_barrier_for(memory, scope) \
    do {                                 \
        PERDURE_REFUSE_IMAGES(memory);   \
        group_barrier_of(memory, scope); \
    } while (0)

#endif
