#include "solver/reference/pointwise.hpp"

#include <muParser.h>

#include <cmath>
#include <utility>
#include <vector>

#include "solver/reference/formula_tokens.hpp"

namespace perdure::reference {
namespace {

void define_functions(mu::Parser &parser) {
    constexpr int below_comparisons = mu::prCMP - 1;
    parser.DefineOprtChars("+-*/^<>=!?&|");
    parser.DefineInfixOprt(
        "!", [](double a) { return a == 0.0 ? 1.0 : 0.0; }, below_comparisons);
    parser.DefineFun("if", [](double c, double a, double b) { return c != 0.0 ? a : b; });
    parser.DefineFun("pow", [](double a, double b) { return std::pow(a, b); });
    parser.DefineFun("mod", [](double a, double b) { return a - b * std::floor(a / b); });
    parser.DefineFun("erf", [](double a) { return std::erf(a); });
    parser.DefineFun("floor", [](double a) { return std::floor(a); });
    parser.DefineFun("ceil", [](double a) { return std::ceil(a); });
    parser.DefineFun("round", [](double a) { return std::round(a); });
}

}  // namespace

// Point by point: muParser's evaluation of whole arrays starts OpenMP threads, which wait for one another at every call.
Eigen::ArrayXd evaluate_pointwise(const std::string &text, const Arrays &variables, const Numbers &constants,
                                  Eigen::Index points) {
    Eigen::ArrayXd values(points);
    std::map<std::string, double> at_point;  // whose addresses muParser keeps
    std::vector<std::pair<double *, const double *>> copied;
    try {
        mu::Parser parser;
        define_functions(parser);
        parser.ClearConst();
        const Tokens tokens = read_tokens(text);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (!is_name(tokens[i]) || is_call(tokens, i) || at_point.contains(tokens[i])) {
                continue;
            }
            const auto variable = variables.find(tokens[i]);
            const auto constant = constants.find(tokens[i]);
            if (variable != variables.end()) {
                double &value = at_point[tokens[i]];
                copied.emplace_back(&value, variable->second.data());
                parser.DefineVar(tokens[i], &value);
            } else if (constant != constants.end()) {
                parser.DefineConst(tokens[i], constant->second);
            }
        }
        parser.SetExpr(text);
        for (Eigen::Index point = 0; point < points; ++point) {
            for (const auto &[value, array] : copied) {
                *value = array[point];
            }
            values[point] = parser.Eval();
        }
    } catch (const mu::ParserError &error) {
        refuse_formula("'" + text + "': " + error.GetMsg());
    }
    return values;
}

}  // namespace perdure::reference
