#include "solver/run/later_needs.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "solver/equations/equation.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/output/energy_bounds.hpp"

namespace perdure {
namespace {

bool is_derived_from(const Config &config, std::size_t field) {
    const std::vector<std::string> written = written_fields(config);
    return std::ranges::any_of(equation_of(config.type).derived, [&](const DerivedField &derived) {
        return derived.of == field && std::ranges::find(written, derived.name) != written.end();
    });
}

void give_up(Samples &samples) {
    samples = {{std::numeric_limits<double>::quiet_NaN()}, {}};
}

}  // namespace

LaterNeeds later_needs(const PreparedCase &prepared, std::size_t field) {
    const Problem &problem = prepared.problem;
    const Field &of = problem.fields[field];
    if (problem.system) {
        return {};
    }
    const bool through_flow = has_through_flow(problem.grid, of);
    return {.all = prepared.plan.method->implicit != nullptr,
            .through_flow = through_flow,
            .a = through_flow || is_derived_from(prepared.config, field),
            .initial = prepared.cells[field].pinned && !of.in_time};
}

bool looks_at_fields(const PreparedCase &prepared, bool through_flow) {
    const Config &config = prepared.config;
    if (!written_fields(config).empty()) {
        return true;
    }
    if (config.effective) {
        return prepared.problem.grid.count() <= most_cells_to_bound;
    }
    return prepared.keeps_unwritten || config.exact || config.sweep || through_flow;
}

void give_up_samples(PreparedCase &prepared) {
    std::vector<LaterNeeds> needs;
    for (std::size_t i = 0; i < prepared.problem.fields.size(); ++i) {
        needs.push_back(later_needs(prepared, i));
    }
    for (std::size_t i = 0; i < needs.size(); ++i) {
        Field &field = prepared.problem.fields[i];
        if (!needs[i].initial) {
            give_up(field.initial);
        }
        if (needs[i].all) {
            continue;
        }
        for (Samples *const samples :
             {&field.capacity, &field.velocity[0], &field.velocity[1], &field.velocity[2]}) {
            give_up(*samples);
        }
        for (Samples *const samples : {&field.sigma, &field.f}) {
            give_up(*samples);
            if (needs[i].through_flow) {
                samples->values = {0.0};
            }
        }
        if (!needs[i].a) {
            give_up(field.a);
        }
    }
    for (Samples &samples : prepared.problem.coefficients) {
        give_up(samples);
    }
}

}  // namespace perdure
