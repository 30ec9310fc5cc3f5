#include "tree_evaluator.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/cell_random.h"

namespace perdure::systems_test {

using formulas::Node;
using formulas::NodeKind;

TreeEvaluator::Cell TreeEvaluator::neighbour(Cell cell, int axis, int step) const {
    cell[axis] = (cell[axis] + step + grid->cells[axis]) % grid->cells[axis];
    return cell;
}

double TreeEvaluator::scalar(const Node &node, const Cell &cell) const {
    const double result = value(node, cell);
    largest = std::max(largest, std::fabs(result));
    return result;
}

double TreeEvaluator::value(const Node &node, const Cell &cell) const {
    if (node.kind == NodeKind::number) {
        return node.number;
    }
    if (node.kind == NodeKind::call) {
        return call(node, cell);
    }
    if (node.name.size() == 1 && node.name >= "x" && node.name <= "z") {
        const int along = node.name[0] - 'x';
        return grid->centre(along, cell[along]) +
               (along == face_axis ? direction * grid->spacing[along] / 2.0 : 0.0);
    }
    const auto field_of_name = fields.find(node.name);
    return field_of_name != fields.end() ? field_value(*field_of_name->second, cell)
                                         : constants.at(node.name);
}

double TreeEvaluator::call(const Node &node, const Cell &cell) const {
    const std::string &name = node.name;
    const auto at = [&](int child) { return scalar(node.children[child], cell); };
    const auto near = [&](int axis, int step) {
        return scalar(node.children[0], neighbour(cell, axis, step));
    };
    if (name == "lap" || (name.size() == 3 && name[0] == 'd' && name[1] == name[2])) {
        double sum = 0.0;
        for (int axis = 0; axis < grid->dimensions; ++axis) {
            if (name == "lap" || name[1] == 'x' + axis) {
                sum +=
                    (near(axis, 1) - 2.0 * near(axis, 0) + near(axis, -1)) / std::pow(grid->spacing[axis], 2);
            }
        }
        return sum;
    }
    if (name.size() == 2 && name[0] == 'd') {
        const int axis = name[1] - 'x';
        return (near(axis, 1) - near(axis, -1)) / (2.0 * grid->spacing[axis]);
    }
    if (name == "div") {
        return divergence(node.children[0], cell);
    }
    if (name == "conserve") {
        return conserve(node, cell);
    }
    if (name == "dot" || name == "upwind") {
        const std::vector<double> a = vector(node.children[0], cell);
        double sum = 0.0;
        for (int axis = 0; axis < grid->dimensions; ++axis) {
            const auto carried = [&](int step) {
                return scalar(node.children[1], neighbour(cell, axis, step));
            };
            sum += a[axis] * (name == "dot" ? vector(node.children[1], cell)[axis]
                              : a[axis] > 0 ? (carried(0) - carried(-1)) / grid->spacing[axis]
                                            : (carried(1) - carried(0)) / grid->spacing[axis]);
        }
        return sum;
    }
    if (name == "random") {
        return cell_random_double(static_cast<std::uint32_t>(node.children[0].number),
                                  static_cast<std::uint64_t>(grid->index(cell[0], cell[1], cell[2])));
    }
    if (name == "if") {
        return at(0) != 0.0 ? at(1) : at(2);
    }
    if (name == "min" || name == "max" || name == "sum" || name == "avg") {
        double least = at(0), greatest = least, sum = least;
        for (std::size_t child = 1; child < node.children.size(); ++child) {
            least = std::min(least, at(static_cast<int>(child)));
            greatest = std::max(greatest, at(static_cast<int>(child)));
            sum += at(static_cast<int>(child));
        }
        return name == "min"   ? least
               : name == "max" ? greatest
               : name == "sum" ? sum
                               : sum / static_cast<double>(node.children.size());
    }
    const double a = at(0);
    const double b = node.children.size() > 1 ? at(1) : 0.0;
    static const std::map<std::string, double (*)(double, double)> functions{
        {"+", [](double x, double y) { return x + y; }},
        {"-", [](double x, double y) { return x - y; }},
        {"*", [](double x, double y) { return x * y; }},
        {"/", [](double x, double y) { return x / y; }},
        {"^", [](double x, double y) { return std::pow(x, y); }},
        {"negate", [](double x, double) { return -x; }},
        {"<", [](double x, double y) { return x < y ? 1.0 : 0.0; }},
        {">=", [](double x, double y) { return x >= y ? 1.0 : 0.0; }},
        {"!=", [](double x, double y) { return x != y ? 1.0 : 0.0; }},
        {"and", [](double x, double y) { return x != 0.0 && y != 0.0 ? 1.0 : 0.0; }},
        {"or", [](double x, double y) { return x != 0.0 || y != 0.0 ? 1.0 : 0.0; }},
        {"not", [](double x, double) { return x == 0.0 ? 1.0 : 0.0; }},
        {"mod", [](double x, double y) { return x - y * std::floor(x / y); }},
        {"abs", [](double x, double) { return std::fabs(x); }},
        {"sqrt", [](double x, double) { return std::sqrt(x); }},
        {"exp", [](double x, double) { return std::exp(x); }},
        {"log", [](double x, double) { return std::log(x); }},
        {"log10", [](double x, double) { return std::log10(x); }},
        {"sin", [](double x, double) { return std::sin(x); }},
        {"cos", [](double x, double) { return std::cos(x); }},
        {"tanh", [](double x, double) { return std::tanh(x); }},
        {"sinh", [](double x, double) { return std::sinh(x); }},
        {"cosh", [](double x, double) { return std::cosh(x); }},
        {"ln", [](double x, double) { return std::log(x); }},
        {"log2", [](double x, double) { return std::log2(x); }},
        {"atan2", [](double x, double y) { return std::atan2(x, y); }},
        {"asinh", [](double x, double) { return std::asinh(x); }},
        {"acosh", [](double x, double) { return std::acosh(x); }},
        {"atanh", [](double x, double) { return std::atanh(x); }},
        {"erf", [](double x, double) { return std::erf(x); }},
        {"rint", [](double x, double) { return std::floor(x + 0.5); }},
        {"atan", [](double x, double) { return std::atan(x); }},
        {"sign", [](double x, double) { return x > 0.0   ? 1.0
                                               : x < 0.0 ? -1.0
                                                         : 0.0; }},
        {"floor", [](double x, double) { return std::floor(x); }},
        {"ceil", [](double x, double) { return std::ceil(x); }},
        {"round", [](double x, double) { return std::round(x); }}};
    return functions.at(name)(a, b);
}

std::vector<double> TreeEvaluator::vector(const Node &node, const Cell &cell) const {
    std::vector<double> result;
    for (int axis = 0; axis < grid->dimensions; ++axis) {
        const auto potential = [&](int step) {
            return scalar(node.children[0], neighbour(cell, axis, step));
        };
        result.push_back(node.kind == NodeKind::vector
                             ? scalar(node.children[axis], cell)
                             : (potential(1) - potential(-1)) / (2.0 * grid->spacing[axis]));
    }
    return result;
}

/// Of a*grad(E) or (f, g).
double TreeEvaluator::divergence(const Node &node, const Cell &cell) const {
    double sum = 0.0;
    for (int axis = 0; axis < grid->dimensions; ++axis) {
        const Cell up = neighbour(cell, axis, 1), down = neighbour(cell, axis, -1);
        const double h = grid->spacing[axis];
        if (node.kind == NodeKind::vector) {
            sum += (scalar(node.children[axis], up) - scalar(node.children[axis], down)) / (2.0 * h);
            continue;
        }
        const auto flux = [&](const Cell &left, const Cell &right) {
            const double a = scalar(node.children[0], left), b = scalar(node.children[0], right);
            const Node &potential = node.children[1].children[0];
            return a + b == 0.0
                       ? 0.0
                       : 2.0 * a * b / (a + b) * (scalar(potential, right) - scalar(potential, left)) / h;
        };
        sum += (flux(cell, up) - flux(down, cell)) / h;
    }
    largest = std::max(largest, std::fabs(sum));
    return sum;
}

/// Of a field, at the face that is looked at: with the smaller of the two slopes, none at an extreme.
double TreeEvaluator::field_value(const std::vector<double> &values, const Cell &cell) const {
    const auto at = [&](const Cell &there) { return values[grid->index(there[0], there[1], there[2])]; };
    if (direction == 0) {
        return at(cell);
    }
    const double down = at(cell) - at(neighbour(cell, face_axis, -1)),
                 up = at(neighbour(cell, face_axis, 1)) - at(cell);
    const double slope = std::signbit(down) != std::signbit(up) ? 0.0
                         : std::fabs(down) < std::fabs(up)      ? down
                                                                : up;
    return at(cell) + direction * slope / 2.0;
}

double TreeEvaluator::conserve(const Node &node, const Cell &cell) const {
    const bool limited = node.children.back().kind == NodeKind::name && node.children.back().name == "minmod";
    const int speeds = node.behind_semicolon - (limited ? 1 : 0);
    const int first = static_cast<int>(node.children.size()) - node.behind_semicolon;
    double sum = 0.0;
    for (face_axis = 0; face_axis < grid->dimensions; ++face_axis) {
        const auto speed = [&](int child, const Cell &there) {
            const Node &of = node.children[child];
            return scalar(of.kind == NodeKind::vector ? of.children[face_axis] : of, there);
        };
        const auto flux = [&](const Cell &left, const Cell &right) {
            std::array<double, 2> f{}, q{}, slow{}, fast{};
            for (int side = 0; side < 2; ++side) {
                const Cell &there = side == 0 ? left : right;
                direction = limited ? 1 - 2 * side : 0;
                f[side] = scalar(node.children[face_axis], there);
                q[side] = field_value(*fields.at(field), there);
                slow[side] = speed(first, there);
                fast[side] = speed(first + speeds - 1, there);
            }
            direction = 0;
            const double up = std::max({0.0, fast[0], fast[1]}), down = std::min({0.0, slow[0], slow[1]});
            if (speeds == 1) {
                return 0.5 * (f[0] + f[1]) - 0.5 * std::max(fast[0], fast[1]) * (q[1] - q[0]);
            }
            return up == down ? 0.5 * (f[0] + f[1])
                              : (up * f[0] - down * f[1] + up * down * (q[1] - q[0])) / (up - down);
        };
        sum -= (flux(cell, neighbour(cell, face_axis, 1)) - flux(neighbour(cell, face_axis, -1), cell)) /
               grid->spacing[face_axis];
    }
    return sum;
}

}  // namespace perdure::systems_test
