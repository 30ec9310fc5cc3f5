#include "solver/reference/formula_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace perdure::reference {
namespace {

constexpr std::array<std::string_view, 14> operator_names{"lap",    "dx",       "dy",     "dz",   "dxx",
                                                          "dyy",    "dzz",      "div",    "dot",  "grad",
                                                          "upwind", "conserve", "random", "noise"};

bool is_operator(const std::string &name) {
    return std::ranges::find(operator_names, name) != operator_names.end();
}

bool is_limited(const std::vector<TokenSpan> &arguments) {
    return arguments.back().size() == 1 && arguments.back()[0] == "minmod";
}

// `within_div`: grad then needs no neighbours of its own.
int reach_within(TokenSpan formula, const std::map<std::string, int> &of_parts, bool within_div) {
    int reach = 0;
    for (std::size_t i = 0; i < formula.size(); ++i) {
        const auto part = of_parts.find(formula[i]);
        if (is_call(formula, i) && is_operator(formula[i])) {
            const TokenSpan arguments = inside_brackets(formula, i + 1);
            const bool pointwise = formula[i] == "dot" || formula[i] == "random" || formula[i] == "noise" ||
                                   (within_div && formula[i] == "grad");
            const bool limited = formula[i] == "conserve" && is_limited(split_list(arguments));
            reach = std::max(reach, (pointwise ? 0 : 1) + (limited ? 1 : 0) +
                                        reach_within(arguments, of_parts, formula[i] == "div"));
            i += arguments.size() + 2;
        } else if (part != of_parts.end()) {
            reach = std::max(reach, part->second);
        }
    }
    return reach;
}

}  // namespace

int reach_of(TokenSpan formula, const NamedParts &parts) {
    std::map<std::string, int> of_parts;
    for (const auto &[name, tokens] : parts) {
        of_parts[name] = reach_within(tokens, of_parts, false);
    }
    return reach_within(formula, of_parts, false);
}

FormulaArrays::FormulaArrays(FormulaInputs inputs)
    : in_(std::move(inputs)), points_(in_.cell_numbers.size()) {}

Eigen::ArrayXd FormulaArrays::evaluate_rate(TokenSpan formula, const std::string &field) {
    field_ = field;
    Eigen::ArrayXd rate = evaluate(formula);
    field_.clear();
    return rate;
}

Eigen::ArrayXd FormulaArrays::evaluate(TokenSpan formula) {
    Tokens pointwise;
    std::vector<std::string> temporaries;
    for (std::size_t i = 0; i < formula.size(); ++i) {
        if (is_call(formula, i) && is_operator(formula[i])) {
            const TokenSpan arguments = inside_brackets(formula, i + 1);
            Eigen::ArrayXd values = call(formula[i], split_list(arguments));
            std::string name = fmt::format("operator_{}", in_.variables.size());
            while (in_.variables.contains(name) || in_.parameters.contains(name) ||
                   find_part(*in_.parts, name) != nullptr) {
                name += '_';
            }
            in_.variables.emplace(name, std::move(values));
            temporaries.push_back(name);
            pointwise.push_back(name);
            i += arguments.size() + 2;
        } else {
            if (!is_call(formula, i)) {
                evaluate_part(formula[i]);
            }
            pointwise.push_back(formula[i]);
        }
    }
    Eigen::ArrayXd values = evaluate_pointwise(to_text(pointwise), in_.variables, in_.parameters, points_);
    for (const std::string &name : temporaries) {
        in_.variables.erase(name);
    }
    return values;
}

void FormulaArrays::evaluate_part(const std::string &name) {
    const Tokens *const part = find_part(*in_.parts, name);
    if (part != nullptr && !in_.variables.contains(name)) {
        const std::string field = std::exchange(field_, "");
        in_.variables.emplace(name, evaluate(*part));
        field_ = field;
    }
}

