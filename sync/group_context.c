#include "sync/group_context.h"

__thread group_context_t perdure_group = {0, 1};
__thread rank_context_t *perdure_rank = 0;
__thread uint32_t perdure_device_count = 1;
