// conserve(): finite volumes. A flux through a face follows from what is on both sides of it, so that what leaves a cell enters its
// neighbour. LeVeque, Finite Volume Methods for Hyperbolic Problems, Cambridge 2002: chapter 6 (limited slopes), section 12.5.
#include <cstdlib>

#include "solver/formulas/functions.hpp"
#include "solver/formulas/names.hpp"
#include "solver/formulas/walk.hpp"
#include "solver/systems/lowering.hpp"

namespace perdure::systems {

Lowered Lowering::lower_conserve(const Node &node, const Shift &shift) {
    Conservation law;
    if (!read_conserve(node, law)) {
        return {};
    }
    int sum = -1;
    for (int axis = 0; axis < dimensions_; ++axis) {
        const int below = through_upper_face(law, moved(shift, axis, -1), axis);
        const int above = below < 0 ? -1 : through_upper_face(law, shift, axis);
        if (above < 0) {
            return {};
        }
        const SpacingFactor factor =
            law.slowest == nullptr ? SpacingFactor::inverse_of_two : SpacingFactor::inverse;
        const int term = builder_.multiply(builder_.subtract(below, above), spacing(axis, factor));
        sum = sum < 0 ? term : builder_.add(sum, term);
    }
    add_wave(shift, speeds_in_cell(law, shift));
    return {1, {sum, -1, -1}};
}

/// Along each axis the fastest wave in the cell itself.
std::array<int, 3> Lowering::speeds_in_cell(const Conservation &law, const Shift &shift) {
    const Lowered fastest = lower(*law.fastest, shift);
    const Lowered slowest = law.slowest == nullptr ? fastest : lower(*law.slowest, shift);
    std::array<int, 3> speeds{-1, -1, -1};
    for (int axis = 0; axis < dimensions_; ++axis) {
        const int up = fastest.terms[fastest.components > 1 ? axis : 0];
        const int down = slowest.terms[slowest.components > 1 ? axis : 0];
        speeds[axis] = up == down
                           ? up
                           : builder_.apply(Operation::MAXIMUM, builder_.apply(Operation::ABSOLUTE, up),
                                            builder_.apply(Operation::ABSOLUTE, down));
    }
    return speeds;
}

bool Lowering::read_conserve(const Node &node, Conservation &law) {
    if (field_ < 0) {
        fail(node, "conserve() may appear only in the equation of the field that it conserves");
        return false;
    }
    const int fluxes = formulas::arguments_before_semicolon(node);
    if (fluxes != dimensions_) {
        fail(node, dimensions_ == 1 ? "the grid has 1 dimension: write conserve(flux_x; speed)"
                   : dimensions_ == 2
                       ? "the grid has 2 dimensions: write conserve(flux_x, flux_y; speed)"
                       : "the grid has 3 dimensions: write conserve(flux_x, flux_y, flux_z; speed)");
        return false;
    }
    const bool two_speeds = formulas::arguments_behind_semicolon(node) == 2;
    law.call = &node;
    law.limited = formulas::option_of(node) != nullptr;
    law.slowest = two_speeds ? &node.children[fluxes] : nullptr;
    law.fastest = &node.children[fluxes + (two_speeds ? 1 : 0)];
    bool usable = true;
    for (const Node &child : node.children) {
        if (law.limited && differentiates(child)) {
            fail(child,
                 "minmod needs values on both sides of a face, which a derivative does not have; move the "
                 "derivative out of conserve(), as in conserve(..) + div(a*grad(u))");
            usable = false;
        }
    }
    return usable;
}

/// Rusanov, twice the flux: f- + f+ - max(s-, s+) (q+ - q-). Harten, Lax and van Leer: (s+ f- - s- f+ + s- s+ (q+ - q-)) / (s+ - s-) with
/// s- the least and s+ the largest of 0 and the speeds on both sides (Davis 1988), (f- + f+) / 2 where both are 0.
int Lowering::through_upper_face(const Conservation &law, const Shift &shift, int axis) {
    FaceState left, right;
    Shift inside = shift, outside = moved(shift, axis, 1);
    inside.face = law.limited ? axis + 1 : 0;
    outside.face = law.limited ? -(axis + 1) : 0;
    if (!state_at_face(law, inside, axis, left) || !state_at_face(law, outside, axis, right)) {
        return -1;
    }
    TermBuilder &to = builder_;
    const auto larger_or_same = [&](Operation operation, int a, int b) {
        return a == b ? a : to.apply(operation, a, b);
    };
    const int jump = to.subtract(right.conserved, left.conserved);
    const int sum = to.add(left.flux, right.flux);
    const int fastest = larger_or_same(Operation::MAXIMUM, left.fastest, right.fastest);
    if (law.slowest == nullptr) {
        return to.subtract(sum, to.multiply(fastest, jump));
    }
    const int zero = to.number(0.0);
    const int up = to.apply(Operation::MAXIMUM, zero, fastest);
    const int down =
        to.apply(Operation::MINIMUM, zero, larger_or_same(Operation::MINIMUM, left.slowest, right.slowest));
    const int width = to.subtract(up, down);
    const int fluxes = to.subtract(to.multiply(up, left.flux), to.multiply(down, right.flux));
    const int flux = to.divide(to.add(fluxes, to.multiply(to.multiply(down, up), jump)), width);
    return to.apply(Operation::SELECT, to.apply(Operation::EQUAL, width, zero),
                    to.multiply(to.number(0.5), sum), flux);
}

bool Lowering::state_at_face(const Conservation &law, const Shift &shift, int axis, FaceState &state) {
    const auto speed = [&](const Node &node) {
        const Lowered speeds = lower(node, shift);
        return speeds.components == 0 ? -1 : speeds.terms[speeds.components > 1 ? axis : 0];
    };
    state.flux = scalar(law.call->children[axis], shift);
    state.fastest = speed(*law.fastest);
    state.slowest = law.slowest == nullptr ? state.fastest : speed(*law.slowest);
    state.conserved = in_cell(Operation::FIELD, field_, shift);
    return state.flux >= 0 && state.fastest >= 0 && state.slowest >= 0;
}

/// u + s / 2 at the upper face, u - s / 2 at the lower one, s = minmod(u - u-, u+ - u): the difference that is smaller in size, 0 where
/// they have opposite signs (van Leer 1979; Roe 1986).
int Lowering::limited(Operation operation, int index, const Shift &shift) {
    TermBuilder &to = builder_;
    const int axis = std::abs(shift.face) - 1;
    const auto value = [&](int cells) { return to.leaf(operation, index, moved(shift, axis, cells).cells); };
    const int here = value(0), zero = to.number(0.0);
    const int backwards = to.subtract(here, value(-1)), forwards = to.subtract(value(1), here);
    const int rising = to.apply(Operation::MAXIMUM, zero, to.apply(Operation::MINIMUM, backwards, forwards));
    const int falling = to.apply(Operation::MINIMUM, zero, to.apply(Operation::MAXIMUM, backwards, forwards));
    const int half = to.multiply(to.number(0.5), to.add(rising, falling));
    return shift.face > 0 ? to.add(here, half) : to.subtract(here, half);
}

bool Lowering::differentiates(const Node &node) {
    for (const Node *inner : formulas::all_nodes(node)) {
        if (inner->kind == formulas::NodeKind::call) {
            const formulas::Function *const function = formulas::find_function(inner->name);
            if (function != nullptr && function->role == formulas::FunctionRole::differential) {
                return true;
            }
        } else if (inner->kind == formulas::NodeKind::name) {
            const Symbol *const symbol = symbols_.find(inner->name);
            if (symbol != nullptr && symbol->kind == Symbol::Kind::part &&
                symbols_.parts()[symbol->index].differentiates) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace perdure::systems
