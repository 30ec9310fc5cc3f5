#include "solver/output/derived_fields.hpp"

#include <algorithm>
#include <array>

#include "solver/equations/equation.hpp"
#include "solver/output/cell_flux.hpp"
#include "solver/row_where.hpp"

namespace perdure {
namespace {

/// How a quantity is made from a field and its values.
struct Derivation {
    Quantity quantity;
    int components;
    FieldValues (*derive)(const Grid &grid, const Field &field, const FieldValues &values);
    std::string (*unit)(const Field &field);
};

/// Those of a flux are not known where those of a are not.
std::string unit_of_flux(const Field &field) {
    return field.flux_unit.empty() && !field.unit ? "1" : field.flux_unit;
}

constexpr std::array derivations{Derivation{Quantity::flux, 3, cell_flux, unit_of_flux}};

const Derivation &derivation_of(Quantity quantity) {
    return row_where(derivations, &Derivation::quantity, quantity,
                     "internal error: a quantity has no derivation");
}

}  // namespace

void add_derived_fields(const Config &config, const Problem &problem, Solution &solution) {
    const std::vector<std::string> written = written_fields(config);
    for (const DerivedField &derived : equation_of(config.type).derived) {
        if (std::find(written.begin(), written.end(), derived.name) == written.end()) {
            continue;
        }
        const Derivation &derivation = derivation_of(derived.quantity);
        const Field &field = problem.fields.at(derived.of);
        FieldValues values = derivation.derive(problem.grid, field, solution.fields.at(derived.of).values);
        solution.fields.push_back(
            {derived.name, std::move(values), derivation.components, derivation.unit(field)});
    }
}

}  // namespace perdure
