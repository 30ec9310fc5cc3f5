// Arithmetic expressions of a case file, evaluated by muParser.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace perdure {

/// An expression that cannot be used. what() says why in words for people.
class ExpressionError : public std::runtime_error {
  public:
    ExpressionError(const std::string &message, int offset, std::string token);

    [[nodiscard]] int offset() const {
        return offset_;
    }  // characters from the start of the text, -1: not known
    [[nodiscard]] const std::string &token() const { return token_; }

  private:
    int offset_;
    std::string token_;
};

/// One real value from named variables and the constants pi and e. `^` is the power, a decimal separator is
/// a point whatever the locale. An object serves one thread at a time.
class Expression {
  public:
    /// Throws ExpressionError when `text` does not parse, assigns to a variable or gives several values.
    Expression(const std::string &text, const std::vector<std::string> &variables);
    Expression(Expression &&) noexcept;
    Expression &operator=(Expression &&) noexcept;
    Expression(const Expression &) = delete;
    Expression &operator=(const Expression &) = delete;
    ~Expression();

    /// True when no variable occurs in the text.
    [[nodiscard]] bool constant() const;

    /// Value for the variables in the order the constructor was given; NaN or infinite where undefined.
    double operator()(std::span<const double> values);

    /// to[i]: the value for first[i] of the first variable and `others` of those behind it.
    void along_first(std::span<const double> first, std::span<const double> others, double *to);

  private:
    struct Parser;
    std::unique_ptr<Parser> parser_;
};

}  // namespace perdure
