/* The cells of an on-chip box in 3D: its layout in shared memory, and the transfers to and from memory. */
#ifndef PERDURE_KERNELS_RESIDENT_BOX_CELLS_3D_H
#define PERDURE_KERNELS_RESIDENT_BOX_CELLS_3D_H

#include "kernels/resident/box_faces_3d.h"
#include "kernels/resident/box_terms_3d.h"
#include "sync/step_flags.h"

template <typename Physics>
struct box_constants_t {
    Physics physics;
    operator_t A;
    real_t t_x, t_y, t_z, scale; /* away from sides */
};

template <typename Physics, typename Shape>
struct box_chip_t : box_arrays_t<real_t, Shape::cells> {
    /* In shared memory, because they and values derived from them would fill registers from step to step. */
    box_t<Shape> box;
    box_constants_t<Physics> constants;
    FUNCTION_MEMBER sum_t *lanes_of_checks() { return this->lanes; }
};

template <typename Physics, int WARPS, int BY, int BZ, box_kind_t KIND>
struct box_cells_t {
    /* Whether only one group fits a multiprocessor: terms of single cells take many registers. */
    static constexpr bool one_group_only = WARPS > 8 || (KIND == VARIED && sizeof(real_t) == 8);
    enum {
        ring = 1,
        items = 32 * WARPS,
        groups_of_unit = one_group_only ? 1 : 2,
        always_fits = KIND != PLAIN
    };
    typedef Physics physics_t;
    typedef box_shape<WARPS, BY, BZ> shape;
    /* Whether ghosts pass as plain values with a flag; otherwise they pass as messages. */
    static constexpr bool by_flags = sizeof(real_t) == 8 && shape::messages > 2048u;
    typedef box_chip_t<Physics, shape> chip_t;

    chip_t *chip;
    uint32 fits; /* 1: terms only at sides */

    FUNCTION_MEMBER static int32 lane_of_row() { return lane_of_warp() % LANES_OF_ROW; }
    FUNCTION_MEMBER static int32 first_y() { return lane_of_warp() / LANES_OF_ROW * BY; }
    FUNCTION_MEMBER static int32 first_z() { return static_cast<int32>(item_index() / 32u) * BZ; }
    FUNCTION_MEMBER real_t *row(int c, int b) const {
        return chip->cells + shape::place(first_z(), first_y(), 0) + shape::place(c - 1, b - 1, 0);
    }
    FUNCTION_MEMBER static row_t row_on_chip(const real_t *row) {
        return load_row(row + lane_of_row() * part_of<real_t>::columns, LANES_OF_ROW);
    }
    FUNCTION_MEMBER static uint32 messages_of_exchange(const run_parameters_t *) {
        return group_count() * shape::messages;
    }

    FUNCTION_MEMBER void begin(const run_t *run, const operator_t &A, const Physics &what, uint32,
                               message_t *, chip_t *on_chip) {
        static_assert(sizeof(chip_t) <= sizeof(box_arrays_t<real_t, shape::cells>) + BOX_CONSTANT_BYTES);
        chip = on_chip;
        const real_t factor = what.factor(0u);
        for (uint32 place = item_index(); KIND != VARIED && place < 64u; place += group_size()) {
            chip->entries[place] = {A.diagonal[place], what.scale(factor, place)};
        }
        if (item_index() == 0u) {
            chip->box.begin(run->parameters);
            const bool varied = KIND == VARIED; /* no value is the usual one then */
            chip->constants = {what,        A,
                               A.face_x[0], A.face_y[0],
                               A.face_z[0], varied ? (real_t)0 : what.scale(factor, table_place(0u, 0u, 0u))};
        }
        group_barrier();
        if (KIND == PLAIN) {
            const bool nothing = find_terms(what) && A.diagonal[table_place(0u, 0u, 0u)] == (real_t)0;
            fits = group_all(run->verdict, nothing ? 1u : 0u);
        }
    }
    /* Stores the sources of cells at sides in shared memory. Returns true if there are none elsewhere. */
    FUNCTION_MEMBER bool find_terms(const Physics &what) {
        constexpr int32 cells = BOX_COLUMNS * shape::height * shape::depth;
        const box_t<shape> &box = chip->box;
        bool nothing = true;
        for (int32 i = static_cast<int32>(item_index()); i < cells; i += shape::items) {
            const int32 x = i % BOX_COLUMNS, y = i / BOX_COLUMNS % shape::height;
            const int32 z = i / BOX_COLUMNS / shape::height;
            const bool at[FACES] = {x == 0 && box.x.at_lower, x + 1 == BOX_COLUMNS && box.x.at_upper,
                                    y == 0 && box.y.at_lower, y + 1 == shape::height && box.y.at_upper,
                                    z == 0 && box.z.at_lower, z + 1 == shape::depth && box.z.at_upper};
            const real_t b = what.source(0u, box.cell(z, y, x));
            bool side = false;
#pragma unroll
            for (int face = 0; face < FACES; ++face) {
                if (at[face]) {
                    const int32 first = face < 2   ? shape::place(z, y, 0)
                                        : face < 4 ? shape::place(z, 0, shape::in_row(x))
                                                   : shape::place(0, y, shape::in_row(x));
                    chip->cells[first + shape::to_ghost(face)] = b;
                }
                side = side || at[face];
            }
            nothing = nothing & (side | (b == (real_t)0));
        }
        return nothing;
    }

