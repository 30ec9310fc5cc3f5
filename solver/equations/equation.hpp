// What problems are equations of: one descriptor for each `problem.type`, and the registry of all of them. The rest of the
// program asks for their properties.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solver/case_file/config.hpp"

namespace perdure {

/// What can be derived from a field of the answer; how: solver/output/derived_fields.cpp.
enum class Quantity { flux };

/// A field of the output that is derived from one of the equation's own.
struct DerivedField {
    const char *name;
    std::size_t of;  // index of that field
    Quantity quantity;
};

/// An equation as the rest of the program sees it. Texts say why a case of it cannot have what; null: it can.
struct Equation {
    ProblemType type;
    std::span<const char *const> fields;  // their names
    std::span<const DerivedField> derived = {};
    bool in_time = false;   // advanced step by step, by time.integrator; else solved, by solver.method
    bool of_image = false;  // solved once for each direction of an image, which sets the sides
    Preconditioner preconditioner = Preconditioner::jacobi;  // unless the case names one
    const char *unit = "iteration";                          // of what a run counts
    const char *article = "an";
    double agreement_single = 0.0;  // of steps with the reference, relative, by precision; 0: as rtol allows
    double agreement_double = 0.0;
    const char *no_velocity = nullptr;
    const char *no_time = nullptr;
    const char *no_boundary = nullptr;
};

std::span<const Equation> all_equations();

const Equation &equation_of(ProblemType type);

inline bool is_in_time(const Config &config) {
    return equation_of(config.type).in_time;
}

/// Names of the fields that a result holds: those that the case names, else those of its equation.
std::vector<std::string> written_fields(const Config &config);

/// Names of the fields and of what is derived from them, which output.fields takes.
std::vector<std::string> output_fields(const Equation &equation);

/// Those of all equations, each name once.
std::vector<std::string> output_fields_of_all();

}  // namespace perdure
