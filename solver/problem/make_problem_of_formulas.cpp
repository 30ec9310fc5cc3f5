#include <utility>

#include <fmt/format.h>

#include "solver/problem/acceptable_values.hpp"
#include "solver/problem/problem_makers.hpp"
#include "solver/problem/sample_values.hpp"
#include "solver/systems/system.hpp"

namespace perdure {
namespace {

/// An initial value that is a formula of the system's own grammar.
std::optional<Samples> sample_formula(const Config &config, const Grid &grid, const ValueSource &source,
                                      ProblemFindings &findings) {
    try {
        const systems::CellFormula formula =
            systems::make_cell_formula(*config.system, {source.expression, source.position}, grid);
        systems::CellContext context;
        context.grid = &grid;
        for (const auto &[name, number] : formula.parameters) {
            context.parameters.push_back(number);
        }
        Samples samples;
        samples.values.resize(static_cast<std::size_t>(grid.count()));
        systems::evaluate_in_all_cells(formula.graph, formula.value, context, samples.values);
        return samples;
    } catch (const Failure &failure) {
        for (const Diagnostic &finding : failure.diagnostics()) {
            findings.add(failure.code(), finding.position, finding.message);
        }
        return std::nullopt;
    }
}

/// Finite values of a key, which are those of a formula or of a file.
Samples sample(const Config &config, const Grid &grid, const SampledPlace &place, ProblemFindings &findings) {
    const bool formula = place.source.kind == ValueSource::Kind::expression;
    std::optional<Samples> samples =
        formula ? sample_formula(config, grid, place.source, findings) : sample_values(place, findings);
    if (samples) {
        expand(*samples);  // systems look at values of cells one behind the other
        check_values(*samples, place, "finite", is_finite, findings);
    }
    return samples.value_or(Samples());
}

}  // namespace

void make_problem_of_formulas(const Config &config, ProblemFindings &findings, Problem &problem,
                              std::vector<ActiveCells> &cells) {
    problem.system = problem.watched = config.system;
    const SamplePoints points = cell_points(problem.grid);
    for (const SystemField &from : config.system->fields) {
        Field field;
        field.name = from.name;
        field.cells_of = problem.fields.size();
        if (!from.units.empty()) {
            field.unit = from.units;
        } else if (config.output.units) {
            field.unit = problem.fields.empty() ? *config.output.units : std::string();
        }
        field.in_time = true;
        field.initial =
            sample(config, problem.grid,
                   {fmt::format("problem.fields.{}.initial", from.name), from.initial, points}, findings);
        for (std::size_t side = 0; side < field.sides.size(); ++side) {
            field.sides[side].kind = config.sides[side].kind;
        }
        problem.fields.push_back(std::move(field));
    }
    for (const auto &[name, source] : config.system->coefficients) {
        problem.coefficients.push_back(sample(
            config, problem.grid, {fmt::format("problem.coefficients.{}", name), source, points}, findings));
    }
    cells.resize(problem.fields.size());
}

}  // namespace perdure