const ExtendedGrid &FormulaArrays::grid_for(const std::string &name) const {
    if (in_.grid == nullptr) {
        refuse_formula(name + "() at a side, where formulas have no neighbours");
    }
    return *in_.grid;
}

int FormulaArrays::axis_of(const std::string &name) const {
    const int axis = name[1] - 'x';
    if (axis >= grid_for(name).dimensions()) {
        refuse_formula(name + "() in 2D");
    }
    return axis;
}

Eigen::ArrayXd FormulaArrays::call(const std::string &name, const std::vector<TokenSpan> &arguments) {
    if ((name == "dot" || name == "upwind") && arguments.size() != 2) {
        refuse_formula(name + "() without two arguments");
    }
    if (name == "random") {
        const double seed = evaluate(arguments[0])[0];
        return random_numbers(static_cast<std::uint64_t>(std::llround(seed)), in_.cell_numbers);
    }
    if (name == "noise") {
        const double seed = evaluate(arguments[0])[0];
        return in_.noise_scale *
               normal_numbers(static_cast<std::uint32_t>(std::llround(seed)), in_.step, in_.cell_numbers);
    }
    if (name == "lap") {
        return laplacian(arguments[0]);
    }
    if (name == "div") {
        return divergence(arguments[0]);
    }
    if (name == "dot") {
        return dot(arguments[0], arguments[1]);
    }
    if (name == "upwind") {
        return upwind_difference(grid_for(name), components(arguments[0]), evaluate(arguments[1]));
    }
    if (name == "conserve") {
        return conserve(arguments);
    }
    if (name == "grad") {
        refuse_formula("grad() where a number is needed");
    }
    const auto difference = name.size() == 2 ? central_difference : second_difference;
    return difference(grid_for(name), evaluate(arguments[0]), axis_of(name));
}

Eigen::ArrayXd FormulaArrays::laplacian(TokenSpan formula) {
    const Eigen::ArrayXd values = evaluate(formula);
    Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(points_);
    for (int axis = 0; axis < grid_for("lap").dimensions(); ++axis) {
        sum += second_difference(*in_.grid, values, axis);
    }
    return sum;
}

Eigen::ArrayXd FormulaArrays::dot(TokenSpan left, TokenSpan right) {
    const std::vector<Eigen::ArrayXd> a = components(left), b = components(right);
    Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(points_);
    for (std::size_t axis = 0; axis < a.size(); ++axis) {
        sum += a[axis] * b[axis];
    }
    return sum;
}

Eigen::ArrayXd FormulaArrays::divergence(TokenSpan formula) {
    const ExtendedGrid &grid = grid_for("div");
    if (grid.dimensions() == 1 && !is_vector(formula, *in_.parts)) {
        return central_difference(grid, evaluate(formula), 0);
    }
    Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(points_);
    for (const VectorTerm &term : vector_terms(formula, *in_.parts)) {
        if (term.gradient) {
            sum += divergence_of_gradient(grid, evaluate(term.factor), evaluate(term.formulas[0]));
            continue;
        }
        for (int axis = 0; axis < grid.dimensions(); ++axis) {
            sum += central_difference(grid, component(term, axis), axis);
        }
    }
    return sum;
}

Eigen::ArrayXd FormulaArrays::through_face(TokenSpan vector, int axis, int direction) {
    const ExtendedGrid &grid = grid_for("a flux");
    const auto mean_of_both = [&](const Eigen::ArrayXd &along) {
        return Eigen::ArrayXd(0.5 * direction * (along + grid.neighbour(along, axis, direction)));
    };
    if (grid.dimensions() == 1 && !is_vector(vector, *in_.parts)) {
        return mean_of_both(evaluate(vector));
    }
    Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(points_);
    for (const VectorTerm &term : vector_terms(vector, *in_.parts)) {
        if (term.gradient) {
            sum += out_through_face(grid, evaluate(term.factor), evaluate(term.formulas[0]), axis, direction);
        } else {
            sum += mean_of_both(component(term, axis));
        }
    }
    return sum;
}

