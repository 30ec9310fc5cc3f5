/* Which chunks of cells a group has, of those of all groups, of its device or of its rank: whole sections fall to devices and ranks that share
 * a grid (kernels/chunks.h). */
#ifndef PERDURE_KERNELS_CHUNK_SHARES_H
#define PERDURE_KERNELS_CHUNK_SHARES_H

#include "kernels/parameters.h"
#include "kernels/rank_place.h"
#include "kernels/shares.h"
#if defined(PERDURE_RANKS)
#include "kernels/device_ranks.h"
__constant__ rank_place_t perdure_ranks;       /* set before each launch */
__shared__ changes_of_phase_t perdure_changes; /* of the phase under way: kernels/cut_first.h */
#endif

FUNCTION uint32 first_chunk_of_device(const run_parameters_t *grid, uint32 device) {
    return begin_of_part(grid->sections, device, device_count()) * grid->section_chunks.divisor;
}
#if defined(PERDURE_RANKS)
FUNCTION uint32 first_chunk(const run_parameters_t *grid, uint32 group, uint32 groups) {
    (void)groups;
    return first_chunk_of_part(grid, perdure_ranks.index, perdure_ranks.count) + group;
}
FUNCTION uint32 end_of_chunks(const run_parameters_t *grid, uint32 groups) {
    (void)groups;
    return first_chunk_of_part(grid, perdure_ranks.index + 1u, perdure_ranks.count);
}
#else
FUNCTION uint32 first_chunk(const run_parameters_t *grid, uint32 group, uint32 groups) {
    return device_count() == 1u || groups == 1u
               ? group
               : first_chunk_of_device(grid, device_index()) + group - first_side_by_side(groups);
}
FUNCTION uint32 end_of_chunks(const run_parameters_t *grid, uint32 groups) {
    return device_count() == 1u || groups == 1u ? grid->chunks
                                                : first_chunk_of_device(grid, device_index() + 1u);
}
#endif
#if defined(VECTORISED)
/* Where the sections of a rank begin; those of the rank behind the last, where the chunks end. */
FUNCTION uint32 first_chunk_of_rank(const run_parameters_t *grid, uint32 rank) {
    return begin_of_part(grid->sections, rank, perdure_rank->count) * grid->section_chunks.divisor;
}
FUNCTION uint32 first_chunk_of_thread(const run_parameters_t *grid, uint32 group, uint32 groups) {
    const uint32 first = perdure_rank ? first_chunk_of_rank(grid, perdure_rank->index) : 0u;
    const uint32 end = perdure_rank ? first_chunk_of_rank(grid, perdure_rank->index + 1u) : grid->chunks;
    return first + begin_of_part(end - first, group, groups);
}
#define FOR_EACH_CHUNK_OF(chunk, grid, group, groups)                            \
    for (uint32 chunk = first_chunk_of_thread(grid, group, groups),              \
                chunk##_end = first_chunk_of_thread(grid, (group) + 1u, groups); \
         chunk < chunk##_end; ++chunk)
#else
#define FOR_EACH_CHUNK_OF(chunk, grid, group, groups)                                                \
    for (uint32 chunk = first_chunk(grid, group, groups), chunk##_end = end_of_chunks(grid, groups); \
         chunk < chunk##_end; chunk += groups_side_by_side(groups))
#endif
#define FOR_EACH_CHUNK(chunk, grid) FOR_EACH_CHUNK_OF(chunk, grid, group_index(), group_count())

#endif
