/* A run: a list of phases with a grid-wide synchronisation between two of them.
 *
 * RUN_PHASES is the persistent kernel: phases first_phase, first_phase + 1, ... with a grid barrier between,
 * until the state says stop or phase_count is used up. With phase_count = 1 the kernel boundary is the
 * synchronisation and the same text is a multi-launch solver. A launch that is a node of a graph finds its
 * phase by adding its place in the batch to the state's graph_phase, which only advance_graph moves, between
 * batches: a group may start after another group of its launch has ended. The decision to stop is made by one
 * group, written to the state before that group arrives at the barrier (edge: the barrier's), and read by all
 * after it.
 *
 * RUN_STEPS is the same where each phase is a step in time or an iteration, counted by `step`: phase `begin` of the state,
 * time.begin or control.begin, is step 0. It is read once a launch, which therefore changes it in no phase. */
#ifndef PERDURE_KERNELS_RUN_H
#define PERDURE_KERNELS_RUN_H

#include "kernels/fields.h"
#include "kernels/launch_order.h"
#include "kernels/parameters.h"
#include "kernels/part_times.h"
#include "kernels/ranks.h"
#include "sync/atomic_float.h"
#include "sync/grid_barrier.h"
#include "sync/last_group.h"
#include "sync/tree_sum.h"

/* Sums that one phase can take at once; partial sums of a phase fill partials[MAX_SUMS][chunks]. */
#define MAX_SUMS 3u
#define LANE_ROWS (MAX_SUMS + 1u)
#define LANE_MAX MAX_SUMS

typedef struct {
    const run_parameters_t *parameters;
    GLOBAL control_t *control;
    GLOBAL grid_sync_t *sync;
    GLOBAL run_state_t *state;
    GLOBAL sum_t *partials;
    GLOBAL double *history; /* [history_capacity][3]: iteration, norm, device time */
    LOCAL sum_t *lanes;     /* [LANE_ROWS][LANES] */
    LOCAL uint32 *verdict;
} run_t;

FUNCTION uint32 first_phase(const run_t *run) {
    return run->parameters->first_phase + (run->parameters->in_graph ? run->state->control.graph_phase : 0u);
}

FUNCTION uint32 phases_to_run(const run_t *run, uint32 first) {
    return run->parameters->in_graph && first >= run->state->control.graph_end ? 0u
                                                                               : run->parameters->phase_count;
}

/* This group's row behind the partial sums; there in the instrumented form alone. */
FUNCTION GLOBAL uint64 *part_times(const run_t *run) {
    return (GLOBAL uint64 *)(run->partials + (size_t)MAX_SUMS * run->parameters->chunks) +
           (size_t)TIMES_WORDS * group_index();
}

FUNCTION uint32 meet_all_groups(grid_barrier_t *barrier, uint32 phase) {
    enter_part(PART_BARRIER);
    const uint32 passed = await_cells_sent_meanwhile(barrier, phase) && grid_barrier(barrier, phase) &&
                                  meet_other_ranks(barrier, phase)
                              ? 1u
                              : 0u;
    enter_part(PART_STENCIL);
    return passed;
}

#define RUN_PHASES(run, phase_call) RUN_COUNTED_PHASES(run, , , phase_call)

#define RUN_STEPS(run, begin, step_call) \
    RUN_COUNTED_PHASES(run, uint32 step = phase - (run).state->begin, ++step, step_call)

#define RUN_COUNTED_PHASES(run, begin_count, count_on, phase_call)                                       \
    do {                                                                                                 \
        await_launch_before();                                                                           \
        begin_part_times((run).parameters, part_times(&(run)));                                          \
        uint32 phase = first_phase(&(run));                                                              \
        begin_count;                                                                                     \
        const uint32 count = phases_to_run(&(run), phase);                                               \
        uint32 done = 0;                                                                                 \
        grid_barrier_t barrier = make_grid_barrier((run).parameters->barrier, (run).sync, (run).verdict, \
                                                   (run).parameters->wait_limit);                        \
        NOTE_CHANGES(0u);                                                                                \
        while (done < count && (run).state->control.stop == STOP_NONE) {                                 \
            NOTE_CHANGES(ALL_RANK_ARRAYS);                                                               \
            phase_call;                                                                                  \
            ++phase;                                                                                     \
            count_on;                                                                                    \
            ++done;                                                                                      \
            if (done < count && !meet_all_groups(&barrier, phase)) {                                     \
                break;                                                                                   \
            }                                                                                            \
        }                                                                                                \
        meet_other_ranks_behind_launch(&barrier, phase);                                                 \
        if (group_index() == 0u && item_index() == 0u) {                                                 \
            (run).state->control.phases += done;                                                         \
        }                                                                                                \
        end_part_times(part_times(&(run)));                                                              \
    } while (0)

