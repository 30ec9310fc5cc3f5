// The equations: one descriptor for each `problem.type`, and a registry of all of them. The rest of the
// program reads the properties from these descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/config.hpp"

namespace perdure {

/// What can be derived from a field of the answer; how: solver/output/derived_fields.cpp.
enum class Quantity { flux };

/// An unknown of an equation, with the keys of `problem` that give what the terms of its own equation need; null: it has no such
/// term. A field without `a` has no sides but periodic ones.
struct EquationField {
    const char *name;
    const char *a = nullptr;
    const char *sigma = nullptr;
    const char *capacity = nullptr;
    const char *f = nullptr;
    const char *initial = nullptr;
    std::size_t cells_of = 0;  // index of the field whose solid and cut-off cells are its own too
};

/// A field of the output that is derived from one of the equation's own.
struct DerivedField {
    const char *name;
    std::size_t of;  // index of that field
    Quantity quantity;
};

/// An equation as the rest of the program sees it. Texts say why a case of it cannot have what; null: it can.
struct Equation {
    ProblemType type;
    const char *formula;
    std::span<const EquationField> fields = {};
    std::span<const DerivedField> derived = {};
    std::span<const CaseKey> keys =
        {};  // of `problem`: VALUEs of its fields beyond a, sigma, f and initial; what a system or an image consists of
    std::span<const TimeIntegrator> integrators =
        {};                // of an equation in time: the one that it has by default first
    bool in_time = false;  // advanced step by step, by time.method; else solved, by solver.method
    bool of_case = false;  // its fields and formulas are those of the case (solver/systems); it has none here
    bool may_be_system =
        false;  // where its values depend on u or t, or it is carried along: case_file/heat_as_system.hpp
    bool of_image = false;  // solved once for each direction of an image, which sets the sides
    std::int64_t device_bytes_per_cell = 0;  // beside the fields of the kernel and what multigrid needs
    Preconditioner preconditioner = Preconditioner::jacobi;  // unless the case names one
    const char *unit = "iteration";                          // of what a run counts
    const char *article = "an";
    double agreement_single = 0.0;  // of steps with the reference, relative, by precision; 0: as rtol allows
    double agreement_double = 0.0;
    std::string (*starting_case)() = nullptr;  // commented, which `perdure new` writes
    const char *before_it_runs = "";           // what its user does first, a clause
    // Of a, where the case has no capacity; null: those that the case gives.
    const char *units_of_a = nullptr;
    bool may_be_of_temperature = false;       // its u
    const char *no_units_at_sides = nullptr;  // values there are numbers alone
    const char *no_velocity = nullptr;
    const char *no_time = nullptr;
    const char *only_periodic = nullptr;  // sides other than periodic ones
};

std::span<const Equation> all_equations();

const Equation &equation_of(ProblemType type);

/// By the word of problem.type; null: there is none.
const Equation *find_equation(std::string_view word);

inline bool is_in_time(const Config &config) {
    return equation_of(config.type).in_time;
}

/// Whether a step of an integrator is the solution of a system of equations, by solver.method.
bool is_implicit(TimeIntegrator word);

/// Whether it chooses its steps by their error.
bool steps_by_error(TimeIntegrator word);

/// Whether a case has a solver.method: it is steady, or its steps are implicit.
bool solves_systems(const Config &config);

/// The values that a case gives in `problem`, with their keys there: a, sigma, f, initial and those that its equation alone has.
std::vector<std::pair<std::string, const ValueSource *>> values_of(const Config &config);

/// The one with that key. Throws std::logic_error where the equation has none.
const ValueSource &value_of(const Config &config, std::string_view key);

/// Those that make its operator vary from cell to cell: a, sigma and capacity of each field.
std::vector<const ValueSource *> coefficients_of(const Config &config);

/// Axes along which the case is solved one after the other; empty: it is solved once.
std::vector<int> directions_of(const Config &config);

/// Names of the fields that the case's equation is of.
std::vector<std::string> field_names(const Config &config);

/// Names of the fields that a result holds: those that the case names, else those of its equation.
std::vector<std::string> written_fields(const Config &config);

/// Names of the fields and of what is derived from them, which output.fields takes.
std::vector<std::string> output_fields(const Config &config);

}  // namespace perdure
