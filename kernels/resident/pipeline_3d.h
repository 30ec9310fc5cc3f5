/* A warp pipeline through planes: the warps of a group form STEPS_3D stages. Each stage covers the whole tile and makes one step.
 *
 *   planes from memory -> stage 0: one step -> stage 1: one step -> ... -> planes after STEPS_3D steps
 *
 *   stage r, in iteration k:  plane  = k - 2 r
 *                             u      = r == 0 ? u(plane) from memory : the plane that stage r - 1 handed on in the last iteration
 *                             u arrives above the waiting plane, which is advanced and handed on, or stored in memory
 *                             u waits; its fluxes are added, except the one from above
 *                             start the copy of the plane two iterations ahead; wait for the copies of the next iteration and for
 *                             the other stages
 *
 * A lane keeps ROWS_3D rows of COLUMNS_3D columns of the waiting plane, and the sum of their fluxes. Neighbouring rows are read
 * from the plane that was handed on, neighbouring columns come by shuffles. Shared-memory traffic per cell and step: one value
 * read, one written, and two rows in ROWS_3D read again. Barriers of the group: one an iteration. Cells without a neighbour
 * become invalid, one layer more with every step. */
#ifndef PERDURE_KERNELS_RESIDENT_PIPELINE_3D_H
#define PERDURE_KERNELS_RESIDENT_PIPELINE_3D_H

#include "kernels/resident/pipeline_2d.h"
#include "kernels/resident/pipeline_chip_3d.h"
#include "kernels/resident/pipeline_sides_3d.h"

/* Advances a row of the waiting plane when u arrives above it; returns its next values. On entry `balance` holds its fluxes
 * except the one from above; on return u minus the row. Calls watch(r, j, u, b - A u, scale) for each cell. */
template <typename Terms, typename Watch>
FUNCTION part_t finish_row(Terms &terms, const Watch &watch, int r, const part_t &u, const part_t &waiting,
                           part_t *balance) {
    part_t next;
    terms.begin_row(r);
#pragma unroll
    for (int j = 0; j < COLUMNS_3D; ++j) {
        const real_t here = waiting.at[j];
        const real_t excess = FACE_DIFFERENCE(u.at[j], here);
        const real_t total = WITH_FLUX(balance->at[j], terms.above(), -excess);
        const real_t residual = RESIDUAL(terms.source(j), STENCIL(terms.diagonal(j), here, total));
        watch(r, j, here, residual, terms.scale(j));
        next.at[j] = EXPLICIT_STEP(here, terms.scale(j), residual);
        balance->at[j] = excess;
    }
    return next;
}

/* Adds the fluxes of a plane that waits for the one above. On entry `balance` holds the plane minus the one below. south, north:
 * the rows next to the lane's rows. */
template <typename Terms>
FUNCTION void open_plane(const Terms &terms, const part_t *u, const part_t &south, const part_t &north,
                         part_t *balance) {
    part_t from_south, west[2];
    real_t back[2];
#pragma unroll
    for (int j = 0; j < COLUMNS_3D; ++j) {
        from_south.at[j] = FACE_DIFFERENCE(u[0].at[j], south.at[j]);
    }
    /* Computes the western fluxes of a row one row ahead of its sums, to hide the latency of the shuffle from the next lane. */
#pragma unroll
    for (int r = -1; r < ROWS_3D; ++r) {
        if (r + 1 < ROWS_3D) {
            part_t &ahead = west[(r + 1) % 2];
            const part_t &row = u[(r + 1) % ROWS_3D];
            const real_t beyond = from_lane_before(row.at[COLUMNS_3D - 1]);
#pragma unroll
            for (int j = 0; j < COLUMNS_3D; ++j) {
                ahead.at[j] = FACE_FLUX(terms.west(j), row.at[j],
                                        j == 0 ? beyond : row.at[(j + COLUMNS_3D - 1) % COLUMNS_3D]);
            }
            back[(r + 1) % 2] = terms.east(from_lane_behind(ahead.at[0]));
        }
        if (r >= 0) {
            const part_t &further = r + 1 < ROWS_3D ? u[(r + 1) % ROWS_3D] : north;
#pragma unroll
            for (int j = 0; j < COLUMNS_3D; ++j) {
                const real_t here = u[(r + ROWS_3D) % ROWS_3D].at[j];
                const part_t &of_row = west[(r + 2) % 2];
                const real_t east =
                    -(j + 1 < COLUMNS_3D ? of_row.at[(j + 1) % COLUMNS_3D] : back[(r + 2) % 2]);
                const real_t excess = FACE_DIFFERENCE(further.at[j], here); /* of the northern row */
                real_t &sum = balance[(r + ROWS_3D) % ROWS_3D].at[j];
                sum = FLUX_BALANCE_BUT_ABOVE(of_row.at[j], east, terms.south(r), from_south.at[j],
                                             terms.south(r + 1), -excess, terms.below(), sum);
                from_south.at[j] = excess;
            }
        }
    }
}

