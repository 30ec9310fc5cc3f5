/* What each group has of a number of things. */
#ifndef PERDURE_KERNELS_SHARES_H
#define PERDURE_KERNELS_SHARES_H

#include "sync/dialect.h"

/* What a group has of `count` things: every groups-th one, so that groups that run side by side work side by side; a host thread those that
 * follow each other, for what is in its own cache others need not ask for. A device of several has things that follow each other, and each
 * of its groups every so many-th of them. */
FUNCTION uint32 begin_of_part(uint32 count, uint32 part, uint32 parts) {
    return (uint32)((uint64)count * part / parts);
}
/* Of a team of all groups, those on this device and their first; of one group alone, that one. */
FUNCTION uint32 groups_side_by_side(uint32 groups) {
    return groups == 1u || device_count() == 1u ? groups : groups_of_own_device();
}
FUNCTION uint32 first_side_by_side(uint32 groups) {
    return groups == 1u ? 0u : first_group_of(device_index());
}
/* Of `count` things where a device's part begins: `part` is that of begin_of_own_part() or end_of_own_part(). */
FUNCTION uint32 cut_of(uint32 count, double part) {
    return (uint32)((double)count * part + 0.5);
}
/* The same of `count` lines of cells that lie side by side: a part begins where a line of the cache does, and the last one ends with them. */
#define LINES_TOGETHER 16u
FUNCTION uint32 cut_of_lines(uint32 count, double part) {
    return part < 1.0 ? LINES_TOGETHER * cut_of(count / LINES_TOGETHER, part) : count;
}
/* The part of this device. */
FUNCTION uint32 first_of_device(uint32 count) {
    return device_count() == 1u ? 0u : cut_of(count, begin_of_own_part());
}
FUNCTION uint32 end_of_device(uint32 count) {
    return device_count() == 1u ? count : cut_of(count, end_of_own_part());
}
/* The number of this group among those of its device. */
FUNCTION uint32 group_of_device(void) {
    return device_count() == 1u ? group_index() : group_index() - first_group_of(device_index());
}
FUNCTION uint32 first_in_share(uint32 count, uint32 group, uint32 groups) {
    return groups == 1u ? group : first_of_device(count) + group - first_side_by_side(groups);
}
FUNCTION uint32 end_of_share(uint32 count, uint32 groups) {
    return groups == 1u ? count : end_of_device(count);
}
/* Whether no group of this device has two. */
FUNCTION uint32 has_one_each(uint32 count, uint32 groups) {
    return end_of_share(count, groups) - first_in_share(count, first_side_by_side(groups), groups) <=
                   groups_side_by_side(groups)
               ? 1u
               : 0u;
}

#define FOR_EACH_SIDE_BY_SIDE(i, count, group, groups)                                           \
    for (uint32 i = first_in_share(count, group, groups), i##_end = end_of_share(count, groups); \
         i < i##_end; i += groups_side_by_side(groups))
#if defined(VECTORISED)
/* Where the share of a host thread begins; that of `group` + 1 is where it ends. Of several ranks its own has things that follow each
 * other, and each of its threads a part of them. */
FUNCTION uint32 begin_of_thread(uint32 count, uint32 group, uint32 groups) {
    const uint32 first = perdure_rank ? cut_of(count, perdure_rank->begin) : 0u;
    const uint32 end = perdure_rank ? cut_of(count, perdure_rank->end) : count;
    return first + begin_of_part(end - first, group, groups);
}
#define FOR_EACH_IN_SHARE(i, count, group, groups)                      \
    for (uint32 i = begin_of_thread(count, group, groups),              \
                i##_end = begin_of_thread(count, (group) + 1u, groups); \
         i < i##_end; ++i)
#else
#define FOR_EACH_IN_SHARE FOR_EACH_SIDE_BY_SIDE
#endif
/* From the last on, for a phase that begins where the one before ended; of several devices each has the same share either way. */
FUNCTION uint32 number_from_last(uint32 number, uint32 count) {
    return device_count() == 1u ? count - 1u - number : number;
}

#endif
