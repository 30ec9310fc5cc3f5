#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/equations/equation.hpp"
#include "solver/problem/active_cells.hpp"
#include "solver/problem/cell_peclet.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/make_system_problem.hpp"
#include "solver/problem/problem.hpp"
#include "solver/problem/problem_findings.hpp"
#include "solver/problem/sample_values.hpp"
#include "solver/problem/source_balance.hpp"
#include "solver/time_spent.hpp"

namespace perdure {

namespace {

bool finite(double value) {
    return std::isfinite(value);
}
bool non_negative(double value) {
    return std::isfinite(value) && value >= 0.0;
}
bool positive(double value) {
    return std::isfinite(value) && value > 0.0;
}
bool finite_or_nan(double value) {
    return !std::isinf(value);
}

// Samples `source` into `samples`; true when every value is acceptable.
bool sample(const SampledPlace &place, const std::string &expected, bool (*acceptable)(double),
            ProblemFindings &findings, Samples &samples) {
    std::optional<Samples> values = sample_values(place, findings);
    if (!values || !check_values(*values, place, expected, acceptable, findings)) {
        return false;
    }
    samples = std::move(*values);
    return true;
}

bool sample_coefficient(const SampledPlace &place, ProblemFindings &findings, Samples &samples) {
    return sample(place, "finite and not negative", non_negative, findings, samples);
}

/// a, and for an effective case the image that it comes from.
bool sample_a(const SampledPlace &place, const Config &config, ProblemFindings &findings, Field &field) {
    if (!config.effective) {
        return sample_coefficient(place, findings, field.a);
    }
    std::optional<MaterialImage> image = sample_materials(place, findings);
    if (!image) {
        return false;
    }
    field.image = std::move(*image);
    field.a = conductivities(field.image);
    field.varies_by_axis = field.image.varies_by_axis();
    const bool good = std::all_of(field.image.materials.begin(), field.image.materials.end(),
                                  [](const Material &m) { return non_negative(m.conductivity); });
    if (!good && !check_values(field.a, place, "finite and not negative", non_negative, findings)) {
        return false;
    }
    if (field.image.conducting_cells() == 0) {
        findings.add(ExitCode::bad_input, config.a.position,
                     "problem.a: nothing in this image conducts, because every cell has a label of "
                     "conductivity 0; are the labels of pores and solid swapped?");
        return false;
    }
    return true;
}

bool sample_finite(const SampledPlace &place, ProblemFindings &findings, Samples &samples) {
    return sample(place, "finite", finite, findings, samples);
}

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

// Earlier outputs hold NaN in the cells that were left out: there, and only there, it is replaced by 0.
void settle_initial(const ActiveCells &active, const SampledPlace &place, ProblemFindings &findings,
                    Samples &initial) {
    if (initial.uniform()) {
        check_values(initial, place, "finite", finite, findings);
        return;
    }
    in_parallel(static_cast<std::int64_t>(active.active.size()), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            if (active.active[i] == 0 && std::isnan(initial.values[i])) {
                initial.values[i] = 0.0;
            }
        }
    });
    check_values(initial, place, "finite in every cell that is not solid", finite, findings);
}

/// What gives the part of a field that has this key of `problem`.
SampledPlace place_of(const Config &config, const char *key, const SamplePoints &cells) {
    return {fmt::format("problem.{}", key), value_of(config, key), cells};
}

/// Its coefficients, its source and its sides; false where something was found wrong.
bool sample_terms(const Config &config, const Grid &grid, const EquationField &equation,
                  ProblemFindings &findings, Field &field) {
    const SamplePoints cells = cell_points(grid);
    bool good = true;
    if (equation.a != nullptr) {
        good = sample_a(place_of(config, equation.a, cells), config, findings, field);
    }
    if (equation.sigma != nullptr) {
        good = sample_coefficient(place_of(config, equation.sigma, cells), findings, field.sigma) && good;
    }
    if (equation.capacity != nullptr) {
        good = sample(place_of(config, equation.capacity, cells), "finite and above 0", positive, findings,
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

/// Field number `index` of the equation from what the case gives. The cells that it takes part in go to `cells_of_fields`, which holds
/// those of the fields before it. Where the case gives a unit it is that of the first field, and those of others are not known.
Field make_field(const Config &config, const Grid &grid, std::size_t index, ProblemFindings &findings,
                 std::vector<std::optional<ActiveCells>> &cells_of_fields,
                 std::vector<Diagnostic> &warnings) {
    const EquationField &equation = equation_of(config.type).fields[index];
    Field field;
    field.name = equation.name;
    field.cells_of = equation.cells_of;
    field.unit = index == 0 || !config.output.units ? config.output.units : std::string();
    field.in_time = is_in_time(config);
    const bool good = sample_terms(config, grid, equation, findings, field);
    const SamplePoints cells = cell_points(grid);
    bool initial_good = false;
    if (equation.initial != nullptr) {
        const SampledPlace initial = place_of(config, equation.initial, cells);
        const bool from_output = initial.source.kind == ValueSource::Kind::dataset;
        initial_good =
            sample(initial, "finite", from_output ? finite_or_nan : finite, findings, field.initial);
    }
    if (good && !config.effective) {
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
        if (initial_good && active) {
            settle_initial(*active, place_of(config, equation.initial, cells), findings, field.initial);
        }
    }
    return field;
}

}  // namespace

std::string largest_of(const Problem &problem) {
    std::string names;
    for (const Field &field : problem.fields) {
        names += fmt::format("{}|{}|", names.empty() ? "" : ", ", field.name);
    }
    return "max " + names;
}

namespace {

/// Of the formulas in which heat is watched: what the case has sampled for its own kernels.
std::vector<Samples> coefficients_of_watched(const SystemConfig &formulas, const Field &field) {
    std::vector<Samples> all;
    for (const auto &[name, source] : formulas.coefficients) {
        const std::string value = name.substr(0, name.find('_'));
        all.push_back(value == "a"       ? field.a
                      : value == "sigma" ? field.sigma
                      : value == "f"     ? field.f
                                         : field.capacity);
    }
    return all;
}

}  // namespace

Problem make_problem(const Config &config, std::vector<ActiveCells> &cells) {
    const TimeSpent::Scope sampling(Activity::sample);
    ProblemFindings findings(config);
    Problem problem;
    problem.grid = grid_of(config.grid);
    problem.start_time = config.time ? config.time->start : 0.0;
    if (config.system) {
        make_system_problem(config, findings, problem);
    }
    const std::size_t fields = equation_of(config.type).fields.size();
    std::vector<std::optional<ActiveCells>> cells_of_fields(fields);
    for (std::size_t i = 0; i < fields; ++i) {
        problem.fields.push_back(
            make_field(config, problem.grid, i, findings, cells_of_fields, problem.warnings));
    }
    findings.throw_if_any();
    if (config.watched_as) {
        problem.watched = config.watched_as;
        problem.coefficients = coefficients_of_watched(*problem.watched, problem.fields.front());
    }
    problem.warnings.insert(problem.warnings.end(), findings.warnings().begin(), findings.warnings().end());
    cells.clear();
    for (std::size_t i = 0; i < fields && !config.effective; ++i) {
        const std::size_t of = problem.fields[i].cells_of;
        cells.push_back(of == i ? std::move(*cells_of_fields[i]) : cells.at(of));
    }
    if (config.system) {
        cells.resize(problem.fields.size());  // it steps every cell
    }
    return problem;
}

Problem make_problem(const Config &config) {
    std::vector<ActiveCells> cells;
    return make_problem(config, cells);
}

}  // namespace perdure
