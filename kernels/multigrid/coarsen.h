/* The next level's coefficients and the interpolation from it: resistances in series (Alcouffe, Brandt, Dendy and Painter,
 * SIAM J. Sci. Stat. Comput. 2, 1981, 430-454, for cell centres), and what is left of P^T A P when its entries between
 * cells that are not neighbours are put to those that are.
 *
 * Cells are halved along z, then y, then x; each time two cells c and d become one along the axis, I:
 *
 *   strength of c                s_c      sum of its conductances across the axis
 *   value of I lies              between c and d, R_c = R_cd q_d / (q_c + q_d) from c, q = s^(1/4): nearer to the stronger
 *                                one. R_cd is their resistance; a cell that stays alone has R_c = 0
 *   value in d of I next to e of J    (1 - w) u_I + w u_J,  w_d = R_d / (R_d + R_de + R_e)
 *   next to a side                    the same with the side's resistance alone and 0 beyond it; a closed face has w = 0
 *
 *   conductance between I and J, or I and a side   1 / (R_d + R_de + R_e), and with each conductance t across the axis
 *                                                  between d, or e, and a neighbour of another weight:  t (w - w')^2 / 4
 *                across the axis                   sum over the pair; of t between c and c' with weights w and w' the part
 *                                                  (w + w') / 2 goes over to J, where there is one: that of their values
 *   sigma, and conductances to sides across the axis   likewise
 *
 * Where coefficients are the same everywhere the two that w enters change nothing. Without them a strong connection that
 * interpolation stretches costs nothing on the next level: README.md has the iterations.
 *
 * Networks, seen along the axis: kernels/multigrid/network.h. Setup takes two barriers for each axis of a level and one for
 * its diagonal, and as much time as two iterations.
 *
 * Shapes: weight_z [cells], weight_y and weight_x the same with the axes behind it halved; in a uniform problem
 * one entry for each place. */
#ifndef PERDURE_KERNELS_MULTIGRID_COARSEN_H
#define PERDURE_KERNELS_MULTIGRID_COARSEN_H

#include "kernels/multigrid/network.h"

/* A network, and what it is with one axis more halved. */
typedef struct {
    network_t fine, coarse;
    GLOBAL cycle_t *weight;
    uint32 weights_alike; /* 1: across the axis */
} halving_t;

FUNCTION halving_t halving_along(const multigrid_t *self, uint32 number, uint32 axis) {
    const level_t level = level_at(self, number);
    halving_t h;
    h.fine = network_at(self, number, axis + 1u, axis);
    h.coarse = network_at(self, number, axis, axis);
    h.weight = axis == 0u ? level.weight_x : axis == 1u ? level.weight_y : level.weight_z;
    h.weights_alike = UNIFORM(&level.grid);
    return h;
}

FUNCTION uint32 has_partner(const network_t *net, place_t p) {
    return (p.at[0] ^ 1u) < net->n[0] ? 1u : 0u;
}

FUNCTION sum_t nearness(const network_t *net, place_t p) {
    const cycle_t strength = (face_of(net, p, 1u, 0u) + face_of(net, p, 1u, 1u)) +
                             (face_of(net, p, 2u, 0u) + face_of(net, p, 2u, 1u));
    return (sum_t)sqrt(sqrt((double)strength));
}

/* From a cell to the place of its pair's value. */
FUNCTION cycle_t resistance_in_pair(const network_t *net, place_t p) {
    place_t partner = p;
    partner.at[0] = p.at[0] ^ 1u;
    if (!has_partner(net, p)) {
        return (cycle_t)0;
    }
    const cycle_t t = face_of(net, p, 0u, 1u - (p.at[0] & 1u));
    const sum_t here = nearness(net, p), there = nearness(net, partner);
    const sum_t share = here + there > (sum_t)0 ? there / (here + there) : (sum_t)0.5;
    return t > (cycle_t)0 ? (cycle_t)share / t : (cycle_t)0;
}

/* From the value of a cell's pair through the cell and its face beyond to the next value, or to a side. */
typedef struct {
    cycle_t here, whole; /* resistances */
    uint32 open;
} way_t;

FUNCTION way_t way_from(const network_t *net, place_t p, uint32 upwards) {
    const uint32 beyond = has_beyond(net, p, 0u, upwards);
    const cycle_t t = beyond ? face_of(net, p, 0u, upwards) : side_of(net, p, 0u, upwards);
    way_t way = {(cycle_t)0, (cycle_t)0, t > (cycle_t)0 ? 1u : 0u};
    if (way.open) {
        way.here = resistance_in_pair(net, p);
        way.whole = way.here + (cycle_t)1 / t +
                    (beyond ? resistance_in_pair(net, moved(net, p, 0u, upwards)) : (cycle_t)0);
    }
    return way;
}

FUNCTION cycle_t conductance_of(const way_t *way) {
    return way->open ? (cycle_t)1 / way->whole : (cycle_t)0;
}

