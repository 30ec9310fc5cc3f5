/* Steps of a run in time along its segments, and snapshots that leave the device while the kernel runs.
 *
 * A segment is what lies between two snapshots (segment_t). Where the host drives a launch for each, an item reads the one that its
 * launch is in. Where one launch takes all, an item goes on to the next segment by itself, and what its first step begins with,
 * u(n), goes into a slot of a ring in device memory (sync/host_ring.h):
 *
 *   first phase of that step   every group waits until the slot is free, and copies its share of u(n): nothing writes u(n) in this step
 *   phase behind it            item 0 of group 0 announces the slot
 *   meanwhile                  the host copies the slot out and gives it back
 *
 *   publishes, observed by, edge, progress   sync/host_ring.h; the grid barrier is the one between the two phases
 *   called by     every item of every group, in each phase, before anything else (enter_phase)
 *   valid in      every item: 0 when the wait was abandoned or the host has closed the ring; every group then leaves
 *
 * A run that chooses its steps (kernels/step_control.h) ends its segments at times: segment k is over when segment k + 1 of the table
 * begins, the last one when the entry behind it does. Its state says in which segment it is, and a mark beside each slot what the host
 * cannot know of that moment.
 *
 * Shapes: segments [..]; ring [ring_slots][values]; marks [ring_slots]. Bytes per snapshot: read and write `values`, x sizeof(real_t).
 * Barriers: none of its own. */
#ifndef PERDURE_KERNELS_SNAPSHOT_RING_H
#define PERDURE_KERNELS_SNAPSHOT_RING_H

#include "kernels/explicit_step.h"

/* Where an item is in the run. */
typedef struct {
    uint32 step, stage;
    uint32 segment;       /* its number in the table */
    uint32 first_segment; /* of the launch */
    uint32 unannounced;   /* 1: a slot is whole behind the next barrier */
    uint32 last_step; /* of the segment, which items read anew in each phase: their registers are needed */
    double end;       /* of that segment, where steps are chosen */
} timeline_t;

/* `phases`: done since step 0. */
FUNCTION timeline_t begin_timeline(const run_t *run, GLOBAL const segment_t *segments, uint32 phases,
                                   uint32 stages) {
    timeline_t at;
    at.step = phases / stages;
    at.stage = phases % stages;
    at.segment = at.first_segment = run->parameters->first_segment;
    at.unannounced = 0u;
    at.last_step = segments[at.segment].last_step;
    at.end = 0.0;
    return at;
}

/* Of a run that chooses its steps. */
FUNCTION timeline_t begin_chosen_timeline(const run_t *run, GLOBAL const segment_t *segments) {
    timeline_t at;
    at.step = at.stage = 0u;
    at.segment = at.first_segment = run->state->steps.segment;
    at.unannounced = 0u;
    at.last_step = segments[at.segment].last_step;
    at.end = segments[at.segment + 1u].start_time;
    return at;
}

FUNCTION void next_phase(timeline_t *at, uint32 stages) {
    at->stage += 1u;
    if (at->stage == stages) {
        at->stage = 0u;
        at->step += 1u;
    }
}

#if defined(COPIED_WHILE_RUNNING)
/* Item 0. The time that group 0 has waited is the run's. */
FUNCTION uint32 await_slot(const run_t *run, uint32 number, uint32 phase) {
    const double begin = group_index() == 0u ? device_seconds() : 0.0;
    uint64 polls = 0;
    const uint32 is_free = await_free_slot(&run->control->ring, number, run->parameters->ring_slots,
                                           run->sync, phase, run->parameters->wait_limit, &polls);
    if (group_index() == 0u && polls != 0u) {
        run->state->time.ring_wait += device_seconds() - begin;
    }
    return is_free;
}

/* This group's share of the values: what items read one behind the other lies so in memory. */
FUNCTION void copy_share(GLOBAL const real_t *from, GLOBAL real_t *to, size_t count) {
#if defined(VECTORISED)
    const size_t end = count * (group_index() + 1u) / group_count();
    VECTORISED
    for (size_t i = count * group_index() / group_count(); i < end; ++i) {
        to[i] = from[i];
    }
#else
    const size_t stride = (size_t)group_count() * group_size();
    size_t i = (size_t)group_index() * group_size() + item_index();
    for (; i + 3u * stride < count; i += 4u * stride) {
        real_t value[4]; /* loads under way together */
        UNROLLED
        for (uint32 k = 0; k < 4u; ++k) {
            value[k] = from[i + k * stride];
        }
        UNROLLED
        for (uint32 k = 0; k < 4u; ++k) {
            to[i + k * stride] = value[k];
        }
    }
    for (; i < count; i += stride) {
        to[i] = from[i];
    }
#endif
}

