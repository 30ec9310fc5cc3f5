#include "solver/problem/sample_field.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/acceptable_values.hpp"

namespace perdure {

namespace {

/// Samples `place` into `samples`; true when every value is acceptable.
bool sample(const SampledPlace &place, const std::string &expected, bool (*acceptable)(double),
            ProblemFindings &findings, Samples &samples) {
    std::optional<Samples> values = sample_values(place, findings);
    if (!values || !check_values(*values, place, expected, acceptable, findings)) {
        return false;
    }
    samples = std::move(*values);
    return true;
}

}  // namespace

bool sample_finite(const SampledPlace &place, ProblemFindings &findings, Samples &samples) {
    return sample(place, "finite", is_finite, findings, samples);
}

bool sample_finite_or_nan(const SampledPlace &place, ProblemFindings &findings, Samples &samples) {
    return sample(place, "finite", is_finite_or_nan, findings, samples);
}

bool sample_coefficient(const SampledPlace &place, ProblemFindings &findings, Samples &samples) {
    return sample(place, "finite and not negative", is_not_negative, findings, samples);
}

namespace {

bool sample_side(const Config &config, const Grid &grid, int number, ProblemFindings &findings,
                 Field &field) {
    const SideConfig &from = config.sides[number];
    Side &side = field.sides[number];
    side.kind = from.kind;
    if (number >= 2 * grid.dimensions) {
        return true;
    }
    const BoundaryCondition &condition = condition_of(from.kind);
    const SamplePoints points = face_points(grid, number);
    const std::string key = fmt::format("boundary.{}.{}", side_names[number], name(from.kind));
    bool good = true;
    for (const SideInput &input : condition.inputs) {
        const SampledPlace place{is_given_by_word(condition) ? key : fmt::format("{}.{}", key, input.key),
                                 input.source(from), points};
        if (input.slot == SideInput::Slot::values) {
            check_time_factor(place, findings);
            side.time_factor = place.source.time_factor;
        }
        good =
            (input.not_negative ? sample_coefficient : sample_finite)(place, findings, input.samples(side)) &&
            good;
    }
    return good;
}

bool sample_velocity(const Config &config, const Grid &grid, ProblemFindings &findings, Field &field) {
    if (!config.velocity) {
        return true;
    }
    field.convective = true;
    field.convection = config.velocity->convection;
    const SamplePoints cells = cell_points(grid);
    bool good = true;
    for (int axis = 0; axis < grid.axes(); ++axis) {
        const std::string key = fmt::format("problem.velocity[{}]", grid.axes() - 1 - axis);
        good =
            sample_finite({key, config.velocity->components[axis], cells}, findings, field.velocity[axis]) &&
            good;
    }
    return good;
}

}  // namespace

Field begin_field(const Config &config, std::size_t index) {
    const EquationField &equation = equation_of(config.type).fields[index];
    Field field;
    field.name = equation.name;
    field.cells_of = equation.cells_of;
    field.unit = index == 0 || !config.output.units ? config.output.units : std::string();
    field.flux_unit = config.output.flux_units;
    field.in_time = is_in_time(config);
    return field;
}

SampledPlace place_of(const Config &config, const char *key, const SamplePoints &cells) {
    return {fmt::format("problem.{}", key), value_of(config, key), cells};
}

bool sample_terms(const Config &config, const Grid &grid, const EquationField &equation,
                  ProblemFindings &findings, Field &field) {
    const SamplePoints cells = cell_points(grid);
    bool good = true;
    if (equation.sigma != nullptr) {
        good = sample_coefficient(place_of(config, equation.sigma, cells), findings, field.sigma) && good;
    }
    if (equation.capacity != nullptr) {
        good = sample(place_of(config, equation.capacity, cells), "finite and above 0", is_positive, findings,
                      field.capacity) &&
               good;
    }
    if (equation.f != nullptr) {
        const SampledPlace f = place_of(config, equation.f, cells);
        field.f_time_factor = f.source.time_factor;
        good = sample_finite(f, findings, field.f) && good;
        check_time_factor(f, findings);
    }
    good = sample_velocity(config, grid, findings, field) && good;
    for (int side = 0; side < 6; ++side) {
        if (equation.a != nullptr || is_periodic(config.sides, side / 2)) {
            good = sample_side(config, grid, side, findings, field) && good;
        }
    }
    return good;
}

}  // namespace perdure