Eigen::ArrayXd FormulaArrays::conserve(const std::vector<TokenSpan> &arguments) {
    const ExtendedGrid &grid = grid_for("conserve");
    const auto directions = static_cast<std::size_t>(grid.dimensions());
    const bool limited = is_limited(arguments);
    const std::size_t behind = arguments.size() - (limited ? 1 : 0) - std::min(directions, arguments.size());
    if (arguments.size() < directions + 1 || behind < 1 || behind > 2 || field_.empty()) {
        refuse_formula(
            fmt::format("conserve() with {} arguments; in an equation it has {} fluxes and one or two speeds",
                        arguments.size(), directions));
    }
    Eigen::ArrayXd rate = Eigen::ArrayXd::Zero(points_);
    for (int axis = 0; axis < grid.dimensions(); ++axis) {
        const auto states = [&](FormulaArrays &at) {
            return FaceStates{at.evaluate(arguments[axis]), at.in_.variables.at(field_),
                              at.along(arguments[directions], axis),
                              at.along(arguments[directions + behind - 1], axis)};
        };
        const auto states_at_face = [&](int direction) {
            FormulaArrays at(inputs_at_faces(axis, direction));
            return states(at);
        };
        const FaceStates lower = limited ? states_at_face(-1) : states(*this);
        rate += conservative_rate(grid, lower, limited ? states_at_face(1) : lower, behind == 2, axis);
    }
    return rate;
}

// A speed is one number for all axes, or a vector with one for each.
Eigen::ArrayXd FormulaArrays::along(TokenSpan speed, int axis) {
    if (!is_vector(speed, *in_.parts)) {
        return evaluate(speed);
    }
    Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(points_);
    for (const VectorTerm &term : vector_terms(speed, *in_.parts)) {
        if (term.gradient) {
            refuse_formula("a gradient as a speed");
        }
        sum += evaluate(term.factor) * evaluate(term.formulas.at(axis));
    }
    return sum;
}

FormulaInputs FormulaArrays::inputs_at_faces(int axis, int direction) const {
    FormulaInputs at_faces = in_;
    at_faces.grid = nullptr;
    std::erase_if(at_faces.variables,
                  [&](const auto &variable) { return find_part(*in_.parts, variable.first) != nullptr; });
    for (auto &[name, values] : at_faces.variables) {
        if (name == std::string(1, "xyz"[axis])) {
            values += 0.5 * direction * in_.grid->spacing(axis);
        } else if (name != "x" && name != "y" && name != "z" && name != "t") {
            values = limited_values(*in_.grid, values, axis, direction);
        }
    }
    return at_faces;
}

std::vector<Eigen::ArrayXd> FormulaArrays::components(TokenSpan formula) {
    const int dimensions = grid_for("a vector").dimensions();
    if (dimensions == 1 && !is_vector(formula, *in_.parts)) {
        return {evaluate(formula)};
    }
    std::vector<Eigen::ArrayXd> sums(dimensions, Eigen::ArrayXd::Zero(points_));
    for (const VectorTerm &term : vector_terms(formula, *in_.parts)) {
        for (std::size_t axis = 0; axis < sums.size(); ++axis) {
            sums[axis] += component(term, static_cast<int>(axis));
        }
    }
    return sums;
}

Eigen::ArrayXd FormulaArrays::component(const VectorTerm &term, int axis) {
    if (!term.gradient && static_cast<int>(term.formulas.size()) != in_.grid->dimensions()) {
        refuse_formula(fmt::format("a vector with {} components on a grid of {} dimensions",
                                   term.formulas.size(), in_.grid->dimensions()));
    }
    const Eigen::ArrayXd factor = evaluate(term.factor);
    return factor * (term.gradient ? central_difference(*in_.grid, evaluate(term.formulas[0]), axis)
                                   : evaluate(term.formulas[axis]));
}

}  // namespace perdure::reference
