#include "solver/systems/lowering.hpp"

namespace perdure::systems {

int Lowering::spacing(int axis, SpacingFactor factor) {
    const int factors = static_cast<int>(SpacingFactor::count);
    return builder_.leaf(Operation::PARAMETER, user_parameters_ + factors * axis + static_cast<int>(factor));
}

/// (E(+1) - E(-1)) / (2 h).
int Lowering::central(const Node &node, const Shift &shift, int axis) {
    const int up = scalar(node, moved(shift, axis, 1));
    const int down = scalar(node, moved(shift, axis, -1));
    if (up < 0 || down < 0) {
        return -1;
    }
    return builder_.scaled(builder_.difference(up, down), spacing(axis, SpacingFactor::inverse_of_two));
}

/// ((E(+1) - E) - (E - E(-1))) / h^2.
int Lowering::second(const Node &node, const Shift &shift, int axis) {
    const int here = scalar(node, shift);
    const int up = here < 0 ? -1 : scalar(node, moved(shift, axis, 1));
    const int down = here < 0 ? -1 : scalar(node, moved(shift, axis, -1));
    if (up < 0 || down < 0) {
        return -1;
    }
    const int change = builder_.difference(builder_.difference(up, here), builder_.difference(here, down));
    return builder_.scaled(change, spacing(axis, SpacingFactor::inverse_square));
}

Lowered Lowering::lower_derivative(const Node &node, const Shift &shift) {
    if (node.name == "div") {
        return lower_divergence(node, shift);
    }
    if (node.name == "grad") {
        return lower_gradient(node, shift);
    }
    if (node.name == "dot") {
        return lower_dot(node, shift);
    }
    const bool is_upwind = node.name == "upwind", is_conserve = node.name == "conserve";
    if (leaves_out_waves_ && (is_upwind || is_conserve)) {
        return {1, {builder_.number(0.0), -1, -1}};
    }
    if (is_upwind) {
        return lower_upwind(node, shift);
    }
    return is_conserve ? lower_conserve(node, shift) : lower_along_axes(node, shift);
}

/// lap, dx .. dz and dxx .. dzz.
Lowered Lowering::lower_along_axes(const Node &node, const Shift &shift) {
    const Node &argument = node.children[0];
    int sum = -1;
    for (int axis = 0; axis < dimensions_; ++axis) {
        if (node.name != "lap" && node.name[1] != "xyz"[axis]) {
            continue;
        }
        const int term =
            node.name.size() == 2 ? central(argument, shift, axis) : second(argument, shift, axis);
        if (term < 0) {
            return {};
        }
        sum = sum < 0 ? term : builder_.add(sum, term);
    }
    return sum < 0 ? Lowered{} : Lowered{1, {sum, -1, -1}};  // dz in 2D was found when names were checked
}

Lowered Lowering::lower_gradient(const Node &node, const Shift &shift) {
    Lowered value{dimensions_, {-1, -1, -1}};
    for (int axis = 0; axis < dimensions_; ++axis) {
        value.terms[axis] = central(node.children[0], shift, axis);
        if (value.terms[axis] < 0) {
            return {};
        }
    }
    return value;
}

Lowered Lowering::lower_dot(const Node &node, const Shift &shift) {
    const Lowered a = lower(node.children[0], shift);
    const Lowered b = lower(node.children[1], shift);
    const bool first_usable = is_vector(node.children[0], a);
    if (!is_vector(node.children[1], b) || !first_usable) {
        return {};
    }
    int sum = builder_.multiply(a.terms[0], b.terms[0]);
    for (int axis = 1; axis < dimensions_; ++axis) {
        sum = builder_.add(sum, builder_.multiply(a.terms[axis], b.terms[axis]));
    }
    return {1, {sum, -1, -1}};
}

/// For each axis v (u - u(-1)) / h where v > 0, v (u(+1) - u) / h elsewhere.
Lowered Lowering::lower_upwind(const Node &node, const Shift &shift) {
    const Lowered velocity = lower(node.children[0], shift);
    const bool usable = is_vector(node.children[0], velocity);
    const Node &carried = node.children[1];
    const int here = scalar(carried, shift);
    if (here < 0 || !usable) {
        return {};
    }
    int sum = -1;
    for (int axis = 0; axis < dimensions_; ++axis) {
        const int up = scalar(carried, moved(shift, axis, 1));
        const int down = scalar(carried, moved(shift, axis, -1));
        if (up < 0 || down < 0) {
            return {};
        }
        const int v = velocity.terms[axis];
        const int forwards = builder_.apply(Operation::LESS, builder_.number(0.0), v);
        const int change = builder_.apply(Operation::SELECT, forwards, builder_.difference(here, down),
                                          builder_.difference(up, here));
        const int term = builder_.scaled(builder_.scaled(change, v), spacing(axis, SpacingFactor::inverse));
        sum = sum < 0 ? term : builder_.add(sum, term);
    }
    add_wave(shift, velocity.terms);
    return {1, {sum, -1, -1}};
}

}  // namespace perdure::systems
