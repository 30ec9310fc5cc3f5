// Recursive descent where brackets nest, precedence climbing between them: chains of operators are loops.
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <utility>

#include "solver/case_file/yaml_tree.hpp"
#include "solver/formulas/misplaced_token.hpp"
#include "solver/formulas/precedence.hpp"
#include "solver/formulas/tokens.hpp"
#include "solver/formulas/tree.hpp"

namespace perdure::formulas {
namespace {

constexpr int most_levels = 200;  // of brackets, signs, exponents and conditions in one another

/// A bracket that was opened: `text` is '(' or with the name of the function.
struct Opening {
    std::string text;
    int begin = 0;
};

class Parser {
  public:
    explicit Parser(std::string_view formula) : formula_(formula), token_(read_token(formula, 0)) {}

    Node whole() {
        if (token_.kind == TokenKind::end) {
            throw FormulaError("the formula is empty; expected a value such as 0 or 2*u", 0, size());
        }
        Node tree = condition();
        if (token_.kind != TokenKind::end) {
            refuse_behind_value();
        }
        return tree;
    }

  private:
    /// Counts what nests while it lives.
    class Level {
      public:
        Level(Parser &parser, const Token &at) : levels_(parser.levels_) {
            if (levels_ == most_levels) {
                throw FormulaError(fmt::format("more than {} brackets, signs, exponents and conditions are "
                                               "nested; give parts of the formula a name under 'let'",
                                               most_levels),
                                   at.begin, at.end);
            }
            ++levels_;
        }
        Level(const Level &) = delete;
        Level &operator=(const Level &) = delete;
        ~Level() { --levels_; }

      private:
        int &levels_;
    };

    [[nodiscard]] int size() const { return static_cast<int>(formula_.size()); }

    /// Goes to the next token and returns the one before it.
    Token advance() {
        previous_ = token_;
        token_ = read_token(formula_, token_.end);
        return previous_;
    }

    [[nodiscard]] bool at_operator(std::string_view operation) const {
        return token_.kind == TokenKind::operation && token_.operation == operation;
    }

    template <class... Children>
    Node call(std::string_view name, int begin, Children &&...children) const {
        Node node{NodeKind::call, 0.0, std::string(name), {}, 0, begin, previous_.end};
        node.children.reserve(sizeof...(children));
        (node.children.push_back(std::forward<Children>(children)), ...);
        return node;
    }

    /// a, or c ? a : b.
    Node condition() {
        const int begin = token_.begin;
        Node tree = chain(next(Binding::condition));
        if (token_.kind != TokenKind::question) {
            return tree;
        }
        const Token question = advance();
        const Level level(*this, question);
        Node then = condition();
        if (token_.kind != TokenKind::colon) {
            throw FormulaError(
                fmt::format("expected ':' and the other value for the '?' at character {}, found {}",
                            question.begin + 1, quoted(token_)),
                token_.begin, token_.end);
        }
        advance();
        Node otherwise = condition();
        return call("if", begin, std::move(tree), std::move(then), std::move(otherwise));
    }

    /// Values joined by operators that bind at least as tightly as `loosest`.
    Node chain(Binding loosest) {
        const int begin = token_.begin;
        Node left = at_operator("not") ? negation(loosest) : operand();
        bool compared = false;  // left is a comparison without brackets
        for (;;) {
            const Binding binding =
                token_.kind == TokenKind::operation ? binding_of(token_.operation) : Binding::value;
            if (binding == Binding::value || binding < loosest) {
                return left;
            }
            const Token operation = advance();
            if (compared && binding == Binding::comparison) {
                throw FormulaError(
                    "comparisons cannot be chained; join two of them with 'and', as in a < b and b < c",
                    operation.begin, operation.end);
            }
            Node right = chain(next(binding));
            left = call(operation.operation, begin, std::move(left), std::move(right));
            compared = binding == Binding::comparison;
        }
    }

    /// not a.
    Node negation(Binding loosest) {
        const Token negation = advance();
        if (loosest > Binding::negation) {
            throw FormulaError(
                fmt::format("put '{}' and its operand in brackets: ({} a)", negation.text, negation.text),
                negation.begin, negation.end);
        }
        const Level level(*this, negation);
        const int begin = token_.begin;
        Node operand = chain(Binding::negation);
        const bool compares =
            operand.kind == NodeKind::call && binding_of(operand.name) == Binding::comparison;
        const bool in_brackets = operand.begin > begin;
        if (negation.text == "!" && compares && !in_brackets) {
            throw FormulaError("'!' before a comparison can be misread; write !(a < b) or (!a) < b",
                               negation.begin, previous_.end);
        }
        return call("not", negation.begin, std::move(operand));
    }

