#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "solver/problem/acceptable_values.hpp"
#include "solver/problem/cell_peclet.hpp"
#include "solver/problem/check_exact.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/problem_makers.hpp"
#include "solver/problem/sample_field.hpp"
#include "solver/problem/source_balance.hpp"

namespace perdure {

namespace {

// Earlier outputs hold NaN in the cells that were left out: there, and only there, it is replaced by 0.
void settle_initial(const ActiveCells &active, const SampledPlace &place, ProblemFindings &findings,
                    Samples &initial) {
    if (initial.uniform()) {
        check_values(initial, place, "finite", is_finite, findings);
        return;
    }
    expand(initial);  // each cell has a value of its own to be replaced
    in_parallel(static_cast<std::int64_t>(active.active.size()), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            if (active.active[i] == 0 && std::isnan(initial.values[i])) {
                initial.values[i] = 0.0;
            }
        }
    });
    check_values(initial, place, "finite in every cell that is not solid", is_finite, findings);
}

SampledPlace initial_place(const Config &config, const Problem &problem, const EquationField &equation,
                           const SamplePoints &cells) {
    SampledPlace place = place_of(config, equation.initial, cells);
    if (place.source.kind == ValueSource::Kind::expression) {
        place.cells = problem.initial_cells;
    }
    return place;
}

/// Field number `index` of the equation from what the case gives. The cells that it takes part in go to `cells_of_fields`, which holds
/// those of the fields before it.
Field make_field(const Config &config, const Problem &problem, std::size_t index, ProblemFindings &findings,
                 std::vector<std::optional<ActiveCells>> &cells_of_fields,
                 std::vector<Diagnostic> &warnings) {
    const Grid &grid = problem.grid;
    const EquationField &equation = equation_of(config.type).fields[index];
    Field field = begin_field(config, index);
    const SamplePoints cells = cell_points(grid);
    bool good = true;
    if (equation.a != nullptr) {
        good = sample_coefficient(place_of(config, equation.a, cells), findings, field.a);
    }
    good = sample_terms(config, grid, equation, findings, field) && good;
    bool initial_good = false;
    if (equation.initial != nullptr) {
        const SampledPlace initial = initial_place(config, problem, equation, cells);
        const bool from_output = initial.source.kind == ValueSource::Kind::dataset;
        initial_good = (from_output ? sample_finite_or_nan : sample_finite)(initial, findings, field.initial);
    }
    if (good) {
        if (field.cells_of == index) {
            cells_of_fields[index] = find_active_cells(grid, field);
        }
        const std::optional<ActiveCells> &active = cells_of_fields.at(field.cells_of);
        const auto add = [&warnings](const std::vector<Diagnostic> &found) {
            warnings.insert(warnings.end(), found.begin(), found.end());
        };
        if (field.cells_of == index) {
            add(check_sources(grid, field, *active, config, findings));
            add(check_convection(grid, field, *active, config, findings));
        }
        if (config.exact && index == 0) {
            check_exact(config, grid, *active, findings);
        }
        if (initial_good && active) {
            settle_initial(*active, initial_place(config, problem, equation, cells), findings, field.initial);
        }
    }
    return field;
}

}  // namespace

void make_problem_of_values(const Config &config, ProblemFindings &findings, Problem &problem,
                            std::vector<ActiveCells> &cells) {
    const std::size_t fields = equation_of(config.type).fields.size();
    std::vector<std::optional<ActiveCells>> cells_of_fields(fields);
    for (std::size_t i = 0; i < fields; ++i) {
        problem.fields.push_back(make_field(config, problem, i, findings, cells_of_fields, problem.warnings));
    }
    for (std::size_t i = 0; i < fields && findings.empty(); ++i) {
        const std::size_t of = problem.fields[i].cells_of;
        cells.push_back(of == i ? std::move(*cells_of_fields[i]) : cells.at(of));
    }
}

}  // namespace perdure
