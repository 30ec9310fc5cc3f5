/* A relay through planes: the warps of a group in STEPS_3D runners, each of which has all of a tile and makes one step of it.
 *
 *   planes from memory -> runner 0: a step -> runner 1: a step -> ... -> planes after STEPS_3D steps
 *
 *   runner r, in tick k:  plane  = k - 2 r
 *                         u      = r == 0 ? u(plane) from memory : what runner r - 1 handed on in the tick before
 *                         u arrives above the plane that waits, which makes its step and is handed on, or goes to memory
 *                         u waits; its fluxes add up but for that from above
 *                         copy a plane two ticks ahead; wait for the copies of the next tick; meet the other runners
 *
 * A lane holds ROWS_3D rows of COLUMNS_3D columns of the plane that waits, and the sum of their fluxes; rows beside them
 * are read from what was handed on, columns beside them by shuffles. Bytes on the chip per cell and step: a value read and
 * one written, and two rows in ROWS_3D read again. Barriers of the group: one a tick. What lacks a neighbour is wrong, one cell
 * further in with every step. */
#ifndef PERDURE_KERNELS_RESIDENT_RELAY_3D_H
#define PERDURE_KERNELS_RESIDENT_RELAY_3D_H

#include "kernels/resident/relay_2d.h"
#include "kernels/resident/relay_chip_3d.h"
#include "kernels/resident/relay_sides_3d.h"

/* A row of the plane that waits makes its step as u arrives above it: its next values. Of `balance`, its fluxes but the one from
 * above, by how much u exceeds it is left. watch(r, j, u, b - A u, scale) for each cell. */
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

/* What the fluxes of a plane that waits for the one above add up to; in `balance` is by how much it exceeds the one below. south,
 * north: rows beside the lane's. */
template <typename Terms>
FUNCTION void open_plane(const Terms &terms, const part_t *u, const part_t &south, const part_t &north,
                         part_t *balance) {
    part_t from_south, west[2];
    real_t back[2];
#pragma unroll
    for (int j = 0; j < COLUMNS_3D; ++j) {
        from_south.at[j] = FACE_DIFFERENCE(u[0].at[j], south.at[j]);
    }
    /* Western fluxes of a row ahead of its sums: what comes back from the lane behind is on its way. */
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
                const real_t excess = FACE_DIFFERENCE(further.at[j], here); /* of the row north */
                real_t &sum = balance[(r + ROWS_3D) % ROWS_3D].at[j];
                sum = FLUX_BALANCE_BUT_ABOVE(of_row.at[j], east, terms.south(r), from_south.at[j],
                                             terms.south(r + 1), -excess, terms.below(), sum);
                from_south.at[j] = excess;
            }
        }
    }
}

/* The part of runner `which` in a march through the planes of chip->range; LAST: the last of those that have a step to make. Where it
 * is not the last of all it may be the one that copies, too. With one step residual, of u, may be asked for. */
