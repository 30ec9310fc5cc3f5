/* Steps of a run in time along its segments, and snapshots that leave the device while the kernel runs.
 *
 * A segment is what lies between two snapshots (segment_t). Where the host drives a launch for each, an item reads the one that its
 * launch is in. Where one launch takes several, an item goes on to the next segment by itself, and what its first step begins with,
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
 * begins, the last one when the entry behind it does. Its state says in which segment it is. So does that of a run whose steps are
 * solves (kernels/program.h), which have any number of phases: the phase that begins a step also begins its segment. The host cannot
 * know the state of the run at such a moment, so the kernel copies it into a mark, one for each slot.
 *
 * Shapes: segments [..]; ring [ring_slots][values of all fields]; marks [ring_slots]. Bytes per snapshot: read and write these values,
 * x sizeof(real_t). Barriers: none of its own. */
#ifndef PERDURE_KERNELS_SNAPSHOT_RING_H
#define PERDURE_KERNELS_SNAPSHOT_RING_H

#include "kernels/explicit_step.h"

/* What a snapshot consists of: one array of so many values, or two. */
typedef struct {
    GLOBAL const real_t *first, *second; /* second: may be 0 */
    size_t values;                       /* of each */
} snapshot_t;

FUNCTION snapshot_t snapshot_of(GLOBAL const real_t *u, size_t values) {
    const snapshot_t snapshot = {u, 0, values};
    return snapshot;
}

FUNCTION snapshot_t snapshot_of_two(GLOBAL const real_t *u, GLOBAL const real_t *v, size_t values) {
    const snapshot_t snapshot = {u, v, values};
    return snapshot;
}

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

/* The slot of snapshot `number` of the launch becomes `from`; `phase`: for who is waited for in vain. */
FUNCTION uint32 fill_slot(const run_t *run, GLOBAL real_t *ring, uint32 number, uint32 phase,
                          const snapshot_t *from) {
    const size_t arrays = from->second != 0 ? 2u : 1u;
    GLOBAL real_t *slot = ring + (size_t)(number % run->parameters->ring_slots) * arrays * from->values;
    uint32 is_free = 1u;
    group_barrier();
    if (item_index() == 0u) {
        is_free = await_slot(run, number, phase);
    }
    if (!group_verdict(run->verdict, is_free)) {
        return 0u;
    }
    copy_share(from->first, slot, from->values);
    if (from->second != 0) {
        copy_share(from->second, slot + from->values, from->values);
    }
    return 1u;
}

/* Copies the state of the run into the mark of that slot; `done`: phases of this launch. */
FUNCTION void mark_slot(const run_t *run, GLOBAL run_state_t *marks, uint32 number, uint32 done) {
    if (group_index() == 0u && item_index() == 0u) {
        GLOBAL run_state_t *mark = marks + number % run->parameters->ring_slots;
        *mark = *run->state;
        mark->control.phases += done;
    }
}

/* Behind the barrier of the phase that filled a slot: so many are full. */
FUNCTION void announce_snapshots(const run_t *run, uint32 made) {
    if (group_index() == 0u && item_index() == 0u) {
        announce_slots(&run->control->ring, made);
    }
}
#endif

/* `from`: the values that the step of this phase begins with. */
FUNCTION uint32 enter_phase(const run_t *run, GLOBAL const segment_t *segments, GLOBAL real_t *ring,
                            timeline_t *at, snapshot_t from) {
#if defined(COPIED_WHILE_RUNNING)
    if (at->unannounced) {
        at->unannounced = 0u;
        announce_snapshots(run, at->segment - at->first_segment);
    }
#else
    (void)ring;
    (void)from;
#endif
    /* A phase behind the last step belongs to its segment. */
    if (at->step > at->last_step && at->step < run->parameters->max_iterations) {
        at->segment += 1u;
        at->last_step = segments[at->segment].last_step;
#if defined(COPIED_WHILE_RUNNING)
        if (run->parameters->ring_slots != 0u) {
            at->unannounced = 1u;
            return fill_slot(run, ring, at->segment - at->first_segment - 1u, at->step, &from);
        }
#endif
    }
    return 1u;
}

