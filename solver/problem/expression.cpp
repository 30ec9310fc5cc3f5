#include "solver/problem/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

namespace {

// muParser reads `x = 2` as an assignment; a field that changes its own coordinates is never meant.
int find_assignment(const std::string &text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '=') {
            continue;
        }
        if (i + 1 < text.size() && text[i + 1] == '=') {
            ++i;
        } else if (i == 0 || std::string("<>!").find(text[i - 1]) == std::string::npos) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

// With letters among them, muParser would copy all that follows a name in search of an operator, at every name.
constexpr const char *operator_letters = "+-*/^<>=!?&|";

constexpr std::size_t longest_expression = 20000;  // bytes; muParser's MaxLenExpression

ExpressionError to_expression_error(const mu::ParserError &error, const std::string &text) {
    const int offset = std::min(error.GetPos(), static_cast<int>(text.size()));
    std::string message = error.GetMsg();
    while (!message.empty() && message.back() == '.') {
        message.pop_back();
    }
    const std::string from_zero = fmt::format(" at position {}", error.GetPos());
    if (message.ends_with(from_zero)) {
        message.resize(message.size() - from_zero.size());
        message += fmt::format(" at character {}", error.GetPos() + 1);
    }
    const std::string token = error.GetToken();
    const std::size_t quoted = token.empty() ? std::string::npos : message.find(token);
    if (quoted != std::string::npos) {
        message.replace(quoted, token.size(), shorten(token));
    }
    return {message, offset, token};
}

}  // namespace

ExpressionError::ExpressionError(const std::string &message, int offset, std::string token)
    : std::runtime_error(message), offset_(offset), token_(std::move(token)) {}

struct Expression::Parser {
    mu::Parser parser;
    std::vector<double> values;
    bool constant = true;
};

Expression::Expression(const std::string &text, const std::vector<std::string> &variables)
    : parser_(std::make_unique<Parser>()) {
    const int assignment = find_assignment(text);
    if (assignment >= 0) {
        throw ExpressionError("an expression has no '='; two values are compared with '=='", assignment, "=");
    }
    if (text.size() > longest_expression) {
        throw ExpressionError(
            fmt::format("it has {} characters, at most {} can be read; write the values into an "
                        "HDF5 file and name it, as in {{file: data.h5, dataset: /f}}",
                        text.size(), longest_expression),
            -1, "");
    }
    parser_->values.assign(variables.size(), 0.0);
    mu::Parser &parser = parser_->parser;
    try {
        parser.DefineOprtChars(operator_letters);
        parser.ClearConst();
        parser.DefineConst("pi", std::numbers::pi);
        parser.DefineConst("e", std::numbers::e);
        for (std::size_t i = 0; i < variables.size(); ++i) {
            parser.DefineVar(variables[i], &parser_->values[i]);
        }
        parser.SetExpr(text);
        parser_->constant = parser.GetUsedVar().empty();
        parser.Eval();
    } catch (const mu::ParserError &error) {
        throw to_expression_error(error, text);
    }
    if (parser.GetNumResults() != 1) {
        throw ExpressionError(
            fmt::format("it gives {} values, separated by commas; one is needed", parser.GetNumResults()), -1,
            ",");
    }
}

Expression::Expression(Expression &&) noexcept = default;
Expression &Expression::operator=(Expression &&) noexcept = default;
Expression::~Expression() = default;

bool Expression::constant() const {
    return parser_->constant;
}

double Expression::operator()(std::span<const double> values) {
    std::copy(values.begin(), values.end(), parser_->values.begin());
    return parser_->parser.Eval();
}

void Expression::along_first(std::span<const double> first, std::span<const double> others, double *to) {
    std::copy(others.begin(), others.end(), parser_->values.begin() + 1);
    for (const double value : first) {
        parser_->values.front() = value;
        *to++ = parser_->parser.Eval();
    }
}

}  // namespace perdure
