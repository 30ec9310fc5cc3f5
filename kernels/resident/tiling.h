/* Numbers of tiles along an axis, for kernels and for the planner of solver/resident; templates over the integer type. */
#ifndef PERDURE_KERNELS_RESIDENT_TILING_H
#define PERDURE_KERNELS_RESIDENT_TILING_H

#include "kernels/parameters.h"

/* Neighbouring columns that a lane has of a row, and a warp. */
#define COLUMNS 4
#define STRIP_COLUMNS (32 * COLUMNS)

/* Diagonal and scale of a cell of a uniform problem, by table_place. */
template <typename Real>
struct alignas(2 * sizeof(Real)) entry_of {
    Real diagonal, scale;
};

/* Cells in the ring of a wide tile (wide_tile_2d.h); warps and items of an on-chip tile in 2D; steps of a pass in 2D
 * (pipeline_2d.h). */
#define WIDE_RING 4
#define ON_CHIP_WARPS 8
#define ON_CHIP_ITEMS (32 * ON_CHIP_WARPS)
#define PIPELINE_STEPS 8

/* Makes the first argument of a call determine the type of all. */
template <typename Number>
struct as_first_t {
    typedef Number type;
};

/* Returns a / b, rounded up. */
template <typename Number>
HOST_FUNCTION constexpr Number divided_up(Number a, typename as_first_t<Number>::type b) {
    return (a + b - 1) / b;
}

/* Returns the number of tiles that cover `cells` of an axis. Each owns `own` cells; those at sides own `beyond` more at their
 * end. */
template <typename Number>
HOST_FUNCTION constexpr Number tiles_along(Number cells, typename as_first_t<Number>::type own,
                                           typename as_first_t<Number>::type beyond) {
    const Number between = cells - 2 * beyond;
    return between > own ? divided_up(between, own) : 1;
}

/* Returns the number of windows of `length` cells with a ring of WIDE_RING that cover an axis. At sides that are not periodic
 * there is no ring. */
template <typename Number>
HOST_FUNCTION constexpr Number wide_tiles_along(Number cells, bool periodic,
                                                typename as_first_t<Number>::type length) {
    return divided_up(cells - (periodic ? 0 : 2 * WIDE_RING), length - 2 * WIDE_RING);
}

/* Whether load_balance.h can assign `tiles` tiles of so many lines in so many segments; if not, all steps are advanced by phases.
 * Within these limits assigning takes milliseconds, and the cost of all lines, at most 63 each, stays within 32 bits. */
template <typename Lines, typename Tiles>
HOST_FUNCTION constexpr bool can_be_assigned(Lines lines, Tiles tiles, Tiles segments) {
    return lines <= Lines{1} << 24 && segments <= 1 << 16 &&
           static_cast<uint64>(lines) * static_cast<uint64>(tiles) <= 1u << 25;
}

#endif
