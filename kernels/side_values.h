/* Values of a field in the cells beside the two sides of an axis: what flows through them needs no more.
 *
 *   values[0][f], values[1][f] = u in the cell at face f of the lower and of the upper side
 *
 * Faces are ordered as cells, the axis left out. Shapes: u [cells], values [2][cells / extent of the axis], axis one word.
 * Units: those of u. Bytes per face: 2 x sizeof(real_t) read and written, along x a line of the cache for each read.
 * Barriers: none, it is one phase. */

typedef struct {
    run_t run;
    GLOBAL const uint32 *axis;
    GLOBAL const real_t *u;
    GLOBAL real_t *values;
} side_values_t;

FUNCTION void side_values_phase(const side_values_t *self) {
    const run_parameters_t *grid = self->run.parameters;
    const uint32 axis = *self->axis;
    const uint32 extent = axis == 0u ? grid->nx : (axis == 1u ? grid->ny : grid->nz);
    const uint32 stride = axis == 0u ? 1u : (axis == 1u ? grid->nx : grid->layer.divisor);
    const uint32 faces = grid->cells / extent;
    for (uint32 f = group_index() * group_size() + item_index(); f < faces;
         f += group_count() * group_size()) {
        const uint32 before = axis == 0u ? 0u : f % stride; /* cells of the same row or layer */
        const uint32 cell = axis == 2u ? f : (f - before) * extent + before;
        self->values[f] = self->u[cell];
        self->values[faces + f] = self->u[cell + (extent - 1u) * stride];
    }
}

KERNEL void side_values(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                        GLOBAL run_state_t *state, GLOBAL sum_t *partials, GLOBAL const uint32 *axis,
                        GLOBAL const real_t *u, GLOBAL real_t *values) {
    LOCAL uint32 verdict;
    const side_values_t self = {
        {&parameters, control, sync, state, partials, 0, 0, &verdict}, axis, u, values};
    RUN_PHASES(self.run, side_values_phase(&self));
}
