/* Explicit stepping in 3D of an on-chip field: each group keeps a box and its ghosts in shared memory for the length of a launch.
 * Two groups share a multiprocessor, so that one computes while the other waits for its ghosts.
 *
 *   u(n+1) = u(n) + scale (b - A u(n)), each step:
 *     receive ghosts in shared memory, as messages (kernels/resident/box_exchange_3d.h) or by flags (box_faces_3d.h); group barrier
 *     advance the rows of a lane from south to north, plane by plane; differences to north and to above are kept for the next
 *       rows; new rows stay in registers
 *     by flags: store the rows that neighbours have as ghosts
 *     group barrier; raise the flag; store rows in shared memory; group barrier
 *     as messages: send the cells at faces to the neighbours
 *
 * Operations: 10 a cell, 2 more in the outermost columns of a row, where x may end, and in rows at sides of y and z. Fluxes
 * between the blocks of two lanes are computed twice. This makes 12 in all in boxes of 32 x 16 x 16, whose 8192 cells send 2560
 * values a step. Memory traffic per cell and step: none; one value if there are sources; 5 values if coefficients vary, 6 in
 * Jacobi. Group barriers: three a step. */
#ifndef PERDURE_KERNELS_RESIDENT_BOX_FIELD_3D_H
#define PERDURE_KERNELS_RESIDENT_BOX_FIELD_3D_H

#include "kernels/resident/box_cells_3d.h"
#include "kernels/resident/on_chip_kernels_2d.h"

template <typename Physics, int WARPS, int BY, int BZ, box_kind_t KIND>
struct box_field_t : box_cells_t<Physics, WARPS, BY, BZ, KIND> {
    typedef box_cells_t<Physics, WARPS, BY, BZ, KIND> base;
    typedef typename base::shape shape;
    using base::chip;
    using base::first_y;
    using base::first_z;
    using base::lane_of_row;
    using base::row;
    using base::row_on_chip;

    FUNCTION_MEMBER box_sides_t find_sides() const {
        const box_t<shape> &box = chip->box;
        const int32 row_in_warp = lane_of_warp() / LANES_OF_ROW;
        const uint32 warp = __shfl_sync(ALL_LANES, item_index() / 32u, 0);
        const bool west = lane_of_row() == 0, east = lane_of_row() + 1 == LANES_OF_ROW;
        return {west,
                east,
                west && box.x.at_lower,
                east && box.x.at_upper,
                row_in_warp == 0 && box.y.at_lower,
                row_in_warp + 1 == ROWS_OF_WARP && box.y.at_upper,
                warp == 0u && box.z.at_lower,
                warp + 1u == WARPS && box.z.at_upper};
    }
    template <typename Self>
    FUNCTION_MEMBER static uint32 run_field(const Self *self, message_t *messages,
                                            typename base::chip_t *chip) {
        const bool uniform = self->run.parameters->uniform != 0u;
        return uniform == (KIND != VARIED) ? run_on_chip<box_field_t>(self, messages, chip) : 0u;
    }