    FUNCTION_MEMBER void load(const real_t *from) {
        const box_t<shape> &box = chip->box;
        for_each_cell([&](uint32 cell, real_t &value) {
            value = from[cell] + (real_t)0; /* turns -0 into 0 */
        });
        for (int face = 0; face < FACES; ++face) {
            if (box.sent_to[face] != NO_MESSAGES) {
                for (int32 m = static_cast<int32>(item_index()); m < shape::cells_of_face(face);
                     m += shape::items) {
                    chip->cells[shape::in_plane(face, m) + shape::to_ghost(face)] =
                        from[box.ghost(face, m)] + (real_t)0;
                }
            }
        }
        group_barrier();
    }
    /* Calls of(cell, value) for the cells of the box; overlapping boxes share some of them. */
    template <typename Of>
    FUNCTION_MEMBER void for_each_cell(Of of) const {
        constexpr int32 cells = BOX_COLUMNS * shape::height * shape::depth;
#pragma unroll 4
        for (int32 i = static_cast<int32>(item_index()); i < cells; i += shape::items) {
            const int32 x = i % BOX_COLUMNS, y = i / BOX_COLUMNS % shape::height;
            const int32 z = i / BOX_COLUMNS / shape::height;
            of(chip->box.cell(z, y, x), chip->cells[shape::place(z, y, shape::in_row(x))]);
        }
    }
    template <typename Of>
    FUNCTION_MEMBER void for_each_own(Of of) const {
        for_each_cell([&](uint32 cell, real_t value) { of(cell, value); });
    }
    FUNCTION_MEMBER void renew_sources(const operator_t &, const run_parameters_t *, uint32) {}
    FUNCTION_MEMBER static uint32 *flags(message_t *messages) {
        return reinterpret_cast<uint32 *>(messages + group_count() * shape::messages);
    }
    FUNCTION_MEMBER void clear_messages(message_t *messages, uint32 buffer_size, uint32 n) const {
        if constexpr (!by_flags) {
            clear_ghosts<shape>(messages, buffer_size);
        } else if (item_index() == 0u) {
            flags(messages)[group_index() * STEP_FLAG_WORDS] = n;
        }
    }
    static FUNCTION_MEMBER real_t *ghosts_of_exchange(message_t *messages, uint32 odd) {
        return reinterpret_cast<real_t *>(messages) + odd * (group_count() * shape::messages);
    }
    /* Exchanges the ghosts. Returns 1 to all items when they have arrived, 0 if the wait was abandoned. */
    FUNCTION_MEMBER uint32 exchange(message_t *messages, uint32 odd, uint32 epoch, const run_t *run) {
        const uint32 place = group_index() * shape::messages;
        if constexpr (by_flags) {
            const uint32 item = item_index();
            uint32 passed = 1u;
            DELAY_HERE();
            if (item < FACES && chip->box.beyond[item] >= 0) {
                passed = await_step_flag(flags(messages), chip->box.beyond[item], epoch, run->sync,
                                         run->parameters->wait_limit);
            }
            passed = group_all(run->verdict, passed);
            DELAY_HERE();
            load_ghosts(chip->box, chip->cells, ghosts_of_exchange(messages, odd) + place);
            group_barrier();
            return passed;
        }
        message_t *buffer = messages + odd * messages_of_exchange(run->parameters);
        message_t *own = buffer + (place + item_index());
        send_faces(chip->box, chip->cells, buffer, epoch);
        return group_all(run->verdict, receive_ghosts(chip->box, chip->cells, own, epoch, run));
    }
};

#endif
