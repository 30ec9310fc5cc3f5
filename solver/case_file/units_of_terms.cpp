#include "solver/case_file/units_of_terms.hpp"

#include <vector>

#include "solver/equations/equation.hpp"

namespace perdure {

std::span<const KeyWithUnits> keys_with_units() {
    const systems::Units per_area{{"m", -2}}, per_length{{"m", -1}};
    static const std::vector<KeyWithUnits> keys{{"problem.a", {1, 0, {}}},
                                                {"problem.sigma", {1, 0, per_area}},
                                                {"problem.capacity", {1, 0, {{"m", -2}, {"s", 1}}}},
                                                {"problem.f", {1, 1, per_area}},
                                                {"problem.initial", {0, 1, {}}},
                                                {"problem.initial_rate", {0, 1, {{"s", -1}}}},
                                                {"problem.damping", {0, 0, {{"s", -1}}}},
                                                {"value", {0, 1, {}}},
                                                {"flux", {1, 1, per_length}},
                                                {"exchange.coefficient", {1, 0, per_length}},
                                                {"exchange.ambient", {0, 1, {}}}};
    return keys;
}

UnitsOfTerm units_of_velocity(std::string_view type) {
    const Equation *const equation = find_equation(type);
    return equation != nullptr && equation->in_time ? UnitsOfTerm{0, 0, {{"m", 1}, {"s", -1}}}
                                                    : UnitsOfTerm{1, 0, {{"m", -1}}};
}

std::optional<systems::Units> units_of_a(std::string_view type, bool has_capacity) {
    const Equation *const equation = find_equation(type);
    return has_capacity || equation == nullptr || equation->units_of_a == nullptr
               ? std::nullopt
               : systems::read_units(equation->units_of_a);
}

}  // namespace perdure