FUNCTION void clear_lanes(const run_t *run, uint32 first_row, uint32 last_row) {
    for (uint32 row = first_row; row < last_row; ++row) {
        for (uint32 lane = item_index(); lane < LANES; lane += group_size()) {
            run->lanes[row * LANES + lane] = (sum_t)0;
        }
    }
}

FUNCTION void add_to_lane(const run_t *run, uint32 row, index_t lane, sum_t value) {
    run->lanes[(index_t)(row * LANES) + lane] += value;
}

FUNCTION void widen_lane(const run_t *run, index_t lane, double value) {
    LOCAL sum_t *largest = run->lanes + LANE_MAX * LANES + lane;
    *largest = larger(value, *largest);
}

/* Every item, after the cells of a chunk: the chunk's sums become its partial sums. */
FUNCTION void store_partials(const run_t *run, uint32 chunk, uint32 sums) {
    enter_part(PART_REDUCTION);
    tree_sum(run->lanes, sums);
    if (item_index() == 0u) {
        for (uint32 row = 0; row < sums; ++row) {
            run->partials[row * run->parameters->chunks + chunk] = run->lanes[row * LANES];
        }
    }
    group_barrier();
    enter_part(PART_STENCIL);
}

/* Every item, once a phase: this group's slack, tolerance minus largest value met by widen_lane. */
FUNCTION void contribute_slack(const run_t *run) {
    enter_part(PART_REDUCTION);
    tree_max(run->lanes + LANE_MAX * LANES);
    if (item_index() == 0u) {
        min_double(&run->state->control.slack, run->state->solve.tolerance - run->lanes[LANE_MAX * LANES],
                   ORDER_RELAXED, SCOPE_DEVICE);
    }
    group_barrier();
}

/* Every item of the last group: lanes[row * LANES] in item 0 becomes the sum over all chunks. */
FUNCTION void sum_partials(const run_t *run, uint32 sums) {
    for (uint32 lane = item_index(); lane < LANES; lane += group_size()) {
        sum_t sum[MAX_SUMS] = {(sum_t)0}; /* many loads at once */
        for (uint32 chunk = lane; chunk < run->parameters->chunks; chunk += LANES) {
            for (uint32 row = 0; row < sums; ++row) {
                sum[row] += run->partials[row * run->parameters->chunks + chunk];
            }
        }
        for (uint32 row = 0; row < sums; ++row) {
            run->lanes[row * LANES + lane] = sum[row];
        }
    }
    tree_sum(run->lanes, sums);
}

/* Ends the reduction of a phase, while the next launch is set up: 1 to every item of the group that finishes
 * last, whose item 0 then holds the sums. */
FUNCTION uint32 finish_reduction(const run_t *run, uint32 sums) {
    enter_part(PART_REDUCTION);
    admit_next_launch();
    if (!is_last_group(run->sync, run->verdict)) {
        return 0u;
    }
    share_reduction(run->parameters, run->control, run->state, run->partials, sums, run->sync);
    sum_partials(run, sums);
    return 1u;
}

/* What item 0 of the last group does with the sums. The barrier at the end keeps the choice of one item
 * between two barriers, where compilers that turn items into loops (PoCL) need it. */
#define DECIDE(decision)          \
    do {                          \
        if (item_index() == 0u) { \
            decision;             \
        }                         \
        group_barrier();          \
    } while (0)

FUNCTION sum_t total(const run_t *run, uint32 row) {
    return run->lanes[row * LANES];
}

#endif