/* Runs stage `which` of a sweep through the planes of chip->range. LAST: it is the last stage with a step to make; unless it is
 * the last of all stages it may also copy. In a pass of one step it may add b - A u of u to `residual`. */
template <bool LAST, bool WHOLE, bool WATCHED>
FUNCTION void run_planes(planes_chip_t *chip, int32 which, residual_t *residual) {
    constexpr bool LAST_OF_ALL = LAST && WHOLE, COPIES = !LAST_OF_ALL;
    const int32 stage = LAST_OF_ALL ? STEPS_3D - 1 : which;
    const sweep_t &sweep = chip->sweep;
    const stage_schedule_t &schedule = chip->schedules[stage];
    const item_position_t &position = chip->positions[item_index() % ITEMS_OF_STAGE];
    const int32 row = first_row_in_tile();
    real_t *const planes = &chip->u[0][row][first_column_in_tile()];
    int32 iteration = 0;
    uint32 around = 0u; /* iteration modulo SLOT_PERIOD */
    const real_t *taken = planes + schedule.taken[0];
    real_t *given = planes + schedule.given[0];
    const uint32 copied = COPIES ? same_in_warp(schedule.copies) : 0u;

    /* Called in each iteration. Copies the sources of the plane that comes in, and the plane of u that comes in two iterations
     * later. */
    const auto copy_ahead = [&](bool inner) INLINED {
        const int32 z = iteration + chip->first_plane;
        if ((copied & COPIES_SOURCES) != 0u) {
            if (!inner || is_at_side_z(sweep, z)) {
                const uint32 rows = inner ? EVERY_ROW : rows_with_sources(sweep, {position.sides}, z);
                copy_plane<WHOLE>(sweep, position, rows, sweep.b, z,
                                  planes + chip->schedules[1].copied[around]);
                if (!inner) {
                    prefetch_plane(sweep, position, rows, sweep.b, z + 2);
                }
            }
            commit_copies();
        }
        if ((copied & COPIES_U) != 0u) {
            if (z + 2 < chip->range.end + static_cast<int32>(sweep.active)) {
                copy_plane<WHOLE>(sweep, position, EVERY_ROW, sweep.from, z + 2,
                                  planes + schedule.copied[around]);
            }
            commit_copies();
        }
    };
    if (COPIES && stage == 0) {
        copy_plane<WHOLE>(sweep, position, EVERY_ROW, sweep.from, chip->first_plane, planes);
        copy_plane<WHOLE>(sweep, position, EVERY_ROW, sweep.from, chip->first_plane + 1, planes + PLANE_SIZE);
        commit_copies();
        await_copies<0>();
    }
    if constexpr (COPIES) {
        copy_ahead(false);
    }
    part_t waiting[ROWS_3D] = {}, balance[ROWS_3D] = {};
    group_barrier();

    const auto arrive = [&]() INLINED {
        if constexpr (COPIES) {
            if ((copied & COPIES_U) != 0u) {
                await_copies<1>(); /* all but the last plane of u */
            } else {
                await_copies<0>();
            }
        }
        arrive_at(&chip->barrier);
    };
    const auto next_iteration = [&](bool inner) INLINED {
        const uint32 parity = around & 1u;
        around = around + 1u == SLOT_PERIOD ? 0u : around + 1u;
        taken = planes + schedule.taken[around];
        given = planes + schedule.given[around];
        ++iteration;
        wait_at(&chip->barrier, parity);
        if constexpr (COPIES) {
            copy_ahead(inner);
        }
    };
    const auto run_iteration = [&](const auto &finishing, const auto &opening, bool inner) INLINED {
        [[maybe_unused]] real_t *plane = nullptr;
        [[maybe_unused]] uint32 own = 0u;
        [[maybe_unused]] int32 made = 0; /* the plane that is advanced */
        if constexpr (LAST) {
            made = iteration + chip->first_plane - 2 * stage - 1;
            const bool stores = made >= chip->range.first;
            own = stores ? static_cast<uint32>(position.own) : 0u;
            plane = in_memory(sweep.to +
                              static_cast<uint32>(stores ? made : 0) * static_cast<uint32>(sweep.layer));
        }
        const auto watch = [&](int r, int j, real_t u, real_t found, real_t scale) INLINED {
            if constexpr (WATCHED) {
                if ((own & item_position_t::bit(r, j)) != 0u) {
                    residual->add(
                        static_cast<uint32>(made) * static_cast<uint32>(sweep.layer) + position.cell(r, j), u,
                        found, scale);
                }
            }
        };
        auto terms = finishing();
        part_t u[ROWS_3D], south, north;
        u[0] = load_part(taken);
#pragma unroll
        for (int r = 0; r < ROWS_3D; ++r) {
            if (r + 1 < ROWS_3D) { /* before the store, which a load cannot pass */
                u[(r + 1) % ROWS_3D] = load_part(taken + (r + 1) * TILE_COLUMNS);
            } else {
                south = load_part(row == 0 ? taken : taken - TILE_COLUMNS);
                north = load_part(row + ROWS_3D == TILE_ROWS ? taken : taken + ROWS_3D * TILE_COLUMNS);
            }
            const part_t next = finish_row(terms, watch, r, u[r], waiting[r], &balance[r]);
            if constexpr (LAST) {
                store_own<WHOLE>(plane, position, own, r, next);
            } else {
                store_part(given + r * TILE_COLUMNS, next);
            }
            waiting[r] = u[r];
        }
        arrive();
        open_plane(opening(terms.above()), waiting, south, north, balance);
        next_iteration(inner);
    };
    const numbers_3d_t &numbers = sweep.numbers[LAST ? 1 : 0];
    const auto entry = [&](uint32 side_x) {
        return (LAST ? chip->entries.last : chip->entries.usual) + table_place(side_x, 0u, 0u);
    };
    const auto sides = [&] { return sides_of_lane_t{position.sides}; };
    /* Stays outside the loop: ptxas of CUDA 13.0 makes a reduction that depends on one condition depend on another. */
    const uint32 of_warp = same_in_warp(sides().alike());
#pragma unroll 1
    for (int part = 0; part < ITERATION_RANGES; ++part) {
        const int32 until = same_in_warp(schedule.until[part]);
        const auto run_iterations = [&](const auto &finishing, const auto &opening, bool inner) INLINED {
#pragma unroll 1
            while (iteration < until) {
                run_iteration(finishing, opening, inner);
            }
        };
        if (part == ITERATIONS_WITHOUT_U || part == ALL_ITERATIONS) {
#pragma unroll 1
            while (iteration < until) {
                arrive();
                next_iteration(false);
            }
            continue;
        }
        const uint32 alike = part == ITERATIONS_BETWEEN ? of_warp : static_cast<uint32>(WARP_ANY);
        if (alike == WARP_INNER) {
            run_iterations(
                [&]() INLINED {
                    return finishing_numbers_t{numbers.t_z, numbers.factor};
                },
                [&](real_t t_z) INLINED {
                    return opening_numbers_t{numbers.t_x, numbers.t_y, t_z};
                },
                true);
        } else if (alike == WARP_WITH_ENDS) {
            run_iterations(
                [&]() INLINED {
                    return finishing_ends_t{numbers.t_z,
                                            numbers.factor,
                                            sides(),
                                            *entry(sides().place_x(0)),
                                            *entry(sides().place_x(COLUMNS_3D - 1)),
                                            planes + schedule.sources[around],
                                            {}};
                },
                [&](real_t t_z) INLINED {
                    return opening_ends_t{sides().has_west(0) ? numbers.t_x : (real_t)0, numbers.t_x,
                                          numbers.t_y, t_z, sides().has_east()};
                },
                false);
        } else if (alike == WARP_WITH_ROWS) {
            run_iterations(
                [&]() INLINED {
                    return finishing_rows_t{
                        numbers.t_z, sides(), entry(0u), planes + schedule.sources[around], {}, {}};
                },
                [&](real_t t_z) INLINED {
                    return opening_rows_t{numbers.t_x, numbers.t_y, t_z, sides()};
                },
                false);
        } else {
            run_iterations(
                [&]() INLINED {
                    return finishing_at_sides(sweep, numbers, sides(),
                                              iteration - 2 * stage - 1 + chip->first_plane, entry(0u),
                                              planes + schedule.sources[around]);
                },
                [&](real_t t_z) INLINED {
                    return opening_sides_t{numbers.t_x, numbers.t_y, t_z, sides()};
                },
                sides().inner());
        }
    }
}

#endif
