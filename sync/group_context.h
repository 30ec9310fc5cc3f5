/* On host threads a group is one item; the thread that runs it knows it from this context. */
#ifndef PERDURE_SYNC_GROUP_CONTEXT_H
#define PERDURE_SYNC_GROUP_CONTEXT_H

#include <stdint.h>

typedef struct {
    uint32_t index;
    uint32_t count;
} group_context_t;

#ifdef __cplusplus
extern "C" {
#endif
extern __thread group_context_t perdure_group;
/* Parts of equal size that the groups are taken for as if each were a device's; 1 but in tests. */
extern __thread uint32_t perdure_device_count;
#ifdef __cplusplus
}
#endif

#endif