    /* Loads this lane's columns of a field in memory, in row y of plane z of the box. */
    FUNCTION_MEMBER row_t row_in_memory(const real_t *field, int32 z, int32 y) const {
        const box_t<shape> &box = chip->box;
        const int32 in_z = around(box.z.first + z, box.nz), in_y = around(box.y.first + y, box.ny);
        const real_t *from = field + (in_z * box.ny + in_y) * box.nx;
        const int32 column = box.x.first + lane_of_row() * COLUMNS;
        if (box.whole) {
            return load_row(from + around(column, box.nx));
        }
        row_t values;
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            values.at[j] = from[around(column + j, box.nx)];
        }
        return values;
    }
    /* Returns the terms of row b of plane c, which lies at the sides y and z. */
    FUNCTION_MEMBER row_terms_3d_t side_terms(const box_sides_t &at, int c, int b, uint32 y, uint32 z,
                                              const ends_terms_t &inner) const {
        const uint32 place = table_place(0u, y, z);
        row_terms_3d_t terms = {inner.t_y,
                                inner.t_z,
                                entry(place + (at.at_west ? 1u : 0u), inner.factor),
                                entry(place, inner.factor),
                                entry(place + (at.at_east ? 2u : 0u), inner.factor),
                                row_t{}};
        if (KIND == SOURCED) {
            terms.b = row_in_memory(chip->constants.physics.b, first_z() + c, first_y() + b);
            return terms;
        }
        const int32 to_source = (z & 1u)   ? -shape::plane
                                : (z & 2u) ? shape::plane
                                : (y & 1u) ? -shape::row
                                : (y & 2u) ? shape::row
                                           : 0;
        const row_t sources = row_on_chip(row(c, b) + to_source);
        const row_t none = {{inner.b_first, (real_t)0, (real_t)0, inner.b_last}};
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            terms.b.at[j] = to_source != 0 ? sources.at[j] : none.at[j];
        }
        return terms;
    }
    FUNCTION_MEMBER varied_terms_3d_t varied_terms(const box_sides_t &at, int c, int b, real_t factor) const {
        const box_constants_t<Physics> &constants = chip->constants;
        const int32 z = first_z() + c, y = first_y() + b;
        varied_terms_3d_t terms = {row_in_memory(constants.A.face_x, z, y),
                                   row_in_memory(constants.A.face_y, z, y),
                                   row_in_memory(constants.A.face_y, z, y + 1),
                                   row_in_memory(constants.A.face_z, z, y),
                                   row_in_memory(constants.A.face_z, z + 1, y),
                                   row_in_memory(constants.A.diagonal, z, y),
                                   row_in_memory(constants.physics.b, z, y),
                                   same_in_row(factor),
                                   (real_t)0};
        if constexpr (Physics::scaled) {
            const row_t inverse = row_in_memory(constants.A.inverse_diagonal, z, y);
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) {
                terms.scales.at[j] = factor * inverse.at[j];
            }
        }
        const real_t of_lane = __shfl_down_sync(ALL_LANES, terms.t_x.at[0], 1, LANES_OF_ROW);
        terms.t_beyond = at.east ? constants.A.face_x[chip->box.cell(z, y, BOX_COLUMNS)] : of_lane;
        return terms;
    }

    /* Calls of(c, b, terms, u, north, above, across, &from_south, &from_below), the arguments of advance_row_3d, for all rows.
     * Beyond a side a row is its own neighbour, which means no flux. */
    template <typename Of>
    FUNCTION_MEMBER void for_each_row(uint32 step, Of of) const {
        const box_constants_t<Physics> &constants = chip->constants;
        const box_sides_t at = find_sides();
        const bool south_rows = chip->box.y.at_lower, north_rows = chip->box.y.at_upper; /* in some lanes */
        const real_t factor = constants.physics.factor(step);
        ends_terms_t terms;
        terms.t_x = constants.t_x;
        terms.t_y = constants.t_y;
        terms.t_z = constants.t_z;
        terms.factor = Physics::scaled ? constants.scale : factor;
        terms.first = terms.last = {(real_t)0, terms.factor};
        if (KIND == PLAIN && at.at_west) {
            terms.first = entry(1u, terms.factor);
        }
        if (KIND == PLAIN && at.at_east) {
            terms.last = entry(2u, terms.factor);
        }
        const bool ends = KIND == PLAIN && (chip->box.x.at_lower || chip->box.x.at_upper); /* in some lanes */
        const int32 source = at.east ? shape::ghost_east : shape::ghost_west;
        const int32 column = lane_of_row() * COLUMNS;
        const int32 west = at.at_west ? shape::in_row(0)
                           : at.west  ? shape::ghost_west
                                      : shape::in_row(column - 1);
        const int32 east = at.at_east ? shape::in_row(BOX_COLUMNS - 1)
                           : at.east  ? shape::ghost_east
                                      : shape::in_row(column + COLUMNS);
        row_t here[BZ], from_south[BZ];
#pragma unroll
        for (int c = 0; c < BZ; ++c) {
            here[c] = row_on_chip(row(c, 0));
            from_south[c] = differences(row_on_chip(row(c, at.at_south ? 0 : -1)), here[c]);
        }
#pragma unroll
        for (int b = 0; b < BY; ++b) {
            const bool southmost = b == 0, northmost = b + 1 == BY;
            row_t from_below = differences(row_on_chip(row(at.at_below ? 0 : -1, b)), here[0]);
#pragma unroll
            for (int c = 0; c < BZ; ++c) {
                const bool lowest = c == 0, topmost = c + 1 == BZ;
                const row_t north = row_on_chip(row(c, northmost && at.at_north ? b : b + 1));
                const row_t above =
                    topmost ? row_on_chip(row(at.at_above ? c : c + 1, b)) : here[(c + 1) % BZ];
                if constexpr (KIND == VARIED) {
                    const varied_terms_3d_t varied = varied_terms(at, c, b, factor);
                    of(c, b, varied, here[c], north, above,
                       fluxes_in_row(varied, row(c, b)[west], here[c], row(c, b)[east]), &from_south[c],
                       &from_below);
                    here[c] = north;
                    continue;
                }
                const across_t<COLUMNS> across =
                    fluxes_in_row(terms, row(c, b)[west], here[c], row(c, b)[east]);
                const real_t b_end = ends ? row(c, b)[source] : (real_t)0;
                terms.b_first = at.at_west ? b_end : (real_t)0;
                terms.b_last = at.at_east ? b_end : (real_t)0;
                const uint32 y = (southmost && at.at_south ? 1u : 0u) | (northmost && at.at_north ? 2u : 0u);
                const uint32 z = (lowest && at.at_below ? 1u : 0u) | (topmost && at.at_above ? 2u : 0u);
                if (KIND == SOURCED || z != 0u || (southmost && south_rows) || (northmost && north_rows)) {
                    of(c, b, side_terms(at, c, b, y, z, terms), here[c], north, above, across, &from_south[c],
                       &from_below);
                } else {
                    of(c, b, terms, here[c], north, above, across, &from_south[c], &from_below);
                }
                here[c] = north;
            }
        }
    }
    /* Makes one step. odd: which half of the buffers the next exchange uses. With flags, the barrier of that exchange also
     * protects the rows in shared memory. */
    FUNCTION_MEMBER void advance_once(uint32 step, message_t *messages, uint32 odd) {
        row_t next[BZ][BY];
        for_each_row(
            step, [&](int c, int b, const auto &terms, const row_t &u, const row_t &north, const row_t &above,
                      const across_t<COLUMNS> &across, row_t *from_south, row_t *from_below) INLINED {
                next[c][b] = advance_row_3d(terms, u, north, above, across, from_south, from_below);
            });
        if constexpr (base::by_flags) {
            store_rows(chip->box, same_in_warp(first_z()), first_y(), next,
                       in_memory(base::ghosts_of_exchange(messages, odd)));
        }
        group_barrier();
        if constexpr (base::by_flags) {
            DELAY_HERE();
            raise_step_flag_by_one(base::flags(messages), step + 1u);
        }
#pragma unroll
        for (int c = 0; c < BZ; ++c) {
#pragma unroll
            for (int b = 0; b < BY; ++b) {
                store_row(row(c, b) + lane_of_row() * part_of<real_t>::columns, next[c][b], LANES_OF_ROW);
            }
        }
        if (!base::by_flags) {
            group_barrier();
        }
    }
    /* Adds b - A u of the cells that no earlier box owns. */
    FUNCTION_MEMBER void watch_residual(uint32 n, const run_parameters_t *grid, residual_t *residual) const {
        const box_t<shape> &box = chip->box;
        const int32 own_x = box.x.own_end(BOX_COLUMNS), own_y = box.y.own_end(shape::height);
        const int32 own_z = box.z.own_end(shape::depth);
        residual->begin(grid, chip->constants.scale);
        for_each_row(
            n, [&](int c, int b, const auto &terms, const row_t &u, const row_t &north, const row_t &above,
                   const across_t<COLUMNS> &across, row_t *from_south, row_t *from_below) INLINED {
                const row_t found =
                    advance_row_3d(residual_of(terms), u, north, above, across, from_south, from_below);
                const int32 z = first_z() + c, y = first_y() + b;
#pragma unroll
                for (int j = 0; j < COLUMNS; ++j) {
                    const int32 x = lane_of_row() * COLUMNS + j;
                    if (z < own_z && y < own_y && x < own_x) {
                        residual->add(box.cell(z, y, x), u.at[j], found.at[j], terms.scale(j));
                    }
                }
            });
    }
    FUNCTION_MEMBER entry_t entry(uint32 place, real_t factor) const {
        return {chip->entries[place].diagonal, Physics::scaled ? chip->entries[place].scale : factor};
    }
};

