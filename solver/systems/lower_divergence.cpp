// div(): gradients in it by fluxes through faces, so that what leaves a cell enters its neighbour; other vectors by central differences.
#include <algorithm>

#include <fmt/format.h>

#include "solver/systems/formula_findings.hpp"
#include "solver/systems/lowering.hpp"

namespace perdure::systems {
namespace {

bool is_gradient(const formulas::Node &vector) {
    return vector.kind == formulas::NodeKind::call && vector.name == "grad";
}

/// Of a vector that is no gradient; on a grid of one axis a scalar is one.
const formulas::Node &component_of(const formulas::Node &vector, int axis) {
    return vector.kind == formulas::NodeKind::vector ? vector.children[axis] : vector;
}

}  // namespace

Lowered Lowering::lower_divergence(const Node &node, const Shift &shift) {
    const Node &argument = node.children[0];
    if (!is_vector(argument, lower(argument, shift))) {
        return {};
    }
    std::vector<Flux> fluxes;
    collect(argument, fluxes);
    int sum = -1;
    for (const Flux &flux : fluxes) {
        const int term = divergence_of(flux, shift);
        if (term < 0) {
            return {};
        }
        sum = sum < 0 ? (flux.negative ? builder_.negate(term) : term)
                      : (flux.negative ? builder_.subtract(sum, term) : builder_.add(sum, term));
    }
    return {1, {sum, -1, -1}};
}

/// The vector as a sum of vectors with factors. It was lowered, so that all in it fits together.
void Lowering::collect(const Node &sum, std::vector<Flux> &fluxes) {
    std::vector<Flux> open{{false, {}, {}, &sum}};
    while (!open.empty()) {
        count_work();
        Flux flux = open.back();
        open.pop_back();
        const Node &node = *flux.vector;
        if (dimensions_ == 1 && !differentiates_along_axes(node)) {
            fluxes.push_back(flux);  // one component
        } else if (node.kind == formulas::NodeKind::name) {
            flux.vector =
                &symbols_.parts()[symbols_.find(node.name)->index].tree;  // no other name is a vector
            open.push_back(flux);
        } else if (node.name == "+" || node.name == "-") {
            Flux second = flux;
            second.negative = flux.negative != (node.name == "-");
            second.vector = &node.children[1];
            flux.vector = &node.children[0];
            open.push_back(second);
            open.push_back(flux);
        } else if (node.name == "negate") {
            flux.negative = !flux.negative;
            flux.vector = &node.children[0];
            open.push_back(flux);
        } else if (node.name == "*") {
            const bool first = dimensions_ == 1 ? differentiates_along_axes(node.children[0])
                                                : components_of(node.children[0]) > 1;
            const int vector = first ? 0 : 1;
            flux.factors.push_back(&node.children[1 - vector]);
            flux.vector = &node.children[vector];
            open.push_back(flux);
        } else if (node.name == "/") {
            flux.divisors.push_back(&node.children[1]);
            flux.vector = &node.children[0];
            open.push_back(flux);
        } else {
            fluxes.push_back(flux);  // grad(..) or (a, b)
        }
    }
}

/// Whether grad() stands in a vector, and not in what it is multiplied by alone.
bool Lowering::differentiates_along_axes(const Node &vector) {
    if (vector.kind == formulas::NodeKind::name) {
        const Symbol *const symbol = symbols_.find(vector.name);
        return symbol->kind == Symbol::Kind::part &&
               differentiates_along_axes(symbols_.parts()[symbol->index].tree);
    }
    const bool is_sum_or_product = vector.name == "+" || vector.name == "-" || vector.name == "negate" ||
                                   vector.name == "*" || vector.name == "/";
    return is_gradient(vector) ||
           (is_sum_or_product && std::ranges::any_of(vector.children, [this](const Node &child) {
                return differentiates_along_axes(child);
            }));
}

/// Without its sign. Factors that are the same in all cells are multiplied at the end.
int Lowering::divergence_of(const Flux &flux, const Shift &shift) {
    Flux varying;
    varying.vector = flux.vector;
    std::vector<const Node *> constant_factors, constant_divisors;
    for (const Node *factor : flux.factors) {
        (varies(*factor, shift) ? varying.factors : constant_factors).push_back(factor);
    }
    for (const Node *divisor : flux.divisors) {
        (varies(*divisor, shift) ? varying.divisors : constant_divisors).push_back(divisor);
    }
    const int value = is_gradient(*flux.vector) ? divergence_of_gradient(varying, shift)
                                                : divergence_of_vector(varying, shift);
    if (value < 0) {
        return -1;
    }
    return product(value, constant_factors, constant_divisors, shift);
}

/// For each axis (T_up (E(+1) - E) - T_down (E - E(-1))) / h^2, each T the harmonic mean of the factors in two cells.
int Lowering::divergence_of_gradient(const Flux &flux, const Shift &shift) {
    const Node &potential = flux.vector->children[0];
    const bool has_factors = !flux.factors.empty() || !flux.divisors.empty();
    int sum = -1;
    for (int axis = 0; axis < dimensions_; ++axis) {
        const Shift up = moved(shift, axis, 1), down = moved(shift, axis, -1);
        const int here = scalar(potential, shift), above = scalar(potential, up),
                  below = scalar(potential, down);
        if (here < 0 || above < 0 || below < 0) {
            return -1;
        }
        const int out_of_upper = builder_.difference(above, here);
        const int into_lower = builder_.difference(here, below);
        int change = -1;
        if (!has_factors) {
            change = builder_.difference(out_of_upper, into_lower);
        } else {
            const int a = product(-1, flux.factors, flux.divisors, shift);
            const int a_above = product(-1, flux.factors, flux.divisors, up);
            const int a_below = product(-1, flux.factors, flux.divisors, down);
            if (a < 0 || a_above < 0 || a_below < 0) {
                return -1;
            }
            const int upper = builder_.harmonic_mean(a, a_above);
            const int lower = builder_.harmonic_mean(a, a_below);
            change = upper == lower ? builder_.scaled(builder_.difference(out_of_upper, into_lower), upper)
                                    : builder_.difference(builder_.scaled(out_of_upper, upper),
                                                          builder_.scaled(into_lower, lower));
        }
        const int term = builder_.scaled(change, spacing(axis, SpacingFactor::inverse_square));
        sum = sum < 0 ? term : builder_.add(sum, term);
    }
    return sum;
}

int Lowering::divergence_of_vector(const Flux &flux, const Shift &shift) {
    int sum = -1;
    for (int axis = 0; axis < dimensions_; ++axis) {
        std::array<int, 2> sides{};
        for (int side = 0; side < 2; ++side) {
            const Shift there = moved(shift, axis, side == 0 ? -1 : 1);
            const int component = scalar(component_of(*flux.vector, axis), there);
            sides[side] = component < 0 ? -1 : product(component, flux.factors, flux.divisors, there);
            if (sides[side] < 0) {
                return -1;
            }
        }
        const int term = builder_.scaled(builder_.difference(sides[1], sides[0]),
                                         spacing(axis, SpacingFactor::inverse_of_two));
        sum = sum < 0 ? term : builder_.add(sum, term);
    }
    return sum;
}

int Lowering::through_face(const FormulaText &text, const Node &tree, int axis, bool upper) {
    return within_limits(text, -1, [&] { return out_through_face(text, tree, axis, upper); }).terms[0];
}

Lowered Lowering::out_through_face(const FormulaText &text, const Node &tree, int axis, bool upper) {
    const Lowered vector = lower(tree, {});
    if (vector.components == 1 && dimensions_ > 1) {
        findings_.error(
            text, 0,
            fmt::format("'{}' is a number in each cell, but what flows through faces is a vector, "
                        "such as grad(u) or (vx, vy)",
                        text.text));
    }
    if (vector.components != dimensions_) {
        return {};
    }
    std::vector<Flux> fluxes;
    collect(tree, fluxes);
    int sum = -1;
    for (const Flux &flux : fluxes) {
        const int term = out_through_face(flux, axis, upper);
        if (term < 0) {
            return {};
        }
        const int with_sign = flux.negative ? builder_.negate(term) : term;
        sum = sum < 0 ? with_sign : builder_.add(sum, with_sign);
    }
    return {1, {sum, -1, -1}};
}

/// Without its sign: of a gradient T (E(beyond) - E) / h, T the harmonic mean of the factors in both cells, and where that is 0 nothing,
/// whatever lies beyond; of another vector the mean of both cells.
int Lowering::out_through_face(const Flux &flux, int axis, bool upper) {
    const Shift here, beyond = moved(here, axis, upper ? 1 : -1);
    const bool gradient = is_gradient(*flux.vector);
    const Node &carried = gradient ? flux.vector->children[0] : component_of(*flux.vector, axis);
    const int inside = scalar(carried, here), outside = scalar(carried, beyond);
    if (inside < 0 || outside < 0) {
        return -1;
    }
    if (!gradient) {
        const int sum = builder_.add(product(inside, flux.factors, flux.divisors, here),
                                     product(outside, flux.factors, flux.divisors, beyond));
        const int mean = builder_.scaled(sum, builder_.number(0.5));
        return upper ? mean : builder_.negate(mean);
    }
    const int slope =
        builder_.scaled(builder_.difference(outside, inside), spacing(axis, SpacingFactor::inverse));
    if (flux.factors.empty() && flux.divisors.empty()) {
        return slope;
    }
    const int a = product(-1, flux.factors, flux.divisors, here);
    const int a_beyond = product(-1, flux.factors, flux.divisors, beyond);
    const int mean = builder_.harmonic_mean(a, a_beyond);
    return builder_.apply(Operation::SELECT, mean, builder_.scaled(slope, mean), builder_.number(0.0));
}

/// Whether its terms differ from those in a neighbouring cell.
bool Lowering::varies(const Node &node, const Shift &shift) {
    const int here = scalar(node, shift);
    for (int axis = 0; axis < dimensions_; ++axis) {
        if (scalar(node, moved(shift, axis, 1)) != here) {
            return true;
        }
    }
    return false;
}

/// value * factors / divisors; without the value where it is -1. Returns -1 where a factor cannot be used.
int Lowering::product(int value, const std::vector<const Node *> &factors,
                      const std::vector<const Node *> &divisors, const Shift &shift) {
    for (const Node *factor : factors) {
        const int term = scalar(*factor, shift);
        if (term < 0) {
            return -1;
        }
        value = value < 0 ? term : builder_.scaled(value, term);
    }
    for (const Node *divisor : divisors) {
        const int term = scalar(*divisor, shift);
        if (term < 0) {
            return -1;
        }
        value = builder_.divide(value < 0 ? builder_.number(1.0) : value, term);
    }
    return value;
}

}  // namespace perdure::systems
