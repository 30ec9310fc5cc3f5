#include "solver/formulas/functions.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace perdure::formulas {
namespace {

constexpr Function operation(std::string_view name, int arguments, std::string_view usage,
                             std::string_view meaning) {
    return {name, FunctionRole::operation, arguments, arguments, 0, 0, {}, usage, meaning};
}
constexpr Function pointwise(std::string_view name, int arguments, std::string_view usage,
                             std::string_view meaning) {
    return {name, FunctionRole::pointwise, arguments, arguments, 0, 0, {}, usage, meaning};
}
constexpr Function differential(std::string_view name, int arguments, std::string_view usage,
                                std::string_view meaning) {
    return {name, FunctionRole::differential, arguments, arguments, 0, 0, {}, usage, meaning};
}

constexpr std::array table{
    operation("or", 2, "a or b", "1 if a or b is not 0, else 0; also a || b"),
    operation("and", 2, "a and b", "1 if neither a nor b is 0, else 0; also a && b"),
    operation("not", 1, "not a", "1 if a is 0, else 0; also !a"),
    operation("<", 2, "a < b", "1 if a is less than b, else 0"),
    operation("<=", 2, "a <= b", "1 if a is at most b, else 0"),
    operation(">", 2, "a > b", "1 if a is greater than b, else 0"),
    operation(">=", 2, "a >= b", "1 if a is at least b, else 0"),
    operation("==", 2, "a == b", "1 if a and b are equal, else 0"),
    operation("!=", 2, "a != b", "1 if a and b differ, else 0"),
    operation("+", 2, "a + b", "the sum"),
    operation("-", 2, "a - b", "the difference"),
    operation("*", 2, "a*b", "the product"),
    operation("/", 2, "a/b", "the quotient"),
    operation("negate", 1, "-a", "a with the opposite sign"),
    operation("^", 2, "a^b", "the power; groups to the right and binds more tightly than a sign"),
    pointwise("if", 3, "if(c, a, b)", "a if c is not 0, else b; also c ? a : b"),
    pointwise("sqrt", 1, "sqrt(a)", "the square root"),
    pointwise("exp", 1, "exp(a)", "e to the power of a"),
    pointwise("log", 1, "log(a)", "the natural logarithm"),
    pointwise("ln", 1, "ln(a)", "the natural logarithm, the same as log"),
    pointwise("log2", 1, "log2(a)", "the logarithm to base 2"),
    pointwise("log10", 1, "log10(a)", "the logarithm to base 10"),
    pointwise("sin", 1, "sin(a)", "the sine of an angle in radians"),
    pointwise("cos", 1, "cos(a)", "the cosine of an angle in radians"),
    pointwise("tan", 1, "tan(a)", "the tangent of an angle in radians"),
    pointwise("asin", 1, "asin(a)", "the inverse of the sine, in radians"),
    pointwise("acos", 1, "acos(a)", "the inverse of the cosine, in radians"),
    pointwise("atan", 1, "atan(a)", "the inverse of the tangent, in radians"),
    pointwise("atan2", 2, "atan2(y, x)", "the angle of the point (x, y), in radians from -pi to pi"),
    pointwise("sinh", 1, "sinh(a)", "the hyperbolic sine"),
    pointwise("cosh", 1, "cosh(a)", "the hyperbolic cosine"),
    pointwise("tanh", 1, "tanh(a)", "the hyperbolic tangent"),
    pointwise("asinh", 1, "asinh(a)", "the inverse of the hyperbolic sine"),
    pointwise("acosh", 1, "acosh(a)", "the inverse of the hyperbolic cosine"),
    pointwise("atanh", 1, "atanh(a)", "the inverse of the hyperbolic tangent"),
    pointwise("erf", 1, "erf(a)", "the error function"),
    pointwise("abs", 1, "abs(a)", "the absolute value"),
    pointwise("sign", 1, "sign(a)", "1 if a is positive, -1 if a is negative, else 0"),
    Function{
        "min", FunctionRole::pointwise, 2, any_number, 0, 0, {}, "min(a, b, ...)", "the smallest argument"},
    Function{
        "max", FunctionRole::pointwise, 2, any_number, 0, 0, {}, "max(a, b, ...)", "the largest argument"},
    Function{"sum",
             FunctionRole::pointwise,
             1,
             any_number,
             0,
             0,
             {},
             "sum(a, b, ...)",
             "the sum of the arguments"},
    Function{"avg",
             FunctionRole::pointwise,
             1,
             any_number,
             0,
             0,
             {},
             "avg(a, b, ...)",
             "the mean of the arguments"},
    pointwise("floor", 1, "floor(a)", "the largest whole number <= a"),
    pointwise("ceil", 1, "ceil(a)", "the smallest whole number >= a"),
    pointwise("round", 1, "round(a)", "the nearest whole number; halves are rounded away from zero"),
    pointwise("rint", 1, "rint(a)", "the nearest whole number; halves are rounded up"),
    pointwise("mod", 2, "mod(a, b)", "the remainder a - b*floor(a/b), with the sign of b"),
    pointwise("pow", 2, "pow(a, b)", "a^b"),
    differential("lap", 1, "lap(u)", "the Laplacian"),
    differential("div", 1, "div(v)",
                 "the divergence of a vector; div(a*grad(u)) is diffusion with coefficient a"),
    differential("grad", 1, "grad(u)", "the gradient, a vector"),
    differential("dx", 1, "dx(u)", "the first derivative along x"),
    differential("dy", 1, "dy(u)", "the first derivative along y"),
    differential("dz", 1, "dz(u)", "the first derivative along z"),
    differential("dxx", 1, "dxx(u)", "the second derivative along x"),
    differential("dyy", 1, "dyy(u)", "the second derivative along y"),
    differential("dzz", 1, "dzz(u)", "the second derivative along z"),
    differential("upwind", 2, "upwind(velocity, u)", "velocity . grad(u), with upwind differences"),
    Function{"conserve", FunctionRole::differential, 1, 3, 1, 2, "minmod",
             "conserve(flux_x[, flux_y, flux_z]; speed)",
             "minus the divergence of the fluxes of a conservation law whose waves travel at most at this "
             "speed; after the ';' also: slowest, fastest; the last argument minmod gives second order"},
    pointwise("dot", 2, "dot(a, b)", "the scalar product of two vectors"),
    Function{"random",
             FunctionRole::random,
             1,
             1,
             0,
             0,
             {},
             "random(seed)",
             "a random number in [0, 1) for each cell, which depends only on the seed and the cell"},
    Function{"noise",
             FunctionRole::noise,
             1,
             1,
             0,
             0,
             {},
             "noise(seed)",
             "white noise in space and time: a normally distributed number / sqrt(cell size * dt) for each "
             "cell and step"}};

constexpr std::array names{BuiltIn{"x", "the coordinate x of the cell's centre", std::nullopt},
                           BuiltIn{"y", "the coordinate y of the cell's centre", std::nullopt},
                           BuiltIn{"z", "the coordinate z of the cell's centre", std::nullopt},
                           BuiltIn{"t", "the time", std::nullopt},
                           BuiltIn{"pi", "the number 3.14159...", std::numbers::pi},
                           BuiltIn{"e", "the number 2.71828...", std::numbers::e}};

template <class Table>
auto *find(const Table &entries, std::string_view name) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const auto &entry) { return entry.name == name; });
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Function> functions() {
    return table;
}

const Function *find_function(std::string_view name) {
    return find(table, name);
}

const Function *find_function_with_word(std::string_view word) {
    const auto *const found = std::find_if(table.begin(), table.end(), [&](const Function &function) {
        return !function.word.empty() && function.word == word;
    });
    return found == table.end() ? nullptr : found;
}

std::span<const BuiltIn> built_ins() {
    return names;
}

const BuiltIn *find_built_in(std::string_view name) {
    return find(names, name);
}

}  // namespace perdure::formulas
