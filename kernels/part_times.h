/* Where the time of a launch goes, told by the kernel itself.
 *
 * Kernel text compiled with PERDURE_PART_TIMES is the instrumented form: item 0 of each group reads a clock whenever
 * the group goes over from one part to the next. Without, the functions below are empty; but host threads (TIMED_ON_REQUEST) have
 * one form, which reads clocks where the parameters say `time_parts`. A group keeps TIMES_WORDS words behind the partial sums; they are zero before the first launch.
 *
 *   PART_STENCIL     cells, until all items of the group are through
 *   PART_REDUCTION   from the lanes of a chunk to the decision of the last group
 *   PART_BARRIER     from a group's arrival at a grid barrier until it goes on
 *
 *   enter_part(part)
 *     called by      every item of a group, in control flow that is the same for all of them
 *   begin_part_times(), end_part_times()
 *     called by      every item of every group, once a launch
 *     observed by    the next launch, and the host after the last */
#ifndef PERDURE_KERNELS_PART_TIMES_H
#define PERDURE_KERNELS_PART_TIMES_H

#include "kernels/parameters.h"

enum { PART_STENCIL = 0, PART_REDUCTION = 1, PART_BARRIER = 2, PARTS = 3 };

/* Words of a group: ticks in each part; nanoseconds in launches; nanoseconds from a launch's end to the begin of one
 * that the host had to launch first; when the first launch began and the last one ended. */
enum { TIMES_LAUNCHES = PARTS, TIMES_OF_HOST, TIMES_BEGIN, TIMES_END, TIMES_WORDS };

#if defined(PERDURE_PART_TIMES) || defined(TIMED_ON_REQUEST)

typedef struct {
    uint64 ticks[PARTS];
    uint64 since; /* ticks at which this part began */
    uint64 begin; /* nanoseconds at which this launch began */
    uint32 part;
    uint32 on; /* host threads: 1: this launch is timed */
} part_clock_t;

#if defined(__CUDACC__)
FUNCTION part_clock_t *part_clock() {
    __shared__ part_clock_t clock;
    return &clock;
}
FUNCTION uint64 part_ticks() {
    return static_cast<uint64>(clock64());
}
FUNCTION uint64 part_nanoseconds() {
    return global_nanoseconds();
}
#define TIMES_PARTS(clock) 1u
#else
static __thread part_clock_t perdure_part_clock;
FUNCTION part_clock_t *part_clock(void) {
    return &perdure_part_clock;
}
FUNCTION uint64 part_ticks(void) {
    return host_nanoseconds();
}
FUNCTION uint64 part_nanoseconds(void) {
    return host_nanoseconds();
}
#define TIMES_PARTS(clock) ((clock)->on)
#endif

FUNCTION void enter_part(uint32 part) {
    group_barrier();
    part_clock_t *clock = part_clock();
    if (item_index() == 0u && TIMES_PARTS(clock)) {
        const uint64 now = part_ticks();
        clock->ticks[clock->part] += now - clock->since;
        clock->since = now;
        clock->part = part;
    }
}

/* A graph's nodes count their phases from the begin of its batch; other launches count from that of the run. */
FUNCTION uint32 begins_batch(const run_parameters_t *parameters) {
    return parameters->in_graph ? parameters->first_phase == 0u
                                : parameters->first_phase % parameters->check_every == 0u;
}

FUNCTION void begin_part_times(const run_parameters_t *parameters, GLOBAL uint64 *times) {
    part_clock_t *clock = part_clock();
#if defined(TIMED_ON_REQUEST)
    clock->on = parameters->time_parts;
#endif
    if (item_index() == 0u && TIMES_PARTS(clock)) {
        clock->begin = part_nanoseconds();
        if (begins_batch(parameters)) {
            const uint64 end = times[TIMES_END];
            if (end == 0u) {
                times[TIMES_BEGIN] = clock->begin;
            } else {
                times[TIMES_OF_HOST] += clock->begin - end;
            }
        }
        for (uint32 part = 0; part < PARTS; ++part) {
            clock->ticks[part] = 0u;
        }
        clock->part = PART_STENCIL;
        clock->since = part_ticks();
    }
}

FUNCTION void end_part_times(GLOBAL uint64 *times) {
    enter_part(PART_STENCIL);
    const part_clock_t *clock = part_clock();
    if (item_index() == 0u && TIMES_PARTS(clock)) {
        const uint64 now = part_nanoseconds();
        for (uint32 part = 0; part < PARTS; ++part) { /* nobody waits for what stood there before */
            (void)fetch_add_uint64(&times[part], clock->ticks[part], ORDER_RELAXED, SCOPE_DEVICE);
        }
        (void)fetch_add_uint64(&times[TIMES_LAUNCHES], now - clock->begin, ORDER_RELAXED, SCOPE_DEVICE);
        times[TIMES_END] = now;
    }
}

#else

FUNCTION void enter_part(uint32 part) {
    (void)part;
}
FUNCTION void begin_part_times(const run_parameters_t *parameters, GLOBAL uint64 *times) {
    (void)parameters;
    (void)times;
}
FUNCTION void end_part_times(GLOBAL uint64 *times) {
    (void)times;
}

#endif

#endif