/* Of what lies beyond the nearer end of its pair, for the value of a cell. */
FUNCTION cycle_t interpolation_weight(const way_t *way) {
    return way->open ? way->here / way->whole : (cycle_t)0;
}

FUNCTION cycle_t weight_at(const halving_t *h, place_t p) {
    return h->weight[h->weights_alike ? p.at[0] : entry_of(&h->fine, p)];
}

/* What stretching a conductance across the axis adds to that beyond a cell of weight w; and all of them. */
FUNCTION cycle_t stretched_along(const halving_t *h, place_t p, cycle_t w, uint32 k, uint32 upwards) {
    const cycle_t d = w - weight_at(h, moved(&h->fine, p, k, upwards));
    return (cycle_t)0.25 * face_of(&h->fine, p, k, upwards) * (d * d);
}
FUNCTION cycle_t stretched(const halving_t *h, place_t p) {
    const cycle_t w = weight_at(h, p);
    return (stretched_along(h, p, w, 1u, 0u) + stretched_along(h, p, w, 1u, 1u)) +
           (stretched_along(h, p, w, 2u, 0u) + stretched_along(h, p, w, 2u, 1u));
}

/* Whether the weights' step leaves conductances of ways where those along the axis will be, for the step behind it. Ranks cut cells and pairs
 * at planes of their own. */
FUNCTION uint32 keeps_ways(const halving_t *h) {
    return h->weights_alike || is_one_of_ranks() ? 0u : 1u;
}

/* Where that of a cell stands: its pair's lower face, or a side. */
FUNCTION GLOBAL cycle_t *place_of_way(const halving_t *h, place_t p) {
    const network_t *net = &h->coarse;
    const uint32 upwards = p.at[0] & 1u;
    p.at[0] /= 2u;
    return is_beside(net, p, 0u, upwards) ? (upwards ? net->side[1] : net->side[0]) + side_entry(net, p, 0u)
                                          : net->face[0] + entry_of(net, p);
}

/* The conductance of a cell's way, which the upper cell of a pair has at a side alone. */
FUNCTION void keep_way(const halving_t *h, place_t p, const way_t *way) {
    if (keeps_ways(h) && ((p.at[0] & 1u) == 0u || is_beside(&h->fine, p, 0u, 1u))) {
        *place_of_way(h, p) = conductance_of(way);
    }
}

/* From the pair of the cell p at that end of it. */
FUNCTION cycle_t conductance_along(const halving_t *h, place_t p, uint32 upwards) {
    const network_t *net = &h->fine;
    const uint32 own_neighbour = h->coarse.n[0] == 1u ? net->periodic[0] : 0u;
    cycle_t along;
    if (keeps_ways(h) && upwards == (p.at[0] & 1u)) {
        along = *place_of_way(h, p);
    } else {
        const way_t way = way_from(net, p, upwards);
        along = conductance_of(&way);
    }
    if (along == (cycle_t)0 || own_neighbour) {
        return (cycle_t)0;
    }
    const cycle_t beyond =
        has_beyond(net, p, 0u, upwards) ? stretched(h, moved(net, p, 0u, upwards)) : (cycle_t)0;
    return along + (stretched(h, p) + beyond);
}

enum { LOWER_SIDE = 0, UPPER_SIDE, LOWER_FACE, SIGMA };

/* Of a cell: a conductance across the axis, along axis k, or sigma. */
FUNCTION cycle_t across_at(const network_t *net, place_t p, uint32 what, uint32 k) {
    return what == SIGMA        ? sigma_of(net, p)
           : what == LOWER_FACE ? face_of(net, p, k, 0u)
                                : side_of(net, p, k, what);
}

/* What of it goes over to the next pair. */
FUNCTION cycle_t share_beyond(const halving_t *h, place_t p, uint32 what, uint32 k) {
    const cycle_t weight = weight_at(h, p);
    const cycle_t beside = what == LOWER_FACE ? weight_at(h, moved(&h->fine, p, k, 0u)) : weight;
    return (cycle_t)0.5 * (weight + beside) * across_at(&h->fine, p, what, k);
}

/* The same of a coarse cell that begins with cell p. */
FUNCTION cycle_t coarse_across(const halving_t *h, place_t p, uint32 what, uint32 k) {
    const network_t *net = &h->fine;
    place_t last = p;
    last.at[0] += has_partner(net, p);
    cycle_t sum =
        across_at(net, p, what, k) + (has_partner(net, p) ? across_at(net, last, what, k) : (cycle_t)0);
    if (has_beyond(net, p, 0u, 0u)) {
        sum += share_beyond(h, moved(net, p, 0u, 0u), what, k) - share_beyond(h, p, what, k);
    }
    if (has_beyond(net, last, 0u, 1u)) {
        sum += share_beyond(h, moved(net, last, 0u, 1u), what, k) - share_beyond(h, last, what, k);
    }
    return sum > (cycle_t)0 ? sum : (cycle_t)0;
}

#endif
