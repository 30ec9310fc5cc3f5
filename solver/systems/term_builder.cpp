#include "solver/systems/term_builder.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>

namespace perdure::systems {
namespace {

constexpr int largest_multiplied_power = 16;  // higher ones are left to POWER

bool is_power_of_two(double number) {
    int exponent = 0;
    return std::isnormal(number) && std::fabs(std::frexp(number, &exponent)) == 0.5 &&
           std::isnormal(1.0 / number);
}

}  // namespace

int TermBuilder::number(double value) {
    Term term;
    term.number = value;
    return graph_.add(term);
}

int TermBuilder::leaf(Operation operation, int index, const std::array<int, 3> &offset) {
    Term term;
    term.operation = operation;
    term.index = index;
    term.offset = offset;
    return graph_.add(term);
}

int TermBuilder::apply(Operation operation, int a, int b, int c) {
    Term term;
    term.operation = operation;
    term.arguments = {a, b, c};
    return graph_.add(term);
}

bool TermBuilder::is_number(int place, double value) const {
    return term(place).operation == Operation::NUMBER && term(place).number == value;
}

int TermBuilder::add(int a, int b) {
    if (term(b).operation == Operation::NEGATE) {
        return subtract(a, term(b).arguments[0]);
    }
    if (term(a).operation == Operation::NEGATE) {
        return subtract(b, term(a).arguments[0]);
    }
    return apply(Operation::ADD, a, b);
}

int TermBuilder::subtract(int a, int b) {
    if (term(b).operation == Operation::NEGATE) {
        return add(a, term(b).arguments[0]);
    }
    return is_number(a, 0.0) ? negate(b) : apply(Operation::SUBTRACT, a, b);
}

int TermBuilder::multiply(int a, int b) {
    if (is_number(a, -1.0)) {
        return negate(b);
    }
    return is_number(b, -1.0) ? negate(a) : apply(Operation::MULTIPLY, a, b);
}

int TermBuilder::divide(int a, int b) {
    const Term &divisor = term(b);
    if (divisor.operation == Operation::NUMBER && is_power_of_two(divisor.number)) {
        return multiply(a, number(1.0 / divisor.number));  // the same bits
    }
    return apply(Operation::DIVIDE, a, b);
}

int TermBuilder::negate(int a) {
    return term(a).operation == Operation::NEGATE ? term(a).arguments[0] : apply(Operation::NEGATE, a);
}

int TermBuilder::difference(int a, int b) {
    return a == b ? number(0.0) : subtract(a, b);
}

int TermBuilder::scaled(int a, int b) {
    return is_number(a, 0.0) ? a : multiply(a, b);
}

int TermBuilder::whole_power(int base, int exponent) {
    int result = -1;
    for (int square = base; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) {
            result = result < 0 ? square : multiply(result, square);
        }
        square = exponent > 1 ? multiply(square, square) : square;
    }
    return result;
}

int TermBuilder::power(int base, int exponent) {
    const Term of = term(exponent);
    if (of.operation == Operation::NUMBER && term(base).operation != Operation::NUMBER) {
        const double value = of.number;
        if (value == 0.0) {
            return number(1.0);
        }
        if (value == std::floor(value) && std::fabs(value) <= largest_multiplied_power) {
            const int whole = whole_power(base, std::abs(static_cast<int>(value)));
            return value > 0.0 ? whole : divide(number(1.0), whole);
        }
        if (value == 0.5) {
            return apply(Operation::SQUARE_ROOT, base);
        }
    }
    if (is_number(base, std::numbers::e)) {
        return apply(Operation::EXPONENTIAL, exponent);
    }
    return apply(Operation::POWER, base, exponent);
}

int TermBuilder::harmonic_mean(int a, int b) {
    if (a == b) {
        return a;
    }
    const int sum = add(a, b);
    const int mean = divide(multiply(multiply(number(2.0), a), b), sum);
    return apply(Operation::SELECT, apply(Operation::EQUAL, sum, number(0.0)), number(0.0), mean);
}

}  // namespace perdure::systems