/* The same where steps are chosen; `done`: phases of this launch. */
FUNCTION uint32 enter_chosen_phase(const run_t *run, GLOBAL const segment_t *segments, GLOBAL real_t *ring,
                                   GLOBAL run_state_t *marks, timeline_t *at, snapshot_t from, uint32 done) {
#if defined(COPIED_WHILE_RUNNING)
    GLOBAL const run_state_t *state = run->state;
    if (at->unannounced) {
        at->unannounced = 0u;
        announce_snapshots(run, at->segment - at->first_segment);
    }
    if (state->steps.segment != at->segment) {
        at->step = state->time.step;
        at->segment = state->steps.segment;
        at->end = segments[at->segment + 1u].start_time;
        at->unannounced = 1u;
        const uint32 number = at->segment - at->first_segment - 1u;
        if (!fill_slot(run, ring, number, at->step, &from)) {
            return 0u;
        }
        mark_slot(run, marks, number, done);
    }
#else
    (void)run;
    (void)segments;
    (void)ring;
    (void)marks;
    (void)at;
    (void)from;
    (void)done;
#endif
    return 1u;
}

/* The same where steps are solves. A phase of the program begins a step (BEGIN_STEP) and, behind the last step of a segment, the next one:
 * until its end the state has the segment before. */
FUNCTION uint32 enter_solved_phase(const run_t *run, GLOBAL real_t *ring, GLOBAL run_state_t *marks,
                                   uint32 *unannounced, snapshot_t from, uint32 done) {
#if defined(COPIED_WHILE_RUNNING)
    GLOBAL const run_state_t *state = run->state;
    if (*unannounced) {
        *unannounced = 0u;
        announce_snapshots(run, state->time.segment - run->parameters->first_segment);
    }
    if (begins_segment(state)) {
        const uint32 number = state->time.segment - run->parameters->first_segment;
        *unannounced = 1u;
        if (!fill_slot(run, ring, number, state->time.step, &from)) {
            return 0u;
        }
        mark_slot(run, marks, number, done);
    }
#else
    (void)run;
    (void)ring;
    (void)marks;
    (void)unannounced;
    (void)from;
    (void)done;
#endif
    return 1u;
}

/* The phases of a kernel with arguments `segments` and `ring` (kernels/fields.h), `stages` a step. `from`: the snapshot_t that the step
 * at.step begins with; phase_call knows `at` and `now`, the segment that it is in. */
#define RUN_SEGMENTS(run, stages, from, phase_call)                                                     \
    RUN_COUNTED_PHASES(                                                                                 \
        run, timeline_t at = begin_timeline(&(run), segments, phase - (run).state->time.begin, stages), \
        next_phase(&at, stages),                                                                        \
        if (!enter_phase(&(run), segments, ring, &at, from)) { break; } const segment_t now =           \
            segments[at.segment];                                                                       \
        phase_call)

/* The phases of a kernel that chooses its steps and has `marks` too; phase_call knows `at`. */
#define RUN_CHOSEN_SEGMENTS(run, from, phase_call)                      \
    RUN_COUNTED_PHASES(                                                 \
        run, timeline_t at = begin_chosen_timeline(&(run), segments), , \
        if (!enter_chosen_phase(&(run), segments, ring, marks, &at, from, done)) { break; } phase_call)

/* The phases of a kernel whose steps are solves, which has `marks` too. `from`: the answer. */
#define RUN_SOLVED_SEGMENTS(run, from, phase_call) \
    RUN_COUNTED_PHASES(                            \
        run, uint32 unannounced = 0u, ,            \
        if (!enter_solved_phase(&(run), ring, marks, &unannounced, from, done)) { break; } phase_call)

#endif
