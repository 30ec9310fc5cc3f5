// div(): gradients in it by fluxes through faces, so that what leaves a cell enters its neighbour; other vectors by central differences.
#include "solver/systems/lowering.hpp"

namespace perdure::systems {

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
        if (node.kind == formulas::NodeKind::name) {
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
            const int vector = components_of(node.children[0]) > 1 ? 0 : 1;
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
    const int value = flux.vector->kind == formulas::NodeKind::vector
                          ? divergence_of_vector(varying, shift)
                          : divergence_of_gradient(varying, shift);
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
            const int component = scalar(flux.vector->children[axis], there);
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
