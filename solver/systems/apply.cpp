#include "solver/systems/apply.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace perdure::systems {

double apply(Operation operation, double a, double b, double c) {
    switch (operation) {
        case Operation::ADD:
            return a + b;
        case Operation::SUBTRACT:
            return a - b;
        case Operation::MULTIPLY:
            return a * b;
        case Operation::DIVIDE:
            return a / b;
        case Operation::FUSED_PRODUCT:
            return std::fma(a, b, c);
        case Operation::NEGATE:
            return -a;
        case Operation::ABSOLUTE:
            return std::fabs(a);
        case Operation::MINIMUM:
            return std::fmin(a, b);
        case Operation::MAXIMUM:
            return std::fmax(a, b);
        case Operation::SQUARE_ROOT:
            return std::sqrt(a);
        case Operation::FLOOR:
            return std::floor(a);
        case Operation::EXPONENTIAL:
            return std::exp(a);
        case Operation::LOGARITHM:
            return std::log(a);
        case Operation::SINE:
            return std::sin(a);
        case Operation::COSINE:
            return std::cos(a);
        case Operation::TANGENT:
            return std::tan(a);
        case Operation::ARC_SINE:
            return std::asin(a);
        case Operation::ARC_COSINE:
            return std::acos(a);
        case Operation::ARC_TANGENT:
            return std::atan(a);
        case Operation::HYPERBOLIC_TANGENT:
            return std::tanh(a);
        case Operation::POWER:
            return std::pow(a, b);
        case Operation::LESS:
            return a < b ? 1.0 : 0.0;
        case Operation::LESS_OR_EQUAL:
            return a <= b ? 1.0 : 0.0;
        case Operation::EQUAL:
            return a == b ? 1.0 : 0.0;
        case Operation::AND:
            return a != 0.0 && b != 0.0 ? 1.0 : 0.0;
        case Operation::OR:
            return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
        case Operation::NOT:
            return a == 0.0 ? 1.0 : 0.0;
        case Operation::SELECT:
            return a != 0.0 ? b : c;
        case Operation::RATE:
            return a;
        case Operation::NUMBER:
        case Operation::PARAMETER:
        case Operation::FIELD:
        case Operation::COEFFICIENT:
        case Operation::COORDINATE:
        case Operation::TIME:
        case Operation::RANDOM:
        case Operation::NOISE:
            break;
    }
    return std::numeric_limits<double>::quiet_NaN();  // no value without a cell
}

std::string_view name_of(Operation operation) {
    static constexpr std::array<std::string_view, SYSTEM_OPERATION_COUNT> names{
#define PERDURE_NAME(name, arguments) #name,
        SYSTEM_OPERATIONS(PERDURE_NAME)
#undef PERDURE_NAME
    };
    return names[static_cast<unsigned>(operation)];
}

bool commutes(Operation operation) {
    return operation == Operation::ADD || operation == Operation::MULTIPLY || operation == Operation::EQUAL ||
           operation == Operation::AND || operation == Operation::OR || operation == Operation::FUSED_PRODUCT;
}

}  // namespace perdure::systems