    /// A sign and what it belongs to, or a power.
    Node operand() {
        if (at_operator("-") || at_operator("+")) {
            const Token sign = advance();
            const Level level(*this, sign);
            Node value = operand();
            return sign.operation == "-" ? call("negate", sign.begin, std::move(value)) : std::move(value);
        }
        const int begin = token_.begin;
        Node base = value();
        if (!at_operator("^")) {
            return base;
        }
        const Level level(*this, advance());
        Node exponent = operand();
        return call("^", begin, std::move(base), std::move(exponent));
    }

    Node value() {
        switch (token_.kind) {
            case TokenKind::number: {
                const Token number = advance();
                return {NodeKind::number, number.number, {}, {}, 0, number.begin, number.end};
            }
            case TokenKind::name: {
                const Token name = advance();
                if (token_.kind == TokenKind::open) {
                    return function(name);
                }
                return {NodeKind::name, 0.0, std::string(name.text), {}, 0, name.begin, name.end};
            }
            case TokenKind::open:
                return brackets();
            default:
                refuse_missing_value();
        }
    }

    /// name(a, b; c), from the opening bracket.
    Node function(const Token &name) {
        if (name.text == "negate") {
            throw FormulaError("there is no function 'negate'; write -a", name.begin, name.end);
        }
        Node node{NodeKind::call, 0.0, std::string(name.text), {}, 0, name.begin, name.end};
        const Opening opening{shorten(std::string(name.text)) + "(", name.begin};
        read_list(opening, node);
        return node;
    }

    /// (a), or the vector (a, b).
    Node brackets() {
        Node node{NodeKind::vector, 0.0, {}, {}, 0, token_.begin, token_.end};
        read_list({"(", token_.begin}, node);
        if (node.behind_semicolon > 0) {
            throw FormulaError(no_semicolon, node.begin, node.end);
        }
        if (node.children.size() == 1) {
            return std::move(node.children.front());
        }
        if (node.children.size() > 3) {
            throw FormulaError(
                fmt::format("expected 2 or 3 components of a vector, found {}", node.children.size()),
                node.begin, node.end);
        }
        return node;
    }

    /// From the opening bracket to behind the closing one; sets children, behind_semicolon and end.
    void read_list(const Opening &opening, Node &node) {
        const Level level(*this, advance());
        if (token_.kind == TokenKind::close) {
            throw FormulaError(fmt::format("expected a value between '{}' and ')'", opening.text),
                               opening.begin, token_.end);
        }
        bool semicolon = false;
        for (;;) {
            if (token_.kind == TokenKind::end && node.children.empty()) {
                refuse_unclosed(opening);
            }
            node.children.push_back(condition());
            node.behind_semicolon += semicolon ? 1 : 0;
            if (token_.kind == TokenKind::semicolon && semicolon) {
                throw FormulaError("a second ';' in the same brackets; expected ',' or ')'", token_.begin,
                                   token_.end);
            }
            semicolon = semicolon || token_.kind == TokenKind::semicolon;
            if (token_.kind != TokenKind::comma && token_.kind != TokenKind::semicolon) {
                break;
            }
            advance();
        }
        if (token_.kind == TokenKind::end) {
            refuse_unclosed(opening);
        }
        if (token_.kind != TokenKind::close) {
            refuse_behind_value();
        }
        node.end = token_.end;
        advance();
    }

    [[noreturn]] void refuse_unclosed(const Opening &opening) const {
        throw FormulaError(fmt::format("the formula ends here, but the '{}' at character {} is not closed",
                                       opening.text, opening.begin + 1),
                           token_.begin, token_.end);
    }

    [[noreturn]] void refuse_missing_value() const {
        throw FormulaError(why_no_value(previous_, token_), token_.begin, token_.end);
    }
    [[noreturn]] void refuse_behind_value() const {
        throw FormulaError(why_not_behind_value(previous_, token_), token_.begin, token_.end);
    }

    std::string_view formula_;
    Token previous_, token_;
    int levels_ = 0;
};

}  // namespace

Node parse(std::string_view text) {
    if (text.size() > longest_formula) {
        throw FormulaError(fmt::format("the formula has {} characters, but at most {} are allowed; give "
                                       "parts of it a name under 'let'",
                                       text.size(), longest_formula),
                           longest_formula, static_cast<int>(std::min<std::size_t>(text.size(), INT_MAX)));
    }
    return Parser(text).whole();
}

}  // namespace perdure::formulas
