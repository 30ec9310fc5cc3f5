#include "random_formulas.hpp"

#include <fmt/format.h>

#include <array>

namespace perdure::systems_test {

std::string RandomFormulas::leaf() {
    static constexpr std::array leaves{"p", "q",    "sin(x)",    "cos(y)", "0.5",
                                       "2", "1.25", "random(3)", "pi",     "sin(z)"};
    if (below(3) == 0) {
        return fields_[below(static_cast<int>(fields_.size()))];
    }
    return leaves[below(static_cast<int>(leaves.size()) - (dimensions_ == 3 ? 0 : 1))];
}

std::string RandomFormulas::scalar(int depth, int derivatives) {
    if (depth == 0) {
        return leaf();
    }
    return derivatives > 0 && below(4) == 0 ? derivative(depth - 1, derivatives - 1)
                                            : pointwise(depth - 1, derivatives);
}

std::string RandomFormulas::pointwise(int depth, int derivatives) {
    static constexpr std::array forms{"({0} + {1})",
                                      "({0} - {1})",
                                      "{0}*{1}",
                                      "{0}*{1}",
                                      "({0} - {1}*{2})",
                                      "({0}*{1} - {2})",
                                      "({0} + {1}*{2})",
                                      "-({0})",
                                      "({0}/(1 + abs({1})))",
                                      "({0}/4)",
                                      "sin({0})^3",
                                      "(1 + cos({0})^2)^-2",
                                      "sqrt(1 + abs({0}))",
                                      "(2 + sin({0}))^0.5",
                                      "(2 + sin({0}))^1.7",
                                      "e^-abs({0})",
                                      "log(1.5 + tanh({0}))",
                                      "log10(3 + abs({0}))",
                                      "sinh(tanh({0}))",
                                      "cosh(sin({0}))",
                                      "atan({0})",
                                      "atan2({0}, 1 + abs({1}))",
                                      "asinh({0}) + erf({1})",
                                      "acosh(1 + abs({0}))",
                                      "atanh(0.9*sin({0}))",
                                      "log2(2 + abs({0})) - ln(3 + abs({1}))",
                                      "avg({0}, {1}, {2})",
                                      "(sum({0}, {1}) + rint({2}))",
                                      "min({0}, {1}, {2})",
                                      "max({0}, {1})",
                                      "if({0} < {1}, {1}, {2})",
                                      "({0} >= {1} and not ({1} != 0.5) or {2} < 0 ? {1} : {0})",
                                      "sign({0})*{1}",
                                      "mod({0}, 0.7 + abs({1}))",
                                      "floor(3*sin({0}))",
                                      "ceil(2*sin({0}))",
                                      "round(5*cos({0}))"};
    const char *const form = forms[below(static_cast<int>(forms.size()))];
    const std::string a = scalar(depth, derivatives), b = scalar(depth, derivatives);
    return fmt::format(fmt::runtime(form), a, b, scalar(depth, derivatives));
}

std::string RandomFormulas::vector(int depth, int derivatives) {
    if (derivatives > 0 && below(3) == 0) {
        return fmt::format("grad({})", scalar(depth, derivatives - 1));
    }
    const std::string a = scalar(depth, derivatives), b = scalar(depth, derivatives);
    return dimensions_ == 2 ? fmt::format("({}, {})", a, b)
                            : fmt::format("({}, {}, {})", a, b, scalar(depth, derivatives));
}

std::string RandomFormulas::derivative(int depth, int derivatives) {
    const std::string inner = scalar(depth, derivatives);
    switch (below(8)) {
        case 0:
            return fmt::format("lap({})", inner);
        case 1:
            return fmt::format("d{}({})", "xyz"[below(dimensions_)], inner);
        case 2: {
            const char axis = "xyz"[below(dimensions_)];
            return fmt::format("d{0}{0}({1})", axis, inner);
        }
        case 3:
            return fmt::format("div((0.1 + abs({}))*grad({}))", scalar(depth, derivatives), inner);
        case 4:
            return fmt::format("div(p*grad({}))", inner);
        case 5: {
            const std::string second = scalar(depth, derivatives);
            return dimensions_ == 2 ? fmt::format("div(({}, {}))", inner, second)
                                    : fmt::format("div(({}, {}, {}))", inner, second, inner);
        }
        case 6:
            return fmt::format("dot({}, {})", vector(depth, derivatives + 1), vector(depth, derivatives + 1));
        default:
            return fmt::format("upwind({}, {})", vector(depth, derivatives + 1), inner);
    }
}

std::string RandomFormulas::conserve(int depth) {
    const std::string a = scalar(depth, 0), b = scalar(depth, 0), speed = scalar(depth, 0);
    const std::string third = dimensions_ == 3 ? ", " + scalar(depth, 0) : "";
    const std::string limiter = below(2) == 0 ? ", minmod" : "";
    if (below(2) == 0) {
        const std::string slowest = below(2) == 0 ? vector(depth, 0) : scalar(depth, 0);
        return fmt::format("conserve({}, {}{}; {}, abs({}){})", a, b, third, slowest, speed, limiter);
    }
    return fmt::format("conserve({}, {}{}; abs({}){})", a, b, third, speed, limiter);
}

}  // namespace perdure::systems_test
