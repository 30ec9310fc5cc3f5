/* One level of the hierarchy, and its operator: kernels/operator.h without velocity, in cycle_t. */

typedef struct {
    run_parameters_t grid;
    uint32 halved[3];
    GLOBAL cycle_t *diagonal;
    GLOBAL cycle_t *inverse_diagonal;
    GLOBAL cycle_t *face_x;
    GLOBAL cycle_t *face_y;
    GLOBAL cycle_t *face_z;
    GLOBAL cycle_t *weight_x;
    GLOBAL cycle_t *weight_y;
    GLOBAL cycle_t *weight_z;
    GLOBAL cycle_t *b;
    GLOBAL cycle_t *u[2];
} level_t;

typedef struct {
    GLOBAL const hierarchy_t *hierarchy;
    GLOBAL const phase_t *phases;
    GLOBAL const step_t *steps;
    GLOBAL cycle_t *arena;
    /* of level 0 */
    GLOBAL cycle_t *diagonal;
    GLOBAL cycle_t *inverse_diagonal;
    GLOBAL cycle_t *face_x;
    GLOBAL cycle_t *face_y;
    GLOBAL cycle_t *face_z;
    GLOBAL cycle_t *sides;
    GLOBAL cycle_t *b;
    LOCAL cycle_t *tile;  /* [TILE_VALUES] */
    LOCAL cycle_t *lines; /* [TILE_LINES] */
    LOCAL sum_t *matrix;  /* [COARSEST_CELLS][COARSEST_CELLS] */
} multigrid_t;

FUNCTION level_t level_at(const multigrid_t *self, uint32 number) {
    GLOBAL const level_entry_t *entry = self->hierarchy->level + number;
    const uint32 finest = number == 0u ? 1u : 0u;
    level_t level;
    level.grid = entry->grid;
    level.halved[0] = entry->halved[0];
    level.halved[1] = entry->halved[1];
    level.halved[2] = entry->halved[2];
    level.diagonal = finest ? self->diagonal : self->arena + entry->diagonal;
    level.inverse_diagonal = finest ? self->inverse_diagonal : self->arena + entry->inverse_diagonal;
    level.face_x = finest ? self->face_x : self->arena + entry->face[0];
    level.face_y = finest ? self->face_y : self->arena + entry->face[1];
    level.face_z = finest ? self->face_z : self->arena + entry->face[2];
    level.weight_x = self->arena + entry->weight[0];
    level.weight_y = self->arena + entry->weight[1];
    level.weight_z = self->arena + entry->weight[2];
    level.b = finest ? self->b : self->arena + entry->b;
    level.u[0] = self->arena + entry->u[0];
    level.u[1] = self->arena + entry->u[1];
    return level;
}

FUNCTION GLOBAL cycle_t *level_copy(const level_t *level, uint32 which) {
    return which == 1u ? level->u[1] : level->u[0];
}

/* The groups that do a step together: all of them, or one. */
typedef struct {
    uint32 group, groups;
} team_t;

#define FOR_EACH_CELL_OF(cell, level, team)                                                    \
    for (uint32 cell = (team).group * group_size() + item_index(); cell < (level)->grid.cells; \
         cell += (team).groups * group_size())

/* Values of a field of cycle_t in a cell and its neighbours. */
typedef struct {
    cycle_t at[STENCIL_POINTS];
} surroundings_t;

FUNCTION surroundings_t look_around(GLOBAL const cycle_t *field, const level_t *level, const stencil_t *s) {
    const uint32 points = level->grid.dimensions == 3u ? STENCIL_POINTS : BELOW;
    surroundings_t u;
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        u.at[k] = k < points ? field[s->cell[k]] : (cycle_t)0;
    }
    return u;
}

/* Conductances of the faces of a cell; entry CENTRE is the diagonal's. */
FUNCTION surroundings_t conductances_of(const level_t *level, const stencil_t *s) {
    const uint32 uniform = level->grid.uniform;
    surroundings_t t;
    t.at[CENTRE] = level->diagonal[s->place[CENTRE]];
    t.at[WEST] = level->face_x[uniform ? 0u : s->cell[CENTRE]];
    t.at[EAST] = level->face_x[uniform ? 0u : s->cell[EAST]];
    t.at[SOUTH] = level->face_y[uniform ? 0u : s->cell[CENTRE]];
    t.at[NORTH] = level->face_y[uniform ? 0u : s->cell[NORTH]];
    t.at[BELOW] = (cycle_t)0;
    t.at[ABOVE] = (cycle_t)0;
    if (level->grid.dimensions == 3u) {
        t.at[BELOW] = level->face_z[uniform ? 0u : s->cell[CENTRE]];
        t.at[ABOVE] = level->face_z[uniform ? 0u : s->cell[ABOVE]];
    }
    return t;
}

FUNCTION cycle_t residual_at(const level_t *level, const stencil_t *s, const surroundings_t *u, cycle_t b) {
    const surroundings_t t = conductances_of(level, s);
    const cycle_t here = u->at[CENTRE];
    cycle_t flux[STENCIL_POINTS];
    for (uint32 k = WEST; k < STENCIL_POINTS; ++k) {
        flux[k] = FACE_FLUX(t.at[k], here, u->at[k]);
    }
    return b - STENCIL(t.at[CENTRE], here,
                       FLUX_BALANCE_3D(flux[WEST], flux[EAST], flux[SOUTH], flux[NORTH], flux[BELOW],
                                       flux[ABOVE]));
}

/* Two sweeps from 0 in a cell, b around it. */
FUNCTION cycle_t two_sweeps(const level_t *level, const stencil_t *s, const surroundings_t *b, cycle_t first,
                            cycle_t second) {
    surroundings_t u;
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        u.at[k] = first * (level->inverse_diagonal[s->place[k]] * b->at[k]);
    }
    return u.at[CENTRE] +
           second * (level->inverse_diagonal[s->place[CENTRE]] * residual_at(level, s, &u, b->at[CENTRE]));
}

FUNCTION cycle_t swept(const level_t *level, const stencil_t *s, const surroundings_t *u, cycle_t b,
                       cycle_t weight) {
    return u->at[CENTRE] + weight * (level->inverse_diagonal[s->place[CENTRE]] * residual_at(level, s, u, b));
}
