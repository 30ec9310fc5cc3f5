#include "solver/systems/apply.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace perdure::systems {
namespace {

/// Calls use(f), f(a, b, c) being the value of the operation.
template <class Use>
auto with_function_of(Operation operation, const Use &use) {
#define PERDURE_VALUE(value)                                                                         \
    return use([]([[maybe_unused]] double a, [[maybe_unused]] double b, [[maybe_unused]] double c) { \
        return value;                                                                                \
    })
    switch (operation) {
        case Operation::ADD:
            PERDURE_VALUE(a + b);
        case Operation::SUBTRACT:
            PERDURE_VALUE(a - b);
        case Operation::MULTIPLY:
            PERDURE_VALUE(a * b);
        case Operation::DIVIDE:
            PERDURE_VALUE(a / b);
        case Operation::FUSED_PRODUCT:
            PERDURE_VALUE(std::fma(a, b, c));
        case Operation::NEGATE:
            PERDURE_VALUE(-a);
        case Operation::ABSOLUTE:
            PERDURE_VALUE(std::fabs(a));
        case Operation::MINIMUM:
            PERDURE_VALUE(std::fmin(a, b));
        case Operation::MAXIMUM:
            PERDURE_VALUE(std::fmax(a, b));
        case Operation::SQUARE_ROOT:
            PERDURE_VALUE(std::sqrt(a));
        case Operation::FLOOR:
            PERDURE_VALUE(std::floor(a));
        case Operation::EXPONENTIAL:
            PERDURE_VALUE(std::exp(a));
        case Operation::LOGARITHM:
            PERDURE_VALUE(std::log(a));
        case Operation::LOGARITHM_2:
            PERDURE_VALUE(std::log2(a));
        case Operation::LOGARITHM_10:
            PERDURE_VALUE(std::log10(a));
        case Operation::SINE:
            PERDURE_VALUE(std::sin(a));
        case Operation::COSINE:
            PERDURE_VALUE(std::cos(a));
        case Operation::TANGENT:
            PERDURE_VALUE(std::tan(a));
        case Operation::ARC_SINE:
            PERDURE_VALUE(std::asin(a));
        case Operation::ARC_COSINE:
            PERDURE_VALUE(std::acos(a));
        case Operation::ARC_TANGENT:
            PERDURE_VALUE(std::atan(a));
        case Operation::ARC_TANGENT_2:
            PERDURE_VALUE(std::atan2(a, b));
        case Operation::HYPERBOLIC_SINE:
            PERDURE_VALUE(std::sinh(a));
        case Operation::HYPERBOLIC_COSINE:
            PERDURE_VALUE(std::cosh(a));
        case Operation::HYPERBOLIC_TANGENT:
            PERDURE_VALUE(std::tanh(a));
        case Operation::INVERSE_HYPERBOLIC_SINE:
            PERDURE_VALUE(std::asinh(a));
        case Operation::INVERSE_HYPERBOLIC_COSINE:
            PERDURE_VALUE(std::acosh(a));
        case Operation::INVERSE_HYPERBOLIC_TANGENT:
            PERDURE_VALUE(std::atanh(a));
        case Operation::ERROR_FUNCTION:
            PERDURE_VALUE(std::erf(a));
        case Operation::POWER:
            PERDURE_VALUE(std::pow(a, b));
        case Operation::LESS:
            PERDURE_VALUE(a < b ? 1.0 : 0.0);
        case Operation::LESS_OR_EQUAL:
            PERDURE_VALUE(a <= b ? 1.0 : 0.0);
        case Operation::EQUAL:
            PERDURE_VALUE(a == b ? 1.0 : 0.0);
        case Operation::AND:
            PERDURE_VALUE(a != 0.0 && b != 0.0 ? 1.0 : 0.0);
        case Operation::OR:
            PERDURE_VALUE(a != 0.0 || b != 0.0 ? 1.0 : 0.0);
        case Operation::NOT:
            PERDURE_VALUE(a == 0.0 ? 1.0 : 0.0);
        case Operation::SELECT:
            PERDURE_VALUE(a != 0.0 ? b : c);
        case Operation::RATE:
            PERDURE_VALUE(a);
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
    PERDURE_VALUE(std::numeric_limits<double>::quiet_NaN());  // no value without a cell
#undef PERDURE_VALUE
}

}  // namespace

double apply(Operation operation, double a, double b, double c) {
    return with_function_of(operation, [&](const auto &value) { return value(a, b, c); });
}

void apply(Operation operation, const double *a, const double *b, const double *c, double *values,
           std::size_t count) {
    with_function_of(operation, [&](const auto &value) {
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = value(a[i], b[i], c[i]);
        }
    });
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
