#include "solver/equations/equation.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "solver/case_file/starting_cases.hpp"
#include "solver/row_where.hpp"

namespace perdure {
namespace {

constexpr std::array scalar{
    EquationField{.name = "u", .a = "a", .sigma = "sigma", .f = "f", .initial = "initial"}};
constexpr std::array flux_of_field{DerivedField{"flux", 0, Quantity::flux}};

constexpr std::array warmth{EquationField{
    .name = "u", .a = "a", .sigma = "sigma", .capacity = "capacity", .f = "f", .initial = "initial"}};
constexpr std::array heat_integrators{TimeIntegrator::euler, TimeIntegrator::backward_euler,
                                      TimeIntegrator::crank_nicolson, TimeIntegrator::bdf2};

constexpr std::array displacement_and_velocity{
    EquationField{.name = "u", .a = "a", .sigma = "sigma", .f = "f", .initial = "initial"},
    EquationField{.name = "v", .sigma = "damping", .initial = "initial_rate", .cells_of = 0}};
constexpr std::array wave_keys{
    CaseKey{"problem.damping", "VALUE", "0", "wave: damping d in the equation, >= 0 [1 / time]"},
    CaseKey{"problem.initial_rate", "VALUE", "0", "wave: v = du/dt at time 0"}};
constexpr std::array verlet{TimeIntegrator::verlet};

constexpr std::array effective_keys{
    CaseKey{"problem.directions", "all, or a list such as [x, z]", "all",
            "effective: axes along which the image is solved"},
    CaseKey{"problem.lateral", "flux or periodic", "flux",
            "effective: the sides along the direction, insulated or periodic; periodic ones, along all axes, "
            "give the whole tensor; with boundary: {all: periodic} the two faces of the direction are "
            "periodic, too"},
    CaseKey{"problem.subvolume", "map", "",
            "effective: the part of the image that is solved; grid.shape is that of the whole"},
    CaseKey{"problem.subvolume.shape", "whole number > 0, or list of 2 or 3 whole numbers", "required",
            "cells along each axis, slowest first; one number: of a cube"},
    CaseKey{"problem.subvolume.from", "list of 2 or 3 whole numbers >= 0", "0 along each axis",
            "its first cell in the image, slowest axis first"}};

constexpr std::array steps_of_systems{TimeIntegrator::rk4,
                                      TimeIntegrator::ssprk3,
                                      TimeIntegrator::euler,
                                      TimeIntegrator::leapfrog,
                                      TimeIntegrator::rk23,
                                      TimeIntegrator::rk45,
                                      TimeIntegrator::rkl2,
                                      TimeIntegrator::backward_euler,
                                      TimeIntegrator::crank_nicolson,
                                      TimeIntegrator::bdf2,
                                      TimeIntegrator::imex};

constexpr std::array system_keys{
    CaseKey{"problem.fields", "map of name to map", "required", "system: the unknowns, by name"},
    CaseKey{"problem.fields.FIELD", "VALUE, or a map", "",
            "system: value at time 0, or a map with the keys below"},
    CaseKey{"problem.fields.FIELD.initial", "VALUE", "0",
            "system: value at time 0; expressions may use parameters and random(seed)"},
    CaseKey{"problem.fields.FIELD.units", "text", "",
            "system: units of the field, such as mol/m3; perdure warns if units are inconsistent (lengths in "
            "metres, times in seconds)"},
    CaseKey{"problem.fields.FIELD.exact", "formula", "",
            "system: exact solution in x, y, z, t and parameters, for error norms"},
    CaseKey{"problem.fields.FIELD.boundary", "as boundary", "", "system: sides of this field only"},
    CaseKey{"problem.equations", "map of field to FORMULA", "required", "system: du/dt of each field"},
    CaseKey{"problem.parameters", "map of name to number", "", "system: numbers that formulas use by name"},
    CaseKey{"problem.parameters.NAME", "number, or a map", "", "system: a number, or a map if it has units"},
    CaseKey{"problem.parameters.NAME.value", "number", "required",
            "system: value of a parameter that has units"},
    CaseKey{"problem.parameters.NAME.units", "text", "", "system: units of the parameter, such as m2/s"},
    CaseKey{"problem.let", "map of name to FORMULA", "",
            "system: named parts of formulas; each may use the parts before it"},
    CaseKey{"problem.coefficients", "map of name to VALUE", "",
            "system: values of each cell that formulas use by name, such as datasets and label images"}};

constexpr std::array equations{
    Equation{
        .type = ProblemType::diffusion,
        .formula = "-div(a grad u) + v . grad u + sigma u = f",
        .fields = scalar,
        .derived = flux_of_field,
        .starting_case = starting_case,
        .may_be_of_temperature = true,
        .no_time =
            "a diffusion problem is steady and has no time; remove the section, or set problem.type: heat",
    },
    Equation{
        .type = ProblemType::heat,
        .formula = "c (du/dt + v . grad u) = div(a grad u) - sigma u + f",
        .fields = warmth,
        .integrators = heat_integrators,
        .in_time = true,
        .may_be_system = true,
        .unit = "step",
        .article = "a",
        .agreement_single = 1.0e-4,
        .agreement_double = 1.0e-10,
        .starting_case = starting_heat_case,
        .units_of_a = "m2/s",
        .may_be_of_temperature = true,
    },
    Equation{
        .type = ProblemType::wave,
        .formula = "du/dt = v, dv/dt = div(a grad u) - sigma u - d v + f",
        .fields = displacement_and_velocity,
        .keys = wave_keys,
        .integrators = verlet,
        .in_time = true,
        .unit = "step",
        .article = "a",
        .agreement_single = 1.0e-3,
        .agreement_double = 1.0e-9,
        .starting_case = starting_wave_case,
        .units_of_a = "m2/s2",
        .no_velocity = "a wave problem has no convection; remove the key",
    },
    Equation{
        .type = ProblemType::system,
        .formula = "du/dt = F(u, v, .., x, t) for each field, with formulas from the case",
        .keys = system_keys,
        .integrators = steps_of_systems,
        .in_time = true,
        .of_case = true,
        .unit = "step",
        .article = "a",
        .agreement_single = 1.0e-3,
        .agreement_double = 1.0e-9,
        .starting_case = starting_system_case,
        .no_units_at_sides =
            "sides of a system take numbers without units; write it in the units of the field's equation",
        .no_velocity = "in a system, write velocities into the equations; remove the key",
    },
    Equation{
        .type = ProblemType::effective,
        .formula = "-div(a grad u) = 0 through an image, along each direction",
        .fields = scalar,
        .derived = flux_of_field,
        .keys = effective_keys,
        .of_image = true,
        .device_bytes_per_cell = 2,  // material and faces: solver/run/percolation.hpp
        .preconditioner = Preconditioner::multigrid,
        .starting_case = starting_effective_case,
        .before_it_runs =
            "put the image into the same folder as image.h5 (tools/import_image converts slices) and "
            "enter its labels and shape in the case (perdure new --image does this)",
        .no_time = "an effective case has no time; remove the section",
        .only_periodic =
            "the sides of an effective case are all periodic, as in boundary: {all: periodic}, or the "
            "section is left out: then u is 1 and 0 on the two faces of each direction, and problem.lateral "
            "(flux or periodic) says what the others are",
    },
};

}  // namespace

std::span<const Equation> all_equations() {
    return equations;
}

const Equation &equation_of(ProblemType type) {
    return row_where(equations, &Equation::type, type, "internal error: a problem type has no equation");
}

const Equation *find_equation(std::string_view word) {
    const auto type = value_named<ProblemType>(word);
    return type ? &equation_of(*type) : nullptr;
}

#define PERDURE_WORD(word) TimeIntegrator::word,
bool is_implicit(TimeIntegrator word) {
    constexpr std::array implicit{PERDURE_IMPLICIT_WORDS(PERDURE_WORD)};
    return std::ranges::find(implicit, word) != implicit.end();
}

bool steps_by_error(TimeIntegrator word) {
    constexpr std::array by_error{PERDURE_WORDS_BY_ERROR(PERDURE_WORD)};
    return std::ranges::find(by_error, word) != by_error.end();
}
#undef PERDURE_WORD

bool solves_systems(const Config &config) {
    return !is_in_time(config) || is_implicit(config.time.value_or(TimeConfig{}).integrator);
}

std::vector<std::pair<std::string, const ValueSource *>> values_of(const Config &config) {
    std::vector<std::pair<std::string, const ValueSource *>> values{{"a", &config.a},
                                                                    {"sigma", &config.sigma},
                                                                    {"capacity", &config.capacity},
                                                                    {"f", &config.f},
                                                                    {"initial", &config.initial}};
    for (const auto &[key, value] : config.own_values) {
        values.emplace_back(key, &value);
    }
    if (config.system) {
        for (const SystemField &field : config.system->fields) {
            values.emplace_back("fields." + field.name + ".initial", &field.initial);
        }
        for (const auto &[name, value] : config.system->coefficients) {
            values.emplace_back("coefficients." + name, &value);
        }
    }
    return values;
}

const ValueSource &value_of(const Config &config, std::string_view key) {
    for (const auto &[known, value] : values_of(config)) {
        if (known == key) {
            return *value;
        }
    }
    throw std::logic_error("internal error: a field names a key that its equation does not have");
}

std::vector<const ValueSource *> coefficients_of(const Config &config) {
    std::vector<const ValueSource *> coefficients;
    for (const EquationField &field : equation_of(config.type).fields) {
        for (const char *const key : {field.a, field.sigma, field.capacity}) {
            if (key != nullptr) {
                coefficients.push_back(&value_of(config, key));
            }
        }
    }
    return coefficients;
}

std::vector<int> directions_of(const Config &config) {
    return config.effective ? config.effective->axes : std::vector<int>();
}

std::vector<std::string> field_names(const Config &config) {
    std::vector<std::string> names;
    for (const EquationField &field : equation_of(config.type).fields) {
        names.emplace_back(field.name);
    }
    if (config.system) {
        for (const SystemField &field : config.system->fields) {
            names.push_back(field.name);
        }
    }
    return names;
}

std::vector<std::string> written_fields(const Config &config) {
    return config.output.fields.value_or(field_names(config));
}

std::vector<std::string> output_fields(const Config &config) {
    std::vector<std::string> names = field_names(config);
    for (const DerivedField &derived : equation_of(config.type).derived) {
        names.emplace_back(derived.name);
    }
    return names;
}

}  // namespace perdure