/* Makes steps n .. until - 1; returns 1 when all were made, 0 if a wait was abandoned. A separate function, whose registers hold
 * only what steps need. fresh: 1 if the ghosts are those of step n. */
template <typename Field>
static __device__ __noinline__ uint32 run_boxes(typename Field::chip_t *chip, message_t *messages,
                                                const run_t *run, uint32 n, uint32 until, uint32 exchanges,
                                                uint32 fresh) {
    Field field;
    field.chip = chip;
#pragma unroll 1
    for (; n < until; ++n) {
        if (!fresh && !field.exchange(messages, exchanges++ & 1u, n, run)) {
            return 0u;
        }
        field.advance_once(n, messages, exchanges & 1u);
        fresh = 0u;
    }
    if (Field::by_flags) {
        group_barrier(); /* the rows of the last step are stored */
    }
    return 1u;
}

/* Overload of advance_on_chip for boxes. */
template <typename Physics, int WARPS, int BY, int BZ, box_kind_t KIND>
FUNCTION uint32 advance_on_chip(box_field_t<Physics, WARPS, BY, BZ, KIND> *field, message_t *messages,
                                const run_t *run, stepping_t *at, uint32 until, uint32 *fresh) {
    if (at->n >= until) {
        return 1u;
    }
    const uint32 passed = run_boxes<box_field_t<Physics, WARPS, BY, BZ, KIND>>(
        field->chip, messages, run, at->n, until, at->exchanges, *fresh);
    at->exchanges += until - at->n - *fresh;
    at->n = until;
    *fresh = 0u;
    return passed;
}

#endif