template <bool LAST, bool WHOLE, bool WATCHED>
FUNCTION void run_planes(planes_chip_t *chip, int32 which, residual_t *residual) {
    constexpr bool LAST_OF_ALL = LAST && WHOLE, COPIES = !LAST_OF_ALL;
    const int32 runner = LAST_OF_ALL ? STEPS_3D - 1 : which;
    const march_t &march = chip->march;
    const leg_3d_t &leg = chip->legs[runner];
    const stand_t &stand = chip->stands[item_index() % ITEMS_OF_RUNNER];
    const int32 row = first_row_in_tile();
    real_t *const planes = &chip->u[0][row][first_column_in_tile()];
    int32 tick = 0;
    uint32 around = 0u; /* tick, modulo TICKS_AROUND */
    const real_t *taken = planes + leg.taken[0];
    real_t *given = planes + leg.given[0];
    const uint32 copied = COPIES ? same_in_warp(leg.copies) : 0u;

    /* In each tick sources of the plane that comes in, and the plane that does so two ticks later. */
    const auto copy_ahead = [&](bool inner) INLINED {
        const int32 z = tick + chip->first_plane;
        if ((copied & COPIES_SOURCES) != 0u) {
            if (!inner || is_at_side_z(march, z)) {
                const uint32 rows = inner ? EVERY_ROW : rows_with_sources(march, {stand.sides}, z);
                copy_plane<WHOLE>(march, stand, rows, march.b, z, planes + chip->legs[1].copied[around]);
                if (!inner) {
                    prefetch_plane(march, stand, rows, march.b, z + 2);
                }
            }
            commit_copies();
        }
        if ((copied & COPIES_U) != 0u) {
            if (z + 2 < chip->range.end + static_cast<int32>(march.active)) {
                copy_plane<WHOLE>(march, stand, EVERY_ROW, march.from, z + 2, planes + leg.copied[around]);
            }
            commit_copies();
        }
    };
    if (COPIES && runner == 0) {
        copy_plane<WHOLE>(march, stand, EVERY_ROW, march.from, chip->first_plane, planes);
        copy_plane<WHOLE>(march, stand, EVERY_ROW, march.from, chip->first_plane + 1, planes + PLANE_SIZE);
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
    const auto next_tick = [&](bool inner) INLINED {
        const uint32 parity = around & 1u;
        around = around + 1u == TICKS_AROUND ? 0u : around + 1u;
        taken = planes + leg.taken[around];
        given = planes + leg.given[around];
        ++tick;
        wait_at(&chip->barrier, parity);
        if constexpr (COPIES) {
            copy_ahead(inner);
        }
    };
    const auto make_tick = [&](const auto &finishing, const auto &opening, bool inner) INLINED {
        [[maybe_unused]] real_t *plane = nullptr;
        [[maybe_unused]] uint32 own = 0u;
        [[maybe_unused]] int32 made = 0; /* the plane that makes its step */
        if constexpr (LAST) {
            made = tick + chip->first_plane - 2 * runner - 1;
            const bool stores = made >= chip->range.first;
            own = stores ? static_cast<uint32>(stand.own) : 0u;
            plane = in_memory(march.to +
                              static_cast<uint32>(stores ? made : 0) * static_cast<uint32>(march.layer));
        }
        const auto watch = [&](int r, int j, real_t u, real_t found, real_t scale) INLINED {
            if constexpr (WATCHED) {
                if ((own & stand_t::bit(r, j)) != 0u) {
                    residual->add(
                        static_cast<uint32>(made) * static_cast<uint32>(march.layer) + stand.cell(r, j), u,
                        found, scale);
                }
            }
        };
        auto terms = finishing();
        part_t u[ROWS_3D], south, north;
        u[0] = load_part(taken);
#pragma unroll
        for (int r = 0; r < ROWS_3D; ++r) {
            if (r + 1 < ROWS_3D) { /* before the store, which a load does not pass */
                u[(r + 1) % ROWS_3D] = load_part(taken + (r + 1) * TILE_COLUMNS);
            } else {
                south = load_part(row == 0 ? taken : taken - TILE_COLUMNS);
                north = load_part(row + ROWS_3D == TILE_ROWS ? taken : taken + ROWS_3D * TILE_COLUMNS);
            }
            const part_t next = finish_row(terms, watch, r, u[r], waiting[r], &balance[r]);
            if constexpr (LAST) {
                store_own<WHOLE>(plane, stand, own, r, next);
            } else {
                store_part(given + r * TILE_COLUMNS, next);
            }
            waiting[r] = u[r];
        }
        arrive();
        open_plane(opening(terms.above()), waiting, south, north, balance);
        next_tick(inner);
    };
    const numbers_3d_t &numbers = march.numbers[LAST ? 1 : 0];
    const auto entry = [&](uint32 side_x) {
        return (LAST ? chip->entries.last : chip->entries.usual) + table_place(side_x, 0u, 0u);
    };
    const auto sides = [&] { return sides_of_lane_t{stand.sides}; };
    /* Before the loop: ptxas of CUDA 13.0 makes a reduction that hangs on a condition hang on another one. */
    const uint32 of_warp = same_in_warp(sides().alike());
#pragma unroll 1
    for (int part = 0; part < PARTS_OF_TICKS; ++part) {
        const int32 until = same_in_warp(leg.until[part]);
        const auto march_on = [&](const auto &finishing, const auto &opening, bool inner) INLINED {
#pragma unroll 1
            while (tick < until) {
                make_tick(finishing, opening, inner);
            }
        };
        if (part == TICKS_WITHOUT_U || part == ALL_TICKS) {
#pragma unroll 1
            while (tick < until) {
                arrive();
                next_tick(false);
            }
            continue;
        }
        const uint32 alike = part == TICKS_BETWEEN ? of_warp : static_cast<uint32>(WARP_ANY);
        if (alike == WARP_INNER) {
            march_on(
                [&]() INLINED {
                    return finishing_numbers_t{numbers.t_z, numbers.factor};
                },
                [&](real_t t_z) INLINED {
                    return opening_numbers_t{numbers.t_x, numbers.t_y, t_z};
                },
                true);
        } else if (alike == WARP_WITH_ENDS) {
            march_on(
                [&]() INLINED {
                    return finishing_ends_t{numbers.t_z,
                                            numbers.factor,
                                            sides(),
                                            *entry(sides().place_x(0)),
                                            *entry(sides().place_x(COLUMNS_3D - 1)),
                                            planes + leg.sources[around],
                                            {}};
                },
                [&](real_t t_z) INLINED {
                    return opening_ends_t{sides().has_west(0) ? numbers.t_x : (real_t)0, numbers.t_x,
                                          numbers.t_y, t_z, sides().has_east()};
                },
                false);
        } else if (alike == WARP_WITH_ROWS) {
            march_on(
                [&]() INLINED {
                    return finishing_rows_t{numbers.t_z, sides(), entry(0u), planes + leg.sources[around],
                                            {},          {}};
                },
                [&](real_t t_z) INLINED {
                    return opening_rows_t{numbers.t_x, numbers.t_y, t_z, sides()};
                },
                false);
        } else {
            march_on(
                [&]() INLINED {
                    return finishing_at_sides(march, numbers, sides(),
                                              tick - 2 * runner - 1 + chip->first_plane, entry(0u),
                                              planes + leg.sources[around]);
                },
                [&](real_t t_z) INLINED {
                    return opening_sides_t{numbers.t_x, numbers.t_y, t_z, sides()};
                },
                sides().inner());
        }
    }
}

#endif
