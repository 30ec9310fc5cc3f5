#include <algorithm>
#include <optional>
#include <utility>

#include "solver/problem/acceptable_values.hpp"
#include "solver/problem/problem_makers.hpp"
#include "solver/problem/sample_field.hpp"

namespace perdure {

namespace {

/// The image that `a` comes from, and `a`.
void sample_image(const SampledPlace &place, ProblemFindings &findings, Field &field) {
    std::optional<MaterialImage> image = sample_materials(place, findings);
    if (!image) {
        return;
    }
    field.image = std::move(*image);
    field.a = conductivities(field.image);
    field.varies_by_axis = field.image.varies_by_axis();
    const bool good = std::all_of(field.image.materials.begin(), field.image.materials.end(),
                                  [](const Material &m) { return is_not_negative(m.conductivity); });
    if (!good && !check_values(field.a, place, "finite and not negative", is_not_negative, findings)) {
        return;
    }
    if (field.image.conducting_cells() == 0) {
        findings.add(ExitCode::bad_input, place.source.position,
                     "problem.a: nothing in this image conducts, because every cell has a label of "
                     "conductivity 0; are the labels of pores and solid swapped?");
    }
}

}  // namespace

void make_problem_of_image(const Config &config, ProblemFindings &findings, Problem &problem,
                           std::vector<ActiveCells> & /*cells*/) {
    const EquationField &equation = equation_of(config.type).fields.front();
    const SamplePoints cells = cell_points(problem.grid);
    Field field = begin_field(config, 0);
    sample_image(place_of(config, equation.a, cells), findings, field);
    sample_terms(config, problem.grid, equation, findings, field);
    sample_finite(place_of(config, equation.initial, cells), findings, field.initial);
    problem.fields.push_back(std::move(field));
}

}  // namespace perdure
