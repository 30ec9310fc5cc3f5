/* From one batch of a graph's phases to the next; kernels/run.h says how launches find their phases. */
#ifndef PERDURE_KERNELS_ADVANCE_GRAPH_H
#define PERDURE_KERNELS_ADVANCE_GRAPH_H

#include "kernels/launch_order.h"
#include "kernels/parameters.h"

/* One item alone, behind the `phases` launches of a batch: moves on to the next batch; 1 when there is one.
 * A batch that ran no phase ends the loop too: the host finds that nothing was done. */
FUNCTION uint32 advance_graph(GLOBAL run_state_t *state, uint32 phases) {
    const uint32 left = state->control.graph_end - state->control.graph_phase;
    const uint32 moved = state->control.phases != state->control.graph_seen ? 1u : 0u;
    state->control.graph_phase += phases < left ? phases : left;
    state->control.graph_seen = state->control.phases;
    return state->control.stop == STOP_NONE && phases < left && moved ? 1u : 0u;
}

#endif
