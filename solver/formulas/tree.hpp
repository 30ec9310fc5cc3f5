// The formulas of a case file as trees: the result of parse(), and the input of the rest of the program.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace perdure::formulas {

/// A formula that cannot be used: what() says why in words for people; `begin` and `end` are the characters of the text that it
/// is about, end behind the last.
class FormulaError : public std::runtime_error {
  public:
    FormulaError(const std::string &message, int begin, int end)
        : std::runtime_error(message), begin_(begin), end_(end) {}
    [[nodiscard]] int begin() const { return begin_; }
    [[nodiscard]] int end() const { return end_; }

  private:
    int begin_, end_;
};

enum class NodeKind {
    number,  // 2.5
    name,    // a field, parameter, part, coordinate or constant: what it is, is for others to say
    call,    // lap(u), max(a, b); operators too, by the names below
    vector,  // (vx, vy): components along x, y and in 3D z
};

/// Operators are calls of these names with one, two or three children:
/// + - * / ^ (two), negate (one), < <= > >= == != and or (two), not (one), if (three: condition, then, else; also c ? a : b).
/// What stands behind a semicolon, as the speed in conserve(fx, fy; speed), is behind the other children; `behind_semicolon` counts it.
struct Node {
    NodeKind kind = NodeKind::number;
    double number = 0.0;
    std::string name;  // of a name or a call
    std::vector<Node> children;
    int behind_semicolon = 0;
    int begin = 0, end = 0;  // characters of the text that it came from
};

/// Reads one formula. `&&`, `||`, `!` are other words for and, or, not. `^` binds to the right and more tightly than a sign
/// before it: -2^2 = -4, 2^-1 = 0.5, 2^3^2 = 512. Comparisons do not chain. Throws FormulaError.
Node parse(std::string_view text);

/// The names in it that are no calls, each once, in the order of their places.
std::vector<const Node *> names_in(const Node &tree);

}  // namespace perdure::formulas