FUNCTION uint32 fill_slot(const run_t *run, GLOBAL real_t *ring, timeline_t *at, GLOBAL const real_t *u,
                          size_t values) {
    const uint32 number = at->segment - at->first_segment - 1u;
    uint32 is_free = 1u;
    group_barrier();
    if (item_index() == 0u) {
        is_free = await_slot(run, number, at->step);
    }
    if (!group_verdict(run->verdict, is_free)) {
        return 0u;
    }
    copy_share(u, ring + (size_t)(number % run->parameters->ring_slots) * values, values);
    at->unannounced = 1u;
    return 1u;
}

/* Behind the barrier of the phase that filled a slot. */
FUNCTION void announce_snapshot(const run_t *run, timeline_t *at) {
    at->unannounced = 0u;
    if (group_index() == 0u && item_index() == 0u) {
        announce_slots(&run->control->ring, at->segment - at->first_segment);
    }
}
#endif

/* `u`: the values that the step of this phase begins with. */
FUNCTION uint32 enter_phase(const run_t *run, GLOBAL const segment_t *segments, GLOBAL real_t *ring,
                            timeline_t *at, GLOBAL const real_t *u, size_t values) {
#if defined(COPIED_WHILE_RUNNING)
    if (at->unannounced) {
        announce_snapshot(run, at);
    }
#else
    (void)ring;
    (void)u;
    (void)values;
#endif
    /* A phase behind the last step belongs to its segment. */
    if (at->step > at->last_step && at->step < run->parameters->max_iterations) {
        at->segment += 1u;
        at->last_step = segments[at->segment].last_step;
#if defined(COPIED_WHILE_RUNNING)
        if (run->parameters->ring_slots != 0u) {
            return fill_slot(run, ring, at, u, values);
        }
#endif
    }
    return 1u;
}

/* The same where steps are chosen; `done`: phases of this launch. */
FUNCTION uint32 enter_chosen_phase(const run_t *run, GLOBAL const segment_t *segments, GLOBAL real_t *ring,
                                   GLOBAL snapshot_mark_t *marks, timeline_t *at, GLOBAL const real_t *u,
                                   size_t values, uint32 done) {
#if defined(COPIED_WHILE_RUNNING)
    GLOBAL const run_state_t *state = run->state;
    if (at->unannounced) {
        announce_snapshot(run, at);
    }
    if (state->steps.segment != at->segment) {
        at->step = state->time.step;
        at->segment = state->steps.segment;
        at->end = segments[at->segment + 1u].start_time;
        if (!fill_slot(run, ring, at, u, values)) {
            return 0u;
        }
        if (group_index() == 0u && item_index() == 0u) {
            const snapshot_mark_t mark = {state->time.step, state->control.phases + done,
                                          state->control.history_length, state->steps.rejected,
                                          state->time.dt};
            marks[(at->segment - at->first_segment - 1u) % run->parameters->ring_slots] = mark;
        }
    }
#else
    (void)run;
    (void)segments;
    (void)ring;
    (void)marks;
    (void)at;
    (void)u;
    (void)values;
    (void)done;
#endif
    return 1u;
}

/* The phases of a kernel that has `marks` too. */
#define RUN_CHOSEN_SEGMENTS(run, copies, values, phase_call)                                                 \
    RUN_COUNTED_PHASES(                                                                                      \
        run, timeline_t at = begin_chosen_timeline(&(run), segments), ,                                      \
        if (!enter_chosen_phase(&(run), segments, ring, marks, &at, copy_of(copies, (run).state->time.step), \
                                values, done)) { break; } phase_call)

/* The phases of a kernel with arguments `segments` and `ring` (kernels/fields.h), `stages` a step. `copies`: of u, which has so many values;
 * phase_call knows `at` and `now`, the segment that it is in. */
#define RUN_SEGMENTS(run, stages, copies, values, phase_call)                                           \
    RUN_COUNTED_PHASES(                                                                                 \
        run, timeline_t at = begin_timeline(&(run), segments, phase - (run).state->time.begin, stages), \
        next_phase(&at, stages),                                                                        \
        if (!enter_phase(&(run), segments, ring, &at, copy_of(copies, at.step), values)) {              \
            break;                                                                                      \
        } const segment_t now = segments[at.segment];                                                   \
        phase_call)

#endif
