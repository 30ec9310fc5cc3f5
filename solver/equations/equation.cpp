#include "solver/equations/equation.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace perdure {
namespace {

constexpr std::array<const char *, 1> one_field{"u"};
constexpr std::array flux_of_field{DerivedField{"flux", 0, Quantity::flux}};

constexpr std::array equations{
    Equation{
        .type = ProblemType::diffusion,
        .fields = one_field,
        .derived = flux_of_field,
        .no_time = "a diffusion problem is steady and has no time; remove it or set problem.type: heat",
    },
    Equation{
        .type = ProblemType::heat,
        .fields = one_field,
        .in_time = true,
        .unit = "step",
        .article = "a",
        .agreement_single = 1.0e-4,
        .agreement_double = 1.0e-10,
        .no_velocity = "a heat problem has no convection yet; type: diffusion takes a velocity",
    },
    Equation{
        .type = ProblemType::effective,
        .fields = one_field,
        .derived = flux_of_field,
        .of_image = true,
        .preconditioner = Preconditioner::multigrid,
        .no_time = "an effective property has no time; remove it",
        .no_boundary = "an effective case sets its sides itself: 1 and 0 on the two faces of each "
                       "direction, and problem.lateral (flux or periodic) on the others",
    },
};

}  // namespace

std::span<const Equation> all_equations() {
    return equations;
}

const Equation &equation_of(ProblemType type) {
    const auto *const found =
        std::find_if(equations.begin(), equations.end(),
                     [type](const Equation &equation) { return equation.type == type; });
    if (found == equations.end()) {
        throw std::logic_error("a problem type has no equation");
    }
    return *found;
}

std::vector<std::string> written_fields(const Config &config) {
    const auto own = equation_of(config.type).fields;
    return config.output.fields.value_or(std::vector<std::string>(own.begin(), own.end()));
}

std::vector<std::string> output_fields(const Equation &equation) {
    std::vector<std::string> names(equation.fields.begin(), equation.fields.end());
    for (const DerivedField &derived : equation.derived) {
        names.emplace_back(derived.name);
    }
    return names;
}

std::vector<std::string> output_fields_of_all() {
    std::vector<std::string> names;
    for (const Equation &equation : equations) {
        for (std::string &name : output_fields(equation)) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(std::move(name));
            }
        }
    }
    return names;
}

}  // namespace perdure
