/* The history of a run, and what the host sees of it while it goes on. Item 0 of the group that decides. */
#ifndef PERDURE_KERNELS_HISTORY_H
#define PERDURE_KERNELS_HISTORY_H

#include "kernels/run.h"

/* An entry; `replaces`: in place of the one before where that is of as much work. */
FUNCTION void add_to_history(const run_t *run, uint32 done, double norm, uint32 replaces) {
    const uint32 capacity = run->parameters->history_capacity;
    uint32 entry =
        run->state->control.history_length < capacity ? run->state->control.history_length : capacity - 1u;
    if (replaces && entry > 0u && run->history[3u * (entry - 1u)] == (double)done) {
        --entry;
    }
    run->history[3u * entry] = (double)done;
    run->history[3u * entry + 1u] = norm;
    run->history[3u * entry + 2u] = device_seconds();
    run->state->control.history_length = entry + 1u;
}

FUNCTION void show_progress(const run_t *run, uint32 done, double norm) {
    store_uint64(&run->control->residual, (uint64)double_bits(norm), ORDER_RELAXED, SCOPE_SYSTEM);
    store_uint64(&run->control->tolerance, (uint64)double_bits(run->state->solve.tolerance), ORDER_RELAXED,
                 SCOPE_SYSTEM);
    store_uint64(&run->control->iteration, done, ORDER_RELAXED, SCOPE_SYSTEM);
}

FUNCTION uint32 is_asked_to_stop(const run_t *run) {
    return stop_request_of_ranks(run->parameters, run->control);
}

#endif
