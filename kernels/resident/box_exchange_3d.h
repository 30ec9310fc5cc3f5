/* Fills the ghosts of a box by epoch-tagged messages (sync/epoch_word.h). Each box has a buffer for messages of all its ghosts,
 * in the order in which its items poll them; the owners of the cells store there. */
#ifndef PERDURE_KERNELS_RESIDENT_BOX_EXCHANGE_3D_H
#define PERDURE_KERNELS_RESIDENT_BOX_EXCHANGE_3D_H

#include "kernels/resident/box_3d.h"
#include "kernels/resident/on_chip_2d.h"

/* Calls of(number_t<I>()) for I = FIRST .. END - 1, so that I is a compile-time constant. */
template <int I>
struct number_t {
    static constexpr int value = I;
};
template <int FIRST, int END, typename Of>
FUNCTION void for_numbers(Of of) {
    if constexpr (FIRST < END) {
        of(number_t<FIRST>());
        for_numbers<FIRST + 1, END>(of);
    }
}

/* The messages that an item sends and receives: of each face every items-th cell, beginning with its own index. */
template <typename Shape>
struct box_messages_t {
    FUNCTION_MEMBER static constexpr int of_face(int face) {
        return (Shape::cells_of_face(face) + Shape::items - 1) / Shape::items;
    }
    FUNCTION_MEMBER static constexpr int before(int face) {
        int count = 0;
        for (int i = 0; i < face; ++i) {
            count += of_face(i);
        }
        return count;
    }
    FUNCTION_MEMBER static constexpr int face_of(int i) {
        int face = 0;
        while (i >= before(face + 1)) {
            ++face;
        }
        return face;
    }
    static constexpr int count = 2 * (of_face(0) + of_face(2) + of_face(4));
};

/* Message I of an item. */
template <typename Shape, int I>
struct box_message_t {
    typedef box_messages_t<Shape> all;
    static_assert(Shape::items % BOX_COLUMNS == 0 && Shape::items % Shape::height == 0, "whole rows");
    static constexpr int face = all::face_of(I);
    static constexpr int32 first = (I - all::before(face)) * Shape::items;
    static constexpr int32 cells = Shape::cells_of_face(face);
    static constexpr uint32 message = Shape::first_message(face) + first;
    static constexpr int32 further = Shape::in_plane(face, first) - Shape::in_plane(face, 0);
    /* Whether this item has the message. */
    FUNCTION_MEMBER static bool there() {
        return first + Shape::items <= cells || first + static_cast<int32>(item_index()) < cells;
    }
    /* Offset of the face's cell if its plane were the first one of the box. */
    FUNCTION_MEMBER static int32 in_plane() {
        return Shape::in_plane(face, static_cast<int32>(item_index())) + further;
    }
};

template <typename Shape>
FUNCTION void send_faces(const box_t<Shape> &box, const real_t *cells, message_t *messages, uint32 epoch) {
    for_numbers<0, box_messages_t<Shape>::count>([&](auto i) {
        typedef box_message_t<Shape, decltype(i)::value> message;
        const uint32 to = box.sent_to[message::face];
        if (to != NO_MESSAGES && message::there()) {
            send_message(messages + (to + item_index()), message::first,
                         cells[message::in_plane() + box.to_sent[message::face]], epoch);
        }
    });
}

/* Clears the messages: none carries the number of any step. Call it before the first exchange of a launch. */
template <typename Shape>
FUNCTION void clear_ghosts(message_t *messages, uint32 buffer_size) {
    for (uint32 i = item_index(); i < Shape::messages; i += Shape::items) {
        send_message(messages, group_index() * Shape::messages + i, (real_t)0, 0u);
        send_message(messages + buffer_size, group_index() * Shape::messages + i, (real_t)0, 0u);
    }
}

/* Returns 1 to keep waiting, 0 if the wait was abandoned. A separate function, since it is rarely called. */
static __device__ __noinline__ uint32 keep_waiting_rarely(wait_t *wait, const run_t *run, uint32 epoch) {
    return look_up(wait, run->sync, 0u, epoch, run->parameters->wait_limit);
}

/* Receives this item's messages, polling all of them at once. Returns 1 when they have arrived, 0 if the wait was abandoned. */
template <typename Shape>
FUNCTION uint32 receive_ghosts(const box_t<Shape> &box, real_t *cells, message_t *own, uint32 epoch,
                               const run_t *run) {
    constexpr int count = box_messages_t<Shape>::count;
    wait_t wait = {0, 0, 0, 0};
    uint32 missing = 0u, polls = 0u;
    for_numbers<0, count>([&](auto i) {
        typedef box_message_t<Shape, decltype(i)::value> message;
        missing |= box.sent_to[message::face] != NO_MESSAGES && message::there() ? 1u << i.value : 0u;
    });
    while (missing != 0u) {
        message_t seen[count];
        for_numbers<0, count>([&](auto i) {
            if ((missing >> i.value & 1u) != 0u) {
                seen[i.value] = load_message(own, box_message_t<Shape, decltype(i)::value>::message);
            }
        });
        for_numbers<0, count>([&](auto i) {
            typedef box_message_t<Shape, decltype(i)::value> message;
            real_t value;
            if ((missing >> i.value & 1u) != 0u && receive_message(seen[i.value], &value, epoch)) {
                cells[message::in_plane() + Shape::to_ghost(message::face)] = value;
                missing &= ~(1u << i.value);
            }
        });
        if (++polls % POLLS_PER_LOOK == 0u && !keep_waiting_rarely(&wait, run, epoch)) {
            return 0u;
        }
        wait_pause(polls);
    }
    return 1u;
}

#endif
