/* Who does a step on a level, and the loops over what each item of a team has. */
#ifndef PERDURE_KERNELS_MULTIGRID_TEAM_H
#define PERDURE_KERNELS_MULTIGRID_TEAM_H

#include "kernels/chunks.h"

/* The groups that do a step together: all of them, or one. */
typedef struct {
    uint32 group, groups;
#if defined(PERDURE_RANKS)
    uint32 of_ranks; /* 1: with those of the other ranks, each rank its part of the level */
#endif
} team_t;

FUNCTION team_t team_of(uint32 group, uint32 groups) {
    team_t team;
    team.group = group;
    team.groups = groups;
#if defined(PERDURE_RANKS)
    team.of_ranks = 0u;
#endif
    return team;
}

/* Whether ranks have parts of what a team works on, and which one this rank has, from 0 to 1. */
#if defined(VECTORISED)
#define IS_SHARED_BY_RANKS(team) ((void)(team), perdure_rank != 0 ? 1u : 0u)
#define BEGIN_OF_RANK (perdure_rank->begin)
#define END_OF_RANK (perdure_rank->end)
#elif defined(PERDURE_RANKS)
#define IS_SHARED_BY_RANKS(team) ((team).of_ranks)
#define BEGIN_OF_RANK (perdure_ranks.begin)
#define END_OF_RANK (perdure_ranks.end)
#else
#define IS_SHARED_BY_RANKS(team) ((void)(team), 0u)
#endif

#define FOR_EACH_OF(i, count, team)                                                                     \
    for (uint32 i = first_item_of(count, team), i##_end = end_of_share((uint32)(count), (team).groups); \
         i < i##_end; i += groups_side_by_side((team).groups) * group_size())

FUNCTION uint32 first_item_of(uint32 count, team_t team) {
    const uint32 first = first_side_by_side(team.groups);
    return first_in_share(count, first, team.groups) + (team.group - first) * group_size() + item_index();
}

/* `call`, of a CELL_FUNCTION, for each `cell` of a level, forwards or from the last. Host threads go line by line, as CALL_FOR_CELLS; of
 * several ranks each has planes that follow each other, about the same part of every level. */
#if defined(BEGIN_OF_RANK)
FUNCTION uint32 lines_before(const run_parameters_t *grid, double part) {
    return DIMENSIONS(grid) == 3u ? grid->ny * cut_of(grid->nz, part) : cut_of(grid->ny, part);
}
FUNCTION uint32 first_line_of_rank(const run_parameters_t *grid, team_t team) {
    return IS_SHARED_BY_RANKS(team) ? lines_before(grid, BEGIN_OF_RANK) : 0u;
}
FUNCTION uint32 end_of_lines_of_rank(const run_parameters_t *grid, team_t team) {
    return IS_SHARED_BY_RANKS(team) ? lines_before(grid, END_OF_RANK) : grid->ny * grid->nz;
}
FUNCTION uint32 line_from_last(const run_parameters_t *grid, uint32 line, team_t team) {
    return first_line_of_rank(grid, team) + end_of_lines_of_rank(grid, team) - 1u - line;
}
#endif
#if defined(VECTORISED)
FUNCTION uint32 first_line_of_thread(const run_parameters_t *grid, uint32 group, team_t team) {
    const uint32 first = first_line_of_rank(grid, team);
    return first + begin_of_part(end_of_lines_of_rank(grid, team) - first, group, team.groups);
}
#define FOR_EACH_CELL_OF(cell, grid, team)                                                     \
    for (uint32 cell = (grid)->nx * first_line_of_thread(grid, (team).group, team),            \
                cell##_end = (grid)->nx * first_line_of_thread(grid, (team).group + 1u, team); \
         cell < cell##_end; ++cell)
#define CALL_FOR_CELLS_OF(grid, team, backwards, call)                                                  \
    for (uint32 line = first_line_of_thread(grid, (team).group, team),                                  \
                line_end = first_line_of_thread(grid, (team).group + 1u, team);                         \
         line < line_end; ++line) {                                                                     \
        const uint32 of_level = (backwards) ? line_from_last(grid, line, team) : line;                  \
        for (uint32 x = 0; x < (grid)->nx;) {                                                           \
            const cell_t at = cell_at(grid, of_level * (grid)->nx + x, DIMENSIONS(grid));               \
            const stretch_t stretch = first_of_its_kind(grid, at, x, (grid)->nx - x, DIMENSIONS(grid)); \
            CALL_FOR_STRETCH(stretch, call)                                                             \
            x = (uint32)stretch.end;                                                                    \
        }                                                                                               \
    }
#else
#if defined(PERDURE_RANKS)
FUNCTION uint32 cell_from_last(const run_parameters_t *grid, uint32 cell, team_t team) {
    return grid->nx * (first_line_of_rank(grid, team) + end_of_lines_of_rank(grid, team)) - 1u - cell;
}
#define FOR_EACH_CELL_OF(cell, grid, team)                                                    \
    for (uint32 cell = (grid)->nx * first_line_of_rank(grid, team) + first_item_of(0u, team), \
                cell##_end = (grid)->nx * end_of_lines_of_rank(grid, team);                   \
         cell < cell##_end; cell += (team).groups * group_size())
#else
#define FOR_EACH_CELL_OF(cell, grid, team) FOR_EACH_OF(cell, (grid)->cells, team)
#define cell_from_last(grid, cell, team) number_from_last(cell, (grid)->cells)
#endif
#define CALL_FOR_CELLS_OF(grid, team, backwards, call)                                                  \
    FOR_EACH_CELL_OF(number, grid, team) {                                                              \
        const cell_t cell =                                                                             \
            cell_at(grid, (backwards) ? cell_from_last(grid, number, team) : number, DIMENSIONS(grid)); \
        call;                                                                                           \
    }
#endif

/* Chunks of level 0, of which a rank has whole ones, or of a level that nobody shares. */
#if defined(PERDURE_RANKS)
#define FOR_EACH_CHUNK_OF_TEAM(chunk, grid, team)                                                          \
    for (uint32                                                                                            \
             chunk =                                                                                       \
                 IS_SHARED_BY_RANKS(team) ? first_chunk(grid, (team).group, (team).groups) : (team).group, \
             chunk##_end = IS_SHARED_BY_RANKS(team) ? end_of_chunks(grid, (team).groups) : (grid)->chunks; \
         chunk < chunk##_end; chunk += (team).groups)
#else
#define FOR_EACH_CHUNK_OF_TEAM(chunk, grid, team) FOR_EACH_CHUNK_OF(chunk, grid, (team).group, (team).groups)
#endif

#endif
