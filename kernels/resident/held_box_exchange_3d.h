/* How the ghosts of a box are filled by words: each box has a place for words (sync/epoch_word.h) of all its ghosts, in the order in
 * which its items look for them, and whoever owns the cells sends them there. */
#ifndef PERDURE_KERNELS_RESIDENT_HELD_BOX_EXCHANGE_3D_H
#define PERDURE_KERNELS_RESIDENT_HELD_BOX_EXCHANGE_3D_H

#include "kernels/resident/held_2d.h"
#include "kernels/resident/held_box_3d.h"

/* of(number_t<I>()) for I = FIRST .. END - 1: I is known where it is needed. */
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

/* What an item sends and looks for, one word at a time: of each face every items-th cell, from its own number on. */
template <typename Shape>
struct box_words_t {
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

/* An item's word I. */
template <typename Shape, int I>
struct box_word_t {
    typedef box_words_t<Shape> list;
    static_assert(Shape::items % BOX_COLUMNS == 0 && Shape::items % Shape::height == 0, "whole rows");
    static constexpr int face = list::face_of(I);
    static constexpr int32 first = (I - list::before(face)) * Shape::items;
    static constexpr int32 cells = Shape::cells_of_face(face);
    static constexpr uint32 word = Shape::first_word(face) + first;
    static constexpr int32 further = Shape::in_plane(face, first) - Shape::in_plane(face, 0);
    /* This item has it. */
    FUNCTION_MEMBER static bool there() {
        return first + Shape::items <= cells || first + static_cast<int32>(item_index()) < cells;
    }
    /* Of the face's cell, were its plane the first one of the box. */
    FUNCTION_MEMBER static int32 in_plane() {
        return Shape::in_plane(face, static_cast<int32>(item_index())) + further;
    }
};

template <typename Shape>
FUNCTION void send_faces(const box_t<Shape> &box, const real_t *cells, word_t *words, uint32 epoch) {
    for_numbers<0, box_words_t<Shape>::count>([&](auto i) {
        typedef box_word_t<Shape, decltype(i)::value> word;
        const uint32 to = box.sent_to[word::face];
        if (to != NO_WORDS && word::there()) {
            send_word(words + (to + item_index()), word::first,
                      cells[word::in_plane() + box.to_sent[word::face]], epoch);
        }
    });
}

/* Before the first exchange of a launch: no word is of any step. */
template <typename Shape>
FUNCTION void clear_ghosts(word_t *words, uint32 turn) {
    for (uint32 i = item_index(); i < Shape::words; i += Shape::items) {
        send_word(words, group_index() * Shape::words + i, (real_t)0, 0u);
        send_word(words + turn, group_index() * Shape::words + i, (real_t)0, 0u);
    }
}

/* 1 to go on looking, 0 when the wait was abandoned; apart, since it is rare. */
static __device__ __noinline__ uint32 look_up_rarely(wait_t *wait, const run_t *run, uint32 epoch) {
    return look_up(wait, run->sync, 0u, epoch, run->parameters->wait_limit);
}

/* This item's words, looked for all at once: 1 when they are there, 0 when the wait was abandoned. */
template <typename Shape>
FUNCTION uint32 receive_ghosts(const box_t<Shape> &box, real_t *cells, word_t *own, uint32 epoch,
                               const run_t *run) {
    constexpr int count = box_words_t<Shape>::count;
    wait_t wait = {0, 0, 0, 0};
    uint32 missing = 0u, polls = 0u;
    for_numbers<0, count>([&](auto i) {
        typedef box_word_t<Shape, decltype(i)::value> word;
        missing |= box.sent_to[word::face] != NO_WORDS && word::there() ? 1u << i.value : 0u;
    });
    while (missing != 0u) {
        word_t seen[count];
        for_numbers<0, count>([&](auto i) {
            if ((missing >> i.value & 1u) != 0u) {
                seen[i.value] = look_at_word(own, box_word_t<Shape, decltype(i)::value>::word);
            }
        });
        for_numbers<0, count>([&](auto i) {
            typedef box_word_t<Shape, decltype(i)::value> word;
            real_t value;
            if ((missing >> i.value & 1u) != 0u && take_word(seen[i.value], &value, epoch)) {
                cells[word::in_plane() + Shape::to_ghost(word::face)] = value;
                missing &= ~(1u << i.value);
            }
        });
        if (++polls % POLLS_PER_LOOK == 0u && !look_up_rarely(&wait, run, epoch)) {
            return 0u;
        }
        wait_pause(polls);
    }
    return 1u;
}

#endif
