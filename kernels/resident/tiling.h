/* How many tiles an axis takes, for kernels and for the planner of solver/resident, in whole numbers of any size. */
#ifndef PERDURE_KERNELS_RESIDENT_TILING_H
#define PERDURE_KERNELS_RESIDENT_TILING_H

#include "kernels/parameters.h"

/* Cells of the ring of a wide tile (held_wide_tile_2d.h); warps of a held tile in 2D; steps of a pass in 2D (relay_2d.h). */
#define WIDE_RING 4
#define HELD_WARPS 8
#define RELAY_STEPS 8

/* The type of a call's first number is that of all. */
template <typename Number>
struct as_first_t {
    typedef Number type;
};

/* The least whole number of parts of `b` that hold `a`. */
template <typename Number>
HOST_FUNCTION constexpr Number divided_up(Number a, typename as_first_t<Number>::type b) {
    return (a + b - 1) / b;
}

/* How many tiles share `cells` of an axis, `own` each; `beyond`: that those at sides own at each end besides. */
template <typename Number>
HOST_FUNCTION constexpr Number tiles_along(Number cells, typename as_first_t<Number>::type own,
                                           typename as_first_t<Number>::type beyond) {
    const Number between = cells - 2 * beyond;
    return between > own ? divided_up(between, own) : 1;
}

/* How many windows of `length` cells with a ring of WIDE_RING do; at sides that are not periodic there is no ring. */
template <typename Number>
HOST_FUNCTION constexpr Number wide_tiles_along(Number cells, bool periodic,
                                                typename as_first_t<Number>::type length) {
    return divided_up(cells - (periodic ? 0 : 2 * WIDE_RING), length - 2 * WIDE_RING);
}

/* `tiles`, each of so many lines, in so many stretches in all (deal.h): else all steps go by phases. What there is is dealt out
 * within milliseconds, and the cost of all, a line's at most 63, stays within 32 bits. */
template <typename Lines, typename Tiles>
HOST_FUNCTION constexpr bool can_be_dealt_out(Lines lines, Tiles tiles, Tiles stretches) {
    return lines <= Lines{1} << 24 && stretches <= 1 << 16 &&
           static_cast<uint64>(lines) * static_cast<uint64>(tiles) <= 1u << 25;
}

#endif
